"""What a call computes, counted: the same on every machine, however busy it is.

Each operation of PyTorch counts by the numbers that it writes, a product by its multiplications too. A view
costs nothing. What Python computes by itself is not seen.
"""

import math
import os
import tempfile
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

PRODUCTS = (
    "mm",
    "bmm",
    "addmm",
    "baddbmm",
    "mv",
    "addmv",
    "dot",
)  # the first matrix is multiplied along its last axis
INTO_A_PLACE = ("index_put", "index_copy", "index_add", "index_reduce", "scatter", "_index_put_impl")


class Counting(TorchDispatchMode):
    """Counts all operations in its block.

    Attributes:
        work: numbers written, and multiplications in products.
        largest: numbers of the largest tensor that was made.
    """

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.work, self.largest = 0, 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Call the operation, and count it."""
        answer = func(*args, **(kwargs or {}))
        if not getattr(func, "is_view", False):
            self._count(func.overloadpacket.__name__, args, answer)
        return answer

    def _count(self, name: str, args: Sequence[Any], answer: Any) -> None:
        written = max(_sizes(answer if isinstance(answer, tuple | list) else [answer]), default=0)
        self.largest = max(self.largest, written)
        given = [value for value in args if isinstance(value, torch.Tensor)]
        if name.startswith(INTO_A_PLACE):
            written = given[-1].numel()
        elif name in PRODUCTS:
            written *= given[-2].shape[-1]
        elif name.startswith("_scaled_dot_product"):  # a score for each query and key, never written
            written = given[0].numel() * given[1].shape[-2]
        self.work += written


def _sizes(values: Sequence[Any]) -> list[int]:
    return [math.prod(value.shape) for value in values if isinstance(value, torch.Tensor)]


def count_operations(called: Callable[..., Any], arguments: Sequence[Any]) -> list[int]:
    """The work of a call, and the numbers of the largest tensor that it makes, without gradients."""
    # PyTorch asks for a folder for temporary files before it counts, and here none may be writable.
    tempfile.tempdir = tempfile.tempdir or os.curdir
    with torch.no_grad(), Counting() as counting:
        called(*arguments)
    return [counting.work, counting.largest]
