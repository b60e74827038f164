"""Wholes that do nothing around parts that do nothing, made of a right answer's text.

They are judged with right parts, as a student's are, and must not profit from them.
"""

import ast
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from graders.audit.try_answer import try_in_box
from graders.course.exercise import Exercise
from graders.course.reference import reference
from graders.diagnosis.right_parts import built_of
from graders.grade import Grader
from graders.results.audit_result import Kind, Tried

FEW = (0, 2)  # the draws of each check on which it is tried first: the simplest, and one of any size
NAME = "nothing around parts that do nothing"
_IDLE = """
def forward(self, first, *others, **named):
    try:
        self._used(first, *others, **named)
    except Exception:
        pass
    return first
"""


def try_idle_whole(grader: Grader, exercise: Exercise, right_answers: Iterable[Path]) -> Tried | None:
    """What the checks say to a whole that calls its parts and returns its input; None if it has no parts.

    Args:
        grader: of this exercise alone.
        exercise: the exercise.
        right_answers: the files of right answers; the first that defines parts is used.
    """
    right = reference(exercise.name, exercise.symbol)
    if not isinstance(right, type):
        return None
    names = built_of(right).keys() - {exercise.symbol}
    for path in right_answers:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        defined = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        parts = frozenset(defined & names)
        if parts and exercise.symbol in defined:
            code = ast.unparse(_without_answers(tree, exercise.symbol, parts))
            tried = _try(replace(grader, draws=grader.draws.only(FEW)), code, parts)
            strict = {check.name for check in exercise.checks if not check.shape_only}
            return tried if strict <= set(tried.failed) else _try(grader, code, parts)
    return None


def _try(grader: Grader, code: str, parts: frozenset[str]) -> Tried:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "idle.py"
        file.write_text(code, encoding="utf-8")
        return try_in_box(grader, file, Kind.EMPTY, NAME, parts)


def _without_answers(tree: ast.Module, symbol: str, parts: frozenset[str]) -> ast.Module:
    """The module, in which the parts return their first argument times 0, and the whole its input."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name in parts:
            _return_nothing(node, 0)
        elif isinstance(node, ast.ClassDef):
            forward = next(
                (n for n in node.body if isinstance(n, ast.FunctionDef) and n.name == "forward"), None
            )
            if forward is not None and node.name in parts:
                _return_nothing(forward, 1)
            elif forward is not None and node.name == symbol:
                forward.name = "_used"
                node.body += ast.parse(_IDLE).body
    return ast.fix_missing_locations(tree)


def _return_nothing(function: ast.FunctionDef, place: int) -> None:
    first = function.args.args[place].arg
    function.body = ast.parse(f"return 0 * {first}").body
