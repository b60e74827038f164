"""Which tests come first, and which one process runs together. `support/shared.py` has what they share."""

import atexit
import gc
import os
import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

import pytest
from xdist.scheduler import LoadScopeScheduling

from graders.sandbox.isolation.level import IsolationLevel

# Timing takes seconds, and here other tests run beside: those about it ask for it themselves.
os.environ["SOFTMARK_TIMING"] = "0"
os.environ["SOFTMARK_LANG"] = "en"  # whatever the machine's locale; tests of French ask for it

# CI's nightly run sets it: tests that prove again, at length, what shorter ones show.
NIGHTLY = os.environ.get("SOFTMARK_NIGHTLY") == "1"

ENVIRONMENT: dict[str, str] = {}  # as it was before the first test
ROOT = Path(__file__).parents[1]
HANDED_IN = Path(__file__).parent / "handed_in/attention"

# Files with a fixture that takes seconds to make: one process runs all of their tests, and makes it once.
ONE_PROCESS = {
    "tests/audit/test_faulty_course.py",
    "tests/cli/test_ci.py",
    "tests/cli/test_new.py",
    "tests/diagnosis/test_blame.py",
    "tests/fuzz/test_odd_files.py",
    "tests/hostile/test_without_a_wall.py",
    "tests/notebook/test_notebook_extension.py",
    "tests/pytest_plugin/test_plugin.py",
    "tests/repository/test_boundaries.py",
    "tests/repository/test_catalogue.py",
    "tests/repository/test_wheel.py",
    "tests/whole_line/test_sample_class.py",
    "tests/whole_line/test_sample_efficient.py",
    "tests/whole_line/test_sample_foundations.py",
    "tests/whole_line/test_sample_minigpt.py",
    "tests/whole_line/test_sample_seq2seq.py",
}
# Where tests at one isolation level share a box that takes seconds to start: one process runs them.
ONE_PROCESS_FOR_A_LEVEL = ("tests/hostile/test_attacks.py", "tests/hostile/test_class.py", "tests/sandbox/")
AT_LEVEL = re.compile(rf"\[({'|'.join(IsolationLevel)})\b")  # in the id of a test
BROWSERS = {  # these share a browser, which takes seconds to start
    "tests/reports/test_accessibility.py",
    "tests/reports/test_class_script.py",
    "tests/reports/test_large_class.py",
    "tests/reports/test_narrow_and_paper.py",
    "tests/reports/test_pasteable.py",
    "tests/reports/test_sanitize_html.py",
}
JOURNEYS = "tests/journeys/"  # all tests of such a file are about one page, which is followed once
# These import the same libraries.
PEERS = ("tests/course/test_peers_", "tests/heads/test_pretrained.py")
UNWALLED = "::test_without_isolation_"
WITHOUT_PROGRAMS = "not programs"  # what `make quick` selects
BOXES = {"box", "any_box", "level"}  # fixtures that start one


def pytest_addoption(parser: pytest.Parser) -> None:
    """What each test costs is measured where it is asked for."""
    parser.addoption("--cpu-seconds", type=Path, metavar="FILE", help="write what each test costs")


def pytest_configure(config: pytest.Config) -> None:
    """Load what tests share; not where tests are only handed out, since importing torch takes seconds.

    What is kept has a folder of its own, also for programs that tests start: tests change what is computed.
    """
    os.environ["SOFTMARK_CACHE"] = str(ROOT / "build/kept/programs")
    if file := config.option.cpu_seconds:
        _measure(config, file)
    if not config.option.numprocesses:
        config.pluginmanager.import_plugin("tests.support.shared")


def _measure(config: pytest.Config, file: Path) -> None:
    from tests.support.processor_seconds import Measure, Table

    if not hasattr(config, "workerinput"):
        file.write_text("")
        config.pluginmanager.register(Table(file))
    if not config.option.numprocesses:
        config.pluginmanager.register(Measure(file))


