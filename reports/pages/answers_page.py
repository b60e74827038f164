"""The answers of a class to its questions, side by side, for whoever marks them: no student gets it."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from graders.classroom.marks import Mark
from graders.classroom.rubric import Question
from graders.results.result import ExerciseResult, Result
from reports import words
from reports.pages.student_page import name_of
from reports.pages.templating import anchor, fill

PAGE = "answers.html"


def render(counted: Sequence[tuple[Result, Mark]], questions: Sequence[Question]) -> str:
    """Render the page, in the current language.

    Args:
        counted: the whole results that count, with the questions, and their marks.
        questions: in the order in which they are shown.
    """
    title = counted[0][0].title if counted else ""
    listed = [(question, anchor(question.name), _answers(counted, question)) for question in questions]
    return fill("answers.html.j2", title=title, questions=listed)


def _answers(counted: Sequence[tuple[Result, Mark]], question: Question) -> list[dict[str, Any]]:
    return [
        _answer(result, mark, exercise)
        for result, mark in counted
        for exercise in result.exercises
        if exercise.name == question.name and exercise.answer is not None
    ]


def _answer(result: Result, mark: Mark, exercise: ExerciseResult) -> dict[str, Any]:
    name = result.submission.id
    return {
        "id": name,
        "name": name_of(name, mark),
        "link": f"{quote(name)}/index.html#{anchor(exercise.name)}",
        "text": exercise.answer,
        "undecided": bool(exercise.undecided_points),
        "points": exercise.points,
        "comments": [words.with_points(c) for c in mark.comments if c.exercise == exercise.name],
    }
