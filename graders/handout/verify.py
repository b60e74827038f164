"""Verify a handout: its stubs count as not attempted, and with the reference it gets full marks."""

import tempfile
from collections.abc import Callable
from pathlib import Path

from graders.answer_key.answer_key import AnswerKey
from graders.course.exercise import Assignment
from graders.grade import Grader
from graders.handout.fill_in_reference import fill_in_reference
from graders.handout.notebook_file import as_module, as_notebook
from graders.handout.refused import HandoutRefused
from graders.handout.sheet import Sheet
from graders.judging.draws import Draws
from graders.language import number, tr
from graders.results.result import ExerciseResult, Outcome
from graders.sandbox.box import Box

_FORMS: dict[str, Callable[[Sheet], str]] = {".ipynb": as_notebook, ".py": as_module}


def verify(sheet: Sheet, assignment: Assignment, box: Box, seed: int, key: AnswerKey | None = None) -> None:
    """Require that stubs count as not attempted, and that the reference in their place gets full marks.

    Both forms, notebook and module, are graded as a submission is, with an answer `key` as students grade it.
    Exercises that ask for a trained model are left out: they have no stub to replace.

    Raises:
        HandoutRefused: a stub counts as an attempt, or the reference loses points.
    """
    grader = Grader(assignment, Draws(seed, key=key), box)
    for exercise in _grade_both_forms(sheet, grader):
        if exercise.outcome is not Outcome.NOT_ATTEMPTED:
            raise HandoutRefused(tr("{name}: what is handed out is no stub ({found})", **_describe(exercise)))
    code = tuple(exercise.name for exercise in assignment.exercises if exercise.rule is None)
    if not code:
        return
    for exercise in _grade_both_forms(fill_in_reference(sheet, assignment), grader.only(code)):
        if exercise.outcome is not Outcome.PASSED or exercise.points < exercise.max_points:
            values = _describe(exercise)
            raise HandoutRefused(tr("{name}: the reference does not get full marks ({found})", **values))


def _grade_both_forms(sheet: Sheet, grader: Grader) -> list[ExerciseResult]:
    """The results of a sheet's exercises, in both of its forms.

    Raises:
        HandoutRefused: something is wrong with the form itself, such as a cell that is not Python.
    """
    results: list[ExerciseResult] = []
    with tempfile.TemporaryDirectory(prefix="softmark-") as folder:
        for suffix, write in _FORMS.items():
            path = Path(folder) / f"{sheet.name}{suffix}"
            path.write_text(write(sheet), encoding="utf-8")
            result = grader.grade(path, sheet.name)
            results += result.exercises
            for remark in result.remarks:
                if remark.line is not None:
                    raise HandoutRefused(remark.says)
    return results


def _describe(exercise: ExerciseResult) -> dict[str, str]:
    """An exercise's name, and its points with the first two reasons."""
    wrong = [finding for finding in exercise.findings if finding.outcome is not Outcome.PASSED]
    reasons = [exercise.message, *(finding.message or finding.says for finding in wrong), exercise.staff]
    got, most = number(exercise.points, "g"), number(exercise.max_points, "g")
    points = tr("{points} of {most} points", points=got, most=most)
    return {"name": exercise.name, "found": "; ".join([points, *list(filter(None, reasons))[:2]])}
