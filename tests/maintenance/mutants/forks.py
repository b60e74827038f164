"""Run work in a copy of this process, which has imported what takes long to import and nothing of ours."""

import contextlib
import importlib
import json
import os
import resource
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from signal import Signals
from typing import Any

# What tests and the modules under test import of other people's. To import it takes seconds.
PRELOADED = (
    "IPython",
    "babel.messages",
    "bleach",
    "click",
    "hypothesis.strategies",
    "jinja2",
    "jupytext",
    "matplotlib",
    "msgspec",
    "nbconvert",
    "nbformat",
    "numpy",
    "pygments",
    "pytest",
    "rich.console",
    "safetensors.torch",
    "torch.nn.functional",
)
MEMORY = 8 << 30  # bytes that a changed program may ask for


@dataclass(frozen=True)
class Ended:
    """How a copy ended: what its work gave, or None where it was ended; its CPU seconds."""

    value: Any
    seconds: float
    signal: Signals | None = None
    error: str = ""


def preload() -> None:
    """Import what is not ours, and leave torch with one thread: several could not be forked."""
    for name in PRELOADED:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    import torch

    torch.set_num_threads(1)


def run_in_copy(work: Callable[[], Any], most_seconds: float) -> Ended:
    """Run work in a copy of this process, for at most so many CPU seconds; its value must be JSON's.

    What it prints is dropped.
    """
    reader, writer = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        os.close(reader)
        _work(work, writer, most_seconds)
    os.close(writer)
    with os.fdopen(reader, "rb") as answers:
        answer = answers.read()
    _, status, usage = os.wait4(child, 0)
    seconds = usage.ru_utime + usage.ru_stime
    if os.WIFSIGNALED(status):
        return Ended(None, seconds, Signals(os.WTERMSIG(status)))
    value, error = json.loads(answer) if answer else (None, f"it ended with status {status} and said nothing")
    return Ended(value, seconds, error=error)


def _work(work: Callable[[], Any], writer: int, most_seconds: float) -> None:
    """Of the copy: write the value, or the error, and end without what this process would do at its end."""
    try:
        silent = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(silent, stream)
        resource.setrlimit(resource.RLIMIT_CPU, (int(most_seconds) + 1, int(most_seconds) + 5))
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        try:
            answer = [work(), ""]
        except BaseException:
            answer = [None, traceback.format_exc()]
        with os.fdopen(writer, "wb") as answers:
            answers.write(json.dumps(answer).encode())
    finally:
        os._exit(0)
