"""A box without a wall and without a process: code of our own is judged here, by the whole line.

Requests and answers cross the wire as copies, as they do from a real box (`graders/notebook/in_process.py`).
Limits, losses and isolation are a real box's, and tested there.
"""

from types import SimpleNamespace
from typing import Any

from graders.notebook.in_process import InProcessSession
from graders.notebook.restore_state import isolating_calls
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.limits import Limits
from graders.sandbox.process import Answer
from graders.sandbox.questions import Answers, Parts


class OpenProcess:
    """What a session takes for one submission's process: its names and objects, in this process."""

    def __init__(self) -> None:
        self.parts: Parts | None = None
        self.lent: Answers | None = None
        self.own = SimpleNamespace(at_most=lambda: 0.0, settle=lambda *_: 0.0)
        self._answers = InProcessSession(None, isolating_calls())

    def ask(self, do: str, value: list[Any], seconds: float) -> Answer:
        """The answer to a request, whatever time it takes."""
        self._answers.lent, self._answers._parts = self.lent, self.parts
        return self._answers.ask(do, value, seconds)

    def take_printed(self) -> str:
        """What the code has printed since the last call."""
        printed, self._answers.printed = self._answers.printed, ""
        return printed

    def close(self) -> None:
        """Drop its objects."""
        self._answers.close()


class OpenBox:
    """Stands in the place of a `graders.sandbox.box.Box`."""

    level = IsolationLevel.OPEN
    limits = Limits()
    device = "cpu"

    def fork(self, *, files: bool = True) -> OpenProcess:
        """A new process, which is none."""
        return OpenProcess()
