"""A layer that forward is given where the contract gives it to the constructor: `forward(x, sublayer)`."""

import inspect
import re
from collections.abc import Mapping, Sequence
from typing import Any

from torch import nn

LATE = " (forward)"  # behind its name, in what was taken for what
_LAYERS = {"sublayer", "layer", "module", "submodule", "fn", "func", "function", "block", "f"}


def find_late_layer(symbol: Any, given: Mapping[str, Any]) -> tuple[str, str] | None:
    """The name of the layer in forward and in the contract; None where the constructor may take it.

    Args:
        symbol: the student's class.
        given: the constructor's arguments by the contract's names.
    """
    ours = [name for name, value in given.items() if isinstance(value, nn.Module)]
    forward = getattr(symbol, "forward", None)
    if len(ours) != 1 or not callable(forward):
        return None
    if any(_says_layer(p.name) for p in _named(symbol)):
        return None
    theirs = [p.name for p in _named(forward) if p.default is p.empty and _says_layer(p.name)]
    return (theirs[0], ours[0]) if len(theirs) == 1 else None


def give_layer(module: nn.Module, theirs: str, layer: nn.Module) -> None:
    """Give the layer to each call of the module's forward; from now on it is a part of the module."""
    forward = module.forward
    if not hasattr(module, theirs):
        module.add_module(theirs, layer)

    own = inspect.signature(forward)
    others = own.replace(parameters=[p for p in own.parameters.values() if p.name != theirs])

    def call(*args: Any, **kwargs: Any) -> Any:
        bound = others.bind(*args, **kwargs)
        return forward(**bound.arguments, **{theirs: layer})

    call.__signature__ = others  # type: ignore[attr-defined]
    module.forward = call


def _says_layer(name: str) -> bool:
    return bool({word.lower() for word in re.findall("[A-Z]?[a-z]+", name)} & _LAYERS)


def _named(called: Any) -> Sequence[inspect.Parameter]:
    try:
        return [p for p in inspect.signature(called).parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD]
    except (TypeError, ValueError):
        return []
