"""Which bindings make something to be called: a definition in another dress, and no data."""

import ast

from graders.extraction.definition_index import Sheet
from graders.extraction.name_usage import IMPORTS
from graders.extraction.reaching_definitions import reach
from graders.extraction.statements import DEFINITIONS

# These make a function out of a function.
_WRAPPERS = frozenset(
    "cache compile jit lru_cache partial partialmethod script singledispatch vmap wraps".split()  # noqa: SIM905
)
# These look like a student's class and make numbers.
_DATA_CLASSES = tuple(
    "Tensor Parameter Variable DataFrame Series Generator Path Dataset Loader".split()  # noqa: SIM905
)


def find_definers(sheet: Sheet) -> None:
    """Fill in `sheet.definers`, from the top down, since an alias is what its source was before it."""
    pairs = sorted((at, name) for name, places in sheet.binders.items() for at in places)
    for at, name in pairs:
        if _defines(sheet, at, name):
            sheet.definers.setdefault(name, []).append(at)


def _defines(sheet: Sheet, at: int, name: str) -> bool:
    node = sheet.units[at].node
    if isinstance(node, (*DEFINITIONS, *IMPORTS)):
        return True
    if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
        return False
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    plain = any(isinstance(target, ast.Name) and target.id == name for target in targets)
    return plain and _makes_callable(sheet, at, name, node.value)


def _makes_callable(sheet: Sheet, at: int, name: str, value: ast.expr) -> bool:
    if isinstance(value, ast.Lambda):
        return True
    if isinstance(value, ast.IfExp):
        return any(_makes_callable(sheet, at, name, part) for part in (value.body, value.orelse))
    if isinstance(value, ast.Call):
        return _call_makes_callable(sheet, at, name, value)
    base = value
    while isinstance(base, ast.Attribute):
        base = base.value
    return isinstance(base, ast.Name) and _was_callable(sheet, at, base.id)


def _was_callable(sheet: Sheet, at: int, name: str) -> bool:
    sources = reach(sheet, name, at)
    if not sources:
        return True  # from Python itself, or from a star import
    below = isinstance(sheet.units[sources[0]].node, (*DEFINITIONS, *IMPORTS))
    return below or sheet.is_definer(sources[0], name)


def _call_makes_callable(sheet: Sheet, at: int, name: str, call: ast.Call) -> bool:
    function = call.func
    callee = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    if callee in _WRAPPERS:
        return True
    if isinstance(function, ast.Name) and callee == name:
        return False  # split_heads = split_heads(x, 4)
    if any(isinstance(part, ast.Name) and part.id == name for part in call.args):
        return _was_callable(sheet, at, name)  # f = decorated(f)
    return callee.lstrip("_")[:1].isupper() and not callee.endswith(_DATA_CLASSES)
