"""The text of findings in the few lines that a log or a page on GitHub has room for."""

import math
from collections.abc import Iterator

from graders.language import tr
from graders.results.result import ExerciseResult, Finding, Outcome, Place, Result
from reports import case_text, words


def points_lost(item: ExerciseResult | Finding) -> float:
    """The points that are lost, without those that are undecided."""
    if item.outcome.undecided:
        return 0.0
    undecided = item.undecided_points if isinstance(item, ExerciseResult) else 0
    return max(0.0, finite_or_zero(item.max_points) - finite_or_zero(item.points) - finite_or_zero(undecided))


def has_all_points(exercise: ExerciseResult) -> bool:
    """Whether it passed with all of its points."""
    return exercise.outcome is Outcome.PASSED and finite_or_zero(exercise.points) >= finite_or_zero(
        exercise.max_points
    )


def finite_or_zero(value: float) -> float:
    """The value, or 0 where it is NaN or infinite."""
    return float(value) if math.isfinite(value) else 0.0


def clamp_points(points: float, maximum: float) -> float:
    """The points, limited to the range from 0 to the maximum."""
    return min(max(finite_or_zero(points), 0.0), max(finite_or_zero(maximum), 0.0))


def details(finding: Finding) -> Iterator[str]:
    """The smallest failing case, the message, where tensors differ, and the hint."""
    case = finding.case
    given = case_text.input_lines(case) if case else []
    answered = case_text.answer_lines(case) if case else []
    yield from filter(None, (*given, finding.message, *answered))
    if finding.mistake:
        yield tr("hint: {hint}", hint=words.hint(finding.mistake))
    yield from words.looks(finding, ())


def place_of(exercise: ExerciseResult, finding: Finding | None = None) -> Place | None:
    """The line that raised, is still to be changed or to be written; else the first of the definition."""
    proven = next(iter(finding.repairs), finding.departure) if finding else None
    if place := (finding and finding.place) or (proven and proven.place) or exercise.place:
        return place
    first = next(iter(exercise.definitions), None)
    return Place(first.file, first.cell, first.line) if first else None


def total_line(result: Result) -> str:
    """`17.5 / 20, 2 points still to be decided`."""
    return words.total(result.points, result.max_points, result.undecided_points)


def outcome_and_points(item: ExerciseResult | Finding) -> str:
    """The outcome with the points: `failed, 1 / 3`."""
    return f"{words.outcome_words(item.outcome).word}, {words.score(item.points, item.max_points)}"
