"""Recognise definitions that are still as they were handed out."""

import ast
import copy
import functools
from collections.abc import Sequence

from graders.extraction.ipython_cells import to_python
from graders.extraction.name_usage import FUNCTIONS, Function

_DEFINITIONS = (*FUNCTIONS, ast.ClassDef)
_EMPTY_BASES = {"object", "Module", "nn.Module", "torch.nn.Module", "ABC", "abc.ABC"}


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
        return stub is not None and _essence(node) == _handed_out_essence(symbol, stub)
    except RecursionError:
        return False  # no stub is nested so deeply


def does_nothing(node: ast.stmt) -> bool:
    """Whether a definition is empty: `pass`, `...`, `None`, `raise NotImplementedError` and the like."""
    if isinstance(node, FUNCTIONS):
        return _empty_function(node)
    if isinstance(node, ast.ClassDef):
        inner = [part for part in node.body if isinstance(part, _DEFINITIONS)]
        if not inner and not {ast.unparse(base) for base in node.bases} <= _EMPTY_BASES:
            return False  # an empty class whose base does the work
        return all(does_nothing(part) if part in inner else _idle(part) for part in node.body)
    if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
        value = node.value.body if isinstance(node.value, ast.Lambda) else node.value
        return _is_nothing(value, set())
    return False


def _empty_function(node: Function) -> bool:
    nothing: set[str] = set()
    for statement in node.body:
        if isinstance(statement, ast.Return) and (
            statement.value is None or _is_nothing(statement.value, nothing)
        ):
            continue
        if not _idle(statement):
            return False
        nothing.update(part.id for part in ast.walk(statement) if isinstance(part, ast.Name))
    return True


def _idle(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Pass):
        return True
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant) or _is_super_init(statement.value)
    if isinstance(statement, ast.Assign):
        return _is_nothing(statement.value, set())
    if isinstance(statement, ast.AnnAssign):
        return statement.value is None or _is_nothing(statement.value, set())
    return isinstance(statement, ast.Raise) and _is_not_implemented(statement.exc)


def _is_nothing(value: ast.expr, nothing: set[str]) -> bool:
    if isinstance(value, ast.Tuple | ast.List):
        return bool(value.elts) and all(_is_nothing(part, nothing) for part in value.elts)
    if isinstance(value, ast.Name):
        return value.id in nothing
    return isinstance(value, ast.Constant) and value.value in (None, ...)


def _is_super_init(value: ast.expr) -> bool:
    if not isinstance(value, ast.Call) or value.keywords:
        return False
    return ast.unparse(value.func).startswith("super(") and ast.unparse(value.func).endswith(".__init__")


def _is_not_implemented(raised: ast.expr | None) -> bool:
    name = raised.func if isinstance(raised, ast.Call) else raised
    return isinstance(name, ast.Name) and name.id in ("NotImplementedError", "NotImplemented")


@functools.cache
def _handed_out_essence(symbol: str, stub: str) -> str | None:
    definitions = [part for part in ast.walk(to_python(stub).tree) if isinstance(part, _DEFINITIONS)]
    return next((_essence(part) for part in reversed(definitions) if part.name == symbol), None)


def _essence(node: ast.stmt) -> str:
    bare = copy.deepcopy(node)
    for part in ast.walk(bare):
        if isinstance(part, _DEFINITIONS):
            part.body = _without_docstring(part.body)
        if isinstance(part, FUNCTIONS):
            part.returns = None
        if isinstance(part, ast.arg):
            part.annotation = None
    return ast.dump(bare)


def _without_docstring(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    # Drop docstrings and other texts; an empty block becomes `pass`, whether or not it contained one.
    kept = [
        part
        for part in body
        if not isinstance(part, ast.Pass)
        and not (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant))
    ]
    return kept or [ast.Pass()]
