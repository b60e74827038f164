"""A class where a function is due: it is constructed and called with one call's arguments."""

import inspect
from collections.abc import Callable
from typing import Any

from torch import nn

CLASS = "() (class)"  # behind its name, in what was taken for what
_PLAIN = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


def as_function(symbol: type) -> Callable[..., Any] | None:
    """A function with the arguments of the constructor and of forward; None where these cannot be joined.

    A module is called in evaluation mode.
    """
    forward = getattr(symbol, "forward", None) or vars(symbol).get("__call__")
    if not callable(forward):
        return None
    try:
        of_class = [p for p in inspect.signature(symbol).parameters.values() if p.kind in _PLAIN]
        of_call = list(inspect.signature(forward).parameters.values())[1:]
    except (TypeError, ValueError):
        return None
    both = [*of_call, *of_class]
    names = {p.name for p in of_class}
    if any(p.kind not in _PLAIN for p in both) or len({p.name for p in both}) < len(both):
        return None
    signature = inspect.Signature([p.replace(kind=p.KEYWORD_ONLY) for p in both])

    def call(**given: Any) -> Any:
        made = symbol(**{name: value for name, value in given.items() if name in names})
        made = made.eval() if isinstance(made, nn.Module) else made
        return made(**{name: value for name, value in given.items() if name not in names})

    call.__signature__ = signature  # type: ignore[attr-defined]
    call.__name__ = call.__qualname__ = symbol.__name__
    return call
