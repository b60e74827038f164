"""What each test costs: CPU seconds of the process that runs it and of all below it.

    .venv/bin/pytest -n 0 --cpu-seconds=build/cpu.tsv tests/judging

A line per test goes to the file, and the dearest folders, files and tests to the terminal. What a process
takes before its first test, for imports and collection, is `starting`. A fixture of many tests counts for the
first of them. What lives on (a warm box, a server) counts for each test as it works: the kernel says what it
has taken so far. A process whose parent ended first is missing here, and its test then has less, even less
than nothing.
"""

import os
import resource
from collections import Counter
from collections.abc import Generator
from pathlib import Path

import pytest

TICKS = os.sysconf("SC_CLK_TCK")
STARTING = "starting"
SHOWN = 25  # dearest files, dearest tests


def used() -> float:
    """CPU seconds so far of this process, of what it has waited for, and of all that lives below it."""
    own = sum(_seconds(resource.getrusage(who)) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own + sum(_used_by(pid) for pid in _below(os.getpid()))


def _seconds(usage: resource.struct_rusage) -> float:
    return usage.ru_utime + usage.ru_stime


def _below(pid: int) -> list[int]:
    """The living processes below `pid`, as far as the kernel lists children."""
    found, left = list[int](), [pid]
    while left:
        for file in Path(f"/proc/{left.pop()}/task").glob("*/children"):
            new = [int(child) for child in _read(file).split()]
            found += new
            left += new
    return found


def _used_by(pid: int) -> float:
    """CPU seconds of a process, and of those that it has waited for."""
    fields = _read(Path(f"/proc/{pid}/stat")).rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / TICKS


def _read(file: Path) -> str:
    try:
        return file.read_text()
    except OSError:  # it has ended meanwhile
        return ""


class Measure:
    """Writes a line per test; there is one in each process that runs tests."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._last: float | None = None

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Measure a test with its fixtures."""
        if self._last is None:
            self._last = used()
            self._write(STARTING, self._last)
        try:
            return (yield)
        finally:
            before, self._last = self._last, used()
            self._write(item.nodeid, self._last - before)

    def _write(self, name: str, seconds: float) -> None:
        with self._file.open("a", encoding="utf-8") as lines:
            lines.write(f"{seconds:.3f}\t{name.encode('unicode_escape').decode()}\n")


class Table:
    """Prints what was measured, in the process that was started."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """The dearest folders, files and tests."""
        lines = [line.split("\t", 1) for line in self._file.read_text(encoding="utf-8").splitlines()]
        costs = [(name, float(seconds)) for seconds, name in lines]
        files = [(name.partition("::")[0], seconds) for name, seconds in costs]
        folders = [(name.rpartition("/")[0] or name, seconds) for name, seconds in files]
        terminalreporter.section(f"{sum(seconds for _, seconds in costs):.1f} CPU seconds")
        for title, rows, most in ("folders", folders, None), ("files", files, SHOWN), ("tests", costs, SHOWN):
            terminalreporter.write_line(title)
            for name, seconds in _sum(rows).most_common(most):
                terminalreporter.write_line(f"{seconds:8.1f}  {name}")


def _sum(rows: list[tuple[str, float]]) -> Counter[str]:
    total = Counter[str]()
    for name, seconds in rows:
        total[name] += seconds  # type: ignore[assignment]
    return total
