"""Functions that take, or give, values of another kind: arrays, a tensor for its length, a pair, a batch.

What the code reads says only that this may be so; the host tries it, as it tries ways to pass arguments.
"""

import types
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy
import torch

from softmark_worker.argument_roles import role_of
from softmark_worker.call_meanings import meanings_of

ARRAYS, LENGTHS, ANSWER, PAIR = "arrays", "lengths", "answer", "pair"  # which values are of another kind
NUMPY = "numpy"  # tensors are arrays, and so is the answer
BATCH = "batch"  # logits (B, T, V) and targets (B, T), where each row stands for itself
_OF_ROWS = ("logits", "targets")
_OF_ANSWER = {"answer": "torch.from_numpy(answer)"}


def find_kinds(function: Any, names: Sequence[str]) -> list[str]:
    """The kinds that a function may ask for. `names`: the contract's arguments."""
    code = getattr(function, "__code__", None)
    read = _names_of(code) if isinstance(code, types.CodeType) else set()
    of_length = any(role_of(name) == "length" for name in names)
    with_helpers = _names_with_helpers(function)
    of_numpy = bool(with_helpers & {"np", "numpy"}) and "torch" not in with_helpers
    kinds = {
        ARRAYS: bool(read & {"from_numpy", "astype"}),
        LENGTHS: of_length and bool(read & {"shape", "size"}),
        ANSWER: of_numpy,
        PAIR: isinstance(code, types.CodeType) and _takes_a_pair(code, names),
        BATCH: tuple(names[:2]) == _OF_ROWS and bool(read & {"shape", "size"}),
        NUMPY: of_numpy,
    }
    return [kind for kind, is_open in kinds.items() if is_open]


def convert(given: Mapping[int, Any], names: Sequence[str], kind: str) -> dict[int, Any]:
    """The arguments of a call, by their places in the contract, as values of this kind."""
    if kind == PAIR:
        states = [len(names) - 2, len(names) - 1]
        pair = tuple(given.get(at) for at in states)
        return {**given, **(dict.fromkeys(states, pair) if states[0] in given else {})}
    return {at: _convert(value, names[at : at + 1], kind) for at, value in given.items()}


def held_in_pair(kind: str, names: Sequence[str]) -> set[int]:
    """The places of the contract's arguments that are given as a pair of this kind."""
    return {len(names) - 2, len(names) - 1} if kind == PAIR else set()


def take_answer(answer: Any, kind: str, given: Sequence[Any] = ()) -> Any:
    """The answer as a tensor, or several, where arrays are its kind.

    Its numbers are of the precision of the first that are given, else of PyTorch's default: NumPy makes
    float64 of float32 and a root. Of an answer (h, (h, c)) the pair.
    """
    if kind == PAIR and isinstance(answer, tuple | list) and len(answer) == 2:
        return answer[1] if isinstance(answer[1], tuple | list) else answer
    if kind not in (ANSWER, NUMPY):
        return answer
    if type(answer) in (tuple, list):
        parts = [numpy.asarray(part) if isinstance(part, numpy.generic) else part for part in answer]
        return type(answer)(take_answer(part, kind, given) for part in parts)
    if not isinstance(answer, numpy.ndarray) or answer.dtype.hasobject:
        return answer
    tensor = torch.from_numpy(answer)
    return tensor.to(_precision_of(given)) if tensor.is_floating_point() else tensor


def describe(kind: str, pairs: Mapping[str, str]) -> dict[str, str]:
    """What was taken for what by this kind, in words of code. `pairs`: our name by the student's."""
    tell: dict[str, Callable[[], dict[str, str]]] = {
        ARRAYS: lambda: {theirs: f"{ours}.numpy()" for theirs, ours in list(pairs.items())[:1]},
        LENGTHS: lambda: {t: f"torch.zeros(1, {o})" for t, o in pairs.items() if role_of(o) == "length"},
        ANSWER: lambda: _OF_ANSWER,
        NUMPY: lambda: describe(ARRAYS, pairs) | _OF_ANSWER,
        PAIR: lambda: {theirs: "(h, c)" for theirs, ours in pairs.items() if ours in ("h", "c")},
        BATCH: lambda: {theirs: f"{ours}[None]" for theirs, ours in pairs.items() if ours in _OF_ROWS},
    }
    return tell[kind]() if kind else {}


def _convert(value: Any, name: Sequence[str], kind: str) -> Any:
    if kind in (ARRAYS, NUMPY) and isinstance(value, torch.Tensor):
        return value.detach().cpu().numpy()
    if kind == LENGTHS and type(value) is int and name and role_of(name[0]) == "length":
        return torch.zeros(1, value, dtype=torch.int64)
    of_rows = (
        kind == BATCH and isinstance(value, torch.Tensor) and tuple(name)[:1] in [(n,) for n in _OF_ROWS]
    )
    return value[None] if of_rows else value


def _precision_of(given: Sequence[Any]) -> torch.dtype:
    floats = (one.dtype for one in given if isinstance(one, torch.Tensor) and one.is_floating_point())
    return next(floats, torch.get_default_dtype())


def _takes_a_pair(code: types.CodeType, names: Sequence[str]) -> bool:
    """Whether the contract ends with a state and a cell, and the function has one argument for both."""
    states = [meanings_of(name) for name in names[-2:]]
    if len(names) != 3 or "state" not in states[0] or "cell" not in states[1]:
        return False
    own = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    return len(own) - (own[:1] == ("self",)) == len(names) - 1


def _names_with_helpers(function: Any) -> set[str]:
    """The names that a function reads, and those that functions and classes of the same code read for it."""
    names: set[str] = set()
    left, seen = [getattr(function, "__func__", function)], set()
    while left:
        one = left.pop()
        if not isinstance(one, types.FunctionType) or one in seen:
            continue
        seen.add(one)
        read = _names_of(one.__code__)
        names |= read
        for value in (one.__globals__.get(name) for name in read):
            if isinstance(value, types.FunctionType) and value.__globals__ is one.__globals__:
                left.append(value)
            elif isinstance(value, type) and value.__module__ == one.__module__:
                left += vars(value).values()
    return names


def _names_of(code: types.CodeType) -> set[str]:
    inner = [_names_of(constant) for constant in code.co_consts if isinstance(constant, types.CodeType)]
    return set(code.co_names).union(*inner)
