"""A result as annotations of GitHub Actions on the lines with errors, most points first.

GitHub shows about ten annotations of a kind for a step, so no more are written; the summary has the rest.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

from graders.language import tr
from graders.results.result import ExerciseResult, Finding, Outcome, Place, Remark, Result
from reports import words
from reports.ci.check_text import (
    details,
    has_all_points,
    outcome_and_points,
    place_of,
    points_lost,
    total_line,
)
from reports.ci.escape import clean, command, one_line, stop_commands
from reports.pages.what_is_wrong import without_repeated_reasons

MAX_ANNOTATIONS = 10  # of each kind, in a step
MAX_MESSAGE = 1_500  # characters; GitHub folds longer messages


@dataclass(frozen=True)
class Spot:
    """A line of a file, by its path in the repository."""

    file: str
    line: int


# Finds a place in the repository; None where it has no file there, as inside a zip.
Locate = Callable[[Place], Spot | None]


def annotations(result: Result, locate: Locate) -> str:
    """The workflow commands, one per line: errors, warnings where softmark itself failed, notices."""
    notices = [command("notice", total_line(result), title=one_line(result.title))]
    notices += [_annotate_exercise("notice", e, result, locate) for e in result.exercises if _is_open(e)]
    notices += [_annotate_remark(remark, result, locate) for remark in result.remarks]
    broken = (e for e in result.exercises if e.outcome is Outcome.BROKEN)
    lines = [
        *islice(_errors(result, locate), MAX_ANNOTATIONS),
        *islice((_annotate_exercise("warning", e, result, locate) for e in broken), MAX_ANNOTATIONS),
        *notices[:MAX_ANNOTATIONS],
    ]
    return "\n".join(lines) + "\n"


def printed_output(result: Result) -> str:
    """What the student's code printed, for the log, with workflow commands disabled; empty if nothing."""
    outputs = dict.fromkeys(
        f"{one_line(exercise.title)}:\n{clean(finding.output).rstrip()}\n"
        for exercise in result.exercises
        for finding in exercise.findings
        if finding.output
    )
    return stop_commands("\n".join(outputs)) if outputs else ""


def _is_open(exercise: ExerciseResult) -> bool:
    """Whether points are missing although nothing is wrong: not attempted, or undecided."""
    return (
        not exercise.outcome.wrong
        and exercise.outcome not in (Outcome.BROKEN, Outcome.UNREADABLE)
        and not has_all_points(exercise)
    )


def _errors(result: Result, locate: Locate) -> Iterator[str]:
    """First what could not be read, then each wrong exercise once, then further checks on other lines."""
    unreadable = [e for e in without_repeated_reasons(result.exercises) if e.outcome is Outcome.UNREADABLE]
    for exercise in unreadable:
        if exercise.message:
            yield _annotate_exercise("error", exercise, result, locate)
    wrong = [e for e in result.exercises if e.outcome.wrong]
    wrong_findings = [(e, _failing_findings(e)) for e in sorted(wrong, key=points_lost, reverse=True)]
    for exercise, findings in wrong_findings:
        yield _annotate_exercise("error", exercise, result, locate, next(iter(findings), None))
    for exercise, findings in wrong_findings:
        places_used = {place_of(exercise, finding) for finding in findings[:1]}
        for finding in findings[1:]:
            if (place := place_of(exercise, finding)) not in places_used:
                places_used.add(place)
                yield _annotate_exercise("error", exercise, result, locate, finding)


def _failing_findings(exercise: ExerciseResult) -> list[Finding]:
    return sorted((f for f in exercise.findings if f.outcome.wrong), key=points_lost, reverse=True)


def _annotate_exercise(
    kind: str, exercise: ExerciseResult, result: Result, locate: Locate, finding: Finding | None = None
) -> str:
    place = place_of(exercise, finding)
    parts = [words.place(place, result.submission.files)] if place else []
    if finding is None:
        undecided = [f for f in exercise.findings if f.outcome.undecided][:1]
        parts += [exercise.message] if exercise.message else [f.message for f in undecided if f.message]
    else:
        parts += [finding.says, *details(finding)]
    title = words.about(exercise.title, outcome_and_points(exercise))
    return _annotate(kind, "\n".join(parts), one_line(title), place, locate)


def _annotate_remark(remark: Remark, result: Result, locate: Locate) -> str:
    place = Place(remark.file, remark.cell, remark.line or 1) if remark.file else None
    where = words.place(remark, result.submission.files)
    message = f"{where}\n{remark.says}" if where else remark.says
    return _annotate("notice", message, tr("Remark"), place, locate)


def _annotate(kind: str, message: str, title: str, place: Place | None, locate: Locate) -> str:
    spot = locate(place) if place else None
    at: dict[str, str | int] = {"file": spot.file, "line": spot.line} if spot else {}
    return command(kind, words.cut_text(message, MAX_MESSAGE) or title, **at, title=title)
