"""Several known mistakes made at once."""

import types
from collections.abc import Mapping, Sequence
from functools import partial, reduce
from typing import Any

from graders.diagnosis.part_mistakes import base_of


def both(symbol: str, first: Any, second: Any) -> Any:
    """Combine two mistakes: inherit from both classes, or let one function call the other; None on conflict.

    A mistake overrides a part of the reference and calls the reference for the rest; here, the other mistake.
    """
    if isinstance(first, type):
        try:
            return type(f"{first.__name__}_and_{second.__name__}", (first, second), {})
        except TypeError:  # no order of the bases suits both
            return None
    if not _calls(first, symbol):
        first, second = second, first
    if not _calls(first, symbol):
        return None
    names = {**first.__globals__, symbol: second}
    for name in _callers_of(first, symbol):
        caller = first.__globals__[name]
        names[name] = types.FunctionType(caller.__code__, names, name, caller.__defaults__)
    return types.FunctionType(first.__code__, names, first.__name__, first.__defaults__)


def _calls(mistake: Any, symbol: str) -> bool:
    """Whether a function calls the reference, by its name or through another function of its file."""
    return symbol in mistake.__code__.co_names or bool(_callers_of(mistake, symbol))


def _callers_of(mistake: Any, symbol: str) -> list[str]:
    """The functions, no mistakes themselves, through which a function calls the reference."""
    called = {name: mistake.__globals__.get(name) for name in mistake.__code__.co_names}
    return [
        name
        for name, value in called.items()
        if isinstance(value, types.FunctionType)
        and not name.startswith(f"{symbol}__")
        and name != symbol
        and symbol in value.__code__.co_names
    ]


def all_at_once(
    symbol: str,
    reference: Any,
    own: Sequence[Any],
    parts: Sequence[Any],
    made_parts: Mapping[str, Any] | None = None,
) -> tuple[Any, Sequence[Any]] | None:
    """The class or function that makes all these mistakes, and the classes of its parts; None on conflict.

    Args:
        symbol: the name of the exercise's symbol.
        reference: its class or function, or a mistake on top of which all others are made.
        own: mistakes of the whole.
        parts: those of the parts that it is built of.
        made_parts: the classes of parts of `reference` that make a mistake already, by the reference's names.
    """
    made = reference
    for mistake in own:
        made = mistake if made is reference else both(symbol, mistake, made)
        if made is None:
            return None
    if own and reference.__name__ != symbol:
        made = both(symbol, made, reference)
    by_part: dict[str, list[Any]] = {}
    for mistake in parts:
        by_part.setdefault(base_of(mistake).__name__, []).append(mistake)
    for part, already in (made_parts or {}).items():
        if part in by_part:
            by_part[part].append(already)
    of_parts = [reduce(partial(both, part), mistakes) for part, mistakes in by_part.items()]
    return None if made is None or None in of_parts else (made, of_parts)
