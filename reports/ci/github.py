"""A result as annotations of GitHub Actions: on the lines where something is wrong, the dearest first.

GitHub shows some ten annotations of a kind for a step, so that not more are made; the summary has the rest.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

from graders.language import tr
from graders.results.result import ExerciseResult, Finding, Outcome, Place, Remark, Result
from reports import words
from reports.ci.check_text import details, full, lost, place_of, state, total
from reports.ci.escape import clean, command, line, stopped

MOST = 10  # of a kind in a step
MESSAGE = 1_500  # characters; what is longer is folded away beside the code


@dataclass(frozen=True)
class Spot:
    """A line of a file, by its path in the repository."""

    file: str
    line: int


# Where in the repository a place is; None where it is in no file of its own there, as in a zip.
Locate = Callable[[Place], Spot | None]


def annotations(result: Result, locate: Locate) -> str:
    """The workflow commands, one to a line: errors, warnings where softmark itself failed, notices."""
    notices = [command("notice", total(result), title=line(result.title))]
    notices += [_exercise("notice", e, result, locate) for e in result.exercises if _open(e)]
    notices += [_remark(remark, result, locate) for remark in result.remarks]
    broken = (e for e in result.exercises if e.outcome is Outcome.BROKEN)
    lines = [
        *islice(_errors(result, locate), MOST),
        *islice((_exercise("warning", e, result, locate) for e in broken), MOST),
        *notices[:MOST],
    ]
    return "\n".join(lines) + "\n"


def printed(result: Result) -> str:
    """What the student's code printed, for the log, where no command is read from it; empty if nothing."""
    said = dict.fromkeys(
        f"{line(exercise.title)}:\n{clean(finding.output).rstrip()}\n"
        for exercise in result.exercises
        for finding in exercise.findings
        if finding.output
    )
    return stopped("\n".join(said)) if said else ""


def _open(exercise: ExerciseResult) -> bool:
    """Whether there is something left that is not wrong: not attempted, or to be decided."""
    return not exercise.outcome.wrong and exercise.outcome is not Outcome.BROKEN and not full(exercise)


def _errors(result: Result, locate: Locate) -> Iterator[str]:
    """First each wrong exercise once, by its dearest check, then what else is wrong on other lines."""
    wrong = [e for e in result.exercises if e.outcome.wrong]
    found = [(e, _wrong(e)) for e in sorted(wrong, key=lost, reverse=True)]
    for exercise, findings in found:
        yield _exercise("error", exercise, result, locate, next(iter(findings), None))
    for exercise, findings in found:
        seen = {place_of(exercise, finding) for finding in findings[:1]}
        for finding in findings[1:]:
            if (place := place_of(exercise, finding)) not in seen:
                seen.add(place)
                yield _exercise("error", exercise, result, locate, finding)


def _wrong(exercise: ExerciseResult) -> list[Finding]:
    return sorted((f for f in exercise.findings if f.outcome.wrong), key=lost, reverse=True)


def _exercise(
    kind: str, exercise: ExerciseResult, result: Result, locate: Locate, finding: Finding | None = None
) -> str:
    place = place_of(exercise, finding)
    parts = [words.place(place, result.submission.files)] if place else []
    if finding is None:
        undecided = [f for f in exercise.findings if f.outcome.undecided][:1]
        parts += [exercise.message] if exercise.message else [f.message for f in undecided if f.message]
    else:
        parts += [finding.says, *details(finding)]
    title = words.about(exercise.title, state(exercise))
    return _at(kind, "\n".join(parts), line(title), place, locate)


def _remark(remark: Remark, result: Result, locate: Locate) -> str:
    place = Place(remark.file, remark.cell, remark.line or 1) if remark.file else None
    where = words.place(remark, result.submission.files)
    says = f"{where}\n{remark.says}" if where else remark.says
    return _at("notice", says, tr("Remark"), place, locate)


def _at(kind: str, says: str, title: str, place: Place | None, locate: Locate) -> str:
    spot = locate(place) if place else None
    at: dict[str, str | int] = {"file": spot.file, "line": spot.line} if spot else {}
    return command(kind, words.bounded(says, MESSAGE) or title, **at, title=title)
