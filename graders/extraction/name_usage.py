"""Find the names that a statement binds, reads and changes, with Python's own symbol tables."""

import ast
import copy
import symtable
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from graders.extraction.dynamic_bindings import dynamic_bindings, executed_statements
from graders.extraction.plain_tree import simplify

Import = ast.Import | ast.ImportFrom
Chain = tuple[str, ...]

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
IMPORTS = (ast.Import, ast.ImportFrom)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass(frozen=True, kw_only=True)
class Names:
    """The names of one statement at module scope.

    Attributes:
        binds: names that the statement binds.
        eager: names that are read when the statement runs.
        deferred: names that are read later, inside the functions that the statement defines.
        changes: names whose values are altered in place.
        touches: names that may be altered in place: a method is called and its result dropped. Modules are
            not altered in this way.
        calls: names that are called or inherited from.
        annotations: names in annotations, which are never evaluated.
        dotted: the attribute chains read from each name: `torch.nn.Linear` gives `("nn", "Linear")` for
            `torch`, a bare `torch` gives `()`.
        imports: the import statements in it.
    """

    binds: frozenset[str]
    eager: frozenset[str]
    deferred: frozenset[str]
    changes: frozenset[str]
    touches: frozenset[str]
    calls: frozenset[str]
    annotations: frozenset[str]
    dotted: dict[str, frozenset[Chain]]
    imports: tuple[Import, ...]


def names_of(node: ast.stmt) -> Names:
    """Find the names of a statement; of a compound statement (`if`, `for`, ...) those of its header only.

    Raises:
        SyntaxError: the statement parses, but does not compile.
        RecursionError: it is nested too deeply.
    """
    head = header(node)
    eager, deferred = _reads(head)
    changes = frozenset(_changes(head))
    binds = {*bound_names(head), *(name for name, _ in dynamic_bindings(head))}
    for statement in executed_statements(head):
        binds.update(bound_names(statement))
        eager |= _reads(statement)[0]
    return Names(
        binds=frozenset(binds),
        eager=frozenset(eager | changes),
        deferred=frozenset(deferred - {"__class__"}),  # super() reads it, and Python provides it
        changes=changes,
        touches=frozenset(_touches(head)),
        calls=frozenset(_calls(head)),
        annotations=frozenset(_annotation_names(head)),
        dotted=_dotted_name(head),
        imports=tuple(inner for inner in ast.walk(head) if isinstance(inner, IMPORTS)),
    )


def branches(node: ast.stmt) -> list[tuple[str, list[ast.stmt]]]:
    """The blocks of a compound statement by name; empty for a simple statement, a function or a class."""
    if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
        return []
    blocks = [(name, getattr(node, name)) for name in ("body",) if hasattr(node, name)]
    for name in ("handlers", "cases"):
        blocks += [(f"{name} {at}", part.body) for at, part in enumerate(getattr(node, name, ()))]
    blocks += [(name, getattr(node, name)) for name in ("orelse", "finalbody") if hasattr(node, name)]
    return blocks


def header(node: ast.stmt) -> ast.stmt:
    """A compound statement with empty blocks; any other statement unchanged."""
    if not branches(node):
        return node
    bare = copy.copy(node)
    for field in ("body", "orelse", "finalbody"):
        if getattr(bare, field, None):
            setattr(bare, field, [ast.Pass()])
    for field in ("handlers", "cases"):
        if getattr(bare, field, None):
            parts = [copy.copy(part) for part in getattr(bare, field)]
            for part in parts:
                part.body = [ast.Pass()]
            setattr(bare, field, parts)
    return bare


def _reads(node: ast.stmt) -> tuple[set[str], set[str]]:
    if isinstance(node, ast.ClassDef):
        return _class_reads(node)
    text = ast.unparse(simplify(node))
    top = symtable.symtable(text, "statement", "exec")
    eager = {symbol.get_name() for symbol in top.get_symbols() if symbol.is_referenced()}
    deferred: set[str] = set()
    for child in top.get_children():
        _table_reads(child, eager, deferred)
    return eager, deferred


def _class_reads(node: ast.ClassDef) -> tuple[set[str], set[str]]:
    # A class body runs at once, from top to bottom, and its methods do not see its names.
    around = [*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords)]
    eager: set[str] = set()
    deferred: set[str] = set()
    own = {parameter.name for parameter in getattr(node, "type_params", ())}
    for statement in (*map(ast.Expr, around), *node.body):
        now, later = _reads(statement)
        eager |= now - own
        deferred |= later
        own.update(bound_names(statement))
    return eager, deferred


