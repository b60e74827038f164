"""What exercises say of a class: how hard they are, and whether those who are good elsewhere are good there.

The measures are those of classical test theory: difficulty is the mean share of the points, discrimination
the correlation of the points of an item with those of all other items (item-rest correlation).
"""

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graders.results.result import ExerciseResult, Outcome, Result

FEWEST = 20  # answers: of fewer, chance says more than the class
SURE = 2.0  # standard errors below zero, from which a negative correlation is no chance
MOST = 5_000  # answers that are looked at: more make nothing more certain


@dataclass(frozen=True)
class Item:
    """An exercise in a class.

    Attributes:
        title: its title.
        answers: how many were looked at.
        mean: the mean share of its points, from 0 to 1.
        discrimination: the correlation with the points of all other exercises, from -1 to 1; None where all
            have the same points, or there is no other exercise.
    """

    title: str
    answers: int
    mean: float
    discrimination: float | None


@dataclass(frozen=True)
class Doubtful:
    """A check that those fail who are good elsewhere: it may be wrong, or unclear.

    Attributes:
        title: the exercise's title.
        says: the check's sentence.
        correlation: with the points of all else, below 0.
    """

    title: str
    says: str
    correlation: float


def analyse_exercises(results: Sequence[Result]) -> list[Item]:
    """The exercises of which enough answers were judged, in their order."""
    answers = _answers(results)
    items = []
    for name, title in _titles(results).items():
        pairs = [(e.points, e.max_points, r) for r, e in answers.get(name, ()) if e.max_points > 0]
        if len(pairs) >= FEWEST:
            shares = [points / most for points, most, _ in pairs]
            rest = [_rest(result, points, most) for points, most, result in pairs]
            items.append(Item(title, len(pairs), statistics.fmean(shares), _correlation(shares, rest)))
    return items


def doubtful_checks(results: Sequence[Result]) -> list[Doubtful]:
    """The checks whose correlation with all else is below zero by more than chance, the lowest first."""
    found = []
    titles = _titles(results)
    for name, answers in _answers(results).items():
        for says, pairs in _by_check(answers).items():
            holds, rest = [held for held, _ in pairs], [other for _, other in pairs]
            correlation = _correlation(holds, rest) if len(pairs) >= FEWEST else None
            if correlation is not None and _is_below_zero(correlation, len(pairs)):
                found.append(Doubtful(titles[name], says, correlation))
    return sorted(found, key=lambda each: each.correlation)


def _answers(results: Sequence[Result]) -> Mapping[str, list[tuple[Result, ExerciseResult]]]:
    """The decided answers by exercise, with the results that they belong to, of a sample of the class."""
    found: dict[str, list[tuple[Result, ExerciseResult]]] = {}
    for result in results[:: max(1, math.ceil(len(results) / MOST))]:
        for e in result.exercises:
            if e.outcome.decided and e.outcome is not Outcome.NOT_ATTEMPTED and not e.undecided_points:
                found.setdefault(e.name, []).append((result, e))
    return found


def _titles(results: Sequence[Result]) -> dict[str, str]:
    return {e.name: e.title for result in results for e in result.exercises}


def _by_check(answers: Sequence[tuple[Result, ExerciseResult]]) -> Mapping[str, list[tuple[float, float]]]:
    """For each check by its sentence, whether it holds, with the share of all other points."""
    found: dict[str, list[tuple[float, float]]] = {}
    for result, e in answers:
        for finding in e.findings:
            if finding.outcome.decided and finding.max_points > 0:
                rest = _rest(result, finding.points, finding.max_points)
                found.setdefault(finding.says, []).append((float(finding.outcome is Outcome.PASSED), rest))
    return found


def _rest(result: Result, points: float, most: float) -> float:
    """The share of all points but some."""
    left = result.max_points - most
    return (result.points - points) / left if left > 0 else 0.0


def _correlation(first: Sequence[float], second: Sequence[float]) -> float | None:
    try:
        return statistics.correlation(first, second)
    except statistics.StatisticsError:  # one of them is constant
        return None


def _is_below_zero(correlation: float, count: int) -> bool:
    """Whether so low a correlation is no chance, by the t statistic of Pearson's correlation."""
    spread = math.sqrt(max(1 - correlation**2, 1e-9) / (count - 2))
    return correlation < -SURE * spread
