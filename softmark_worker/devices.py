"""Move values to a device or a dtype, and back to the CPU to be sent."""

from typing import Any

import torch

from softmark_worker import wire


def move(value: Any, device: str) -> Any:
    """The same value with its tensors on `device`."""
    if isinstance(value, torch.Tensor):
        return value.to(device)
    if isinstance(value, dict):
        return {key: move(item, device) for key, item in value.items()}
    return type(value)(move(item, device) for item in value) if isinstance(value, (list, tuple)) else value


def in_dtype(module: torch.nn.Module, dtype: torch.dtype) -> torch.nn.Module:
    """The module, changed itself, with its numbers in a dtype, and complex ones in that of its precision.

    `Module.to` would make real numbers of complex ones, such as a buffer of rotations.
    """
    of_precision = torch.promote_types(dtype, torch.complex64)

    def cast(tensor: torch.Tensor) -> torch.Tensor:
        if tensor.is_complex():
            return tensor.to(of_precision)
        return tensor.to(dtype) if tensor.is_floating_point() else tensor

    changed: torch.nn.Module = module._apply(cast)
    return changed


def to_cpu(value: Any, depth: int = wire.DEPTH_LIMIT) -> Any:
    """The same value with its plain tensors on the CPU, from where they can be sent."""
    kind = type(value)
    if kind in (torch.Tensor, torch.nn.Parameter) and value.is_cuda:
        return value.detach().cpu()
    if depth and kind is dict:
        return {key: to_cpu(item, depth - 1) for key, item in value.items()}
    return kind(to_cpu(item, depth - 1) for item in value) if depth and kind in (list, tuple) else value
