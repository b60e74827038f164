"""Decide which of a submission's hand-ins counts: all that were graded into one folder are compared."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from graders.classroom.class_record import Attempt, ClassRecord, HandIn
from graders.classroom.current_points import Known, with_current_points
from graders.classroom.due_dates import NEVER_LATE, DueDates
from graders.course.assignment_points import AssignmentPoints
from graders.course.attempt_policy import LATEST, AttemptPolicy
from graders.course.late_policy import Late, lateness
from graders.results.attempts import has_attempts, is_kept, read_attempts
from graders.results.compact import compact
from graders.results.result import Result
from graders.results.store import read_result


@dataclass(frozen=True)
class AttemptRules:
    """What decides which hand-in counts.

    Attributes:
        policy: which one does.
        due: when each submission is due and what lateness costs.
        times: when earlier files were handed in, by submission and digest.
        latest: when the latest ones were, by submission.
        points: what the assignment is worth now.
    """

    policy: AttemptPolicy = LATEST
    due: DueDates = NEVER_LATE
    times: Mapping[tuple[str, str], Attempt] | None = None
    latest: Mapping[str, HandIn] | None = None
    points: AssignmentPoints | None = None

    @classmethod
    def of(
        cls,
        class_record: ClassRecord,
        policy: AttemptPolicy,
        due: DueDates,
        points: AssignmentPoints | None = None,
    ) -> "AttemptRules":
        """The rules for a class."""
        return cls(
            policy,
            due,
            {(attempt.id, attempt.sha256): attempt for attempt in class_record.attempts},
            {hand_in.id: hand_in for hand_in in class_record.hand_ins},
            points,
        )

    def read_earlier(self, out: Path, latest: Result) -> list[Result]:
        """The kept results of earlier files of a submission, on the scale of the assignment as it is now.

        One of other exercises stays as it is: no scale makes it comparable.
        """
        earlier = read_attempts(out, latest.submission.id)
        names = {exercise.name for exercise in latest.exercises}
        return [
            with_current_points(each, self.points)
            if {exercise.name for exercise in each.exercises} == names
            else each
            for each in earlier
        ]


@dataclass(frozen=True)
class Counted:
    """The result that counts, and its hand-in if that is an earlier one than the latest."""

    result: Result
    attempt: Attempt | None = None


@dataclass(frozen=True)
class CountedClass:
    """The results that count of a class.

    Attributes:
        results: one for each submission, in their order.
        attempts: the hand-ins that count in place of the latest, by id.
        better: ids of submissions of which an earlier hand-in would give more than the one that counts.
        not_compared: ids of those that have earlier results of other exercises or points.
    """

    results: list[Result]
    attempts: dict[str, Attempt]
    better: tuple[str, ...] = ()
    not_compared: tuple[str, ...] = ()


@dataclass(frozen=True)
class Candidate:
    """A result that may count, and when its files were handed in."""

    result: Result
    moment: Attempt
    is_latest: bool = False

    @property
    def counted(self) -> Counted:
        """What counts if it is chosen."""
        return Counted(self.result, None if self.is_latest else self.moment)


def count_one(out: Path, latest: Result, rules: AttemptRules) -> Counted:
    """The result of a submission that counts, where `latest` is that of the files which came last."""
    latest = with_current_points(latest, rules.points)
    if rules.policy == LATEST:
        return Counted(latest)
    return choose(_candidates(latest, rules.read_earlier(out, latest), rules), rules).counted


def count_class(out: Path, results: Sequence[Result], rules: AttemptRules) -> CountedClass:
    """The results of a class that count, in compact form where an earlier one does."""
    counted, attempts, better, others = list[Result](), dict[str, Attempt](), list[str](), list[str]()
    known: Known = {}
    for each in results:
        latest = with_current_points(each, rules.points, known)
        id = latest.submission.id  # noqa: A001 - the field's name everywhere
        if not has_attempts(out, id):
            counted.append(latest)
            continue
        earlier = rules.read_earlier(out, latest)
        candidates = _candidates(latest, earlier, rules)
        chosen = choose(candidates, rules)
        if choose(candidates, replace(rules, policy="best")) is not chosen:
            better.append(id)
        if not all(_comparable(latest, result) for result in earlier):
            others.append(id)
        if not chosen.is_latest:
            attempts[id] = chosen.moment
        counted.append(latest if chosen.is_latest else compact(chosen.result))
    return CountedClass(counted, attempts, tuple(better), tuple(others))


def choose(candidates: Sequence[Candidate], rules: AttemptRules) -> Candidate:
    """Choose what counts: of hand-ins that are as good, the latest."""
    latest = next(candidate for candidate in candidates if candidate.is_latest)
    if rules.policy == "best":
        return max(candidates, key=lambda each: (_points(each, rules.due), each.is_latest, _order(each)))
    in_time = [each for each in candidates if _late(each, rules.due) is None]
    if rules.policy == LATEST or latest in in_time or not in_time:
        return latest
    return max(in_time, key=_order)


def carry_over(before: ClassRecord, now: ClassRecord, out: Path) -> ClassRecord:
    """The record of a class with what an earlier run knew: when its files came, what overrides judged."""
    if before.assignment != now.assignment:
        return now
    hand_ins = {hand_in.id: hand_in for hand_in in now.hand_ins}
    attempts = {(attempt.id, attempt.sha256): attempt for attempt in before.attempts}
    for old in before.hand_ins:
        new = hand_ins.get(old.id)
        if new is None or (new.at, new.late) == (old.at, old.late):
            continue
        result = read_result(out, old.id)
        files = result.submission.sha256 if result else ""
        # Of files that come a second time, the first time is kept.
        if files and not ((old.id, files) in attempts and is_kept(out, old.id, files)):
            attempts[old.id, files] = _moment_of(old, files)
    if not now.before:
        now = replace(now, before=before.before, never_lower=before.never_lower)
    now = replace(now, link_to=now.link_to or before.link_to)
    return replace(now, attempts=tuple(attempts.values()), judged=before.judged, run=before.run)


def settle_attempts(class_record: ClassRecord, results: Iterable[Result], out: Path) -> ClassRecord:
    """The record of a class after a run, in which each kept result has the time of its files.

    Files that still count have the time of the class, which a platform may have corrected. Those that were
    replaced at the same time have this one, too.
    """
    times = {(attempt.id, attempt.sha256): attempt for attempt in class_record.attempts}
    hand_ins = {hand_in.id: hand_in for hand_in in class_record.hand_ins}
    for result in results:
        id, files = result.submission.id, result.submission.sha256  # noqa: A001
        if id not in hand_ins or ((id, files) not in times and not has_attempts(out, id)):
            continue
        kept = [earlier.submission.sha256 for earlier in read_attempts(out, id)]
        if files not in kept:
            times.pop((id, files), None)
        for earlier in kept:
            times.setdefault((id, earlier), _moment_of(hand_ins[id], earlier))
    return replace(class_record, attempts=tuple(times.values()))


def _candidates(latest: Result, earlier: Iterable[Result], rules: AttemptRules) -> list[Candidate]:
    id, files = latest.submission.id, latest.submission.sha256  # noqa: A001
    hand_in = (rules.latest or {}).get(id, HandIn(id, ""))
    candidates = [Candidate(latest, _moment_of(hand_in, files), is_latest=True)]
    for result in earlier:
        key = (id, result.submission.sha256)
        if _comparable(latest, result):
            candidates.append(Candidate(result, (rules.times or {}).get(key, Attempt(*key))))
    return candidates


def _moment_of(hand_in: HandIn, files: str) -> Attempt:
    """When the files of a digest were handed in."""
    its = hand_in.of_files(files)
    return Attempt(its.id, files, its.at, its.clock, its.late)


def _comparable(latest: Result, earlier: Result) -> bool:
    """Whether both are of the same exercises for the same points."""
    scales = [(r.assignment, [(e.name, e.max_points) for e in r.exercises]) for r in (latest, earlier)]
    return scales[0] == scales[1]


def _late(candidate: Candidate, due: DueDates) -> Late | None:
    """What lateness costs; a hand-in whose time is not known counts as in time."""
    result, at = candidate.result, candidate.moment.at
    rule = due.policy(result.submission.id)
    if rule is None or at is None:
        return None
    # What is undecided may still be given: else a hand-in on which softmark failed would not be looked at.
    return lateness(rule, at, result.points + result.undecided_points, result.max_points)


def _points(candidate: Candidate, due: DueDates) -> float:
    late, result = _late(candidate, due), candidate.result
    return round(result.points + result.undecided_points - (late.lost if late else 0), 6)


def _order(candidate: Candidate) -> tuple[datetime, str]:
    """The order of hand-ins; where no time tells it, by what was handed in, the same in each run."""
    return candidate.moment.at or datetime.min.replace(tzinfo=UTC), candidate.moment.sha256
