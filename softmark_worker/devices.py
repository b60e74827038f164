"""Move values to a device, and back to the CPU to be sent."""

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


def to_cpu(value: Any, depth: int = wire.DEPTH_LIMIT) -> Any:
    """The same value with its plain tensors on the CPU, from where they can be sent."""
    kind = type(value)
    if kind in (torch.Tensor, torch.nn.Parameter) and value.is_cuda:
        return value.detach().cpu()
    if depth and kind is dict:
        return {key: to_cpu(item, depth - 1) for key, item in value.items()}
    return kind(to_cpu(item, depth - 1) for item in value) if depth and kind in (list, tuple) else value
