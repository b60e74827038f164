"""The channel to the host: plain reads and writes, since the filter refuses all system calls for sockets."""

import io
import os
from typing import Any

from softmark_worker import framing, wire


def receive(reader: io.FileIO, requests: framing.IncomingFrame) -> tuple[dict[str, Any], Any] | None:
    """The next request, or None where the channel closes."""
    while count := reader.readinto(requests.space()):
        if requests.came(count):
            return wire.parse(*requests.take(), wire.REQUEST)
    return None


def write(descriptor: int, answer: list[wire.Buffer]) -> None:
    """Write a reply, or a question to the host."""
    framing.send(answer, lambda pieces: os.writev(descriptor, pieces))
