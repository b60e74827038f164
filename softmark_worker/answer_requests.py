"""The student's process: answers one request after another about one submission's code."""

import dataclasses
import io
import random
import sys
from collections.abc import Callable
from typing import Any

import numpy.random  # `import numpy` leaves it to each process to import: 20 ms
import torch

from softmark_worker import channel, describe_error, devices, framing, serve, wire

Receive = Callable[[], tuple[dict[str, Any], Any] | None]
Write = Callable[[list[wire.Buffer]], None]


def serve_channel(descriptor: int, device: str, reply_bytes: int) -> None:
    """Answer the requests on a channel until it closes."""
    requests = framing.IncomingFrame(wire.PREFIX, wire.REQUEST.header, wire.REQUEST.body)
    # Plain reads and writes, since the filter refuses all system calls for sockets.
    with io.FileIO(descriptor, "r", closefd=False) as reader:
        answer_requests(
            lambda: channel.receive(reader, requests),
            lambda reply: channel.write(descriptor, reply),
            device,
            reply_bytes,
        )


def answer_requests(receive: Receive, write: Write, device: str, reply_bytes: int) -> None:
    """Answer requests until there are no more.

    Args:
        receive: the next request, or None where there will be none.
        write: sends a reply, or a question to the host.
        device: on which tensors and modules are.
        reply_bytes: of a reply, at most.
    """
    bounds = dataclasses.replace(wire.REPLY, body=reply_bytes)
    sys.argv[:] = [""]  # as where Python is asked line by line: ours would be taken for the code's
    torch.manual_seed(0)
    random.seed(0)
    numpy.random.seed(0)
    if device != "cpu":  # TF32 keeps ten bits: fewer than any comparison here expects
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
    request: tuple[dict[str, Any], Any] | None

    def ask(question: str, value: list[Any]) -> list[Any]:
        assert request is not None
        write(wire.reply(request[0]["id"], question, value))
        answer = receive()
        if answer is None:
            raise SystemExit
        succeeded: list[Any] = answer[1]
        return succeeded

    room = serve.Room(device, ask)
    while (request := receive()) is not None:
        write(_answer(room, bounds, *request))


def _answer(room: serve.Room, bounds: wire.Bounds, header: dict[str, Any], value: Any) -> list[wire.Buffer]:
    try:
        value = value if room.device == "cpu" else devices.move(value, room.device)
        answer = room.answer(header["do"], value)
        answer = answer if room.device == "cpu" else devices.to_cpu(answer)
        return wire.reply(header["id"], True, answer, bounds)
    except BaseException as error:  # student code may raise SystemExit and KeyboardInterrupt too
        return wire.reply(header["id"], False, describe_error.describe(error))
