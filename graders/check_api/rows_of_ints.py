"""Answers that are rows of ints: the lists that a tokenizer gives, for which tensors may stand.

One check is about their form (`returns_lists`); all others read what they can (`read_rows`).
"""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from graders.check_api.compare import require
from graders.check_api.describe import kind
from graders.language import tr


def read_rows(answer: Any, names: Sequence[str], of_a_library: Sequence[str] = ()) -> list[list[int]]:
    """The rows of an answer as lists of ints, whether they come as lists, as tensors or in a dict.

    Args:
        answer: what a function gave.
        names: of the rows, in their order.
        of_a_library: the names that a library has for them in a dict.

    Raises:
        Violation: there are not so many rows, or one holds something else than whole numbers.
    """
    if isinstance(answer, dict):
        for keys in (names, of_a_library):
            if keys and set(keys) <= set(answer):
                answer = [answer[key] for key in keys]
                break
    require(isinstance(answer, tuple | list) and len(answer) == len(names), _say_form(answer, names))
    return [_read_row(value, name) for value, name in zip(answer, names, strict=True)]


def returns_lists(answer: Any, names: Sequence[str]) -> str | None:
    """Require a tuple of lists of ints; tensors with one axis are remarked.

    Raises:
        Violation: it is something else.
    """
    require(isinstance(answer, tuple | list) and len(answer) == len(names), _say_form(answer, names))
    for name, row in zip(names, answer, strict=True):
        require(
            _holds_ints(row), tr("{name} should be a list of ints, but is {kind}", name=name, kind=kind(row))
        )
    some = any(isinstance(row, Tensor) for row in answer)
    return tr("tensors come back, where lists would do") if some else None


def rows_as_lists(answer: Any) -> Any:
    """The answer with lists in the place of tensors: for `normalise` of a draw."""
    if isinstance(answer, tuple | list):
        return [row.tolist() if isinstance(row, Tensor) else row for row in answer]
    return answer


def _say_form(answer: Any, names: Sequence[str]) -> str:
    return tr("the answer should be ({names}), but is {kind}", names=", ".join(names), kind=kind(answer))


def _read_row(value: Any, name: str) -> list[int]:
    row = value.flatten().tolist() if isinstance(value, Tensor) and value.numel() in value.shape else value
    message = tr("{name} should be a list of ints, but is {kind}", name=name, kind=kind(value))
    require(isinstance(row, list) and all(type(v) in (int, float, bool) and v % 1 == 0 for v in row), message)
    return [int(v) for v in row]


def _holds_ints(row: Any) -> bool:
    if isinstance(row, Tensor):
        return row.dim() == 1 and not row.is_floating_point() and row.dtype != torch.bool
    return isinstance(row, list) and all(type(value) is int for value in row)
