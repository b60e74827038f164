"""The pytest plugin: `pytest rendu.ipynb` lists every check of what was handed in, and runs them in the box.

Each run of pytest loads this file wherever softmark is installed. So it imports pytest alone: the code that
reads a submission is imported when there is one, and torch when the first check runs.
"""

from collections.abc import Generator
from fnmatch import fnmatch
from pathlib import Path

import pytest

from graders.pytest_plugin.items import CheckItem, HandedInFile, HandedInFolder

LANGUAGES = ("en", "fr")  # as in graders.language, which takes too long to import
ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz")  # as in graders.submission.files
TESTS = ("test_*.py", "*_test.py")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--softmark` and its further options."""
    group = parser.getgroup("softmark", "softmark: the checks of a Transformers course")
    group.addoption(
        "--softmark",
        metavar="NAME",
        help="Check what is handed in to this assignment: notebooks, and modules, folders and zips that are "
        "named. Without it, a notebook that is named is checked if it has an assignment's symbols.",
    )
    group.addoption(
        "--softmark-exercise",
        metavar="NAME",
        action="append",
        default=[],
        help="List the checks of this exercise alone; may be given again.",
    )
    group.addoption("--softmark-seed", metavar="N", type=int, default=1, help="Which draws the checks make.")
    group.addoption("--softmark-sandbox", metavar="LEVEL", help="Insist on this isolation level.")
    group.addoption("--softmark-lang", choices=LANGUAGES, help="The language of findings; else the locale's.")
    parser.addini("softmark", "The assignment that is meant where --softmark names none.")


def pytest_configure(config: pytest.Config) -> None:
    """Refuse unknown names before anything is collected."""
    name, level = _assignment(config), config.getoption("softmark_sandbox")
    if name:
        from graders.course.course_table import BadCourse
        from graders.course.outline import UnknownName, choose
        from graders.pytest_plugin.settle_course import settle_course

        try:
            settle_course(config)
            choose(name, config.getoption("softmark_exercise"))
        except (BadCourse, UnknownName) as error:
            raise pytest.UsageError(f"softmark: {error}") from error
    if level:
        from graders.sandbox.isolation.level import IsolationLevel

        levels = [choice.value for choice in IsolationLevel]
        if level not in levels:
            raise pytest.UsageError(f"softmark: there is no box {level!r}: there are {', '.join(levels)}")


@pytest.hookimpl(wrapper=True)
def pytest_cmdline_main(config: pytest.Config) -> Generator[None, object, object]:
    """With several processes, run all checks of an exercise in one, so that it is graded once."""
    several = config.getoption("numprocesses", None) and config.getoption("dist", "no") == "no"
    if several and (_assignment(config) or any(".ipynb" in argument for argument in config.args)):
        config.option.dist = "loadscope"
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(
    file_path: Path, parent: pytest.Collector
) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Collect notebooks, modules and zips that are submissions; pytest then imports no such module."""
    others = yield
    name, named = _assignment(parent.config), parent.session.isinitpath(file_path)
    suffix = file_path.suffix.lower()
    if suffix == ".ipynb" and (named or name):
        mine = HandedInFile.from_parent(parent, path=file_path, assignment=name, sure=named and not others)
        return [*others, mine]
    code = file_path.name.lower().endswith(ARCHIVES) or (
        suffix == ".py" and not _is_a_test(file_path, parent.config)
    )
    if name and named and code:
        return [HandedInFile.from_parent(parent, path=file_path, assignment=name, sure=True)]
    return others


@pytest.hookimpl(tryfirst=True)
def pytest_collect_directory(path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect a folder that is given with `--softmark` as one submission."""
    name = parent.config.getoption("softmark")
    on_command_line = parent.config.args_source is pytest.Config.ArgsSource.ARGS
    if not (name and on_command_line and parent.session.isinitpath(path)):
        return None
    return HandedInFolder.from_parent(parent, path=path, assignment=name, sure=True)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Report a skipped check at its line in the student's file, not in softmark's."""
    report = yield
    if isinstance(item, CheckItem) and report.skipped and isinstance(report.longrepr, tuple):
        path, line, _ = item.reportinfo()
        report.longrepr = (str(path), (line or 0) + 1, report.longrepr[2])
    return report


def pytest_terminal_summary(terminalreporter: "pytest.TerminalReporter") -> None:
    """Write the points of each submission, exercise by exercise."""
    reports = [r for group in terminalreporter.stats.values() for r in group]
    if any(("softmark" in dict(getattr(r, "user_properties", ()))) for r in reports):
        from graders.pytest_plugin.settle_course import settle_course
        from graders.pytest_plugin.summary import summarise

        course = settle_course(terminalreporter.config)  # with several processes, this one collected nothing
        summarise(terminalreporter, reports)
        if course:
            terminalreporter.write_line(f"softmark: {course}")


def _assignment(config: pytest.Config) -> str | None:
    return config.getoption("softmark") or config.getini("softmark") or None


def _is_a_test(path: Path, config: pytest.Config) -> bool:
    # With `--softmark`, ignore `python_files`: where it is `*.py`, pytest would import the student's module.
    patterns = TESTS if config.getoption("softmark") else config.getini("python_files")
    return any(fnmatch(path.name, pattern) for pattern in patterns)
