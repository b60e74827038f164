"""Change statements before they run: annotations become texts, imports are parted and redirected.

Imports nothing but the standard library.
"""

import ast
import copy
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

TEXT = 100  # characters of a default in a note

Redirects = Mapping[str, Mapping[str, str]]

# The marks by which a dataclass tells what is no field: they must stay values.
_MARKS = {"ClassVar", "InitVar", "KW_ONLY"}


def quote_annotations(statement: ast.stmt) -> None:
    """Replace all annotations by texts, as `from __future__ import annotations` does: none is evaluated.

    Pydantic's models need theirs.
    """
    if isinstance(statement, ast.ClassDef) and any(
        ast.unparse(b).endswith("BaseModel") for b in statement.bases
    ):
        return
    for node in ast.walk(statement):
        for field in ("annotation", "returns"):
            value = getattr(node, field, None)
            if isinstance(value, ast.expr) and not isinstance(value, ast.Constant) and not _is_mark(value):
                setattr(node, field, ast.copy_location(ast.Constant(ast.unparse(value)), value))


def _is_mark(annotation: ast.expr) -> bool:
    parts = ast.walk(annotation)
    return any(getattr(part, "id", None) in _MARKS or getattr(part, "attr", None) in _MARKS for part in parts)


def single_imports(statements: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements, one for each import: where `import wandb, math` fails, `math` is imported."""
    for statement in statements:
        if isinstance(statement, ast.Import | ast.ImportFrom) and len(statement.names) > 1:
            for alias in statement.names:
                single = copy.copy(statement)
                single.names = [alias]
                yield single
        else:
            yield statement


def leave_out_defaults(statement: ast.stmt, namespace: dict[str, Any]) -> list[tuple[int, str]]:
    """Put None in the place of each default that raises, as `dim=cfg.dim` of a file that is not there.

    Returns their lines and texts. Only those of a function and of a class's own methods are looked at.
    """
    parts = statement.body if isinstance(statement, ast.ClassDef) else [statement]
    left_out = []
    for arguments in (part.args for part in parts if isinstance(part, ast.FunctionDef)):
        for values in (arguments.defaults, arguments.kw_defaults):
            for place, value in enumerate(values):
                if value is not None and _raises(value, namespace):
                    left_out.append((value.lineno, ast.unparse(value)[:TEXT]))
                    values[place] = ast.copy_location(ast.Constant(None), value)
    return left_out


def _raises(value: ast.expr, namespace: dict[str, Any]) -> bool:
    if isinstance(value, ast.Constant):
        return False
    try:
        eval(compile(ast.Expression(value), "<default>", "eval"), namespace)  # noqa: S307 (as in `run_source`)
    except Exception:
        return True
    return False


def redirect_imports(tree: ast.Module, redirects: Redirects) -> None:
    """Let `from module import name` import from the handed-in module that is meant.

    Args:
        tree: the statements, which are changed.
        redirects: for a module with its dots (`..layers.attention`), the module that has each name.
    """
    if redirects:
        _Redirect(redirects).visit(tree)


class _Redirect(ast.NodeTransformer):
    def __init__(self, redirects: Redirects) -> None:
        self.redirects = redirects

    def visit_ImportFrom(self, node: ast.ImportFrom) -> list[ast.stmt]:
        targets = self.redirects.get("." * node.level + (node.module or ""), {})
        parted: dict[str | None, list[ast.alias]] = {}
        for alias in node.names:
            parted.setdefault(targets.get(alias.name), []).append(alias)
        return [
            ast.copy_location(ast.ImportFrom(target or node.module, names, 0 if target else node.level), node)
            for target, names in parted.items()
        ]
