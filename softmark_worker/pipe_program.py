"""The program of a submission's process that is reached by pipes: takes them before PyTorch is imported."""

import json
import os
import sys

try:
    import msvcrt
except ImportError:  # not on Windows
    msvcrt = None  # type: ignore[assignment]

ERRORS = 2


def main(settings: str) -> None:
    """Serve on the standard input and output; `settings` is JSON."""
    requests, replies = take_pipes()
    from softmark_worker import pipe_server  # imports PyTorch, which may print

    pipe_server.serve(json.loads(settings), requests, replies)


def take_pipes() -> tuple[int, int]:
    """Descriptors of our own for requests and replies: the code reads nothing, and prints beside them."""
    requests, replies = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(ERRORS, 1)
    os.close(nothing)
    if msvcrt is not None:  # as text, bytes would be changed on the way
        for descriptor in (requests, replies, 1, ERRORS):
            msvcrt.setmode(descriptor, os.O_BINARY)  # type: ignore[attr-defined]
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(newline="\n")  # type: ignore[union-attr]
    return requests, replies
