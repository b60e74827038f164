"""The ground on which an attack is tried: a rung's warm box, planted secrets, and what is looked at after."""

import contextlib
import csv
import io
import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from types import FrameType
from typing import Any

from rich.console import Console

from graders.classroom.class_record import ClassRecord
from graders.classroom.marks import compute_marks
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.results.result import ExerciseResult, Result, from_json, to_json
from graders.sandbox.box import Box
from graders.sandbox.isolation.level import IsolationLevel
from graders.worker.syscalls import prctl
from reports import terminal
from reports.gradebook.grades import grades_csv
from reports.pages import student_page as page
from tests.hostile.corpus import Attack, reduced
from tests.hostile.planting import HARM, TRACE, Planted, planted, shown_numbers
from tests.support.processes import alive, below

HONEST = "def concat_heads(x):\n    return x.transpose(1, 2).flatten(2)\n"
# Beyond the submission's own time: one draw that is being computed, the forks, and a busy machine.
PATIENCE_S = 10.0
_SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER, linux/prctl.h


class TooLong(BaseException):
    """Grading took longer than its limits allow; not an Exception, which grading would catch."""


@dataclass(frozen=True)
class Seen:
    """All that anybody gets to read of a result."""

    json: str
    page: str
    terminal: str
    csv: str
    numbers: str

    @property
    def texts(self) -> tuple[str, ...]:
        """Each of them."""
        return self.json, self.page, self.terminal, self.csv, self.numbers


@dataclass(frozen=True)
class Ground:
    """A rung's box with its planted secrets."""

    level: IsolationLevel
    box: Box
    planted: Planted
    folder: Path

    def grade(self, attack: Attack) -> Result:
        """Grade an attack, within the time that its limits allow.

        Raises:
            TooLong: it took longer.
        """
        with watched(self.box.limits.submission_s + PATIENCE_S):
            return Grader(attack.assignment, DECK, self.box).grade(attack.path, attack.id)

    def before(self) -> set[int]:
        """The processes that may be there after an attack: those of before, and not a fresh box's own."""
        self.settle()
        return below(os.getpid())

    def settle(self) -> None:
        """End a fresh box's interpreter, which lives no longer than its submission."""
        if self.level is IsolationLevel.FRESH:
            self.box.close()

    def honest(self) -> Result:
        """Grade an honest submission."""
        path = self.folder / "honest.py"
        path.write_text(HONEST, encoding="utf-8")
        return Grader(reduced("concat_heads"), DECK, self.box).grade(path, "honest")


DECK = Draws(1)


@contextlib.contextmanager
def ground(box: Box, folder: Path) -> Iterator[Ground]:
    """A box with everything planted around it."""
    with _adopting(), planted(folder, box.level) as plants:
        there = Ground(box.level, box, plants, folder)
        assert there.honest().points == 2
        yield there


def seen(result: Result) -> Seen:
    """What is written and shown of a result, by the real reports."""
    text = to_json(result)
    assert from_json(text) == result
    out = io.StringIO()
    terminal.show(Console(file=out, width=100), result)
    marks = compute_marks([result], ClassRecord(result.assignment, result.max_points), [], None)
    return Seen(text, page.render(result), out.getvalue(), grades_csv([result], marks), shown_numbers(result))


def messages(exercise: ExerciseResult) -> str:
    """All sentences of an exercise's result."""
    return "\n".join(filter(None, [exercise.message, *(finding.message for finding in exercise.findings)]))


def harm(result: Result) -> list[str]:
    """What an attack says it was able to do, in any text that is not its own code."""
    bare = replace(result, exercises=tuple(replace(e, definitions=()) for e in result.exercises))
    return sorted(set(HARM.findall(to_json(bare).replace("\\n", "\n"))))


def rows(table: str) -> list[list[str]]:
    """The rows of a CSV."""
    return list(csv.reader(io.StringIO(table)))


def survivors(before: set[int], seconds: float = 5.0) -> set[int]:
    """The processes below this one that were not there before, after a while for them to end."""
    until = time.monotonic() + seconds
    while (left := {pid for pid in below(os.getpid()) - before if alive(pid)}) and time.monotonic() < until:
        time.sleep(0.05)
    return left


def end(processes: set[int]) -> None:
    """Kill and collect what an attack has left behind."""
    for pid in processes:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(pid, 0)


def traces() -> list[str]:
    """What attacks have left outside of the box: files by their name, and segments of shared memory."""
    folders = {
        Path(tempfile.gettempdir()),
        Path("/tmp"),
        Path("/dev/shm"),
        Path.cwd(),
        Path.home(),
        Path("/"),
    }
    files = [str(path) for folder in folders if folder.is_dir() for path in folder.glob(f"{TRACE}*")]
    return sorted(files) + segments()


def segments() -> list[str]:
    """The keys of shared memory, semaphores and queues that attacks make: all begin with 0x50f7."""
    found = []
    for kind in ("shm", "sem", "msg"):
        with contextlib.suppress(OSError):
            lines = Path(f"/proc/sysvipc/{kind}").read_text().splitlines()[1:]
            found += [
                f"{kind} {key}" for key in (int(line.split()[0]) for line in lines) if key >> 16 == 0x50F7
            ]
    return found


@contextlib.contextmanager
def watched(seconds: float) -> Iterator[None]:
    """Let what runs here take so long and no longer.

    Raises:
        TooLong: it took longer.
    """

    def late(number: int, frame: FrameType | None) -> Any:
        raise TooLong(f"this took more than {seconds:g} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextlib.contextmanager
def _adopting() -> Iterator[None]:
    """Make orphans ours, so that a process that cut itself loose is still found below this one."""
    if sys.platform == "linux":
        prctl(_SUBREAPER, 1)
    try:
        yield
    finally:
        if sys.platform == "linux":
            prctl(_SUBREAPER, 0)
