"""What a checks file says of the code that it wants timed.

`timed(length, heads=..., batch=...)` in it makes one of these, for any length; what it names `fused` (a
function) or `Fused` (a class) is PyTorch's own way to the same, beside which the student's is shown.
"""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Timed:
    """A call to be timed: the shapes of its arguments, all of floating point.

    Where the symbol is a class, `config` is what it is built from, and its module is called.
    """

    inputs: tuple[tuple[int, ...], ...]
    config: dict[str, Any] | None = None
