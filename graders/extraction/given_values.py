"""Find the expressions whose value a statement may give to a name, in every form of binding of Python's."""

import ast
from collections.abc import Iterator

from graders.extraction.dynamic_bindings import dynamic_bindings, executed_statements

Sequence = ast.Tuple | ast.List


def given_values(node: ast.stmt, name: str) -> Iterator[ast.expr]:
    """Yield the expressions of a statement, or of a compound one's header, that may become a name's value.

    Where a name is taken out of something that the code does not spell out (`f, g = both`, `with lock as f`,
    `case {"f": f}`), that is yielded as a whole.

    Args:
        node: the statement.
        name: the name that it binds.
    """
    if isinstance(node, ast.Assign):
        for target in node.targets:
            yield from _matched(target, node.value, name)
    elif isinstance(node, ast.AnnAssign) and node.value is not None:
        yield from _matched(node.target, node.value, name)
    elif isinstance(node, ast.For | ast.AsyncFor):
        elements = node.iter.elts if isinstance(node.iter, Sequence | ast.Set) else [node.iter]
        for element in elements:
            yield from _matched(node.target, element, name)
    elif isinstance(node, ast.With | ast.AsyncWith):
        for item in node.items:
            if item.optional_vars is not None:
                yield from _matched(item.optional_vars, item.context_expr, name)
    elif isinstance(node, ast.Match):
        yield node.subject
    yield from (value for bound, value in dynamic_bindings(node) if bound == name)
    for statement in executed_statements(node):
        yield from given_values(statement, name)
    for inner in _own_expressions(node):
        if isinstance(inner, ast.NamedExpr) and inner.target.id == name:
            yield inner.value


def _matched(target: ast.expr, value: ast.expr, name: str) -> Iterator[ast.expr]:
    """The part of a value that a target with this name takes; all of it where the parts are not spelt out."""
    if isinstance(target, ast.Name):
        if target.id == name:
            yield value
    elif isinstance(target, ast.Starred):
        yield from _matched(target.value, value, name)
    elif isinstance(target, Sequence):
        for inner, part in _pairs(target.elts, value):
            yield from _matched(inner, part, name)


def _pairs(targets: list[ast.expr], value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    parts = value.elts if isinstance(value, Sequence) else []
    star = next((at for at, target in enumerate(targets) if isinstance(target, ast.Starred)), None)
    fits = len(parts) == len(targets) or (star is not None and len(parts) >= len(targets) - 1)
    if not fits or any(isinstance(part, ast.Starred) for part in parts):
        yield from ((target, value) for target in targets)
    elif star is None:
        yield from zip(targets, parts, strict=True)
    else:
        after = len(targets) - star - 1
        yield from zip(targets[:star], parts, strict=False)
        yield from ((targets[star], part) for part in parts[star : len(parts) - after])
        yield from zip(targets[star + 1 :], parts[len(parts) - after :], strict=True)


def _own_expressions(node: ast.stmt) -> Iterator[ast.AST]:
    """What stands in a statement, without the blocks in it."""
    waiting: list[ast.AST] = [
        child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.stmt)
    ]
    while waiting:
        inner = waiting.pop()
        yield inner
        if not isinstance(inner, ast.Lambda):
            waiting += [child for child in ast.iter_child_nodes(inner) if not isinstance(child, ast.stmt)]
