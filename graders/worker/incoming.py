"""A frame as it arrives, on either side of the wire: where its next bytes go, and whether it is whole.

Knows no more of a frame than that it begins with a prefix, from which the lengths of its header and its
body follow. Imports nothing of ours: `wire.py` has two names, one on each side.
"""

from collections.abc import Callable

import numpy

START = 1 << 16  # bytes: a frame up to here is read at once, a longer one into memory of its own
ALIGN = 16  # bytes: where the body begins in memory of its own, so that tensors can lie there


class Excess(Exception):
    """Bytes follow a frame. Neither side sends anything unasked."""


class Incoming:
    """One frame after another; each takes the memory of what has come, not of what its prefix promises.

    Args:
        prefix: bytes of a prefix.
        lengths: gives header and body length for a prefix, or raises where they are too large.
    """

    def __init__(self, prefix: int, lengths: Callable[[memoryview], tuple[int, int]]) -> None:
        self._prefix = prefix
        self._lengths = lengths
        self._start = self._memory = memoryview(bytearray(START))
        self._count = self._body = self._whole = 0

    def space(self) -> memoryview:
        """Where to put the next bytes: more room than the frame needs, to notice what follows it."""
        return self._memory[self._count :]

    def came(self, count: int) -> bool:
        """Whether the frame is whole, now that `count` bytes more have been put into `space`.

        Raises:
            Excess: something follows it.
        """
        self._count += count
        if not self._whole and self._count >= self._prefix:
            header, body = self._lengths(self._memory[: self._prefix])
            self._body = self._prefix + header
            self._whole = self._body + body
            if self._whole >= START:
                self._move()
        if self._whole and self._count > self._whole:
            raise Excess
        return self._count == self._whole

    def taken(self) -> tuple[memoryview, memoryview | bytearray]:
        """Header and body of the whole frame. The header must be read before the next frame comes."""
        header, body = self._memory[self._prefix : self._body], self._memory[self._body : self._whole]
        copied = self._memory is self._start
        self._next()
        return header, bytearray(body) if copied else body

    def _next(self) -> None:
        self._memory = self._start
        self._count = self._body = self._whole = 0

    def _move(self) -> None:
        """On to memory of its own, of which the kernel gives each page when it is first written to."""
        shift = -self._body % ALIGN
        memory = numpy.empty(shift + self._whole + 1, numpy.uint8).data[shift:]
        memory[: self._count] = self._memory[: self._count]
        self._memory = memory
