"""Simplify a syntax tree, for Python's own symbol tables."""

import ast
import copy
from typing import Any

Function = ast.FunctionDef | ast.AsyncFunctionDef


def simplify(node: ast.AST) -> ast.AST:
    """A copy of a tree with the same scopes, without texts and annotations, that always unparses."""
    copied: ast.AST = _Plain().visit(node)
    return copied


class _Plain(ast.NodeTransformer):
    """Copies a tree into a simpler one with the same scopes.

    Texts and the constants of lists are dropped. F-strings become tuples: before Python 3.12, unparsing
    nested quotes fails. Every comprehension becomes a generator: since 3.12, only a generator has its own
    symbol table, which keeps its variable out of the table around it. Annotations are never evaluated.
    """

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return ast.arg(node.arg)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        value = self.visit(node.value) if node.value else None
        return ast.AnnAssign(self.visit(node.target), ast.Constant(0), value, node.simple, lineno=1)

    def generic_visit(self, node: ast.AST) -> ast.AST:
        fields = {name: self._copy(value) for name, value in ast.iter_fields(node)}
        if isinstance(node, ast.stmt):
            fields["lineno"] = 1  # required by `ast.unparse`
        return type(node)(**fields)

    def visit_FunctionDef(self, node: Function) -> ast.AST:
        bare = copy.copy(node)
        bare.returns = None
        return self.generic_visit(bare)

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def _copy(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self.visit(part) if isinstance(part, ast.AST) else part for part in value]
        return self.visit(value) if isinstance(value, ast.AST) else value

    def visit_List(self, node: ast.List) -> ast.AST:
        # Pasted data may be a list of a hundred thousand numbers.
        parts = [part for part in node.elts if not isinstance(part, ast.Constant)]
        return ast.List(self._copy(parts), node.ctx)

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        return ast.Constant(0) if isinstance(node.value, str | bytes) else node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        parts = [self.visit(part) for part in node.values if not isinstance(part, ast.Constant)]
        return ast.Tuple(parts, ast.Load())

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.expr:
        parts = [node.value, *([node.format_spec] if node.format_spec else [])]
        return ast.Tuple(self._copy(parts), ast.Load())

    def visit_ListComp(self, node: ast.ListComp | ast.SetComp) -> ast.expr:
        return ast.GeneratorExp(self.visit(node.elt), self._copy(node.generators))

    visit_SetComp = visit_ListComp  # noqa: N815

    def visit_DictComp(self, node: ast.DictComp) -> ast.expr:
        pair = ast.Tuple(self._copy([node.key, node.value]), ast.Load())
        return ast.GeneratorExp(pair, self._copy(node.generators))
