"""Run code as it is and in another style: both forms are executed here, since both are ours."""

import ast
import textwrap
from typing import Any

from graders.audit.styles.all_styles import STYLES
from graders.audit.styles.answer_code import AnswerCode
from graders.audit.styles.style import Step, Style
from graders.course.exercise import Exercise, load_assignment


def find_exercise(name: str, assignment: str) -> Exercise:
    """An exercise by its name."""
    return next(e for e in load_assignment(assignment).exercises if e.name == name)


def find_style(name: str) -> Style:
    """A style by its name."""
    return next(style for style in STYLES if style.name == name)


def rewrite(style: str, exercise: Exercise, code: str, number: int = 0) -> AnswerCode | None:
    """The code in a style; None where the style does not apply."""
    answer = AnswerCode(exercise, ast.parse(textwrap.dedent(code)))
    return Step(find_style(style), number).apply(answer)


def both_forms(
    style: str, exercise: Exercise, code: str, number: int = 0
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The names that the code defines, as it is and in a style of one file."""
    rewritten = rewrite(style, exercise, code, number)
    assert rewritten is not None, "the style does not apply"
    assert not rewritten.others, "code of several files is imported, not executed"
    [text] = rewritten.texts().values()
    return _run(textwrap.dedent(code)), _run(text)


def _run(text: str) -> dict[str, Any]:
    names: dict[str, Any] = {"__name__": "answer"}
    exec(compile(text, "answer.py", "exec"), names)
    return names
