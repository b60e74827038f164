"""Find the integers in the code that a symbol needs: a mask, a table or a crop may have such a length."""

import ast
from collections.abc import Iterable

MOST = 4_096  # a larger one is no length that is tried
KEPT = 64  # the largest; the others say nothing more


def find_constants(nodes: Iterable[ast.stmt]) -> tuple[int, ...]:
    """The integers from 2 to `MOST` in some statements, in ascending order; at most `KEPT`."""
    parts = (part for node in nodes for part in ast.walk(node) if isinstance(part, ast.Constant))
    found = {part.value for part in parts if type(part.value) is int and 2 <= part.value <= MOST}
    return tuple(sorted(found)[-KEPT:])
