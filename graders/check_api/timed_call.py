"""How a checks file describes the call that is timed.

A checks file whose exercise is timed defines `timed(length, heads=..., batch=...)`, which returns a `Timed`
for any length. If it defines `fused` (a function) or `Fused` (a class), that is PyTorch's own implementation,
and its time is shown beside the student's.
"""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Timed:
    """A call to be timed: the shapes of its arguments, all of floating point.

    Where the symbol is a class, it is constructed with `config`, and the module is called.
    """

    inputs: tuple[tuple[int, ...], ...]
    config: dict[str, Any] | None = None
