"""Changed code of our own whose loops end: `place += 2` with another number may go on for ever."""

import ast
import itertools
from collections.abc import Callable

TURN = "_turn"  # the name of the function that counts, in the code
MOST = 10_000  # turns of all loops together, in all calls


class NeverEnds(RuntimeError):
    """The loops of the code have had more turns than any answer of ours needs."""


class _Counted(ast.NodeTransformer):
    def visit_While(self, node: ast.While) -> ast.While:
        """The loop, which counts each of its turns."""
        self.generic_visit(node)
        node.body.insert(0, ast.Expr(ast.Call(ast.Name(TURN, ast.Load()), [], [])))
        return node


def count_turns(text: str) -> str:
    """The code, whose `while` loops count their turns by the function `TURN`.

    Args:
        text: the code.
    """
    return ast.unparse(ast.fix_missing_locations(_Counted().visit(ast.parse(text))))


def make_turn(most: int = MOST) -> Callable[[], None]:
    """The function that counts the turns of one text, and ends what has had too many.

    Args:
        most: how many turns there may be.

    Raises:
        NeverEnds: by the function, at the turn after these.
    """
    turns = itertools.count(1)

    def turn() -> None:
        if next(turns) > most:
            raise NeverEnds(f"more than {most} turns")

    return turn
