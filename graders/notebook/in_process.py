"""A session without a box: requests to code of a notebook, answered in the notebook's process.

Requests are answered and values are copied by the box's own code (`softmark_worker`). So checks find what
they would find in the box, and no call can change a draw. There is no isolation and no time limit: it is the
person's own interpreter, and they can interrupt it.
"""

import io
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, redirect_stderr, redirect_stdout
from typing import Any

from graders.extraction.extract import Source, to_wire
from graders.notebook.reach import Reach
from graders.notebook.swap_parts import Undo, swap_parts
from graders.sandbox.limits import Limits
from graders.sandbox.process import Answer
from graders.sandbox.questions import Answers, Parts
from softmark_worker import describe_error, serve, wire
from softmark_worker.lent_model import QUESTION

KEPT = 64 << 10  # characters of printed text


class InProcessSession:
    """Asks `symbol`, a function, class or variable of this process. Each call runs in a context of `around`.

    A `graders.sandbox.session.Session`. No request has a time limit; `limits` is only for sentences.
    """

    asks_together = False  # so that an interruption ends one call and no other
    level = None
    limits = Limits()

    def __init__(
        self,
        symbol: Any,
        around: Callable[[], AbstractContextManager[None]],
        reach: Reach | None = None,
    ) -> None:
        self.printed = ""
        self._symbol = symbol
        self._around = around
        self._reach = reach or Reach()
        self.lent: Answers | None = None
        self._parts: Parts | None = None
        self._undo: Undo = []
        self._room = serve.Room(ask=self._answer_question)

    def open(self, source: Source) -> dict[str, Any]:
        """Take the object as the symbol: there is nothing to load."""
        namespace = next(iter(self._reach.namespaces), {})
        taken = self._room.take(self._symbol, to_wire(source), namespace)
        return {**taken, "value": wire.copied(taken["value"], wire.REPLY), "problems": []}

    def ask(self, do: str, value: list[Any], seconds: float) -> Answer:  # noqa: ARG002 - there is no time limit
        """Call the object. Its arguments and its answer are copies."""
        arguments = wire.copied(value, wire.REQUEST)
        printed = _PrintedText()
        with redirect_stdout(printed), redirect_stderr(printed), self._around():
            answer = self._answer(do, arguments)
        self.printed += printed.text
        return answer

    def ask_all(self, requests: list[tuple[str, list[Any]]]) -> list[Answer] | None:  # noqa: ARG002
        """None: batching saves nothing without messages between processes."""
        return None

    def spent(self, *, exactly: bool) -> float:  # noqa: ARG002 - both cost nothing here
        """Seconds of CPU that this process has taken."""
        return time.process_time()

    def within(self, seconds: float, used_up: str) -> AbstractContextManager[None]:  # noqa: ARG002 - as above
        """No limit."""
        return nullcontext()

    def close(self) -> None:
        """Drop all objects that were created."""
        self._room.objects.clear()

    def use_parts(self, parts: Parts | None) -> bool:
        """From now on have stand-ins for these parts among the notebook's objects, or none any more."""
        self.close()
        for undo in reversed(self._undo):
            undo()
        self._undo.clear()
        self._parts = parts
        if parts is not None:
            swap_parts(self._reach, parts, self._answer_question, self._undo)
        return True

    def _answer_question(self, question: str, value: list[Any]) -> list[Any]:
        """What a model that the code was lent asks, or a stand-in; they get a copy, as in the box."""
        asked = self.lent if question == QUESTION else self._parts
        if asked is None:
            raise SystemExit
        answer: list[Any] = wire.copied(asked.answer(question, wire.copied(value, wire.REPLY)), wire.REPLY)
        return answer

    def _answer(self, do: str, value: Any) -> Answer:
        try:
            return Answer(True, wire.copied(self._room.answer(do, value), wire.REPLY))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # also SystemExit: `exit()` must end the call, and not the kernel
            return Answer(False, wire.copied(describe_error.describe(error), wire.REPLY))


class _PrintedText(io.TextIOBase):
    """Keeps the beginning of the printed text."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> int:
        self.text += text[: KEPT - len(self.text)]
        return len(text)
