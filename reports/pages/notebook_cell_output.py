"""A result below a notebook's cell: HTML with its own style, and text for viewers without HTML."""

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rich.console import Console

from graders.language import tr, trn
from graders.results.result import ExerciseResult, Result
from reports import terminal, words
from reports.next_step import next_step
from reports.pages import code_listing, student_page
from reports.pages.templating import fill
from reports.pages.what_is_wrong import sort_exercises

MAX_PICTURES = 3  # of an exercise: each takes 0.1 s, and the student is waiting


@dataclass(frozen=True)
class CellOutput:
    """What Jupyter displays, as HTML and as text."""

    html: str
    text: str

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"text/html": self.html, "text/plain": self.text}

    def _repr_html_(self) -> str:
        return self.html

    def __repr__(self) -> str:
        return self.text


def render(
    result: Result,
    name: str,
    brief: bool = False,
    undefined: Sequence[str] = (),
    unused_keys: Sequence[str] = (),
    link_to: str = "",
) -> CellOutput:
    """Render a result for display below a cell.

    Args:
        result: of grading.
        name: prefix of the ids in the HTML, which must be unique in the notebook.
        brief: one line per exercise, without findings.
        undefined: exercises of the assignment that the notebook does not define yet.
        unused_keys: those of its remarks that are about answer keys, which are shown in brief too.
        link_to: the site to whose pages of known mistakes hints lead; empty for none.
    """
    exercises = sort_exercises(result.exercises)
    step = next_step(result.exercises, undefined)
    more = (*unused_keys, _pointer_to_details()) if brief else ()
    html = fill(
        "cell.html.j2",
        result=result,
        level=4,
        brief=brief,
        exercises=[
            _exercise(exercise, f"{name}-{exercise.name}", link_to, folds=len(exercises) > 1)
            for exercise in exercises
        ],
        step=step,
        more=more,
    )
    return CellOutput(html, _text(result, exercises, brief, [line for line in (step, *more) if line]))


def _exercise(exercise: ExerciseResult, name: str, link_to: str, *, folds: bool) -> Mapping[str, Any]:
    return {
        "title": exercise.title,
        "outcome": exercise.outcome,
        "points": exercise.points,
        "max_points": exercise.max_points,
        "word": words.exercise_word(exercise),
        "fix": words.about_points(exercise),
        "message": exercise.message,
        "tally": _tally(exercise),
        "folds": folds or exercise.outcome.wrong,  # an exercise that passed, alone, is shown whole
        **student_page.grouped_findings(exercise, name, MAX_PICTURES, link_to),
        "definitions": [
            {
                "where": f"{d.file}, {_line(d.line)}",
                "listing": code_listing.list_definition(d, exercise.places),
            }
            for d in exercise.definitions
            if exercise.outcome.wrong
        ],
    }


def _tally(exercise: ExerciseResult) -> str | None:
    if not exercise.outcome.wrong or not exercise.findings:
        return None
    failed = sum(finding.outcome.wrong for finding in exercise.findings)
    return trn("{n} check does not hold", "{n} checks do not hold", failed)


def _line(line: int) -> str:
    return tr("line {line}", line=line)


def _pointer_to_details() -> str:
    return tr("%check NAME shows what one of them is about.")


def _text(result: Result, exercises: list[ExerciseResult], brief: bool, last: Sequence[str]) -> str:
    text = io.StringIO()
    # force_jupyter: else rich would display the text in the notebook and write nothing to the file.
    console = Console(file=text, width=terminal.WIDTH, color_system=None, force_jupyter=False)
    for number, exercise in enumerate(exercises):
        if brief:
            exercise = replace(exercise, findings=())
        elif number:
            console.print()
        terminal.show_exercise(console, exercise)
    lines = [] if brief else [remark.says for remark in result.remarks]
    return "\n".join([text.getvalue().rstrip("\n"), *lines, *last])
