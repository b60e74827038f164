"""What a symbol of a submission is, in one word, and what its answer is meant to be."""

from typing import Any

import numpy
import torch

ABSENT = object()  # stands for a symbol that is not defined


def kind_of(value: Any) -> str:
    """`class`, `function`, `tensor` or `absent`; else the name of the value's type."""
    if value is ABSENT:
        return "absent"
    if isinstance(value, type):
        return "class"
    if isinstance(value, torch.Tensor):
        return "tensor"
    return "function" if callable(value) else type(value).__name__


def with_plain_numbers(answer: Any, depth: int = 3) -> Any:
    """The answer, in which NumPy's numbers are ints and floats: `np.exp` of a float, say, is meant as one.

    It may be one number, or tuples and lists of them, `depth` deep at most: a list may contain itself.
    """
    if depth and (type(answer) is tuple or type(answer) is list):
        return type(answer)(with_plain_numbers(item, depth - 1) for item in answer)
    if isinstance(answer, numpy.integer):
        return int(answer)
    return float(answer) if isinstance(answer, numpy.floating) else answer