def _table_reads(table: symtable.SymbolTable, eager: set[str], deferred: set[str]) -> None:
    at_once = table.get_type() != "function" or table.get_name().strip("<>") == "genexpr"
    names = eager if at_once else deferred
    for symbol in table.get_symbols():
        # The tables do not count `global n; n += 1` as a reference.
        if symbol.is_global() and (symbol.is_referenced() or symbol.is_declared_global()):
            names.add(symbol.get_name())
    for child in table.get_children():
        _table_reads(child, names if at_once else deferred, deferred)


def bound_names(node: ast.AST) -> Iterator[str]:
    """Yield the names that a statement binds in its own scope."""
    if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
        yield node.name
    elif isinstance(node, ast.Import):
        yield from (alias.asname or alias.name.split(".")[0] for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        yield from (alias.asname or alias.name for alias in node.names if alias.name != "*")
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    elif isinstance(node, ast.AnnAssign):
        yield from (bound_names(node.target) if node.value is not None else ())
    elif isinstance(node, ast.AugAssign):
        yield from bound_names(node.value)
    elif isinstance(node, _COMPREHENSIONS):
        yield from (part.target.id for part in ast.walk(node) if isinstance(part, ast.NamedExpr))
    elif not isinstance(node, ast.Lambda | ast.Constant):
        yield from _pattern_names(node)
        for child in ast.iter_child_nodes(node):
            yield from bound_names(child)


def _pattern_names(node: ast.AST) -> Iterator[str]:
    name = node.rest if isinstance(node, ast.MatchMapping) else getattr(node, "name", None)
    if isinstance(node, ast.MatchAs | ast.MatchStar | ast.MatchMapping) and name is not None:
        yield name


def root(node: ast.expr) -> str | None:
    """The name at the bottom of `name.attribute[index].method(...)`."""
    inner: Any = node
    while True:
        if isinstance(inner, ast.Attribute | ast.Subscript | ast.Starred):
            inner = inner.value
        elif isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute):
            inner = inner.func
        else:
            return inner.id if isinstance(inner, ast.Name) else None


def _changes(node: ast.stmt) -> Iterator[str]:
    parts = list(_assigned_parts(node))
    call = getattr(node, "value", None)
    if isinstance(call, ast.Call) and _called_name(call) in ("setattr", "delattr"):
        parts += call.args[:1]
    return filter(None, map(root, parts))


def _touches(node: ast.stmt) -> Iterator[str]:
    parts: list[ast.expr] = []
    for decorator in getattr(node, "decorator_list", ()):
        parts += _arguments(decorator) if isinstance(decorator, ast.Call) else []
    call = getattr(node, "value", None)
    if isinstance(call, ast.Call):
        in_place = _called_name(call).endswith("_")
        # nn.init.zeros_(layer.weight) changes its argument, layer.weight.zero_() its own object.
        parts += _arguments(call) if in_place else []
        if isinstance(call.func, ast.Attribute) and (in_place or isinstance(node, ast.Expr)):
            parts.append(call.func)
    return filter(None, map(root, parts))


def _called_name(call: ast.Call) -> str:
    function = call.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _assigned_parts(node: ast.stmt) -> Iterator[ast.expr]:
    if isinstance(node, ast.AugAssign):
        yield node.target
    targets: list[Any] = [*getattr(node, "targets", ()), getattr(node, "target", None)]
    while targets:
        target = targets.pop()
        if isinstance(target, ast.Tuple | ast.List):
            targets += target.elts
        elif isinstance(target, ast.Starred):
            targets.append(target.value)
        elif isinstance(target, ast.Attribute | ast.Subscript):
            yield target


def _arguments(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(keyword.value for keyword in call.keywords)]


def _calls(node: ast.stmt) -> Iterator[str]:
    for inner in ast.walk(node):
        callees = [inner.func] if isinstance(inner, ast.Call) else []
        callees += inner.bases if isinstance(inner, ast.ClassDef) else []
        callees += getattr(inner, "decorator_list", ())
        yield from (callee.id for callee in callees if isinstance(callee, ast.Name))


def _annotation_names(node: ast.stmt) -> Iterator[str]:
    for inner in ast.walk(node):
        for annotation in (getattr(inner, "annotation", None), getattr(inner, "returns", None)):
            parts = ast.walk(annotation) if isinstance(annotation, ast.expr) else ()
            yield from (part.id for part in parts if isinstance(part, ast.Name))


def _dotted_name(node: ast.stmt) -> dict[str, frozenset[Chain]]:
    chains_by_name: dict[str, set[Chain]] = {}
    waiting: list[ast.AST] = [node]
    while waiting:
        inner: Any = waiting.pop()
        chain: Chain = ()
        while isinstance(inner, ast.Attribute):
            inner, chain = inner.value, (inner.attr, *chain)
        if isinstance(inner, ast.Name):
            chains_by_name.setdefault(inner.id, set()).add(chain)
        else:
            waiting.extend(ast.iter_child_nodes(inner))
    return {name: frozenset(chains) for name, chains in chains_by_name.items()}
