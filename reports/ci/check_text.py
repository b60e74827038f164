"""What a check found, in the few lines that a log or a page on GitHub has room for."""

import math
from collections.abc import Iterator

from graders.language import tr
from graders.results.result import ExerciseResult, Finding, Outcome, Place, Result
from reports import words
from reports.figures.slices import difference


def lost(what: ExerciseResult | Finding) -> float:
    """The points that are lost for good."""
    if what.outcome.undecided:
        return 0.0
    undecided = what.undecided_points if isinstance(what, ExerciseResult) else 0
    return max(0.0, finite(what.max_points) - finite(what.points) - finite(undecided))


def full(exercise: ExerciseResult) -> bool:
    """Whether there is nothing left to gain."""
    return exercise.outcome is Outcome.PASSED and finite(exercise.points) >= finite(exercise.max_points)


def finite(value: float) -> float:
    """The number, or 0 where it is none that anybody could add up."""
    return float(value) if math.isfinite(value) else 0.0


def within(points: float, most: float) -> float:
    """Points that are a number from 0 to the maximum."""
    return min(max(finite(points), 0.0), max(finite(most), 0.0))


def details(finding: Finding) -> Iterator[str]:
    """What went wrong, in the smallest case, and the hint."""
    case = finding.case
    for text in (case and case.text, finding.message, case and difference(case)):
        if text:
            yield text
    if finding.mistake:
        yield tr("hint: {hint}", hint=words.hint(finding.mistake))


def place_of(exercise: ExerciseResult, finding: Finding | None = None) -> Place | None:
    """The line that raised; without one, where the student's own definition begins."""
    if finding and finding.place:
        return finding.place
    first = next(iter(exercise.definitions), None)
    return Place(first.file, first.cell, first.line) if first else None


def total(result: Result) -> str:
    """`17.5 / 20, 2 points still to be decided`."""
    return words.total(result.points, result.max_points, result.undecided_points)


def state(what: ExerciseResult | Finding) -> str:
    """How it ended and for how many points: `failed, 1 / 3`."""
    return f"{words.outcome_words(what.outcome).word}, {words.score(what.points, what.max_points)}"
