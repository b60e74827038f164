"""The ground on which an attack is tried: a warm box, planted secrets, and what is inspected afterwards."""

import contextlib
import csv
import io
import json
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
from reports import terminal
from reports.gradebook.grades import grades_csv
from reports.pages import student_page as page
from softmark_worker.syscalls import prctl
from tests.conftest import NIGHTLY
from tests.hostile.corpus import IMPATIENT, LIMITS, Attack, reduced
from tests.hostile.planting import HARM, TRACE, Planted, plant_secrets, shown_numbers
from tests.support.processes import alive, below
from tests.support.shared_draws import with_all_draws

HONEST = "def concat_heads(x):\n    return x.transpose(1, 2).flatten(2)\n"
# Beyond the submission's own time: for new interpreters and forks, while other tests run.
PATIENCE_S = 40.0
_SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER, linux/prctl.h


class TooLong(BaseException):
    """Grading took longer than its limits allow; not an Exception, which grading would catch."""


@dataclass(frozen=True)
class Seen:
    """Everything that people can read of a result."""

    json: str
    page: str
    terminal: str
    csv: str
    numbers: str

    @property
    def texts(self) -> tuple[str, ...]:
        """All of the texts."""
        return self.json, self.page, self.terminal, self.csv, self.numbers


@dataclass(frozen=True)
class Ground:
    """The box of an isolation level with the planted secrets around it."""

    level: IsolationLevel
    box: Box
    planted: Planted
    folder: Path

    def grade(self, attack: Attack) -> Result:
        """Grade an attack, within the time that its limits allow.

        Raises:
            TooLong: it took longer.
        """
        limits = self.box.limits
        try:
            # The host's alone: the box goes on with its own, and so does what is graded next.
            self.box.limits = IMPATIENT if attack.hangs and limits == LIMITS else limits
            # What steals time a little at each call needs all of them.
            draws = with_all_draws() if attack.family == "timing" else contextlib.nullcontext()
            with draws, time_limit(limits.submission_s + PATIENCE_S):
                # What forges lies to the naming of mistakes too; those of one exercise stand for all.
                # To name one takes further processes, and each is a new interpreter at the level fresh.
                names = NIGHTLY or (attack.family, attack.exercise) == ("forge", "concat_heads")
                names &= self.level is not IsolationLevel.FRESH
                grader = Grader(attack.assignment, DECK, self.box, names_mistakes=names)
                return grader.grade(attack.path, attack.id)
        finally:
            self.box.limits = limits

    def before(self) -> set[int]:
        """The processes before an attack, without a fresh box's own; no others may exist after it."""
        self.settle()
        return below(os.getpid())

    def settle(self) -> None:
        """End a fresh box's interpreter: each submission gets a new one."""
        if self.level is IsolationLevel.FRESH:
            self.box.close()

    def honest(self) -> Result:
        """Grade an honest submission."""
        path = self.folder / "honest.py"
        path.write_text(HONEST, encoding="utf-8")
        return Grader(reduced("concat_heads"), DECK, self.box, names_mistakes=False).grade(path, "honest")


DECK = Draws(1)


@contextlib.contextmanager
def ground(box: Box, folder: Path) -> Iterator[Ground]:
    """A box with all secrets planted around it."""
    with _adopting(), plant_secrets(folder, box.level) as plants:
        there = Ground(box.level, box, plants, folder)
        with plants.in_environment():
            assert there.honest().points == 2
        yield there


def show(result: Result, pages: bool = True) -> Seen:
    """Everything that the real reports write and show of a result; its file and numbers without `pages`."""
    text = to_json(result)
    assert from_json(text) == result
    if not pages:
        return Seen(text, "", "", "", shown_numbers(result))
    out = io.StringIO()
    terminal.show(Console(file=out, width=100), result)
    marks = compute_marks([result], ClassRecord(result.assignment, result.max_points), [], None)
    return Seen(text, page.render(result), out.getvalue(), grades_csv([result], marks), shown_numbers(result))


def messages(exercise: ExerciseResult) -> str:
    """All sentences of an exercise's result."""
    return "\n".join(filter(None, [exercise.message, *(finding.message for finding in exercise.findings)]))


def told(exercise: ExerciseResult) -> str:
    """All sentences of an exercise's result, and what the code printed."""
    return "\n".join([messages(exercise), *(finding.output or "" for finding in exercise.findings)])


def harm(result: Result) -> list[str]:
    """The harm that an attack reports in any text of the result except its own code."""
    bare = replace(result, exercises=tuple(replace(e, definitions=()) for e in result.exercises))
    told = json.dumps(json.loads(to_json(bare), object_hook=_without_code))
    return sorted(set(HARM.findall(told.replace("\\n", "\n"))))


def _without_code(place: dict[str, Any]) -> dict[str, Any]:
    """A place without the text of its line."""
    return {key: value for key, value in place.items() if key != "code"}


def rows(table: str) -> list[list[str]]:
    """The rows of a CSV."""
    return list(csv.reader(io.StringIO(table)))


def survivors(before: set[int], seconds: float = 5.0) -> set[int]:
    """The descendants of this process that are new since `before` and do not end within `seconds`."""
    until = time.monotonic() + seconds
    while (left := {pid for pid in below(os.getpid()) - before if alive(pid)}) and time.monotonic() < until:
        time.sleep(0.05)
    return left


def end(processes: set[int]) -> None:
    """Kill and reap the processes that an attack has left."""
    for pid in processes:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(pid, 0)


def traces() -> list[str]:
    """What attacks have left outside the box: files, known by their name, and segments of shared memory."""
    folders = {
        Path(tempfile.gettempdir()),
        Path("/tmp"),
        Path("/dev/shm"),
        Path("/var/tmp"),
        Path("/run/lock"),
        Path.cwd(),
        Path.home(),
        Path("/"),
    }
    files = [str(path) for folder in folders if folder.is_dir() for path in folder.glob(f"{TRACE}*")]
    return sorted(files) + segments()


def segments() -> list[str]:
    """The keys of shared memory, semaphores and queues that attacks make: all begin with 0x50f7."""
    keys_found = []
    for kind in ("shm", "sem", "msg"):
        with contextlib.suppress(OSError):
            lines = Path(f"/proc/sysvipc/{kind}").read_text().splitlines()[1:]
            keys_found += [
                f"{kind} {key}" for key in (int(line.split()[0]) for line in lines) if key >> 16 == 0x50F7
            ]
    return keys_found


@contextlib.contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Interrupt the code inside this context after `seconds`.

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
    """Adopt orphans, so that a process that detached itself is still a descendant of this one."""
    if sys.platform == "linux":
        prctl(_SUBREAPER, 1)
    try:
        yield
    finally:
        if sys.platform == "linux":
            prctl(_SUBREAPER, 0)
