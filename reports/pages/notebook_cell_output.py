"""What a notebook shows below a cell: part of a page with its own style, and text where there is no HTML."""

import io
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from rich.console import Console

from graders.language import tr, trn
from graders.results.result import ExerciseResult, Finding, Outcome, Result
from reports import terminal
from reports.figures.slices import difference
from reports.pages import code_listing, student_page
from reports.pages.repeats import told_once
from reports.pages.templating import fill

PICTURES = 3  # of an exercise: each takes a tenth of a second, and who waits has seen enough
FEW = 2  # skipped checks for one reason that are listed one by one


@dataclass(frozen=True)
class Shown:
    """Something that Jupyter displays, in both forms."""

    html: str
    text: str

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"text/html": self.html, "text/plain": self.text}

    def _repr_html_(self) -> str:
        return self.html

    def __repr__(self) -> str:
        return self.text


def shown(result: Result, name: str, brief: bool = False) -> Shown:
    """A result below a cell.

    Args:
        result: what was found.
        name: begins the ids in it, which must be unique in the notebook.
        brief: a line for each exercise instead of all findings.
    """
    exercises = [_gathered(exercise) for exercise in result.exercises]
    html = fill(
        "cell.html.j2",
        result=result,
        brief=brief,
        exercises=[_exercise(exercise, f"{name}-{exercise.name}") for exercise in exercises],
        more=_more() if brief else None,
    )
    return Shown(html, _text(result, exercises, brief))


def _exercise(exercise: ExerciseResult, name: str) -> Mapping[str, Any]:
    findings = _in_words(told_once(exercise.findings))
    places = tuple(finding.place for finding in findings if finding.place is not None)
    return {
        "title": exercise.title,
        "outcome": exercise.outcome,
        "points": exercise.points,
        "max_points": exercise.max_points,
        "message": exercise.message,
        "tally": _tally(exercise),
        "findings": [student_page.part(f, f"{name}-{i}", ()) for i, f in enumerate(findings, 1)],
        "definitions": [
            {"where": f"{d.file}, {_line(d.line)}", "listing": code_listing.listing(d, places)}
            for d in exercise.definitions
            if exercise.outcome.wrong
        ],
    }


def _in_words(findings: list[Finding]) -> list[Finding]:
    """The findings; beyond the first with a picture, where tensors differ is said."""
    found, drawn = [], 0
    for finding in findings:
        says = finding.case and difference(finding.case)
        drawn += bool(says)
        if finding.case and says and drawn > PICTURES:
            case = replace(finding.case, expected=None, actual=None)
            finding = replace(finding, case=case, message=f"{finding.message}\n{says}")
        found.append(finding)
    return found


def _gathered(exercise: ExerciseResult) -> ExerciseResult:
    """The exercise with what is skipped for one reason as one finding, after the others."""
    skipped = [finding for finding in exercise.findings if finding.outcome is Outcome.SKIPPED]
    kept = [finding for finding in exercise.findings if finding.outcome is not Outcome.SKIPPED]
    for reason in dict.fromkeys(finding.message for finding in skipped):
        alike = [finding for finding in skipped if finding.message == reason]
        kept += [_one(alike)] if len(alike) > FEW else alike
    return replace(exercise, findings=tuple(kept))


def _one(alike: list[Finding]) -> Finding:
    says = trn("{n} more check", "{n} more checks", len(alike))
    return replace(alike[0], says=says, max_points=sum(finding.max_points for finding in alike))


def _tally(exercise: ExerciseResult) -> str | None:
    if not exercise.outcome.wrong or not exercise.findings:
        return None
    failed = sum(finding.outcome.wrong for finding in exercise.findings)
    return trn("{n} check does not hold", "{n} checks do not hold", failed)


def _line(line: int) -> str:
    return tr("line {line}", line=line)


def _more() -> str:
    return tr("%check NAME shows what one of them is about.")


def _text(result: Result, exercises: list[ExerciseResult], brief: bool) -> str:
    text = io.StringIO()
    # In a notebook rich would display what it prints, and write nothing.
    console = Console(file=text, width=terminal.WIDTH, color_system=None, force_jupyter=False)
    for number, exercise in enumerate(exercises):
        if brief:
            exercise = replace(exercise, findings=())
        elif number:
            console.print()
        terminal.show_one(console, exercise)
    lines = [] if brief else [remark.says for remark in result.remarks]
    return "\n".join([text.getvalue().rstrip("\n"), *lines, *([_more()] if brief else [])])
