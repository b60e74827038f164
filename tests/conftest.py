"""What many tests share: one warm box, the assignment, its draws; and which tests come first."""

import os
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

import pytest
from hypothesis import settings
from xdist.scheduler import LoadScopeScheduling

from graders.course.exercise import Assignment, load_assignment
from graders.judging import draws as drawing
from graders.judging.draws import Draws
from graders.language import speaking
from graders.sandbox.box import Box
from graders.sandbox.isolation.choose_level import best, try_level
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.limits import Limits

# Timing takes seconds, and here other tests run beside: those about it ask for it themselves.
os.environ["SOFTMARK_TIMING"] = "0"
os.environ["SOFTMARK_LANG"] = "en"  # whatever the machine's locale; tests of French ask for it
settings.register_profile("softmark", deadline=None, database=None)
settings.load_profile("softmark")

HANDED_IN = Path(__file__).parent / "handed_in/attention"
PATIENT = Limits(call_s=10.0, load_s=30.0)  # other tests run beside this one
# Drawing takes longer than checking: what one test has drawn, every later one in this process finds again,
# and so do the processes that it forks. Tests of drawing itself undo this.
drawing._drawn = cache(drawing._drawn)

# Files with a fixture that takes seconds to make: one process runs all of their tests, and makes it once.
ONE_PROCESS = {
    "tests/audit/test_faulty_course.py",
    "tests/cli/test_ci.py",
    "tests/cli/test_new.py",
    "tests/course/test_tutorial.py",
    "tests/notebook/test_notebook_extension.py",
    "tests/pytest_plugin/test_plugin.py",
    "tests/whole_line/test_sample_class.py",
    "tests/whole_line/test_sample_minigpt.py",
}
WITHOUT_PROGRAMS = "not programs"  # what `make quick` selects
BOXES = {"box", "any_box", "level"}  # fixtures that start one


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what needs a box as starting programs, and put slow tests first, so that workers end together.

    Where only tests that start no program were asked for, none can from here on.
    """
    for item in items:
        if BOXES.intersection(getattr(item, "fixturenames", ())):
            item.add_marker("programs")
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)
    # Not before: where xdist starts its workers, nothing is collected.
    if config.option.markexpr.startswith(WITHOUT_PROGRAMS):
        subprocess.Popen.__init__ = _refuse
        Box.start = _refuse


class FilesTogether(LoadScopeScheduling):  # type: ignore[misc]
    """Hand out tests one by one, but those of the files in `ONE_PROCESS` together.

    xdist's own `loadgroup` writes the group into a test's id, where pytest 9.2 no longer reads it.
    """

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        return file if file in ONE_PROCESS else nodeid


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> FilesTogether | None:
    """The scheduler of `pytest -n`; many small tests are handed out faster by xdist's own."""
    return None if config.option.markexpr.startswith(WITHOUT_PROGRAMS) else FilesTogether(config, log)


def _refuse(*_: Any, **__: Any) -> NoReturn:
    pytest.fail("a test that starts a program or a box needs the marker `programs`")


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """A command that was told another language goes on speaking it; the next test begins in English again."""
    with speaking("en"):
        yield


@pytest.fixture(scope="session")
def box() -> Iterator[Box]:
    box, _ = best(PATIENT)
    with box:
        yield box


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
