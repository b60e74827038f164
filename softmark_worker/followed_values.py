"""Follows the values that the submission's functions give to their variables while it answers one call."""

import itertools
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

import torch

MOST = 300  # values of one call
LARGEST = 20_000  # numbers of one value
LONGEST = 100  # characters of a name
Row = list[Any]  # [number of the call of a function, file, line, name, value]


@contextmanager
def followed(files: Collection[str], *, every: bool = False) -> Iterator[list[Row]]:
    """Inside the block, gather each tensor that a function of these files takes, assigns or returns.

    The line is the one that assigns or returns it; that of an argument is the function's first. What is
    returned has no name; of several tensors it is the first. Only `every` kind has masks and ids, too.
    """
    rows: list[Row] = []
    before = sys.gettrace()
    sys.settrace(_Follower(frozenset(files), rows, every).enter)
    try:
        yield rows
    finally:
        sys.settrace(before)


class _Follower:
    def __init__(self, files: frozenset[str], rows: list[Row], every: bool) -> None:
        self._files, self._rows, self._every = files, rows, every
        self._numbers = itertools.count()

    def enter(self, frame: FrameType, event: str, arg: Any) -> Callable[..., Any] | None:
        """What follows the lines of a call; None for a function of other files."""
        del event, arg
        code = frame.f_code
        if code.co_filename not in self._files or code.co_name == "<module>":
            return None
        number, seen = next(self._numbers), dict[str, tuple[int, int]]()
        line = frame.f_lineno

        def after_line(frame: FrameType, event: str, arg: Any) -> Callable[..., Any]:
            nonlocal line
            if event in ("line", "return"):
                self._gather(frame, number, line, seen)
                line = frame.f_lineno
            if event == "return":
                self._add(frame, number, line, "", arg)
            return after_line

        self._gather(frame, number, line, seen)
        return after_line

    def _gather(self, frame: FrameType, number: int, line: int, seen: dict[str, tuple[int, int]]) -> None:
        """Add the variables that a line has assigned, and those whose tensors it has changed."""
        for name, value in list(frame.f_locals.items()):
            if type(value) is torch.Tensor and type(name) is str and len(name) <= LONGEST:
                with suppress(Exception):  # a tensor of inference mode has no version
                    state = id(value), value._version
                    if seen.get(name) != state:
                        seen[name] = state
                        self._add(frame, number, line, name, value)

    def _add(self, frame: FrameType, number: int, line: int, name: str, value: Any) -> None:
        value = value[0] if type(value) is tuple and value else value
        if type(value) is not torch.Tensor or len(self._rows) >= MOST:
            return
        with suppress(Exception):
            if (self._every or value.is_floating_point()) and value.numel() <= LARGEST:
                kept = value.detach().clone()
                self._rows.append([number, frame.f_code.co_filename, line, name, kept])
