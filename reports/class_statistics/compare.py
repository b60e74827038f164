"""Compare two gradings: who has other points and by which checks, and what more or fewer of a class fail."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from graders.results.result import ExerciseResult, Result
from reports.class_statistics import tally

EQUAL = 1e-6  # points: a smaller difference is rounding
ROUNDED = 1e-3  # of a check's points, which are kept to four digits


@dataclass(frozen=True)
class ChangedPoints:
    """What a check gave before and gives now; for an exercise as a whole, `says` is empty."""

    title: str
    says: str
    before: float
    after: float


@dataclass(frozen=True)
class ChangedPerson:
    """A submission whose points differ, with the checks or exercises by which they do."""

    id: str
    before: float
    after: float
    by: tuple[ChangedPoints, ...]

    @property
    def gained(self) -> float:
        """The points that it has more; below 0 for one that lost some."""
        return self.after - self.before


@dataclass(frozen=True)
class ChangedShare:
    """The share of submissions that fail a check, or make a known mistake, in each of two classes."""

    title: str
    what: str
    before: float
    after: float


def changed_people(old: Sequence[Result], new: Sequence[Result]) -> list[ChangedPerson]:
    """The submissions that both have, and whose points differ, those that lose the most first."""
    earlier = {result.submission.id: result for result in old}
    both = [(earlier[r.submission.id], r) for r in new if r.submission.id in earlier]
    changed = [
        ChangedPerson(after.submission.id, before.points, after.points, tuple(_changed_points(before, after)))
        for before, after in both
        if _differ(before.points, after.points) or _has_other_shares(before, after)
    ]
    return sorted(changed, key=lambda person: (person.gained, person.id))


def count_both(old: Sequence[Result], new: Sequence[Result]) -> int:
    """How many submissions are in both."""
    return len({r.submission.id for r in old} & {r.submission.id for r in new})


def changed_checks(old: Sequence[Result], new: Sequence[Result]) -> list[ChangedShare]:
    """The checks of exercises that both have, by the share that fails them; the largest change first."""
    before, after = _shares(old), _shares(new)
    return _changed(before, after)


def changed_mistakes(old: Sequence[Result], new: Sequence[Result]) -> list[ChangedShare]:
    """The known mistakes, by the share of those who attempted the exercise that make them."""
    exercises = tally.exercise_titles(old).keys() & tally.exercise_titles(new).keys()
    before, after = _mistakes(old), _mistakes(new)
    names = {key: title for key, title in [*_titles(old), *_titles(new)] if key[0] in exercises}
    shares = [
        ChangedShare(title, key[1], before.get(key, 0.0), after.get(key, 0.0)) for key, title in names.items()
    ]
    return _largest_first(shares)


def _changed_points(before: Result, after: Result) -> Iterator[ChangedPoints]:
    for now in after.exercises:
        then = tally.find_exercise(before, now.name)
        if then is None:
            continue
        checks = list(_changed_findings(then, now))
        yield from checks
        if not checks and _differ(then.points, now.points):
            yield ChangedPoints(now.title, "", then.points, now.points)


def _changed_findings(then: ExerciseResult, now: ExerciseResult) -> Iterator[ChangedPoints]:
    earlier = {finding.check: finding for finding in then.findings}
    for finding in now.findings:
        was = earlier.get(finding.check)
        if was is not None and _differ(was.points, finding.points):
            yield ChangedPoints(now.title, finding.says, was.points, finding.points)


def _differ(first: float, second: float) -> bool:
    return abs(first - second) > EQUAL


def _has_other_shares(before: Result, after: Result) -> bool:
    """Whether a check gives another share of its points: other weights alone change nobody who gets all."""
    then, now = _shares_of_checks(before), _shares_of_checks(after)
    return any(abs(then[key] - now[key]) > ROUNDED for key in then.keys() & now.keys())


def _shares_of_checks(result: Result) -> Mapping[tuple[str, str], float]:
    pairs = ((exercise.name, finding) for exercise in result.exercises for finding in exercise.findings)
    return {(name, f.check): f.points / f.max_points for name, f in pairs if f.max_points}


def _shares(results: Sequence[Result]) -> Mapping[tuple[str, str], tuple[str, str, float]]:
    """By the names of exercise and check: the title, the sentence, and the share that fails."""
    return {
        (exercise.name, check.check): (exercise.title, check.says, check.share)
        for exercise in tally.tally_exercises(results)
        for check in exercise.checks
    }


def _changed(
    before: Mapping[tuple[str, str], tuple[str, str, float]],
    after: Mapping[tuple[str, str], tuple[str, str, float]],
) -> list[ChangedShare]:
    """A check that nobody fails in one of them has the share 0 there."""
    none = ("", "", 0.0)
    shares = [
        ChangedShare(*(after.get(key) or before[key])[:2], before.get(key, none)[2], after.get(key, none)[2])
        for key in {**before, **after}
    ]
    return _largest_first(shares)


def _largest_first(shares: Sequence[ChangedShare]) -> list[ChangedShare]:
    changed = [share for share in shares if _differ(share.before, share.after)]
    return sorted(changed, key=lambda share: -abs(share.after - share.before))


def _mistakes(results: Sequence[Result]) -> Mapping[tuple[str, str], float]:
    attempts = {e.name: e.whole.decided for e in tally.tally_exercises(results)}
    return {
        (m.exercise, m.mistake.name): len(m.ids) / attempts[m.exercise]
        for m in tally.tally_mistakes(results)
        if attempts.get(m.exercise)
    }


def _titles(results: Sequence[Result]) -> Iterator[tuple[tuple[str, str], str]]:
    for mistake in tally.tally_mistakes(results):
        yield (mistake.exercise, mistake.mistake.name), mistake.title
