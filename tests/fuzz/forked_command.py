"""Run one `softmark` command in a forked process, which may hang or die without harm to this one."""

import contextlib
import os
import resource
import signal
import time
import traceback
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

PATIENCE_S = 30.0  # after which a command counts as hung
MOST_MB = 3_000  # of one process
STATUSES = (0, 1, 2, 3)  # those of softmark's commands
RAISED = 99  # an exception that no command should let through


@dataclass(frozen=True)
class Ran:
    """How a command ended: its exit status (negative: by a signal), and what it said."""

    status: int
    said: str
    seconds: float

    @property
    def fault(self) -> str | None:
        """What no command may do; None where it did none of it."""
        if self.seconds >= PATIENCE_S:
            return f"it hung for {self.seconds:.0f} s"
        if self.status == RAISED:
            return f"it let an exception through:\n{self.said[-1_800:]}"
        return None if self.status in STATUSES else f"it ended with {self.status}:\n{self.said[-1_800:]}"


def run_command(words: Sequence[object], folder: Path) -> Ran:
    """Run `softmark` with these words in a folder, with nothing to read and without a terminal."""
    from graders.cli.main import main  # here: its import takes time, and some fuzzers need no command

    words_of_line = [str(word) for word in words]
    start = time.monotonic()
    said = folder / f".said.{os.getpid()}"
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", DeprecationWarning
        )  # of forks beside threads, which the child never uses
        child = os.fork()
    if child == 0:
        os._exit(_in_child(lambda: main(words_of_line), folder, said))
    try:
        status = _wait(child, start + PATIENCE_S)
        return Ran(status, said.read_bytes().decode("utf-8", "replace"), time.monotonic() - start)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)  # whatever it has started
        said.unlink(missing_ok=True)


def _in_child(run, folder: Path, said: Path) -> int:
    os.setsid()
    output = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    nothing = os.open("/dev/null", os.O_RDONLY)
    for number, descriptor in ((0, nothing), (1, output), (2, output)):
        os.dup2(descriptor, number)
    import sys

    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - descriptors
    sys.stdout = open(1, "w", encoding="utf-8", errors="surrogateescape", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115
    os.chdir(folder)
    status: object = 0
    try:
        run()
    except SystemExit as ending:
        status = ending.code or 0
    except BaseException:
        traceback.print_exc()
        status = RAISED
    if resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10 > MOST_MB:
        sys.stderr.write(f"it took more than {MOST_MB} MB\n")
        status = RAISED
    sys.stdout.flush()
    sys.stderr.flush()
    return status if isinstance(status, int) and 0 <= status < 256 else RAISED


def _wait(child: int, until: float) -> int:
    pause = 0.002
    while time.monotonic() < until:
        number, status = os.waitpid(child, os.WNOHANG)
        if number:
            return os.waitstatus_to_exitcode(status)
        time.sleep(pause)
        pause = min(0.05, pause * 1.3)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return -signal.SIGKILL
