"""The statements of one file with an index of who binds and who changes each name."""

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from graders.decode import Kind
from graders.names import IMPORTS
from graders.units import DEFINITIONS, LOOPS, WITHS, Step, Unit, always_binds, is_main_guard, magic_call

# What makes a function out of a function, and what looks like a class but makes numbers.
_WRAPPERS = frozenset(
    {
        "partial",
        "partialmethod",
        "compile",
        "script",
        "jit",
        "vmap",
        "lru_cache",
        "cache",
        "wraps",
        "singledispatch",
    }
)
_DATA_CLASSES = (
    "Tensor",
    "Parameter",
    "Variable",
    "DataFrame",
    "Series",
    "Generator",
    "Path",
    "Dataset",
    "Loader",
)
_ALIAS_DEPTH = 10


@dataclass(frozen=True, eq=False)
class Sheet:
    """One file. `binders` and `changers` give the units by name, in order.

    `stars` are the imports of everything from a sibling, with the names they bring. `guarded` are the
    units of a module under `if __name__ == "__main__":`, which count only where nothing else binds the name.
    """

    path: str
    kind: Kind
    units: tuple[Unit, ...]
    binders: dict[str, tuple[int, ...]]
    changers: dict[str, tuple[int, ...]]
    stars: dict[int, frozenset[str]]
    guarded: frozenset[int]

    @property
    def end(self) -> int:
        """The position after all units."""
        return len(self.units)

    def definitions(self) -> list[Unit]:
        """The functions and classes at module scope."""
        return [unit for unit in self.units if isinstance(unit.node, DEFINITIONS)]


def sheet(path: str, kind: Kind, units: Sequence[Unit], stars: dict[int, frozenset[str]]) -> Sheet:
    """Index the units of a file; `stars` are the names that each star import of a sibling brings."""
    alive = [unit for unit in units if magic_call(unit.node) is None]
    binds = [(unit.index, unit.names.binds | stars.get(unit.index, frozenset())) for unit in alive]
    modules = {name for unit in alive if isinstance(unit.node, IMPORTS) for name in unit.names.binds}
    changes = [(unit.index, unit.names.changes | (unit.names.touches - modules)) for unit in alive]
    return Sheet(path, kind, tuple(units), _index(binds), _index(changes), stars, _guarded(kind, units))


def _index(pairs: Iterable[tuple[int, frozenset[str]]]) -> dict[str, tuple[int, ...]]:
    found: dict[str, list[int]] = {}
    for at, names in pairs:
        for name in names:
            found.setdefault(name, []).append(at)
    return {name: tuple(places) for name, places in found.items()}


def _guarded(kind: Kind, units: Sequence[Unit]) -> frozenset[int]:
    if kind == "notebook":
        return frozenset()
    guards = {unit.index for unit in units if is_main_guard(unit.node)}
    return frozenset(unit.index for unit in units if any(step.header in guards for step in unit.within))


def reach(sheet: Sheet, name: str, at: int, *, called: bool = False) -> list[int]:
    """The units that may have given `name` the value it has just before unit `at`, the latest first.

    Where nothing binds the name before, a notebook was run out of order, and the last binding counts.

    Args:
        sheet: the file.
        name: what is read.
        at: where it is read; `sheet.end` for what is left when everything has run.
        called: the name is used as a function, so `f = f(x)` is passed over in favour of `def f`.
    """
    everywhere = sheet.binders.get(name, ())
    binders = [index for index in everywhere if index not in sheet.guarded] or everywhere
    before = [index for index in binders if index < at] or list(binders)
    if called:
        before = [index for index in before if like_a_definition(sheet, index, name)] or before
    here = sheet.units[at].within if at < sheet.end else ()
    found: list[int] = []
    floor = -1
    for index in reversed(before):
        if index < floor:
            break
        unit = sheet.units[index]
        if not _excluded(sheet, unit, here):
            found.append(index)
            floor = max(floor, _floor(sheet, unit, name, here))
    return found


def _excluded(sheet: Sheet, unit: Unit, here: tuple[Step, ...]) -> bool:
    branches = {step.header: step.branch for step in here}
    return any(
        branches.get(step.header, step.branch) != step.branch
        and isinstance(sheet.units[step.header].node, ast.If | ast.Match)
        for step in unit.within
    )


def _floor(sheet: Sheet, unit: Unit, name: str, here: tuple[Step, ...]) -> int:
    """The index below which no binding can reach the reader; -1 where this one may not have run."""
    around = {step.header for step in here}
    for step in unit.within:
        node = sheet.units[step.header].node
        if step in here or isinstance(node, WITHS) or is_main_guard(node):
            continue
        certain = step.header not in around and always_binds([node], name)
        return step.header if certain else -1
    if isinstance(unit.node, LOOPS):
        return -1  # the loop may have gone round no time at all
    partial = isinstance(unit.node, ast.Import) and any("." in alias.name for alias in unit.node.names)
    # `import package.b` adds to what `import package.a` gave.
    return -1 if partial else unit.index


def like_a_definition(sheet: Sheet, index: int, name: str, depth: int = 0) -> bool:
    """Whether a binding makes something to be called: def, class, import, lambda, alias, wrapped function."""
    node = sheet.units[index].node
    if isinstance(node, (*DEFINITIONS, *IMPORTS)):
        return True
    if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
        return False
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    plain = any(isinstance(target, ast.Name) and target.id == name for target in targets)
    return plain and depth < _ALIAS_DEPTH and _makes_callable(sheet, index, name, node.value, depth)


def _makes_callable(sheet: Sheet, index: int, name: str, value: ast.expr, depth: int) -> bool:
    if isinstance(value, ast.Lambda):
        return True
    if isinstance(value, ast.IfExp):
        return any(_makes_callable(sheet, index, name, part, depth) for part in (value.body, value.orelse))
    if isinstance(value, ast.Call):
        return _call_makes_callable(sheet, index, name, value, depth)
    base = value
    while isinstance(base, ast.Attribute):
        base = base.value
    return isinstance(base, ast.Name) and _was_callable(sheet, index, base.id, depth)


def _was_callable(sheet: Sheet, index: int, name: str, depth: int) -> bool:
    # A name that nothing here binds comes from Python itself or from a star import.
    sources = reach(sheet, name, index)
    return not sources or like_a_definition(sheet, sources[0], name, depth + 1)


def _call_makes_callable(sheet: Sheet, index: int, name: str, call: ast.Call, depth: int) -> bool:
    function = call.func
    callee = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    if callee in _WRAPPERS:
        return True
    if callee != name and any(isinstance(part, ast.Name) and part.id == name for part in call.args):
        return _was_callable(sheet, index, name, depth)  # f = decorated(f)
    return callee.lstrip("_")[:1].isupper() and not callee.endswith(_DATA_CLASSES)
