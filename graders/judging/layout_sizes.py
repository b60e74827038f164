"""Whether the sizes of a draw show its layout: axes of size 1 or of equal sizes cannot be told apart.

The simplest sizes that show something have one head and one sequence, and no other size of 1.
"""

from dataclasses import fields, is_dataclass
from typing import Any

from torch import Tensor


def shows_layout(draw: Any) -> bool:
    """Whether all sizes that belong to the layout are above 1 and different; True for draws without tensors.

    The batch is not one of them. Of (B, H, S, D) they are H, S and D; of (B, S, E) with heads S, H and E / H.
    """
    tensors = _tensors(draw)
    if not tensors:
        return True
    sizes = _layout(tensors[0])
    heads = _heads(draw)
    if heads and len(sizes) == 2:
        sizes = [sizes[0], heads, sizes[1] // heads]
    return min(sizes) > 1 and len(set(sizes)) == len(sizes)


def is_square(draw: Any) -> bool:
    """Whether the last two axes of the first tensor have one size, as those of attention weights have."""
    tensors = _tensors(draw)
    return bool(tensors) and tensors[0].shape[-1] == tensors[0].shape[-2]


def is_single(draw: Any) -> bool:
    """Whether there is one sequence and one head, and the other sizes are above 1 and show the layout.

    True for draws without tensors.
    """
    values = [(f.name, getattr(draw, f.name)) for f in fields(draw)] if is_dataclass(draw) else []
    tensors = [v for name, v in values if isinstance(v, Tensor) and v.dim() > 1 and "mask" not in name]
    if not tensors:
        return True
    rows = [list(tensor.shape[_leading(tensor) :]) for tensor in tensors]
    leading = tensors[0].shape[: _leading(tensors[0])]
    even = len(set(rows[0])) == len(rows[0])
    return max(leading, default=1) == 1 and _heads(draw) in (None, 1) and even and min(map(min, rows)) > 1


def _tensors(draw: Any) -> list[Tensor]:
    values = [getattr(draw, field.name) for field in fields(draw)] if is_dataclass(draw) else []
    return [value for value in values if isinstance(value, Tensor) and value.dim() > 1]


def _leading(tensor: Tensor) -> int:
    """How many axes come before those of positions and of widths: ids (B, S) have no width."""
    return tensor.dim() - (2 if tensor.is_floating_point() else 1)


def _layout(tensor: Tensor) -> list[int]:
    """The sizes without the batch: ids (B, S) give S, (Sq, D) both, (B, S, E) and (B, H, S, D) all others."""
    if tensor.dim() == 2 and tensor.is_floating_point():
        return list(tensor.shape)
    return list(tensor.shape[1:])


def _heads(draw: Any) -> int | None:
    config = getattr(draw, "config", None)
    heads = config.get("num_heads") if isinstance(config, dict) else getattr(draw, "num_heads", None)
    return heads if isinstance(heads, int) else None
