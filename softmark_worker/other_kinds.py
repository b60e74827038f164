"""Functions that take, or give, values of another kind: arrays for tensors, a tensor for its length, a pair.

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


def find_kinds(function: Any, names: Sequence[str]) -> list[str]:
    """The kinds that a function may ask for. `names`: the contract's arguments."""
    code = getattr(function, "__code__", None)
    read = _names_of(code) if isinstance(code, types.CodeType) else set()
    of_length = any(role_of(name) == "length" for name in names)
    kinds = {
        ARRAYS: bool(read & {"from_numpy", "astype"}),
        LENGTHS: of_length and bool(read & {"shape", "size"}),
        ANSWER: bool(read & {"np", "numpy"}) and "torch" not in read,
        PAIR: isinstance(code, types.CodeType) and _takes_a_pair(code, names),
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


def take_answer(answer: Any, kind: str) -> Any:
    """The answer as a tensor, where arrays are its kind; NumPy's float64 is what PyTorch's default is.

    Of an answer (h, (h, c)) the pair.
    """
    if kind == PAIR and isinstance(answer, tuple | list) and len(answer) == 2:
        return answer[1] if isinstance(answer[1], tuple | list) else answer
    if kind != ANSWER or not isinstance(answer, numpy.ndarray):
        return answer
    tensor = torch.from_numpy(answer)
    return tensor.to(torch.get_default_dtype()) if tensor.is_floating_point() else tensor


def describe(kind: str, pairs: Mapping[str, str]) -> dict[str, str]:
    """What was taken for what by this kind, in words of code. `pairs`: our name by the student's."""
    tell: dict[str, Callable[[], dict[str, str]]] = {
        ARRAYS: lambda: {theirs: f"{ours}.numpy()" for theirs, ours in list(pairs.items())[:1]},
        LENGTHS: lambda: {t: f"torch.zeros(1, {o})" for t, o in pairs.items() if role_of(o) == "length"},
        ANSWER: lambda: {"answer": "torch.from_numpy(answer)"},
        PAIR: lambda: {theirs: "(h, c)" for theirs, ours in pairs.items() if ours in ("h", "c")},
    }
    return tell[kind]() if kind else {}


def _convert(value: Any, name: Sequence[str], kind: str) -> Any:
    if kind == ARRAYS and isinstance(value, torch.Tensor):
        return value.detach().cpu().numpy()
    if kind == LENGTHS and type(value) is int and name and role_of(name[0]) == "length":
        return torch.zeros(1, value, dtype=torch.int64)
    return value


def _takes_a_pair(code: types.CodeType, names: Sequence[str]) -> bool:
    """Whether the contract ends with a state and a cell, and the function has one argument for both."""
    states = [meanings_of(name) for name in names[-2:]]
    if len(names) != 3 or "state" not in states[0] or "cell" not in states[1]:
        return False
    own = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    return len(own) - (own[:1] == ("self",)) == len(names) - 1


def _names_of(code: types.CodeType) -> set[str]:
    inner = [_names_of(constant) for constant in code.co_consts if isinstance(constant, types.CodeType)]
    return set(code.co_names).union(*inner)
