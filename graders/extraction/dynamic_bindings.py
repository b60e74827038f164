"""Find the names that a statement binds by a call: `globals()["f"] = g`, `exec("f = g")` and the like."""

import ast
from collections.abc import Iterator
from contextlib import suppress

_NAMESPACES = ("globals", "locals", "vars")  # at module scope, all three are the module's own names


def dynamic_bindings(node: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    """Yield each name that a simple statement binds so, with the expression of its value."""
    if isinstance(node, ast.Assign):
        for target in node.targets:
            if isinstance(target, ast.Subscript) and _is_namespace(target.value):
                name = _text(target.slice)
                if name is not None:
                    yield name, node.value
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield from _bound_by_call(node.value)


def executed_statements(node: ast.stmt) -> list[ast.stmt]:
    """The statements in `exec("...")`, where the text stands there; empty for any other statement."""
    call = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.func.id != "exec":
        return []
    text = _text(call.args[0]) if len(call.args) == 1 else None
    with suppress(SyntaxError, ValueError, RecursionError):
        return ast.parse(text or "").body
    return []


def _bound_by_call(call: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    function = call.func
    if isinstance(function, ast.Attribute) and function.attr == "update" and _is_namespace(function.value):
        yield from ((keyword.arg, keyword.value) for keyword in call.keywords if keyword.arg is not None)
        for given in call.args:
            if isinstance(given, ast.Dict):
                names = [_text(key) if key else None for key in given.keys]
                yield from ((n, v) for n, v in zip(names, given.values, strict=True) if n is not None)
    elif _is_setattr_of_module(call):
        name = _text(call.args[1])
        if name is not None:
            yield name, call.args[2]


def _is_namespace(value: ast.expr) -> bool:
    is_call = isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and not value.args
    return is_call and value.func.id in _NAMESPACES  # type: ignore[attr-defined]


def _is_setattr_of_module(call: ast.Call) -> bool:
    """Whether it is `setattr(sys.modules[__name__], ...)`."""
    named = isinstance(call.func, ast.Name) and call.func.id == "setattr" and len(call.args) == 3
    return named and ast.unparse(call.args[0]) == "sys.modules[__name__]"


def _text(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None
