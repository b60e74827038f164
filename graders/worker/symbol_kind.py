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


def with_ints(answer: Any) -> Any:
    """The answer, in which whole numbers that NumPy has counted are ints, which they are meant to be.

    It may be one number, or a tuple or list of them. No deeper: a list may contain itself.
    """
    if type(answer) is tuple or type(answer) is list:
        return type(answer)(map(_int_of, answer))
    return _int_of(answer)


def _int_of(value: Any) -> Any:
    return int(value) if isinstance(value, numpy.integer) else value
