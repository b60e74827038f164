"""Find the bindings that define a callable: `def`, `class`, imports, and assignments of a lambda or alias."""

import ast

from graders.extraction.definition_index import CodeFile
from graders.extraction.given_values import given_values
from graders.extraction.name_usage import IMPORTS
from graders.extraction.reaching_definitions import find_reaching
from graders.extraction.statements import DEFINITIONS

# Calls that turn a function into a function.
_WRAPPERS = frozenset(
    "cache compile jit lru_cache partial partialmethod script singledispatch vmap wraps".split()  # noqa: SIM905
)
# Classes whose instances are data, though their names look like a student's module class.
_DATA_CLASSES = tuple(
    "Tensor Parameter Variable DataFrame Series Generator Path Dataset Loader".split()  # noqa: SIM905
)


def find_definers(code_file: CodeFile) -> None:
    """Fill in `code_file.definers` from the top down: whether an alias is callable depends on its source."""
    pairs = sorted((at, name) for name, places in code_file.binders.items() for at in places)
    for at, name in pairs:
        if _defines(code_file, at, name):
            code_file.definers.setdefault(name, []).append(at)


def _defines(code_file: CodeFile, at: int, name: str) -> bool:
    node = code_file.units[at].node
    if isinstance(node, (*DEFINITIONS, *IMPORTS)):
        return True
    return any(_makes_callable(code_file, at, name, value) for value in given_values(node, name))


def _makes_callable(code_file: CodeFile, at: int, name: str, value: ast.expr) -> bool:
    if isinstance(value, ast.Lambda):
        return True
    if isinstance(value, ast.IfExp):
        return any(_makes_callable(code_file, at, name, part) for part in (value.body, value.orelse))
    if isinstance(value, ast.Call):
        return _call_makes_callable(code_file, at, name, value)
    base = value
    while isinstance(base, ast.Attribute):
        base = base.value
    return isinstance(base, ast.Name) and _was_callable(code_file, at, base.id)


def _was_callable(code_file: CodeFile, at: int, name: str) -> bool:
    sources = find_reaching(code_file, name, at)
    if not sources:
        return True  # a builtin, or a name from a star import
    below = isinstance(code_file.units[sources[0]].node, (*DEFINITIONS, *IMPORTS))
    return below or code_file.is_definer(sources[0], name)


def _call_makes_callable(code_file: CodeFile, at: int, name: str, call: ast.Call) -> bool:
    function = call.func
    callee = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    if callee in _WRAPPERS:
        return True
    if isinstance(function, ast.Name) and callee == name:
        return False  # split_heads = split_heads(x, 4)
    if any(_is_given_on(part, name) for part in _arguments(call)):
        return _was_callable(code_file, at, name)  # f = decorated(f), f, g = decorate_all([f, g])
    return callee.lstrip("_")[:1].isupper() and not callee.endswith(_DATA_CLASSES)


def _arguments(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(keyword.value for keyword in call.keywords)]


def _is_given_on(argument: ast.expr, name: str) -> bool:
    """Whether an argument is the name itself, alone, in a container, or decorated; what it returns is not."""
    if isinstance(argument, ast.Name):
        return argument.id == name
    if isinstance(argument, ast.Call):
        return any(_is_given_on(part, name) for part in _arguments(argument))
    if isinstance(argument, ast.Dict):
        return any(_is_given_on(part, name) for part in argument.values)
    if isinstance(argument, ast.Tuple | ast.List | ast.Set):
        return any(_is_given_on(part, name) for part in argument.elts)
    return isinstance(argument, ast.Starred) and _is_given_on(argument.value, name)
