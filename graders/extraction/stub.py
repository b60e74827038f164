"""Recognise definitions that are still as they were handed out."""

import ast
import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from graders.extraction.empty_functions import is_empty_function, is_idle, is_nothing
from graders.extraction.ipython_cells import to_python
from graders.extraction.name_usage import FUNCTIONS

_DEFINITIONS = (*FUNCTIONS, ast.ClassDef)
EMPTY_BASES = frozenset(
    "object Module nn.Module torch.nn.Module ABC abc.ABC"  # noqa: SIM905
    " LightningModule L.LightningModule pl.LightningModule".split()
)


def is_untouched(node: ast.stmt, symbol: str, stub: str | None) -> bool:
    """Whether a definition is empty, or equals the handed-out one apart from comments and annotations.

    Args:
        node: the statement that binds `symbol` in the submission.
        symbol: the name that the exercise asks for.
        stub: the text of the handed-out module.
    """
    try:
        if does_nothing(node):
            return True
        return stub is not None and _is_alike(node, handed_out(symbol, stub))
    except RecursionError:
        return False  # no stub is nested so deeply


def does_nothing(node: ast.stmt) -> bool:
    """Whether a definition is empty: `pass`, `...`, `None`, `raise NotImplementedError` and the like.

    Sizes may be read before (`B, S, E = x.shape`), stored (`self.d = d`) and checked (`assert`), as stubs do.
    """
    if isinstance(node, FUNCTIONS):
        return is_empty_function(node)
    if isinstance(node, ast.ClassDef):
        return _is_empty_class(node)
    if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
        value = node.value.body if isinstance(node.value, ast.Lambda) else node.value
        return is_nothing(value, set())
    return False


def _is_empty_class(node: ast.ClassDef) -> bool:
    if not {ast.unparse(base) for base in node.bases} <= EMPTY_BASES:
        return False  # the base may do the work
    inner = [part for part in node.body if isinstance(part, _DEFINITIONS)]
    for part in node.body:
        if isinstance(part, FUNCTIONS):
            # A constructor that only stores sizes is no work if there is another method, and that is empty.
            empty = is_empty_function(part, stores_only=part.name == "__init__" and len(inner) > 1)
        else:
            empty = does_nothing(part) if part in inner else is_idle(part)
        if not empty:
            return False
    return True


@dataclass(frozen=True)
class HandedOutCall:
    """A call of what was handed out.

    Attributes:
        name: the method's; empty for a function.
        arguments: each argument's name, whether it has a default, and that default; without `self`.
    """

    name: str
    arguments: tuple[tuple[Any, ...], ...]


@functools.cache
def calls_of(symbol: str, stub: str) -> tuple[HandedOutCall, ...]:
    """The calls of a symbol as it was handed out: of a function, or of methods but the constructor."""
    node = handed_out(symbol, stub)
    if isinstance(node, FUNCTIONS):
        return (HandedOutCall("", _arguments_in(node.args)),)
    body = node.body if isinstance(node, ast.ClassDef) else []
    methods = [part for part in body if isinstance(part, FUNCTIONS)]
    return tuple(
        HandedOutCall(method.name, _arguments_in(method.args)[1:])
        for method in methods
        if method.name != "__init__"
    )


def _arguments_in(given: ast.arguments) -> tuple[tuple[Any, ...], ...]:
    required = len(given.args) - len(given.defaults)
    defaults = [(ast.literal_eval(value),) for value in given.defaults]
    return tuple(
        (a.arg, at >= required, *(defaults[at - required] if at >= required else (None,)))
        for at, a in enumerate(given.args)
    )


@functools.cache
def handed_out(symbol: str, stub: str) -> ast.stmt | None:
    """The definition of a symbol as it was handed out; None where the text has none."""
    definitions = [part for part in ast.walk(to_python(stub).tree) if isinstance(part, _DEFINITIONS)]
    return next((part for part in reversed(definitions) if part.name == symbol), None)


def _is_alike(mine: Any, theirs: Any) -> bool:
    """Whether two trees are the same, apart from annotations, docstrings and other idle statements."""
    if type(mine) is not type(theirs):
        return False
    if isinstance(mine, list):
        return len(mine) == len(theirs) and all(map(_is_alike, mine, theirs))
    if not isinstance(mine, ast.AST):
        return bool(mine == theirs)
    return all(_is_alike(part, other) for part, other in zip(_parts(mine), _parts(theirs), strict=True))


def _parts(node: ast.AST) -> Iterator[Any]:
    """What counts of a node's fields."""
    for field in node._fields:
        part: Any = getattr(node, field, None)
        if field == "body" and isinstance(node, _DEFINITIONS):
            yield _without_docstring(part)
        elif not (field == "returns" or (field == "annotation" and isinstance(node, ast.arg))):
            yield part


def _without_docstring(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    # Drop docstrings and other texts; an empty block becomes `pass`, whether or not it contained one.
    kept = [
        part
        for part in body
        if not isinstance(part, ast.Pass)
        and not (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant))
    ]
    return kept or [ast.Pass()]
