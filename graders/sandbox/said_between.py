"""What the worker says on the pipe on which the code prints: lines between the printed text."""

import json
from collections.abc import Iterator
from typing import Any

Event = tuple[str, Any]  # ("printed", bytes) or ("said", {what: value})


class OutputSplitter:
    """Tells what the code prints from the lines of `pipe_server.py`, which begin with a zero and `word`."""

    def __init__(self, word: str) -> None:
        self._mark = b"\0" + word.encode() + b" "
        self._held = b""  # it may be the beginning of such a line

    def parse(self, chunk: bytes) -> Iterator[Event]:
        """The events of what has arrived."""
        held = self._held + chunk
        while (start := held.find(self._mark)) >= 0 and (end := held.find(b"\n", start)) >= 0:
            yield from _printed(held[:start])
            yield from _said(held[start + len(self._mark) : end])
            held = held[end + 1 :]
        # What is left is a line that is not complete yet, or may become one.
        complete = start if start >= 0 else len(held) - self._overlap(held)
        self._held = held[complete:]
        yield from _printed(held[:complete])

    def end(self) -> Iterator[Event]:
        """The events of what was held back."""
        yield from _printed(self._held)

    def _overlap(self, text: bytes) -> int:
        """How many bytes at the end of a text may be the beginning of the mark."""
        longest = min(len(text), len(self._mark) - 1)
        return next((n for n in range(longest, 0, -1) if text.endswith(self._mark[:n])), 0)


def _printed(text: bytes) -> Iterator[Event]:
    if text:
        yield "printed", text


def _said(line: bytes) -> Iterator[Event]:
    what, _, value = line.partition(b" ")
    try:
        yield "said", {what.decode(): json.loads(value)}
    except (ValueError, RecursionError):  # the code has learnt the word, and writes such lines itself
        yield from _printed(line)
