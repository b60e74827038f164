"""Clusters on the loopback: scheduler, workers and `softmark grade` as programs of their own."""

import contextlib
import json
import multiprocessing
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from graders.cli.main import main
from tests.support.processes import alive, below

COURSE = """
[attention]
title = "Heads"
exercises = [{ name = "concat_heads", title = "Joining the heads", points = 2 }]
"""
SOFTMARK = Path(sys.executable).with_name("softmark")  # as users start it: it imports PyTorch once
WAIT_S = 120.0  # on a busy machine
END_S = 15.0  # in which everything must be gone
RIGHT = "def concat_heads(x):\n    return x.transpose(1, 2).flatten(2)\n"
WRONG = "def concat_heads(x):\n    return x.flatten(2)\n"


@dataclass
class Program:
    """A program that was started, its log, and each process that it was seen to have."""

    process: "subprocess.Popen[bytes] | Fork"
    log: Path
    seen: set[int] = field(default_factory=set)

    def look(self) -> set[int]:
        """All processes of it now, which are remembered."""
        now = {self.process.pid, *below(self.process.pid)}
        self.seen |= now
        return now

    def says(self) -> str:
        """What it has said so far."""
        return self.log.read_text(encoding="utf-8")

    def await_line(self, pattern: str) -> "re.Match[str]":
        """Wait until it has said something."""
        found: list[re.Match[str]] = []

        def said() -> bool:
            found.extend([match] if (match := re.search(pattern, self.says())) else [])
            return bool(found) or self.process.poll() is not None

        await_true(said)
        assert found, f"{pattern!r} is not in {self.says()!r}"
        return found[0]


class Fork:
    """A fork of this process, with all that is imported here, which calls a function; otherwise a program."""

    def __init__(self, log: Path, function: Callable[..., None], *arguments: Any) -> None:
        self._process = multiprocessing.get_context("fork").Process(
            target=_call, args=(log, function, arguments)
        )
        self._process.start()
        assert self._process.pid is not None
        self.pid = self._process.pid

    def poll(self) -> int | None:
        """The exit status, if it has ended."""
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        """Wait until it ends; its exit status."""
        self._process.join(timeout)
        assert self._process.exitcode is not None, "it did not end in time"
        return self._process.exitcode

    def kill(self) -> None:
        """Kill it."""
        self._process.kill()


def _call(log: Path, function: Callable[..., None], arguments: tuple[Any, ...]) -> None:
    os.setsid()
    with log.open("wb", buffering=0) as file:
        for number in (1, 2):
            os.dup2(file.fileno(), number)
    sys.stdout, sys.stderr = (open(number, "w", buffering=1, closefd=False) for number in (1, 2))  # noqa: SIM115
    signal.signal(signal.SIGINT, signal.default_int_handler)
    function(*arguments)


@dataclass
class LoopbackCluster:
    """Programs on this machine, with their logs in a folder; TLS where there are certificates."""

    folder: Path
    certificates: Path | None = None
    programs: list[Program] = field(default_factory=list)
    address: str = ""

    def start(self, *words: Any) -> Program:
        """Start `softmark` with these words."""
        return self._start(SOFTMARK, *words)

    def start_python(self, *words: Any) -> Program:
        """Start Python with these words."""
        return self._start(sys.executable, *words)

    def _start(self, *words: Any) -> Program:
        log = self.folder / f"program{len(self.programs)}.log"
        with log.open("wb") as file:
            process = subprocess.Popen(
                [*map(str, words)],
                stdout=file,
                stderr=file,
                start_new_session=True,
                # A shell starts what runs in its background without Ctrl-C, and so would pytest there.
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
            )
        self.programs.append(Program(process, log))
        return self.programs[-1]

    def start_scheduler(self) -> Program:
        """Start a scheduler at a free port, to which all that is started later connects."""
        scheme = "tls" if self.certificates else "tcp"
        program = self.start("cluster", "scheduler", "--address", f"{scheme}://127.0.0.1:0", *self._given)
        self.address = program.await_line(r"listens at (\S+)")[1]
        return program

    def start_worker(self, slots: int = 1) -> Program:
        """Start a worker, and wait until the scheduler knows it."""
        program = self.start("worker", self.address, "--slots", slots, *self._given)
        program.await_line("at a time")
        return program

    def grade(self, handed_in: Path, out: Path, *more: Any) -> Program:
        """Start to grade a class on the cluster."""
        return self.start(*self._grade_words(handed_in, out), *more)

    def grade_in_a_fork(self, handed_in: Path, out: Path) -> Program:
        """The same in a fork of this process: to import PyTorch takes longer than to grade a few."""
        return self.fork(main, self._grade_words(handed_in, out))

    def fork(self, function: Callable[..., None], *arguments: Any) -> Program:
        """Call a function in a fork of this process."""
        log = self.folder / f"program{len(self.programs)}.log"
        log.touch()
        self.programs.append(Program(Fork(log, function, *arguments), log))
        return self.programs[-1]

    def _grade_words(self, handed_in: Path, out: Path) -> list[str]:
        words = (*grade_words(handed_in, out), "--cluster", self.address, *self._given)
        return [str(word) for word in words]

    @property
    def _given(self) -> tuple[Any, ...]:
        return ("--certificates", self.certificates) if self.certificates else ()


@contextlib.contextmanager
def loopback_cluster(folder: Path, certificates: Path | None = None) -> Iterator[LoopbackCluster]:
    """A cluster without programs yet; what is still running at the end is killed."""
    folder.mkdir(exist_ok=True)
    cluster = LoopbackCluster(folder, certificates)
    try:
        yield cluster
    finally:
        for program in cluster.programs:
            program.look()
            program.process.kill()
            program.process.wait()


def grade_words(handed_in: Path, out: Path) -> list[Any]:
    """The command that grades a class of one exercise."""
    course = handed_in.parent / "course.toml"
    course.write_text(COURSE, encoding="utf-8")
    given = ("--assignment", "attention", "--course", course, "--seed", "1", "--no-timing", "--jobs", "1")
    return ["grade", handed_in, *given, "--out", out]


def hand_in(folder: Path, count: int) -> None:
    """So many submissions, each with bytes of its own; every third is wrong."""
    folder.mkdir()
    for number in range(count):
        code = WRONG if number % 3 == 2 else RIGHT
        (folder / f"s{number:04}.py").write_text(f"# {number}\n{code}", encoding="utf-8")


def results(out: Path) -> dict[str, Any]:
    """All results, without what may differ from run to run."""
    found = {path.parent.name: json.loads(path.read_bytes()) for path in out.glob("*/result.json")}
    for result in found.values():
        for name in ("graded_at", "seconds", "machine", "digest"):
            del result[name]
    return found


def count_results(out: Path) -> int:
    """How many results there are."""
    return sum(1 for _ in out.glob("*/result.json"))


def await_true(condition: Callable[[], bool], seconds: float = WAIT_S) -> None:
    """Wait until something holds."""
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "it did not come true in time"
        time.sleep(0.05)


def words_of(pid: int) -> str:
    """The command line of a process; empty if it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""


def await_end_of(processes: set[int]) -> None:
    """Require that processes end soon."""
    until = time.monotonic() + END_S
    while left := {pid for pid in processes if alive(pid)}:
        assert time.monotonic() < until, {pid: words_of(pid) for pid in left}
        time.sleep(0.1)
