"""Values for parameters that a student's function asks for and the contract does not have."""

from collections.abc import Callable, Mapping
from typing import Any

import torch

from softmark_worker.argument_roles import role_of
from softmark_worker.call_meanings import is_extra, meanings_of

_PADDING = 0  # the id of padding in every draw
_FIRST_SPLIT = "train"  # of a function that is asked for a part of the data


class NoDropout(float):
    """A rate of 0, and a layer that drops nothing: code asks for the one or the other."""

    def __call__(self, values: Any) -> Any:
        """The values as they are."""
        return values


def fill(name: str, given: Mapping[str, Any], module: Any = None, in_a_row: bool = False) -> Any:
    """A value for a parameter; None where nothing is due, and for what means nothing here.

    Args:
        name: the parameter's.
        given: the arguments of the call by the contract's names.
        module: the one that is called, if it is one.
        in_a_row: whether positions are (S,), and not (B, S).
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
    for turned in meanings & _NO_TURN.keys():
        return _turn_nothing(turned, first, module)
    made = (make(first) for meaning, make in _OF_TENSOR.items() if meaning in meanings)
    found = next(made, None)
    if in_a_row and isinstance(found, torch.Tensor) and are_positions(name):
        return found[0]
    heads = given.get("num_heads")
    if "head_width" in meanings and type(heads) is int and heads and first.dim() == 3:
        return first.shape[-1] // heads
    return found


def _turn_nothing(meaning: str, first: torch.Tensor, module: Any) -> torch.Tensor | None:
    """Rotations of the features of each position that leave them as they are: the contract turns nothing."""
    width = _head_width_in(module)
    if not width or not first.is_floating_point():
        return None
    make, share = _NO_TURN[meaning]
    kind = torch.get_default_dtype() if share == 1 else torch.complex64
    return make(first.shape[-2], width // share, dtype=kind)


def _head_width_in(module: Any) -> int:
    """The width of a head by an attribute of a module or of one of its parts; 0 where none tells it."""
    parts = module.modules() if isinstance(module, torch.nn.Module) else ()
    sizes = ((role_of(name), value) for part in parts for name, value in vars(part).items())
    return next((value for role, value in sizes if role == "head_width" and type(value) is int), 0)


def is_filled(name: str) -> bool:
    """Whether a parameter without anything due to it gets a value, or is an option that is off."""
    if "configuration" in meanings_of(name):
        return False  # what it should hold is not known
    return is_extra(name) or bool(meanings_of(name) & (_OF_TENSOR.keys() | {"split", "padding_index"}))


def are_positions(name: str) -> bool:
    """Whether it asks for the number of each position."""
    return "positions" in meanings_of(name)


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
    "offset": lambda _: 0,
    "positions": lambda first: torch.arange(_length_of(first))[None].expand(first.shape[0], -1),
    "types": torch.zeros_like,
    "device": lambda first: first.device,
    "dtype": lambda first: first.dtype,
    "batch": lambda first: first.shape[0],
    "heads": _heads_of,
    "head_width": lambda first: first.shape[-1],
    "width": _width_of,
    "length": _length_of,
}
# What gives rotations that turn nothing, and which share of a head's width it is for.
_NO_TURN: dict[str, tuple[Callable[..., torch.Tensor], int]] = {
    "rotations of pairs": (torch.ones, 2),
    "cosines": (torch.ones, 1),
    "sines": (torch.zeros, 1),
}
_TEXTS = {
    "offset": "0",
    "positions": "0, 1, 2, ...",
    "rotations of pairs": "1",
    "cosines": "1",
    "sines": "0",
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
