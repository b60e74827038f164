"""What a handout must show before it is given out: it is to be done, and it can be done."""

import tempfile
from collections.abc import Callable
from pathlib import Path

from graders.draw import Deck
from graders.exercise import Assignment
from graders.grade import Grader
from graders.handout.answers import answered
from graders.handout.refused import Refused
from graders.handout.sheet import Sheet
from graders.handout.written import module, notebook
from graders.language import number, tr
from graders.result import ExerciseResult, Outcome, Result
from graders.sandbox import Box

_FORMS: dict[str, Callable[[Sheet], str]] = {".ipynb": notebook, ".py": module}


def prove(sheet: Sheet, assignment: Assignment, box: Box, seed: int) -> None:
    """See that the stubs count as not attempted, and that the reference in their place gets full marks.

    Both as a notebook and as a module, graded as a submission is. Exercises that ask for a trained model
    are not answered: there is no stub to put a model into.

    Raises:
        Refused: one of them does not.
    """
    grader = Grader(assignment, Deck(seed), box)
    for result in _graded(sheet, grader):
        for exercise in result.exercises:
            if exercise.outcome is not Outcome.NOT_ATTEMPTED:
                says = tr(
                    "{name}: as it is handed out it is no stub: {found}",
                    name=exercise.name,
                    found=_found(exercise),
                )
                raise Refused(says)
    code = tuple(exercise.name for exercise in assignment.exercises if exercise.rule is None)
    for result in _graded(answered(sheet, assignment), grader.only(code)) if code else ():
        for exercise in result.exercises:
            if exercise.outcome is not Outcome.PASSED or exercise.points < exercise.max_points:
                says = tr(
                    "{name}: the reference does not get full marks: {found}",
                    name=exercise.name,
                    found=_found(exercise),
                )
                raise Refused(says)


def _graded(sheet: Sheet, grader: Grader) -> list[Result]:
    """The results of both forms of a sheet.

    Raises:
        Refused: something is wrong with the form itself, such as a cell that is not Python.
    """
    results = []
    with tempfile.TemporaryDirectory(prefix="softmark-") as folder:
        for suffix, written in _FORMS.items():
            path = Path(folder) / f"{sheet.name}{suffix}"
            path.write_text(written(sheet), encoding="utf-8")
            results.append(grader.grade(path, sheet.name))
            for remark in results[-1].remarks:
                if remark.line is not None:
                    raise Refused(remark.says)
    return results


def _found(exercise: ExerciseResult) -> str:
    """What an exercise got, and the first reason, in a few words."""
    wrong = [finding for finding in exercise.findings if finding.outcome is not Outcome.PASSED]
    reasons = [exercise.message, *(finding.message or finding.says for finding in wrong), exercise.staff]
    points = tr(
        "{points} of {most} points",
        points=number(exercise.points, "g"),
        most=number(exercise.max_points, "g"),
    )
    return "; ".join([points, *filter(None, reasons[:2])])
