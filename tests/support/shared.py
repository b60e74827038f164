"""What many tests share: one warm box, the assignment, its draws. `tests/conftest.py` loads it."""

import contextlib
import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch.testing._comparison
from hypothesis import settings
from hypothesis.configuration import set_hypothesis_home_dir

from graders import locations
from graders.batch import prepare_run
from graders.course.exercise import Assignment, load_assignment
from graders.judging.draws import Draws
from graders.judging.own_constants import without_constants_of_modules
from graders.language import speak, speaking
from graders.locations import use_course
from graders.sandbox.box import Box
from graders.sandbox.isolation.choose_level import best, try_level
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.limits import Limits
from tests.support.open_box import OpenBox
from tests.support.shared_draws import share_draws
from tests.support.warm_commands import keep_boxes

# With Python's own 700, collections took a tenth of the tests' time, and little was to be collected.
gc.set_threshold(50_000, 20, 100)
# Other examples at each push: what is rare is found in the end, and the nightly run looks for it at length.
EXAMPLES = 200 if os.environ.get("SOFTMARK_NIGHTLY") == "1" else 50
settings.register_profile("softmark", deadline=None, database=None, max_examples=EXAMPLES)
settings.load_profile("softmark")
# There it finds which characters there are, from an earlier run; else each process looks for seconds.
# (`graders/judging/drawing.py`, imported above, lets it keep nothing.)
set_hypothesis_home_dir(Path(__file__).parents[2] / "build/hypothesis")

# What Hypothesis draws here does not depend on which modules are loaded, and it reads none of their sources.
WITHOUT_CONSTANTS = contextlib.ExitStack()  # kept, since the block ends with it
WITHOUT_CONSTANTS.enter_context(without_constants_of_modules())

# Here are no distributed tensors: the first `assert_close` of a process would import them, for over a second.
torch.testing._comparison._HAS_DTENSOR = False

PATIENT = Limits(call_s=10.0, load_s=30.0)  # other tests run beside this one
share_draws()
keep_boxes()
# Code that tests run without a wall is ours: it has written nothing there. Programs that tests start do not
# know that, and remove what is kept in their own folder.
prepare_run.FOLDERS = ()
OF_PROGRAMS = Path(os.environ["SOFTMARK_CACHE"])
_cache_folder = locations.cache_folder
locations.cache_folder = lambda: OF_PROGRAMS.parent if _cache_folder() == OF_PROGRAMS else _cache_folder()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Begin in English before a module's fixtures are made: another's may have left French behind."""
    speak("en")


@pytest.fixture(autouse=True)
def as_ever() -> Iterator[None]:
    """A command that was told another language or course keeps to it; the next test begins as ever."""
    with speaking("en"):
        yield
    use_course(None)


@pytest.fixture(scope="session")
def box() -> Iterator[Box]:
    box, _ = best(PATIENT)
    with box:
        yield box


@pytest.fixture(scope="session")
def open_box() -> OpenBox:
    """For code of our own, where neither the wall nor a limit is the subject: it starts no program."""
    return OpenBox()


@pytest.fixture(scope="session")
def level(box: Box) -> IsolationLevel:
    return box.level


@pytest.fixture(scope="session", params=list(IsolationLevel))
def any_box(request: pytest.FixtureRequest) -> Iterator[Box]:
    """A box at each isolation level; a level that this machine does not offer is skipped, with the reason."""
    box, step = try_level(request.param, Limits(call_s=2.0, load_s=30.0))
    if box is None:
        pytest.skip(f"{step.level}: {step.problem}")
    with box:
        yield box


@pytest.fixture(scope="session")
def assignment() -> Assignment:
    return load_assignment("attention")


@pytest.fixture(scope="session")
def draws() -> Draws:
    return Draws(1)
