"""Functions that take, or give, values of another kind: NumPy's arrays for tensors, a tensor for its length.

What the code reads says only that this may be so; the host tries it, as it tries ways to pass arguments.
"""

import types
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy
import torch

from softmark_worker.argument_roles import role_of

ARRAYS, LENGTHS, ANSWER = "arrays", "lengths", "answer"  # which values are of another kind


def find_kinds(function: Any, names: Sequence[str]) -> list[str]:
    """The kinds that a function may ask for. `names`: the contract's arguments."""
    code = getattr(function, "__code__", None)
    read = _names_of(code) if isinstance(code, types.CodeType) else set()
    of_length = any(role_of(name) == "length" for name in names)
    kinds = {
        ARRAYS: bool(read & {"from_numpy", "astype"}),
        LENGTHS: of_length and bool(read & {"shape", "size"}),
        ANSWER: bool(read & {"np", "numpy"}) and "torch" not in read,
    }
    return [kind for kind, is_open in kinds.items() if is_open]


def convert(given: Mapping[int, Any], names: Sequence[str], kind: str) -> dict[int, Any]:
    """The arguments of a call, by their places in the contract, as values of this kind."""
    return {at: _convert(value, names[at : at + 1], kind) for at, value in given.items()}


def take_answer(answer: Any, kind: str) -> Any:
    """The answer as a tensor, where arrays are its kind; NumPy's float64 is what PyTorch's default is."""
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
    }
    return tell[kind]() if kind else {}


def _convert(value: Any, name: Sequence[str], kind: str) -> Any:
    if kind == ARRAYS and isinstance(value, torch.Tensor):
        return value.detach().cpu().numpy()
    if kind == LENGTHS and type(value) is int and name and role_of(name[0]) == "length":
        return torch.zeros(1, value, dtype=torch.int64)
    return value


def _names_of(code: types.CodeType) -> set[str]:
    inner = [_names_of(constant) for constant in code.co_consts if isinstance(constant, types.CodeType)]
    return set(code.co_names).union(*inner)
