"""A draw in another floating-point dtype."""

from dataclasses import fields, replace
from typing import Any

import torch
from torch import Tensor


def cast(draw: Any, dtype: torch.dtype) -> Any:
    """The draw with its floating-point tensors, and its own dtype if it has one, cast to this dtype."""
    values = {field.name: getattr(draw, field.name) for field in fields(draw)}
    floats = {n: v.to(dtype) for n, v in values.items() if isinstance(v, Tensor) and v.is_floating_point()}
    dtypes = {n: dtype for n, v in values.items() if isinstance(v, torch.dtype)}
    return replace(draw, **floats, **dtypes)
