"""Submissions that are wrong in the same way, and submissions unlike all others. Facts, no accusations."""

import itertools
import statistics
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass

from graders.results.result import ExerciseResult, Outcome, Result
from reports.class_statistics import tally
from reports.class_statistics.remember import remember

MIN_DISTANCE = 3  # checks in which an outlier differs from every other submission
FREQUENT = 200  # patterns of failing checks that are compared first


@dataclass(frozen=True)
class SameFailures:
    """Submissions that are wrong in the same way in an exercise.

    They answer alike, which no known mistake explains; or they make the same known mistakes; or nothing is
    known of their answers, and they fail exactly the same checks.

    Attributes:
        exercise: its name.
        title: its title.
        checks: the sentences of the checks that fail, in the first submission.
        mistakes: the known mistakes, each with its count.
        ids: the submissions.
        answer_alike: whether they answer alike, which no known mistake explains.
        edits: by which one of them is repaired, each as a diff.
    """

    exercise: str
    title: str
    checks: tuple[str, ...]
    mistakes: tuple[tuple[tally.Alternatives, int], ...]
    ids: tuple[str, ...]
    answer_alike: bool = False
    edits: tuple[str, ...] = ()


@dataclass(frozen=True)
class Outlier:
    """A submission that differs from every other in at least `checks` checks; `nearest` in exactly that."""

    id: str
    checks: int
    nearest: str


def group_by_answers(results: Sequence[Result]) -> list[SameFailures]:
    """Groups of at least two submissions that are wrong in the same way in an exercise, the largest first."""
    members_by_key: dict[tuple[str, Hashable], list[tuple[str, ExerciseResult]]] = {}
    way_of = remember(_way_of_failing)
    for result in results:
        for e in result.exercises:
            if way := way_of(e):
                members_by_key.setdefault((e.name, way), []).append((result.submission.id, e))
    groups = [_group(members) for members in members_by_key.values() if len(members) > 1]
    return sorted(groups, key=lambda group: -len(group.ids))


def _way_of_failing(e: ExerciseResult) -> Hashable:
    """What submissions that are wrong in the same way share; empty where nothing is wrong."""
    if digest := digest_of_answers(e):
        return digest
    checks = frozenset(tally.failing_checks(e))
    mistakes = frozenset(tally.mistakes_in(e))
    return mistakes or checks


def digest_of_answers(e: ExerciseResult) -> str | None:
    """The digest of answers that no known mistake explains; None where one does, or none came."""
    unexplained = not tally.mistakes_in(e)
    return next((f.answers for f in e.findings if f.answers), None) if unexplained else None


def group_copies(results: Sequence[Result]) -> list[list[str]]:
    """Groups of submissions with byte-identical files, the largest first."""
    members_by_key: dict[str, list[str]] = {}
    for result in results:
        if result.submission.files and result.submission.sha256:
            members_by_key.setdefault(result.submission.sha256, []).append(result.submission.id)
    return sorted((ids for ids in members_by_key.values() if len(ids) > 1), key=lambda ids: -len(ids))


def group_same_weights(results: Sequence[Result]) -> list[list[str]]:
    """Groups of submissions whose trained models have the same weights, the largest first."""
    members_by_key: dict[str, list[str]] = {}
    for result in results:
        for weights in dict.fromkeys(e.trained.weights for e in result.exercises if e.trained):
            members_by_key.setdefault(weights, []).append(result.submission.id)
    return sorted((ids for ids in members_by_key.values() if len(ids) > 1), key=lambda ids: -len(ids))


def without_attempt(results: Sequence[Result]) -> list[str]:
    """The submissions that attempt no exercise, as far as they could be read."""
    return [r.submission.id for r in results if r.exercises and not r.unreadable and not _is_attempted(r)]


def always_raising(results: Sequence[Result]) -> list[str]:
    """The submissions that attempt at least two exercises and raise an error in each."""
    return [
        r.submission.id
        for r in results
        if len(attempts := _is_attempted(r)) > 1 and all(e.outcome is Outcome.RAISED for e in attempts)
    ]


