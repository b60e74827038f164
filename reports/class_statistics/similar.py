"""Who is stuck on the same thing, and who stands alone: simple measures, which judge nobody."""

import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from graders.results.result import ExerciseResult, Outcome, Result
from reports.class_statistics import tally

NEAR = 3  # checks: who differs from another by fewer is not listed as far from all


@dataclass(frozen=True)
class Stuck:
    """Submissions that fail exactly the same checks of an exercise.

    `checks` are the sentences of these checks, `mistakes` known mistakes and how many make them.
    """

    exercise: str
    title: str
    checks: tuple[str, ...]
    mistakes: tuple[tuple[tally.Alternatives, int], ...]
    ids: tuple[str, ...]


@dataclass(frozen=True)
class Apart:
    """A submission that differs from every other in `checks` checks or more; `nearest` differs in so many."""

    id: str
    checks: int
    nearest: str


def stuck(results: Sequence[Result]) -> list[Stuck]:
    """Groups of two and more that fail the same checks of an exercise, the largest first."""
    found: dict[tuple[str, frozenset[str]], list[tuple[str, ExerciseResult]]] = {}
    for result in results:
        for e in result.exercises:
            if checks := frozenset(tally.failing(e)):
                found.setdefault((e.name, checks), []).append((result.submission.id, e))
    groups = [_stuck(members) for members in found.values() if len(members) > 1]
    return sorted(groups, key=lambda group: -len(group.ids))


def copies(results: Sequence[Result]) -> list[list[str]]:
    """Groups whose files have the same bytes, the largest first."""
    found: dict[str, list[str]] = {}
    for result in results:
        if result.submission.files and result.submission.sha256:
            found.setdefault(result.submission.sha256, []).append(result.submission.id)
    return sorted((ids for ids in found.values() if len(ids) > 1), key=lambda ids: -len(ids))


def same_weights(results: Sequence[Result]) -> list[list[str]]:
    """Groups whose trained models have the same weights, whatever else differs, the largest first."""
    found: dict[str, list[str]] = {}
    for result in results:
        for weights in dict.fromkeys(e.trained.weights for e in result.exercises if e.trained):
            found.setdefault(weights, []).append(result.submission.id)
    return sorted((ids for ids in found.values() if len(ids) > 1), key=lambda ids: -len(ids))


def untouched(results: Sequence[Result]) -> list[str]:
    """Who attempted no exercise."""
    return [r.submission.id for r in results if r.exercises and not _attempted(r)]


def raising(results: Sequence[Result]) -> list[str]:
    """Who attempted at least two exercises, and raised an error in each."""
    return [
        r.submission.id
        for r in results
        if len(tried := _attempted(r)) > 1 and all(e.outcome is Outcome.RAISED for e in tried)
    ]


def apart(results: Sequence[Result], most: int) -> list[Apart]:
    """Who differs most from every other submission in which checks fail, the furthest first.

    Two submissions differ in a check where the one fails it and the other does not.
    """
    places: dict[tuple[str, str], int] = {}
    patterns: dict[int, list[str]] = {}
    for result in results:
        keys = [(e.name, check) for e in result.exercises for check in tally.failing(e)]
        pattern = sum(1 << places.setdefault(key, len(places)) for key in keys)
        patterns.setdefault(pattern, []).append(result.submission.id)
    alone = [(pattern, ids[0]) for pattern, ids in patterns.items() if len(ids) == 1]
    found = [_nearest(pattern, who, patterns) for pattern, who in alone if len(patterns) > 1]
    return sorted((one for one in found if one.checks >= NEAR), key=lambda one: -one.checks)[:most]


def slowest(results: Sequence[Result], most: int) -> list[Result]:
    """Whose grading took longest, of those where it is known."""
    return sorted((r for r in results if r.seconds > 0), key=lambda result: -result.seconds)[:most]


def usual(results: Sequence[Result]) -> float:
    """The median of the seconds that grading took."""
    return statistics.median(r.seconds for r in results if r.seconds > 0)


def _stuck(members: Sequence[tuple[str, ExerciseResult]]) -> Stuck:
    first = members[0][1]
    alternatives = {name: made for _, e in members for name, made in tally.mistakes_in(e).items()}
    counts = Counter(name for _, e in members for name in tally.mistakes_in(e))
    ids = tuple(who for who, _ in members)
    mistakes = tuple((alternatives[name], count) for name, count in counts.most_common())
    return Stuck(first.name, first.title, tuple(tally.failing(first).values()), mistakes, ids)


def _attempted(result: Result) -> list[ExerciseResult]:
    return [e for e in result.exercises if e.outcome is not Outcome.NOT_ATTEMPTED]


def _nearest(pattern: int, who: str, patterns: dict[int, list[str]]) -> Apart:
    checks, nearest = min(
        ((pattern ^ other).bit_count(), ids[0]) for other, ids in patterns.items() if other != pattern
    )
    return Apart(who, checks, nearest)
