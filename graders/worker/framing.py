"""A frame as it arrives, on either side of the wire: where its next bytes go, and whether it is whole.

Knows no more of a frame than that it begins with a prefix of two lengths, its header's and its body's.
Imports nothing of ours: `wire.py` has two names, one on each side.
"""

from struct import Struct

import numpy

START = 1 << 16  # bytes: a frame up to here is read at once, a longer one into memory of its own
ALIGN = 16  # bytes: where the body begins in memory of its own, so that tensors can lie there


class Refused(Exception):
    """A frame is longer than allowed, or something follows it, though neither side sends anything unasked."""


class IncomingFrame:
    """One frame after another; each takes the memory of what has come, not of what its prefix promises.

    Args:
        prefix: reads the two lengths.
        header: bytes of a header, at most.
        body: bytes of a body, at most.
    """

    def __init__(self, prefix: Struct, header: int, body: int) -> None:
        self._prefix = prefix
        self._limits = header, body
        self._start = self._memory = memoryview(bytearray(START))
        self._count = self._body = self._whole = 0

    def space(self) -> memoryview:
        """Where to put the next bytes: more room than the frame needs, to notice what follows it."""
        return self._memory[self._count :] if self._count else self._memory

    def came(self, count: int) -> bool:
        """Whether the frame is whole, now that `count` bytes more have been put into `space`.

        Raises:
            Refused: it is too long, or something follows it.
        """
        self._count += count
        if not self._whole:
            if self._count < self._prefix.size:
                return False
            header, body = self._prefix.unpack_from(self._memory)
            if header > self._limits[0] or body > self._limits[1]:
                raise Refused(f"header of {header} bytes, body of {body} bytes")
            self._body = self._prefix.size + header
            self._whole = self._body + body
            if self._whole >= START:
                self._move()
        if self._count > self._whole:
            raise Refused("something follows the frame")
        return self._count == self._whole

    def taken(self) -> tuple[memoryview, memoryview | bytearray]:
        """Header and body of the whole frame. The header must be read before the next frame comes."""
        header, body = self._memory[self._prefix.size : self._body], self._memory[self._body : self._whole]
        copied = self._memory is self._start
        self._memory = self._start
        self._count = self._whole = 0
        return header, bytearray(body) if copied else body

    def _move(self) -> None:
        """On to memory of its own, of which the kernel gives each page when it is first written to."""
        shift = -self._body % ALIGN
        memory = numpy.empty(shift + self._whole + 1, numpy.uint8).data[shift:]
        memory[: self._count] = self._memory[: self._count]
        self._memory = memory
