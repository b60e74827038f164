"""A known mistake as a student would hand it in: one file, in which a class has all its methods itself.

In `solutions/`, a mistake changes a method of the reference and calls `super()`, or calls the reference by
its name; references import one another.
"""

import ast
import copy
from collections.abc import Collection, Iterator

from graders.audit.styles.answer_code import find_method
from graders.course.reference import texts_below

BEFORE = "_before"  # behind the name of a reference's method that the mistake's own one calls
Definition = ast.ClassDef | ast.FunctionDef


def flatten_mistake(exercise: str, symbol: str, mistake: str) -> ast.Module:
    """The code of a mistake under the exercise's symbol, with all that it needs of the solutions."""
    body = list(_needed(exercise, mistake))
    named = {s.name: s for s in body if isinstance(s, ast.ClassDef | ast.FunctionDef)}
    wrong, right = named[mistake], named.get(symbol)
    while isinstance(wrong, ast.ClassDef) and (base := _base_of(wrong, named)) is not None:
        wrong = _merge(base, wrong)
    body = [wrong if getattr(s, "name", "") == mistake else s for s in body]
    rest = [s for s in body if s is not right]
    if right is not None and any(_reads(s, symbol) for s in rest):
        rest = body
    tree = ast.Module(copy.deepcopy(rest), [])
    _rename(tree, {symbol: f"{symbol}_right", mistake: symbol})
    return tree


def flatten_reference(exercise: str, symbol: str) -> ast.Module:
    """The code of the reference, with all that it needs of the solutions."""
    return ast.Module(list(_needed(exercise, symbol)), [])


def _needed(exercise: str, name: str) -> Iterator[ast.stmt]:
    """The statements of the solutions that define a name and all that it reads, imports first."""
    trees = {other: ast.parse(text) for other, text in texts_below(exercise).items()}
    imports: dict[str, ast.stmt] = {}
    definitions: dict[str, ast.stmt] = {}
    _collect(trees, exercise, name, imports, definitions)
    yield from imports.values()
    yield from definitions.values()


def _collect(
    trees: dict[str, ast.Module],
    module: str,
    name: str,
    imports: dict[str, ast.stmt],
    definitions: dict[str, ast.stmt],
) -> None:
    statement = next((s for s in trees[module].body if name in _bound(s)), None)
    if statement is None or ast.unparse(statement) in (imports.keys() | definitions.keys()):
        return
    source = getattr(statement, "module", None) or ""
    if isinstance(statement, ast.ImportFrom) and source.startswith("solutions."):
        _collect(trees, source.removeprefix("solutions."), name, imports, definitions)
    elif isinstance(statement, ast.Import | ast.ImportFrom):
        imports[ast.unparse(statement)] = statement
    else:
        text = ast.unparse(statement)
        read = [node.id for node in ast.walk(statement) if isinstance(node, ast.Name)]
        for other in dict.fromkeys(read):
            if other != name:
                _collect(trees, module, other, imports, definitions)
        definitions[text] = statement


def _bound(statement: ast.stmt) -> set[str]:
    if isinstance(statement, ast.ClassDef | ast.FunctionDef):
        return {statement.name}
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return {alias.asname or alias.name.split(".")[0] for alias in statement.names}
    stored = (n for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
    return {node.id for node in stored}


def _base_of(symbol: ast.ClassDef, named: dict[str, Definition]) -> ast.ClassDef | None:
    """The class of the solutions that a class inherits from, if that is its only base."""
    names = [base.id for base in symbol.bases if isinstance(base, ast.Name)]
    base = named.get(names[0]) if len(names) == len(symbol.bases) == 1 else None
    return base if isinstance(base, ast.ClassDef) else None


def _merge(base: ast.ClassDef, wrong: ast.ClassDef) -> ast.ClassDef:
    """One class of both: a method that both have stays as `<name>_before` where the mistake's calls it."""
    merged, over = copy.deepcopy(base), copy.deepcopy(wrong)
    merged.name = wrong.name
    own = {s.name for s in over.body if isinstance(s, ast.FunctionDef)}
    called = {}
    for node in ast.walk(over):
        name = _called_of_super(node)
        if name is not None and find_method(base, name) is not None:
            called[name] = _name_before(name, own) if name in own else name
            node.value = ast.Name("self", ast.Load())  # type: ignore[attr-defined]
            node.attr = called[name]  # type: ignore[attr-defined]
    kept = []
    for statement in merged.body:
        if isinstance(statement, ast.FunctionDef) and statement.name in own:
            if statement.name not in called:
                continue
            statement.name = called[statement.name]
        kept.append(statement)
    docstring = [s for s in over.body if ast.get_docstring(over) is not None][:1]
    over.body = [s for s in over.body if s not in docstring and not isinstance(s, ast.Pass)]
    merged.body = [*docstring, *kept, *over.body] or [ast.Pass()]
    return merged


def _name_before(name: str, taken: Collection[str]) -> str:
    """A name for a method whose own name is taken: that of a further base has one more word behind it."""
    before = f"{name.strip('_')}{BEFORE}"
    while before in taken:
        before += BEFORE
    return before


def _called_of_super(node: ast.AST) -> str | None:
    """The name of a method that is looked up by `super()`."""
    if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "super()":
        return node.attr
    return None


def _reads(statement: ast.stmt, name: str) -> bool:
    return any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(statement))


def _rename(tree: ast.Module, names: dict[str, str]) -> None:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = names.get(node.id, node.id)
        elif isinstance(node, ast.ClassDef | ast.FunctionDef):
            node.name = names.get(node.name, node.name)
