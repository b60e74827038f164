"""Hypothesis draws the same in every process, whatever else is imported there.

Since 6.131 it mixes the constants of all modules beside the installed ones into what it draws: the same seed
then gives other draws in a notebook than in CI, in a checkout than from a wheel. Reading the modules also
takes a second.
"""

import contextlib
from collections.abc import Iterator
from typing import Any

from hypothesis.internal.conjecture import providers

_permitted: dict[Any, Any] = {}  # the constants that may be drawn, by what is drawn; all of Hypothesis's own


@contextlib.contextmanager
def without_constants_of_modules() -> Iterator[None]:
    """Until the end of the block, Hypothesis knows no constants but its own."""
    module: Any = providers
    names = ("_get_local_constants", "CONSTANTS_CACHE")
    before = {name: getattr(module, name) for name in names if hasattr(module, name)}
    if len(before) < len(names):  # another version, which has no such constants
        yield
        return
    empty = type(module._local_constants)()
    module._get_local_constants, module.CONSTANTS_CACHE = lambda: empty, _permitted
    try:
        yield
    finally:
        for name, value in before.items():
            setattr(module, name, value)
