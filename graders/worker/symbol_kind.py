"""What a symbol of a submission is, in one word."""

from typing import Any

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
