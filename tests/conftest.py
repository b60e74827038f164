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
QUICK = Limits(call_s=3.0, later_call_s=0.5, load_s=5.0, submission_s=60.0)


@pytest.fixture(scope="session")
def rung() -> Rung:
    return best()[0]


@pytest.fixture(scope="session")
def box(rung: Rung) -> Iterator[Box]:
    with Box(rung, QUICK) as box:
        box.start()
        yield box


@pytest.fixture(scope="session")
def assignment() -> Assignment:
    return load_assignment("attention")


@pytest.fixture(scope="session")
def deck() -> Deck:
    return Deck(1)
