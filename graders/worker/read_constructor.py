"""What a constructor's own code says about its arguments, where their names mislead."""

import ast
import inspect
import textwrap
from collections.abc import Iterable
from typing import Any

from argument_roles import role_of


def find_counts(symbol: Any, names: Iterable[str]) -> dict[str, str]:
    """The arguments that are called the width of a head but hold the number of heads, with that meaning.

    So it is where no argument is called a number of heads, and the width is divided by this one:
    `att_size = hidden_size // head_size`.
    """
    roles = {name: role_of(name) for name in names}
    widths = [name for name, role in roles.items() if role == "head_width"]
    if "heads" in roles.values() or len(widths) != 1 or not _divides_by(symbol, widths[0]):
        return {}
    return {widths[0]: "heads"}


def _divides_by(symbol: Any, name: str) -> bool:
    """Whether the constructor divides by the argument, and the quotient is not called a number of heads."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(symbol.__init__)))
    except (OSError, TypeError, SyntaxError, ValueError, AttributeError):
        return False
    quotients = [node for node in ast.walk(tree) if isinstance(node, ast.Assign) and _quotient(node, name)]
    targets = [target for node in quotients for target in node.targets]
    return bool(targets) and all(role_of(_name(target)) != "heads" for target in targets)


def _quotient(node: ast.Assign, name: str) -> bool:
    value = node.value
    if isinstance(value, ast.Call) and len(value.args) == 1:  # int(width / heads)
        value = value.args[0]
    divides = isinstance(value, ast.BinOp) and isinstance(value.op, ast.FloorDiv | ast.Div)
    return divides and _name(value.right) == name  # type: ignore[attr-defined]


def _name(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")