def pytest_collection_finish() -> None:
    """Collect garbage as rarely as commands do: it took one of 25 CPU seconds, and found little."""
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
    ENVIRONMENT.update(os.environ)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """Require that the tests of a file leave the environment as it was: those of others read it."""
    yield
    if nextitem is None or nextitem.path != item.path:
        changed = {name for name, _ in os.environ.items() ^ ENVIRONMENT.items()}
        ours = {name for name in changed if name in ENVIRONMENT or name.startswith("SOFTMARK_")}
        assert not ours, f"the environment has changed: {ours}"  # libraries add variables of their own


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what needs a box as starting programs, and put slow tests first, so that workers end together.

    Where only tests that start no program were asked for, none can from here on.
    """
    for item in items:
        if BOXES.intersection(getattr(item, "fixturenames", ())):
            item.add_marker("programs")
    if not NIGHTLY:
        leave_out = [item for item in items if item.get_closest_marker("nightly")]
        config.hook.pytest_deselected(items=leave_out)
        items[:] = [item for item in items if item not in {*leave_out}]
    if any(item.get_closest_marker("programs") for item in items):
        from graders.sandbox.template import Template, use_template

        template = Template.spawn()  # all boxes of this process are forked from it
        atexit.register(template.close)
        use_template(template)
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)
    # Not before: where xdist starts its workers, nothing is collected.
    if config.option.markexpr.startswith(WITHOUT_PROGRAMS):
        from graders.sandbox.interpreter import Interpreter

        subprocess.Popen.__init__ = _refuse
        Interpreter.start = _refuse


class FilesTogether(LoadScopeScheduling):  # type: ignore[misc]
    """Hand out tests one by one, but those together that share what takes seconds to make.

    xdist's own `loadgroup` writes the group into a test's id, where pytest 9.2 no longer reads it. A process
    keeps to folders that no other has begun, as long as there are any: tests of one folder often use the same
    draws and known mistakes, which each process makes for itself.
    """

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._processes_of: dict[str, set[Any]] = {}  # by folder, those that have run tests of it
        self._without_own: set[Any] = set()  # the processes to which no folder is left: none will be again

    def _assign_work_unit(self, node: Any) -> None:
        waiting = () if node in self._without_own else self.workqueue
        own = next((scope for scope in waiting if self._is_left_to(node, scope)), None)
        if own is None:
            self._without_own.add(node)
        scope = next(iter(self.workqueue)) if own is None else own
        self._processes_of.setdefault(_folder_of(scope), set()).add(node)
        self.workqueue.move_to_end(scope, last=False)
        super()._assign_work_unit(node)

    def _is_left_to(self, node: Any, scope: str) -> bool:
        processes = self._processes_of.get(_folder_of(scope))
        return not processes or node in processes

    def _pending_of(self, workload: dict[str, dict[str, bool]]) -> int:
        """How many tests a process has not run yet; forgets the others, which would be counted each time."""
        for scope in [scope for scope, tests in workload.items() if all(tests.values())]:
            del workload[scope]
        return int(super()._pending_of(workload))

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        at = AT_LEVEL.search(nodeid)
        level = "open" if UNWALLED in nodeid else at[1] if at else ""
        if nodeid.startswith(ONE_PROCESS_FOR_A_LEVEL) and level:
            return f"{nodeid.split('/')[1]} at level {level}"
        if file.startswith(PEERS):
            return "peers"
        if file in BROWSERS:
            return "a browser"
        return file if file in ONE_PROCESS or file.startswith(JOURNEYS) else nodeid


@cache
def _folder_of(scope: str) -> str:
    return scope.partition("::")[0].rpartition("/")[0] or scope


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> FilesTogether | None:
    """The scheduler of `pytest -n`; many small tests are handed out faster by xdist's own."""
    return None if config.option.markexpr.startswith(WITHOUT_PROGRAMS) else FilesTogether(config, log)


def _refuse(*_: Any, **__: Any) -> NoReturn:
    pytest.fail("a test that starts a program or a box needs the marker `programs`")
