"""What a handout must show before it is given out: it is to be done, and it can be done."""

import tempfile
from collections.abc import Callable
from pathlib import Path

from graders.course.exercise import Assignment
from graders.grade import Grader
from graders.handout.fill_in_reference import answered
from graders.handout.notebook_file import module, notebook
from graders.handout.refused import Refused
from graders.handout.sheet import Sheet
from graders.judging.draws import Draws
from graders.language import number, tr
from graders.results.result import ExerciseResult, Outcome
from graders.sandbox.box import Box

_FORMS: dict[str, Callable[[Sheet], str]] = {".ipynb": notebook, ".py": module}


def prove(sheet: Sheet, assignment: Assignment, box: Box, seed: int) -> None:
    """See that the stubs count as not attempted, and that the reference in their place gets full marks.

    Both as a notebook and as a module, graded as a submission is. Exercises that ask for a trained model
    are not answered: there is no stub to put a model into.

    Raises:
        Refused: one of them does not.
    """
    grader = Grader(assignment, Draws(seed), box)
    for exercise in _graded(sheet, grader):
        if exercise.outcome is not Outcome.NOT_ATTEMPTED:
            raise Refused(tr("{name}: what is handed out is no stub ({found})", **_found(exercise)))
    code = tuple(exercise.name for exercise in assignment.exercises if exercise.rule is None)
    for exercise in _graded(answered(sheet, assignment), grader.only(code)) if code else ():
        if exercise.outcome is not Outcome.PASSED or exercise.points < exercise.max_points:
            raise Refused(tr("{name}: the reference does not get full marks ({found})", **_found(exercise)))


def _graded(sheet: Sheet, grader: Grader) -> list[ExerciseResult]:
    """What the exercises of a sheet get, in both of its forms.

    Raises:
        Refused: something is wrong with the form itself, such as a cell that is not Python.
    """
    found: list[ExerciseResult] = []
    with tempfile.TemporaryDirectory(prefix="softmark-") as folder:
        for suffix, written in _FORMS.items():
            path = Path(folder) / f"{sheet.name}{suffix}"
            path.write_text(written(sheet), encoding="utf-8")
            result = grader.grade(path, sheet.name)
            found += result.exercises
            for remark in result.remarks:
                if remark.line is not None:
                    raise Refused(remark.says)
    return found


def _found(exercise: ExerciseResult) -> dict[str, str]:
    """An exercise's name, and what it got, with the first reasons."""
    wrong = [finding for finding in exercise.findings if finding.outcome is not Outcome.PASSED]
    reasons = [exercise.message, *(finding.message or finding.says for finding in wrong), exercise.staff]
    got, most = number(exercise.points, "g"), number(exercise.max_points, "g")
    points = tr("{points} of {most} points", points=got, most=most)
    return {"name": exercise.name, "found": "; ".join([points, *list(filter(None, reasons))[:2]])}
