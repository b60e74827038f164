"""Two known mistakes made at once."""

import types
from typing import Any


def both(symbol: str, first: Any, second: Any) -> Any:
    """Combine two mistakes: inherit from both classes, or let one function call the other; None on conflict.

    A mistake overrides a part of the reference and calls the reference for the rest; here, the other mistake.
    """
    if isinstance(first, type):
        try:
            return type(f"{first.__name__}_and_{second.__name__}", (first, second), {})
        except TypeError:  # no order of the bases suits both
            return None
    if symbol not in first.__code__.co_names:
        first, second = second, first
    if symbol not in first.__code__.co_names:
        return None
    names = {**first.__globals__, symbol: second}
    return types.FunctionType(first.__code__, names, first.__name__, first.__defaults__)
