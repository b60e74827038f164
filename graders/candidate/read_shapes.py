"""The shapes of the tensors that a line reads, from what the box reports of its local variables."""

import re
from typing import Any

SHOWN = 6  # tensors of a line
AXES = 8

_NAME = re.compile(r"(?<![\w.])[^\W\d]\w*")


def shapes_read(code: str, reported: Any, number: int) -> tuple[str, ...]:
    """`Q (1, 2, 4, 3)` for each tensor among the local variables that a line names, in its order.

    Args:
        code: the line.
        reported: for each frame of a traceback, pairs of a name and the sizes of the axes. It is untrusted.
        number: of the line's frame.
    """
    if not isinstance(reported, list) or not number < len(reported) or not isinstance(reported[number], list):
        return ()
    shapes: dict[str, str] = {}
    for pair in reported[number]:
        if isinstance(pair, list) and len(pair) == 2 and type(pair[0]) is str and isinstance(pair[1], list):
            name, sizes = pair
            if len(sizes) <= AXES and all(type(size) is int and 0 <= size < 1 << 40 for size in sizes):
                shapes[name] = f"{name} {tuple(sizes)}"
    named = dict.fromkeys(name for name in _NAME.findall(code) if name in shapes)
    return tuple(shapes[name] for name in list(named)[:SHOWN])
