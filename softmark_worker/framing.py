"""Send and receive a frame, on either side of the wire.

All that the receiver knows of a frame is its prefix of two lengths, the header's and the body's.
Imports nothing of ours: the host and the box import `wire.py` under different names.
"""

from collections.abc import Callable
from struct import Struct
from typing import Any

import numpy

START = 1 << 16  # bytes: shorter frames are read into a reused buffer, others into memory of their own
TOGETHER = 512  # pieces that are sent in one call; the kernel takes 1,024 at most
ALIGN = 16  # bytes: alignment of a body in memory of its own, so that tensors can use it


class Refused(Exception):
    """A frame is longer than allowed, or bytes follow it, though each side waits for the other's frame."""


def send(pieces: list[Any], write: Callable[[list[Any]], int]) -> None:
    """Send a frame's pieces, many in a call: each call wakes the process on the other side.

    Args:
        pieces: they hold bytes; what was sent is removed, also where `write` raises later.
        write: writes some of the bytes, and returns how many.
    """
    while pieces:
        sent, count = write(pieces[:TOGETHER]), 0
        while count < len(pieces) and sent >= len(pieces[count]):
            sent -= len(pieces[count])
            count += 1
        del pieces[:count]
        if sent:
            pieces[0] = memoryview(pieces[0])[sent:]


class IncomingFrame:
    """Receives frame after frame. Each takes memory for the bytes received, not for those that it announces.

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
        """Where to put the next bytes: more room than the frame needs, to detect bytes after it."""
        return self._memory[self._count :] if self._count else self._memory

    def came(self, count: int) -> bool:
        """Whether the frame is complete, now that `count` bytes more have been put into `space`.

        Raises:
            Refused: it is too long, or bytes follow it.
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

    def take(self) -> tuple[memoryview, memoryview | bytearray]:
        """Header and body of the complete frame. The next frame overwrites the header: read it first."""
        header, body = self._memory[self._prefix.size : self._body], self._memory[self._body : self._whole]
        copied = self._memory is self._start
        self._memory = self._start
        self._count = self._whole = 0
        return header, bytearray(body) if copied else body

    def _move(self) -> None:
        """Move the frame to memory of its own; the kernel allocates each page on its first write."""
        shift = -self._body % ALIGN
        memory = numpy.empty(shift + self._whole + 1, numpy.uint8).data[shift:]
        memory[: self._count] = self._memory[: self._count]
        self._memory = memory
