"""Draws on which it is found which of a module's parameters hold the reference's."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from torch import Tensor

FOUR = 4  # heads
UNMASKED = 3  # draws without a mask


def for_mapping(draws: Sequence[Any]) -> list[Any]:
    """Draws to find a mapping with; first some without a mask: a mistake in the mask must not hide it."""
    config = dict(draws[0].config) if draws else {}
    width = next((config[name] for name in ("embed_dim", "hidden_size") if name in config), 1)
    if "num_heads" in config and width % FOUR == 0:
        # With three heads, a list of three layers would look like a list with one layer per head.
        config["num_heads"] = FOUR
    chosen = [draw.without_mask() for draw in draws][:UNMASKED]
    chosen += [draw for draw in draws if draw.masked and not _has_mask_per_head(draw)]
    return [replace(draw, config=config) for draw in chosen]


def _has_mask_per_head(draw: Any) -> bool:
    masks = [a for a in draw.arguments[1:] if isinstance(a, Tensor) and a.dim() == 4]
    return any(mask.shape[1] > 1 for mask in masks)
