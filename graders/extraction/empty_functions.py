"""Recognise functions that compute nothing: `pass`, or a stub's placeholders as they were handed out.

A stub may prepare what the answer will need: it reads sizes, stores arguments, makes a dropout. That alone is
no work, if the answer that follows is `None`, `...` or `NotImplementedError`.
"""

import ast
from collections.abc import Sequence

from graders.extraction.plain_tree import Function

# What a size is read from: `x.shape`, `x.size(0)`.
_SIZE_ATTRIBUTES = frozenset({"shape", "device", "dtype", "ndim"})
_SIZE_CALLS = frozenset({"size", "dim", "len", "int", "float", "sqrt"})
# Modules without parameters that a stub may have made already.
_READY_MODULES = frozenset({"Dropout", "GELU", "ReLU", "Identity"})


def is_empty_function(node: Function, *, stores_only: bool = False) -> bool:
    """Whether a function computes nothing.

    Args:
        node: the function.
        stores_only: whether sizes that are read and stored are nothing too, without any placeholder.
    """
    body = _Body({argument.arg for argument in ast.walk(node.args) if isinstance(argument, ast.arg)})
    return body.is_idle(node.body) and (body.placeholders > 0 or body.prepared == 0 or stores_only)


def is_idle(statement: ast.stmt) -> bool:
    """Whether a statement is a placeholder or a text."""
    body = _Body(set())
    return body.is_idle([statement]) and body.prepared == 0


def is_nothing(value: ast.expr, nothing: set[str]) -> bool:
    """Whether a value is `None` or `...`, a name in `nothing`, or a tuple of these."""
    if isinstance(value, ast.Tuple | ast.List):
        return bool(value.elts) and all(is_nothing(part, nothing) for part in value.elts)
    if isinstance(value, ast.Name):
        return value.id in nothing
    return isinstance(value, ast.Constant) and value.value in (None, ...)


class _Body:
    """Reads the statements of a body from the top.

    `sizes` are the names of arguments and of what was read from them, `nothing` the names that are None so
    far; `placeholders` and `prepared` count the statements of either kind.
    """

    def __init__(self, sizes: set[str]) -> None:
        self.sizes = sizes
        self.nothing: set[str] = set()
        self.placeholders = 0
        self.prepared = 0

    def is_idle(self, statements: Sequence[ast.stmt]) -> bool:
        """Whether all these statements compute nothing."""
        return all(self._is_idle(statement) for statement in statements)

    def _is_idle(self, node: ast.stmt) -> bool:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            self.placeholders += node.value.value is ...
            return True
        if isinstance(node, ast.Expr):
            return _is_plain_super_init(node.value)
        if isinstance(node, ast.Pass) or (isinstance(node, ast.Raise) and is_not_implemented(node.exc)):
            self.placeholders += 1
            return True
        if isinstance(node, ast.Return):
            self.placeholders += 1
            return node.value is None or is_nothing(node.value, self.nothing)
        if isinstance(node, ast.Assign):
            return self._is_idle_assignment(node.targets, node.value)
        if isinstance(node, ast.AnnAssign):
            return node.value is None or self._is_idle_assignment([node.target], node.value)
        return self._is_preparation(node)

    def _is_preparation(self, node: ast.stmt) -> bool:
        self.prepared += 1
        if isinstance(node, ast.Assert):
            return self._is_size(node.test)
        return isinstance(node, ast.If) and self._is_size(node.test) and self._are_branches_idle(node)

    def _are_branches_idle(self, node: ast.If) -> bool:
        before = set(self.nothing)
        idle = self.is_idle(node.body)
        after, self.nothing = self.nothing, before
        idle = idle and self.is_idle(node.orelse)
        self.nothing &= after
        return idle

    def _is_idle_assignment(self, targets: Sequence[ast.expr], value: ast.expr) -> bool:
        names = {part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)}
        if is_nothing(value, self.nothing):
            self.placeholders += 1
            self.nothing |= names - {"self"}
            return True
        self.prepared += 1
        self.nothing -= names
        idle = self._is_size(value) or _is_ready_module(value)
        self.sizes |= names
        return idle

    def _is_size(self, value: ast.expr) -> bool:
        """Whether a value is made of arguments, sizes and numbers alone."""
        if isinstance(value, ast.Name):
            return value.id in self.sizes
        if isinstance(value, ast.Attribute):
            return isinstance(value.value, ast.Name) and (
                value.value.id == "self" or (value.attr in _SIZE_ATTRIBUTES and value.value.id in self.sizes)
            )
        if isinstance(value, ast.Call):
            return _name_of(value.func) in _SIZE_CALLS and all(map(self._is_size, value.args))
        kinds = (ast.Tuple, ast.Subscript, ast.BinOp, ast.BoolOp, ast.Compare, ast.UnaryOp, ast.IfExp)
        if not isinstance(value, kinds):
            return isinstance(value, ast.Constant)
        if isinstance(value, ast.BinOp) and isinstance(value.op, ast.MatMult):
            return False
        parts = [part for part in ast.iter_child_nodes(value) if isinstance(part, ast.expr)]
        return all(map(self._is_size, parts))


def _name_of(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _is_ready_module(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and _name_of(value.func) in _READY_MODULES


def _is_plain_super_init(value: ast.expr) -> bool:
    """Whether a value is `super().__init__()`: with arguments, the base may do the work."""
    if not isinstance(value, ast.Call) or value.keywords or value.args:
        return False
    return ast.unparse(value.func).startswith("super(") and ast.unparse(value.func).endswith(".__init__")


def is_not_implemented(raised: ast.expr | None) -> bool:
    """Whether what is raised is NotImplementedError, with a text or without."""
    name = raised.func if isinstance(raised, ast.Call) else raised
    return isinstance(name, ast.Name) and name.id in ("NotImplementedError", "NotImplemented")
