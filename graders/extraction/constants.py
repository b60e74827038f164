"""Find the integers in the code that a symbol needs: a mask, a table or a crop may have such a length."""

import ast
import operator
from collections.abc import Callable, Iterable

MOST = 8_192  # a larger one is no length that is tried
KEPT = 64  # the largest; the others say nothing more

_LARGEST = 2**32  # in between, as in `2 ** 20 // 2 ** 12`; what is larger is not computed on
_HIGHEST = 32  # of exponents: what a submission writes must not take time or memory here
_OPERATIONS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
}


def find_constants(nodes: Iterable[ast.stmt]) -> tuple[int, ...]:
    """The integers from 2 to `MOST` in some statements, in ascending order; at most `KEPT`.

    An expression of integers alone (`2 ** 8`, `256 - 1`) counts as the integer that it makes.
    """
    values: dict[ast.AST, int] = {}
    # Parts before the wholes, and without recursion: a sum may have thousands of terms.
    for part in reversed([part for node in nodes for part in ast.walk(node)]):
        value = _value(part, values)
        if value is not None:
            for operand in ast.iter_child_nodes(part):
                values.pop(operand, None)
            values[part] = value
    sizes = {abs(value) for value in values.values() if 2 <= abs(value) <= MOST}
    return tuple(sorted(sizes)[-KEPT:])


def _value(node: ast.AST, values: dict[ast.AST, int]) -> int | None:
    """The integer that an expression makes of the integers in it, if it does and is of a usual size."""
    value = None
    if isinstance(node, ast.Constant) and type(node.value) is int:
        value = node.value
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and node.operand in values:
        value = -values[node.operand]
    elif isinstance(node, ast.BinOp) and node.left in values and node.right in values:
        value = _apply(node.op, values[node.left], values[node.right])
    return value if value is not None and abs(value) <= _LARGEST else None


def _apply(operation: ast.operator, left: int, right: int) -> int | None:
    if isinstance(operation, ast.Pow | ast.LShift) and not 0 <= right <= _HIGHEST:
        return None
    if isinstance(operation, ast.FloorDiv) and right == 0:
        return None
    apply = _OPERATIONS.get(type(operation))
    return apply(left, right) if apply else None
