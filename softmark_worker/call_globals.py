"""Which global variables a function reads: some read in this way what the contract gives as an argument."""

import builtins
import dis
import functools
import types
from collections.abc import Iterator
from typing import Any

import torch

_KEPT = 64  # functions that are looked through once


@functools.lru_cache(_KEPT)
def read_names(function: types.FunctionType) -> frozenset[str]:
    """The names of data and models that a function and the functions of its module that it calls read."""
    namespace = function.__globals__
    read: set[str] = set()
    waiting, seen = [function.__code__], {function.__code__}
    while waiting:
        for name in _names_in(waiting.pop()):
            value = namespace.get(name)
            if isinstance(value, types.FunctionType) and value.__globals__ is namespace:
                if value.__code__ not in seen:
                    seen.add(value.__code__)
                    waiting.append(value.__code__)
            elif not hasattr(builtins, name) and (name not in namespace or _is_given(value)):
                read.add(name)
    return frozenset(read)


def _is_given(value: Any) -> bool:
    """Whether a variable holds what a call may give: data, a size, a model."""
    return isinstance(value, torch.nn.Module) or not (callable(value) or isinstance(value, types.ModuleType))


def _names_in(code: types.CodeType) -> Iterator[str]:
    yield from (str(one.argval) for one in dis.get_instructions(code) if one.opname == "LOAD_GLOBAL")
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names_in(constant)
