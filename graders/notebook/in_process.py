"""A turn without a box: what a person wrote in a notebook, asked in the process where they wrote it.

Requests, answers and copies are the box's own (`worker/serve.py`, `worker/wire.py`), so that checks find
what they find there, and no call can change a draw. There is no wall and no clock: it is their own
interpreter, and the person who waits can interrupt it.
"""

import io
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, redirect_stderr, redirect_stdout
from typing import Any, TypeVar

import torch

from graders.candidate.remote_candidate import RemoteCandidate
from graders.candidate.student_error import RaisedByStudent, StudentErrors
from graders.check_api.reference_answer import ReferenceAnswer
from graders.extraction.extract import Source
from graders.notebook.in_process_worker import serve
from graders.notebook.source_places import Places
from graders.results.result import Outcome, Place
from graders.sandbox.box import Box
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.process import Answer
from graders.sandbox.session import BoxSession
from graders.worker import wire

T = TypeVar("T")
KEPT = 64 << 10  # characters of what is printed


class InProcessSession(BoxSession):
    """Asks `made`, a function, class or variable of this process. `apart` stands around all that it runs."""

    def __init__(self, made: Any, apart: Callable[[], AbstractContextManager[None]]) -> None:
        super().__init__(Box(IsolationLevel.OPEN))  # never started: it is asked for its limits alone
        self._made = made
        self._apart = apart
        self._room = serve().Room()

    def open(self, source: Source) -> dict[str, Any]:  # noqa: ARG002 - as it is called of others
        """Take the object as the symbol: there is nothing to load."""
        self._room.symbol = self._made
        value = self._made if isinstance(self._made, torch.Tensor) else None
        return {"kind": serve()._kind(self._made), "value": _crossed(True, value)[1], "problems": []}

    def ask(self, do: str, value: list[Any], seconds: float) -> Answer:  # noqa: ARG002 - nobody hurries it
        """Ask it. What it is given and what it answers are copies."""
        given = wire.parse(*_parted(wire.request("", do, value)), wire.REQUEST)[1]
        printed = _Printed()
        with redirect_stdout(printed), redirect_stderr(printed), self._apart():
            answer = self._answered(do, given)
        self.printed += printed.text
        return answer

    def ask_all(self, requests: list[tuple[str, list[Any]]]) -> None:
        """Nothing is gained by asking at once where no message travels."""

    def close(self) -> None:
        """Forget all objects that were made."""
        self._room.objects.clear()

    def _answered(self, do: str, value: Any) -> Answer:
        try:
            return Answer(*_crossed(True, getattr(self._room, do)(*value)))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # also SystemExit: `exit()` ends the call, and not the kernel
            return Answer(*_crossed(False, serve()._described(error)))


class LocalObject(RemoteCandidate):
    """The live object as a candidate."""

    def __init__(
        self,
        turn: InProcessSession,
        source: Source,
        proofs: Callable[[], Sequence[ReferenceAnswer]],
        places: Places,
    ) -> None:
        super().__init__(turn, source, proofs)
        self.errors = _Told(source, turn.box, places)

    def together(self, works: Sequence[Callable[[], T]]) -> list[T] | None:  # noqa: ARG002
        """One after another: an interruption then hits one call and nobody who waits for another's answer."""
        return None


class _Told(StudentErrors):
    """An account of what happened here: no box is the reason of anything."""

    def __init__(self, source: Source, box: Box, places: Places) -> None:
        super().__init__(source, box)
        self._places = places

    def error(self, described: dict[str, Any]) -> RaisedByStudent:
        told = super().error(described | {"memory": False})
        outcome = Outcome.OUT_OF_MEMORY if described.get("memory") is True else told.outcome
        return RaisedByStudent(str(told), told.place, outcome)

    def _told(self, text: str, files: list[str]) -> str:  # noqa: ARG002
        return text

    def _place(self, described: dict[str, Any]) -> Place | None:
        frames = reversed(described["frames"])
        found = (self._places.place(str(file), int(line)) for file, line, _ in frames)
        return next((place for place in found if place), None)


class _Printed(io.TextIOBase):
    """Keeps the beginning of what is printed."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> int:
        self.text += text[: KEPT - len(self.text)]
        return len(text)


def _crossed(ok: bool, value: Any) -> tuple[bool, Any]:
    """What an answer is on the other side of a wire: a copy, of plain values alone."""
    reply = wire.reply("", ok, value)
    return ok, wire.parse(*_parted(reply), wire.REPLY)[1]


def _parted(pieces: list[wire.Buffer]) -> tuple[bytes, bytearray]:
    whole = bytearray().join(pieces)
    header, _ = wire.PREFIX.unpack_from(whole)
    start = wire.PREFIX.size + header
    return bytes(whole[wire.PREFIX.size : start]), whole[start:]
