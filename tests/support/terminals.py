"""A terminal in which a reader of a page has programs run, beside the commands of another one."""

import contextlib
import os
import re
import signal
import subprocess
import tempfile
from pathlib import Path
from typing import Self

from tests.support.clusters import await_true
from tests.support.processes import below


class Terminal:
    """A shell that is told one line after the other; what it started is ended at the end of the block."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self._kept = tempfile.TemporaryDirectory()
        self._log = Path(self._kept.name) / "log"
        self._read = 0  # how much of the log was awaited
        with self._log.open("wb") as file:
            self._shell = subprocess.Popen(
                ["bash"],
                stdin=subprocess.PIPE,
                stdout=file,
                stderr=file,
                cwd=folder,
                env=environment | {"PYTHONUNBUFFERED": "1"},
                start_new_session=True,
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for pid in (*below(self._shell.pid), self._shell.pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._shell.communicate()
        self._kept.cleanup()

    @property
    def printed(self) -> str:
        """All that was printed so far, without spaces at the ends of lines."""
        text = self._log.read_bytes().decode(errors="replace")  # a character may be half written
        return re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE)

    def type(self, line: str) -> None:
        """Type a line."""
        assert self._shell.stdin is not None
        self._shell.stdin.write(f"{line}\n".encode())
        self._shell.stdin.flush()

    def await_text(self, pattern: str) -> None:
        """Wait until a pattern is printed, after what was awaited before."""
        expected = re.compile(pattern)
        try:
            await_true(lambda: expected.search(self.printed, self._read) is not None)
        except AssertionError:
            assert pattern == self.printed[self._read :], "the terminal does not show what the page shows"
        found = expected.search(self.printed, self._read)
        self._read = found.end() if found else self._read

    def interrupt(self) -> None:
        """Press Ctrl-C."""
        os.killpg(self._shell.pid, signal.SIGINT)
