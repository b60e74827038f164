"""The tensors and the structure of an answer: two answers are compared by these."""

from typing import Any

import torch
from torch import Tensor

from graders.check_api.check import kind


def tensors_of(answer: Any) -> list[Tensor]:
    """The tensors and numbers of an answer, in order."""
    if isinstance(answer, Tensor):
        return [answer.detach()]
    if isinstance(answer, bool | int | float):
        return [torch.tensor(float(answer), dtype=torch.float64)]
    if isinstance(answer, dict):
        answer = list(answer.values())
    return [t for part in answer for t in tensors_of(part)] if isinstance(answer, tuple | list) else []


def form_of(answer: Any) -> str:
    """`(torch.float64 (2, 5, 12), torch.float64 (2, 3, 5, 5))`; all integer dtypes are written "whole"."""
    if isinstance(answer, Tensor):
        whole = not answer.is_floating_point() and answer.dtype is not torch.bool
        return f"{'whole' if whole else answer.dtype} {tuple(answer.shape)}"
    if isinstance(answer, tuple | list):
        return f"({', '.join(map(form_of, answer))})"
    if isinstance(answer, float):
        return "float"  # its value is not part of the form: it is compared within a tolerance, as a tensor's
    return kind(answer)
