"""An exception as plain values, for the host."""

import traceback
from typing import Any

import run_source

ERROR_TEXT = 2_000  # characters of an exception's text that are sent


def describe(error: BaseException) -> dict[str, Any]:
    """An exception as plain values, whatever its own methods do."""
    try:
        text = str(error)[:ERROR_TEXT]
    except BaseException:
        text = ""
    frames = [
        [frame.f_code.co_filename[:1_000], line, frame.f_code.co_name[:200]]
        for frame, line in traceback.walk_tb(error.__traceback__)
    ]
    return {
        "type": type(error).__name__[:100],
        "text": text,
        "frames": frames[-50:],
        "memory": isinstance(error, MemoryError) or "allocate memory" in text,
        "message": run_source.message_of(error),
    }
