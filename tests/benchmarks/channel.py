"""What a call in the box costs beyond the bytes' own way there and back, in one run and in turn.

    .venv/bin/python -m tests.benchmarks.channel [ROUNDS]

Beside each call goes a bare round trip of the same bytes, request and reply, over the same kind of
socket to a forked process that only reads and writes. The difference of the medians is what our code
on both sides costs: packing, checking, waiting, calling.
"""

import os
import socket
import sys
import time
from collections.abc import Callable

import torch

from graders.sandbox.box import Box
from graders.sandbox.isolation.choose_level import best
from graders.sandbox.limits import Limits
from graders.sandbox.process import StudentProcess
from softmark_worker import wire

SIZES = {"4 KB": 1 << 10, "16 MB": 4 << 20}  # float32 numbers
BLOCK = 20  # calls of one sort before the other's turn
CODE = "def f(x):\n    return x\n"


def main(rounds: int) -> None:
    """Print a table: bytes, bare round trip, call, difference; in milliseconds."""
    with best(Limits())[0] as box:
        for says, numbers in SIZES.items():
            x = torch.randn(numbers)
            block, turns = (BLOCK, rounds) if numbers < 1 << 20 else (2, max(2, rounds // 5))
            with loaded(box) as child:
                request, reply = sizes(child, x)
                bare, called = in_turn(round_trip(request, reply), lambda: call(child, x), block, turns)  # noqa: B023
            show(says, bare, called)


def loaded(box: Box) -> StudentProcess:
    """A process in which `f` answers its argument."""
    piece = {"label": "f.py", "file": "f.py", "cell": None, "code": CODE, "keep": [[1, 0]]}
    child = box.fork()
    child.ask("load", [{"symbol": "f", "modules": [{"name": "__main__", "pieces": [piece]}]}, "f"], 5)
    return child


def call(child: StudentProcess, x: torch.Tensor) -> torch.Tensor:
    """What grading does for one call."""
    answer = child.ask("call", [None, [x], {}], 6.0)
    child.take_printed()
    assert answer.ok
    tensor: torch.Tensor = answer.value
    return tensor


def sizes(child: StudentProcess, x: torch.Tensor) -> tuple[int, int]:
    """The bytes of one call's request and reply."""
    token = "0" * 32
    request = wire.request(token, "call", [None, [x], {}])
    reply = wire.reply(token, True, call(child, x))
    return sum(map(len, request)), sum(map(len, reply))


def round_trip(request: int, reply: int) -> Callable[[], None]:
    """Send `request` bytes to a forked process and read its `reply` bytes."""
    ours, theirs = socket.socketpair()
    if os.fork() == 0:
        ours.close()
        try:
            answer, space = bytes(reply), bytearray(request)
            while fill(theirs, space):
                theirs.sendall(answer)
        finally:
            os._exit(0)
    theirs.close()
    question, space = bytes(request), bytearray(reply)

    def once() -> None:
        ours.sendall(question)
        fill(ours, space)

    return once


def fill(channel: socket.socket, space: bytearray) -> bool:
    """Read exactly as many bytes as there is space for; False where the channel closes."""
    view = memoryview(space)
    while view:
        count = channel.recv_into(view)
        if not count:
            return False
        view = view[count:]
    return True


def in_turn(
    bare: Callable[[], object], called: Callable[[], object], block: int, turns: int
) -> tuple[list[float], list[float]]:
    """Seconds of each call of the two, block by block in turn; the first block of each warms up."""
    times: tuple[list[float], list[float]] = ([], [])
    for turn in range(turns + 1):
        for work, kept in zip((bare, called), times, strict=True):
            for _ in range(block):
                start = time.perf_counter()
                work()
                if turn:
                    kept.append(time.perf_counter() - start)
    return times


def show(says: str, bare: list[float], called: list[float]) -> None:
    """Two lines of the table: medians, and the fastest tenth, which other work disturbs less."""
    for part, share in (("median", 0.5), ("fastest tenth", 0.1)):
        low, high = (sorted(times)[int(share * len(times))] * 1e3 for times in (bare, called))
        print(  # noqa: T201
            f"{says:>6} there and back, {part:13}: bare {low:8.3f} ms, call {high:8.3f} ms, "
            f"{high - low:8.3f} ms more, {high / low:5.2f} times"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 50)
