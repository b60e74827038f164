"""`softmark check --watch` in a real process: files are saved and Ctrl-C is sent as a person would."""

import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from rich.console import Console

from graders.cli.exit_status import OURS, SOME_DID_NOT
from graders.cli.watch import watch_submission
from graders.results.result import Result
from tests.support.notebooks import notebook

RIGHT = "def concat_heads(x):\n    return x.transpose(1, 2).flatten(2)\n"
WRONG = "def concat_heads(x):\n    return x.flatten(2)\n"
WAIT_S = 120.0
# Where the tests were started in the background, Ctrl-C is ignored, and would be in what they start.
RUN = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from graders.cli.main import main
main()
"""


class Watching:
    """The command on a file, and what it has printed so far."""

    def __init__(self, file: Path, *options: str) -> None:
        command = [sys.executable, "-u", "-c", RUN, "check", str(file), "--watch", *options]
        self.process = subprocess.Popen(
            [*command, "--assignment", "attention", "--exercise", "concat_heads"],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self.printed = ""
        self._more = threading.Condition()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def until(self, message: str, times: int = 1) -> None:
        """Wait until the message has been printed so many times."""
        with self._more:
            assert self._more.wait_for(lambda: self.printed.count(message) >= times, WAIT_S), self.printed

    def interrupted(self) -> int:
        """Send Ctrl-C; returns the exit status."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(WAIT_S)

    def end(self) -> None:
        """Kill the process."""
        self.process.kill()
        self.process.wait()
        self._reader.join()
        assert self.process.stdout is not None
        self.process.stdout.close()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            with self._more:
                self.printed += line
                self._more.notify_all()


@pytest.fixture
def watching() -> Iterator[Callable[..., Watching]]:
    started: list[Watching] = []

    def start(file: Path, *options: str) -> Watching:
        started.append(Watching(file, *options))
        return started[-1]

    yield start
    for command in started:
        command.end()


def renamed_into(path: Path, data: bytes) -> None:
    """Save as most editors do: a new file beside it, which then takes its name."""
    new = path.with_name(".saving")
    new.write_bytes(data)
    new.replace(path)


@pytest.mark.programs
@pytest.mark.slow
def test_every_save_is_checked_and_ctrl_c_ends_with_the_last_status(tmp_path: Path, watching):
    path = tmp_path / "rendu.ipynb"
    path.write_bytes(notebook(WRONG))
    command = watching(path)
    command.until("watching rendu.ipynb")
    assert "✗  the columns h*D up to (h+1)*D hold head h" in command.printed
    path.write_bytes(notebook(RIGHT))
    command.until("watching rendu.ipynb", 2)
    assert "holds now: the columns h*D up to (h+1)*D hold head h (Joining the heads)" in command.printed
    path.write_bytes(notebook(RIGHT)[:60])
    command.until("rendu.ipynb cannot be read yet")
    renamed_into(path, notebook(WRONG))
    command.until("watching rendu.ipynb", 3)
    assert "holds no longer: the columns h*D up to (h+1)*D hold head h (Joining the heads)" in command.printed
    assert command.interrupted() == SOME_DID_NOT
    assert "Traceback" not in command.printed


def test_a_first_grading_that_is_interrupted_leaves_no_status_of_a_submission(tmp_path: Path):
    path = tmp_path / "rendu.py"
    path.write_text(RIGHT, encoding="utf-8")

    def interrupted() -> Result:
        raise KeyboardInterrupt

    assert watch_submission(path, interrupted, Console(quiet=True)) == OURS
