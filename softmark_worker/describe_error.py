"""An exception as plain values, for the host."""

import contextlib
import traceback
from types import FrameType
from typing import Any

import torch

from softmark_worker import run_source

ERROR_TEXT = 2_000  # characters of an exception's text that are sent
FRAMES = 50
SHAPES = 20  # tensors of a frame whose shapes are sent
LONGEST = 50  # characters of a name


def describe(error: BaseException) -> dict[str, Any]:
    """An exception as plain values, whatever its own methods do."""
    try:
        text = str(error)[:ERROR_TEXT]
    except BaseException:
        text = ""
    walked = list(traceback.walk_tb(error.__traceback__))[-FRAMES:]
    return {
        "type": type(error).__name__[:100],
        "text": text,
        "frames": frames_of(error),
        "shapes": [_shapes_in(frame) for frame, _ in walked],
        "memory": isinstance(error, MemoryError) or "allocate memory" in text,
        "message": run_source.message_of(error),
    }


def frames_of(error: BaseException) -> list[list[Any]]:
    """The file, the line and the name of each frame of an error, the innermost last."""
    walked = list(traceback.walk_tb(error.__traceback__))[-FRAMES:]
    return [[frame.f_code.co_filename[:1_000], line, frame.f_code.co_name[:200]] for frame, line in walked]


def _shapes_in(frame: FrameType) -> list[list[Any]]:
    """The names and shapes of the tensors in the local variables of a frame."""
    shapes: list[list[Any]] = []
    for name, value in list(frame.f_locals.items()):
        # A subclass may do anything when it is asked.
        if type(value) in (torch.Tensor, torch.nn.Parameter) and type(name) is str and len(name) <= LONGEST:
            with contextlib.suppress(Exception):  # a nested tensor has no shape
                shapes.append([name, [int(size) for size in value.shape]])
    return shapes[:SHAPES]
