"""Values for parameters that a student's function asks for and the contract does not have."""

from collections.abc import Callable, Mapping
from typing import Any

import torch

from softmark_worker.call_meanings import is_extra, meanings_of

_PADDING = 0  # the id of padding in every draw
_FIRST_SPLIT = "train"  # of a function that is asked for a part of the data


class NoDropout(float):
    """A rate of 0, and a layer that drops nothing: code asks for the one or the other."""

    def __call__(self, values: Any) -> Any:
        """The values as they are."""
        return values


def fill(name: str, given: Mapping[str, Any]) -> Any:
    """A value for a parameter; None where nothing is due, and for what means nothing here.

    Args:
        name: the parameter's.
        given: the arguments of the call by the contract's names.
    """
    meanings = meanings_of(name)
    if "split" in meanings:
        return _FIRST_SPLIT
    if "dropout" in meanings:
        return NoDropout()
    if "flag" in meanings:
        return False
    if "padding_index" in meanings:
        return _PADDING
    first = next((value for value in given.values() if isinstance(value, torch.Tensor)), None)
    if first is None:
        return "cpu" if "device" in meanings else None
    made = (make(first) for meaning, make in _OF_TENSOR.items() if meaning in meanings)
    found = next(made, None)
    heads = given.get("num_heads")
    if "head_width" in meanings and type(heads) is int and heads and first.dim() == 3:
        return first.shape[-1] // heads
    return found


def is_filled(name: str) -> bool:
    """Whether a parameter without anything due to it gets a value, or is an option that is off."""
    return is_extra(name) or bool(meanings_of(name) & (_OF_TENSOR.keys() | {"split", "padding_index"}))


def describe_filler(name: str) -> str:
    """What a parameter is given, in words of code."""
    meanings = meanings_of(name)
    return next((text for meaning, text in _TEXTS.items() if meaning in meanings), "None")


def _heads_of(first: torch.Tensor) -> int | None:
    return first.shape[1] if first.dim() == 4 else None


def _width_of(first: torch.Tensor) -> int:
    return first.shape[1] * first.shape[-1] if first.dim() == 4 else first.shape[-1]


def _length_of(first: torch.Tensor) -> int:
    return first.shape[-2] if first.is_floating_point() and first.dim() > 2 else first.shape[-1]


# By what a name means: heads are (B, H, S, D), states (B, S, E), ids (B, S).
_OF_TENSOR: dict[str, Callable[[torch.Tensor], Any]] = {
    "types": torch.zeros_like,
    "device": lambda first: first.device,
    "dtype": lambda first: first.dtype,
    "batch": lambda first: first.shape[0],
    "heads": _heads_of,
    "head_width": lambda first: first.shape[-1],
    "width": _width_of,
    "length": _length_of,
}
_TEXTS = {
    "dropout": "0.0",
    "flag": "False",
    "split": repr(_FIRST_SPLIT),
    "types": "0",
    "padding_index": str(_PADDING),
    "device": "the input's",
    "dtype": "the input's",
    "batch": "the input's",
    "heads": "the input's",
    "head_width": "the input's",
    "width": "the input's",
    "length": "the input's",
}
