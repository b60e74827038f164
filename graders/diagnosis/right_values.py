"""Which values of a student's code are values of a correct solution, and the first that is none."""

import ast
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

CLOSE = 1e-4  # times the largest value: code may compute in float32
TELLING = 6  # different numbers that a value needs, so that it agrees with another by no chance
LOWEST = -1e4  # what hides a score: as good as minus infinity
MOST = 4_000  # values of a correct solution


@dataclass(frozen=True)
class Followed:
    """A value that a line of the student's code gave to a variable, or returned.

    Attributes:
        call: the number of the call of the function.
        file: the file's name in tracebacks.
        line: in the cell or module; that of an argument is the function's first.
        name: the variable's; empty for what is returned.
        value: a tensor.
    """

    call: int
    file: str
    line: int
    name: str
    value: Tensor


@dataclass
class RightValues:
    """The values that a correct solution computes, each with its numbers in order: layouts are free."""

    by_size: dict[int, list[Tensor]] = field(default_factory=dict)
    count: int = 0

    def add(self, value: Tensor) -> None:
        """Add a value, unless it says nothing or is there."""
        if self.count < MOST and (numbers := _in_order(value)) is not None and not self._has(numbers):
            self.by_size.setdefault(numbers.numel(), []).append(numbers)
            self.count += 1

    def agree(self, value: Tensor) -> bool | None:
        """Whether a value's numbers are those of one of these; None where they say nothing."""
        numbers = _in_order(value)
        return None if numbers is None else self._has(numbers)

    def _has(self, numbers: Tensor) -> bool:
        return any(_close(numbers, other) for other in self.by_size.get(numbers.numel(), ()))


@contextmanager
def gathered() -> Iterator[RightValues]:
    """Inside the block, gather the values of all tensors that our own code computes."""
    values = RightValues()
    with _Gather(values):
        yield values


class _Gather(TorchDispatchMode):
    def __init__(self, values: RightValues) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.values = values

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        return False  # nothing is compiled here; True imports all of torch._dynamo, for a second

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        del types
        answer = func(*args, **(kwargs or {}))
        for each in answer if isinstance(answer, tuple | list) else (answer,):
            if isinstance(each, Tensor) and each.is_floating_point():
                self.values.add(each.detach())
        return answer


def first_other(
    followed: Sequence[Followed], right: RightValues, texts: Mapping[str, str]
) -> tuple[Followed, tuple[str, ...]] | None:
    """The first value that no correct solution has, though all that it is computed from are fine.

    A value does not count from which the code computes one that is right again: it got there another way.

    Args:
        followed: in the order of time.
        right: those of correct solutions.
        texts: the code by the file's name in tracebacks.

    Returns:
        The value, and the names of those that it is computed from, that the code has computed and that are
        right. None where all agree, or where none of these does: then the code may be right in another way.
    """
    agree = [right.agree(each.value) for each in followed]
    statements = {file: _Statements(text) for file, text in texts.items()}
    used = list(_used(followed, statements))
    fine = _lead_to_what_agrees(agree, [uses for _, uses in used])
    if not any(a for a, (statement, _) in zip(agree, used, strict=True) if statement):
        return None
    given = _given(followed, used)
    for number, (statement, uses) in enumerate(used):
        wrong = agree[number] is False and not fine[number]
        if wrong and statement and all(agree[n] is not False or fine[n] for n in uses):
            computed = (followed[n] for n in uses if agree[n] and not given.agree(followed[n].value))
            names = dict.fromkeys(each.name for each in computed)
            return (followed[number], tuple(names)) if names else None
    return None


def _given(followed: Sequence[Followed], used: Sequence[tuple[ast.stmt | None, list[int]]]) -> RightValues:
    """The arguments of the whole call: that these are right says nothing of the code."""
    given = RightValues()
    for each, (statement, _) in zip(followed, used, strict=True):
        if statement is None and each.call == followed[0].call:
            given.add(each.value)
    return given


def _used(
    followed: Sequence[Followed], statements: Mapping[str, "_Statements"]
) -> Iterator[tuple[ast.stmt | None, list[int]]]:
    """For each value its statement, and the earlier values that this uses; no statement for arguments."""
    latest: dict[tuple[int, str], int] = {}
    for number, each in enumerate(followed):
        statement = statements[each.file].at(each.line) if each.file in statements else None
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            statement = None
        names = _names_in(statement) if statement else []
        yield statement, [latest[each.call, name] for name in names if (each.call, name) in latest]
        latest[each.call, each.name] = number


def _lead_to_what_agrees(agree: Sequence[bool | None], used: Sequence[Sequence[int]]) -> list[bool]:
    """Whether something right is computed from each value, at once or by way of others."""
    fine = [False] * len(agree)
    for number in reversed(range(len(agree))):
        for earlier in used[number]:
            fine[earlier] |= bool(agree[number]) or fine[number]
    return fine


class _Statements:
    """The statements of a text, by their lines."""

    def __init__(self, text: str) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                tree: ast.AST = ast.parse(text)
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                tree = ast.Module([], [])
        self._all = [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]

    def at(self, line: int) -> ast.stmt | None:
        """The innermost statement around a line."""
        around = [s for s in self._all if s.lineno <= line <= (s.end_lineno or s.lineno)]
        return max(around, key=lambda statement: statement.lineno, default=None)


def _names_in(statement: ast.stmt) -> list[str]:
    """The names that a statement reads, in the order of the text; of a loop, those of its first line."""
    inner = {"body", "orelse", "finalbody", "handlers"}
    parts = [value for name, value in ast.iter_fields(statement) if name not in inner]
    nodes = [node for part in parts for each in _listed(part) for node in ast.walk(each)]
    names = [n for n in nodes if isinstance(n, ast.Name)]
    read = [n.id for n in names if isinstance(n.ctx, ast.Load) or isinstance(statement, ast.AugAssign)]
    return list(dict.fromkeys(read))


def _listed(part: Any) -> list[ast.AST]:
    return [each for each in (part if isinstance(part, list) else [part]) if isinstance(each, ast.AST)]


def _in_order(value: Tensor) -> Tensor | None:
    """The numbers of a value in order, with minus infinity for what hides; None where they say nothing."""
    numbers = value.detach().double().flatten()
    numbers = torch.where(numbers <= LOWEST, -torch.inf, numbers).sort().values
    finite = numbers[torch.isfinite(numbers)]
    if bool(numbers.isnan().any()) or len(finite) < TELLING:
        return None
    apart = finite.diff() > CLOSE * finite.abs().max()
    return numbers if int(apart.sum()) + 1 >= TELLING else None


def _close(first: Tensor, second: Tensor) -> bool:
    finite = torch.isfinite(second)
    if not torch.equal(finite, torch.isfinite(first)):
        return False
    first, second = first[finite], second[finite]
    return bool(((first - second).abs() <= CLOSE * second.abs().max()).all())
