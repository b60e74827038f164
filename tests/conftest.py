"""What many tests share: one warm box, the assignment, its draws."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from graders.draw import Deck
from graders.exercise import Assignment, load_assignment
from graders.limits import Limits
from graders.rung import Rung, best
from graders.sandbox import Box

settings.register_profile("softmark", deadline=None, database=None)
settings.load_profile("softmark")

HANDED_IN = Path(__file__).parent / "handed_in"
PATIENT = Limits(call_s=10.0, load_s=30.0)  # other tests run beside this one


@pytest.fixture(scope="session")
def rung() -> Rung:
    return best()[0]


@pytest.fixture(scope="session")
def box(rung: Rung) -> Iterator[Box]:
    with Box(rung, PATIENT) as box:
        box.start()
        yield box


@pytest.fixture(scope="session")
def assignment() -> Assignment:
    return load_assignment("attention")


@pytest.fixture(scope="session")
def deck() -> Deck:
    return Deck(1)