def find_outliers(results: Sequence[Result], most: int) -> list[Outlier]:
    """The submissions whose failing checks differ most from those of every other, the furthest first.

    Two submissions differ in a check where the one fails it and the other does not.
    """
    places: dict[tuple[str, str], int] = {}
    patterns: dict[int, list[str]] = {}

    def bits_of(e: ExerciseResult) -> int:
        keys = [(e.name, check) for check in tally.failing_checks(e)]
        return sum(1 << places.setdefault(key, len(places)) for key in keys)

    bits_of_exercise = remember(bits_of)
    for result in results:
        pattern = sum(map(bits_of_exercise, result.exercises))
        patterns.setdefault(pattern, []).append(result.submission.id)
    # Frequent patterns first: nearly all submissions are close to one of them, and need no further look.
    others = sorted(((pattern, ids[0]) for pattern, ids in patterns.items()), key=_rank(patterns))
    bits = [1 << place for place in range(len(places))]
    outliers: list[Outlier] = []
    for pattern, ids in patterns.items():
        if len(ids) == 1 and len(patterns) > 1:
            enough = outliers[most - 1].checks + 1 if len(outliers) >= most else MIN_DISTANCE
            if _is_near(pattern, others[:FREQUENT], enough) or _has_neighbour(pattern, patterns, bits):
                continue
            if outlier := _nearest(pattern, ids[0], others, enough):
                outliers = sorted([*outliers, outlier], key=lambda outlier: -outlier.checks)[:most]
    return outliers


def slowest(results: Sequence[Result], most: int) -> list[Result]:
    """The submissions that took longest to grade, of those whose time is known."""
    return sorted((r for r in results if r.seconds > 0), key=lambda result: -result.seconds)[:most]


def median_seconds(results: Sequence[Result]) -> float:
    """The median grading time, in seconds."""
    return statistics.median(r.seconds for r in results if r.seconds > 0)


def _group(members: Sequence[tuple[str, ExerciseResult]]) -> SameFailures:
    first = members[0][1]
    mistakes_of = remember(tally.mistakes_in)
    alternatives = {name: mistake for _, e in members for name, mistake in mistakes_of(e).items()}
    counts = Counter(name for _, e in members for name in mistakes_of(e))
    ids = tuple(submission for submission, _ in members)
    mistakes = tuple((alternatives[name], count) for name, count in counts.most_common())
    checks = tuple(tally.failing_checks(first).values())
    alike = bool(digest_of_answers(first))
    edits = next(filter(None, (_edits_in(e) for _, e in members)), ())
    return SameFailures(
        exercise=first.name,
        title=first.title,
        checks=checks,
        mistakes=mistakes,
        ids=ids,
        answer_alike=alike,
        edits=edits,
    )


def _edits_in(e: ExerciseResult) -> tuple[str, ...]:
    repairs = dict.fromkeys(repair for finding in e.findings for repair in finding.repairs)
    return tuple(repair.edit for repair in repairs if repair.edit)


def _is_attempted(result: Result) -> list[ExerciseResult]:
    return [e for e in result.exercises if e.outcome not in (Outcome.NOT_ATTEMPTED, Outcome.UNREADABLE)]


def _rank(patterns: dict[int, list[str]]) -> Callable[[tuple[int, str]], int]:
    return lambda pair: -len(patterns[pair[0]])


def _nearest(pattern: int, submission: str, others: list[tuple[int, str]], enough: int) -> Outlier | None:
    """The submission as an outlier, if it differs from every other in at least `enough` checks."""
    closest: tuple[int, str] | None = None
    for other, name in others:
        distance = (pattern ^ other).bit_count()
        if distance and (closest is None or (distance, name) < closest):
            if distance < enough:
                return None
            closest = distance, name
    return closest and Outlier(submission, *closest)


def _is_near(pattern: int, others: list[tuple[int, str]], enough: int) -> bool:
    return any(0 < (pattern ^ other).bit_count() < enough for other, _ in others)


def _has_neighbour(pattern: int, patterns: Collection[int], bits: list[int]) -> bool:
    """Whether another pattern differs in less than `MIN_DISTANCE` checks: found by looking each one up."""
    return any(pattern ^ one in patterns for one in bits) or any(
        pattern ^ one ^ other in patterns for one, other in itertools.combinations(bits, 2)
    )
