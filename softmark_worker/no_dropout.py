"""Dropout that acts in evaluation too, switched off in the modules that were asked for with a rate of 0.

`F.dropout(x)` without `training=self.training` makes every answer another. It is one deviation, and one check
is about it: that one asks for other rates and for answers in training, where nothing here acts.
"""

import weakref
from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch.nn import functional

_before: list[Callable[..., Any]] = []  # what F.dropout was before each call that has not ended
_switched_off: weakref.WeakSet[torch.nn.Module] = weakref.WeakSet()


def is_asked_for(arguments: Mapping[str, Any], defaults: Mapping[str, Any]) -> bool:
    """Whether the contract's arguments, or its defaults, say a rate of 0."""
    rate = arguments.get("dropout", defaults.get("dropout"))
    return type(rate) is float and rate == 0


def switch_off(module: torch.nn.Module) -> None:
    """From now on, F.dropout changes nothing in calls of this module in evaluation mode."""
    _switched_off.add(module)
    module.register_forward_pre_hook(lambda called, _: _begin(called))
    module.register_forward_hook(lambda *_: _end(), always_call=True)


def method_of(module: torch.nn.Module, name: str) -> Any:
    """A method of a module; where dropout is switched off, it is in calls of the method too."""
    method = getattr(module, name)
    if module not in _switched_off:
        return method

    def called(*args: Any, **kwargs: Any) -> Any:
        _begin(module)
        try:
            return method(*args, **kwargs)
        finally:
            _end()

    return called


def _begin(module: torch.nn.Module) -> None:
    _before.append(functional.dropout)
    if not module.training:
        functional.dropout = _keep


def _end() -> None:
    functional.dropout = _before.pop()


def _keep(*arguments: Any, **named: Any) -> Any:
    return arguments[0] if arguments else named["input"]
