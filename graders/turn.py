"""One submission's turn in the box: its process, forked again where it was lost."""

import time
from typing import Any, Self

from graders.child import Answer, Child
from graders.extract import Source, to_wire
from graders.lost import Lost
from graders.result import Outcome
from graders.sandbox import Box

CUDA_ERROR = "CUDA error"  # how PyTorch's text begins


class Turn:
    """Asks the process, and starts a new one with the same source when it must."""

    def __init__(self, box: Box) -> None:
        self.box = box
        self.printed = ""
        self._child: Child | None = None
        self._deadline: float | None = None
        self._source: Source | None = None

    def open(self, source: Source) -> dict[str, Any]:
        """Load a source, in a fresh process if need be; how that went, as `serve.Room.load` says it."""
        self._source = source
        if self._child is None:
            self._child = self.box.fork()
            self._deadline = self._child.deadline = self._deadline or self._child.deadline
        answer = self._ask("load", [to_wire(source), source.symbol], self.box.limits.load_s)
        return answer.value if answer.ok and isinstance(answer.value, dict) else {"kind": "absent"}

    def ask(self, do: str, value: list[Any], seconds: float) -> Answer:
        """Ask the process; after a loss the source is loaded into a new one first."""
        if self._deadline is not None and time.monotonic() > self._deadline:
            limit = self.box.limits.submission_s
            raise Lost(
                Outcome.TIMED_OUT, f"the {limit:g} seconds for the whole submission were used up before this"
            )
        if self._child is None and self._source is None:
            self._child = self.box.fork()
        elif self._child is None and self._source is not None:
            self.open(self._source)
        return self._ask(do, value, seconds)

    def close(self) -> None:
        """End the process. The next request starts another, which remembers nothing."""
        if self._child is not None:
            self._child.close()
            self._child = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _ask(self, do: str, value: list[Any], seconds: float) -> Answer:
        assert self._child is not None
        child = self._child
        try:
            answer = child.ask(do, value, seconds)
        except Lost:
            self._child = None
            raise
        finally:
            self.printed += child.printed()
        if self.box.device == "cuda" and not answer.ok and CUDA_ERROR in str(answer.value):
            self.close()  # after one such error every further use of the GPU fails in that process
        return answer
