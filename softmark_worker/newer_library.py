"""What the standard library of newer Pythons has and students' code imports, where this one lacks it.

A name that cannot be imported costs all that is built on it: `@override` above `forward`, the whole class.
"""

import copy
import itertools
import math
import typing
import warnings
from collections.abc import Callable, Iterable, Iterator
from types import ModuleType
from typing import Any


def supply() -> None:
    """Give the modules what they lack of it. In the box alone: in a notebook the kernel is the student's."""
    for module, names in _NEWER.items():
        for name, value in names.items():
            if not hasattr(module, name):
                setattr(module, name, value)


def override(method: Any) -> Any:
    """`typing.override`, of 3.12: a mark for readers."""
    return method


def batched(iterable: Iterable[Any], n: int, *, strict: bool = False) -> Iterator[tuple[Any, ...]]:
    """`itertools.batched`, of 3.12: the values in tuples of n."""
    if n < 1:
        raise ValueError("n must be at least one")
    values = iter(iterable)
    while batch := tuple(itertools.islice(values, n)):
        if strict and len(batch) != n:
            raise ValueError("batched(): incomplete batch")
        yield batch


def sumprod(p: Iterable[Any], q: Iterable[Any]) -> Any:
    """`math.sumprod`, of 3.12: the sum of the products of two sequences."""
    return sum(a * b for a, b in zip(p, q, strict=True))


def deprecated(message: str, /, **options: Any) -> Callable[[Any], Any]:
    """`warnings.deprecated`, of 3.13, which here does not warn."""
    del message, options
    return override


def replace(value: Any, /, **changes: Any) -> Any:
    """`copy.replace`, of 3.13: a dataclass or named tuple with other values."""
    change = getattr(type(value), "__replace__", None) or getattr(value, "_replace", None)
    if change is None:
        import dataclasses

        return dataclasses.replace(value, **changes)
    return change(value, **changes) if hasattr(type(value), "__replace__") else change(**changes)


_NEWER: dict[ModuleType, dict[str, Any]] = {
    typing: {"override": override, "ReadOnly": typing.Required, "TypeIs": typing.TypeGuard},
    itertools: {"batched": batched},
    math: {"sumprod": sumprod},
    warnings: {"deprecated": deprecated},
    copy: {"replace": replace},
}
