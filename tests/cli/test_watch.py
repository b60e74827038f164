"""`softmark check --watch` in a process of its own: files are saved and Ctrl-C is sent as a person would."""

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from rich.console import Console

from graders.cli import watch
from graders.cli.exit_status import OURS, SOME_DID_NOT
from graders.cli.main import main
from graders.cli.watch import watch_submission
from graders.results.result import Result
from tests.support.clusters import WAIT_S, Fork, await_true
from tests.support.notebooks import notebook

RIGHT = "def concat_heads(x):\n    return x.transpose(1, 2).flatten(2)\n"
WRONG = "def concat_heads(x):\n    return x.flatten(2)\n"


class Watching:
    """The command on a file, in a fork of this process, and what it has printed so far."""

    def __init__(self, file: Path, log: Path) -> None:
        log.touch()
        self._log = log
        words = ["check", str(file), "--watch", "--assignment", "attention", "--exercise", "concat_heads"]
        self.process = Fork(log, main, words)

    @property
    def printed(self) -> str:
        return self._log.read_text(encoding="utf-8")

    def until(self, message: str, times: int = 1) -> None:
        """Wait until the message has been printed so many times."""
        await_true(lambda: self.printed.count(message) >= times or self.process.poll() is not None)
        assert self.printed.count(message) >= times, self.printed

    def interrupted(self) -> int:
        """Send Ctrl-C; returns the exit status."""
        os.kill(self.process.pid, signal.SIGINT)
        return self.process.wait(WAIT_S)


@pytest.fixture
def watching(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Path], Watching]]:
    started: list[Watching] = []

    def start(file: Path) -> Watching:
        started.append(Watching(file, tmp_path_factory.mktemp("log") / "printed"))
        return started[-1]

    yield start
    for command in started:
        command.process.kill()
        command.process.wait()


@pytest.mark.parametrize("name", ["answers.py", "answers.ipynb"])
def test_a_pipe_in_the_place_of_the_file_is_not_waited_for(tmp_path: Path, name: str):
    os.mkfifo(tmp_path / name)
    assert not watch._is_complete(tmp_path / name)


def test_what_others_write_into_a_watched_folder_is_no_save(tmp_path: Path):
    (tmp_path / "answers.py").write_text(RIGHT, encoding="utf-8")
    before = watch._file_version(tmp_path)
    (tmp_path / "log.txt").write_text("what the command prints, say", encoding="utf-8")
    assert watch._file_version(tmp_path) == before
    (tmp_path / "more").mkdir()
    (tmp_path / "more/answers.py").write_text(WRONG, encoding="utf-8")
    assert watch._file_version(tmp_path) != before


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
