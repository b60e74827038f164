"""Count over a class: which checks fail how often, and who makes which known mistake."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from graders.language import tr, translatable
from graders.results.mistakes import join_mistakes, join_names
from graders.results.result import ExerciseResult, Mistake, Outcome, Result
from reports.class_statistics.remember import remember

Alternatives = tuple[tuple[Mistake, ...], ...]
CODE_LOADS = translatable("the code can be loaded and called, so that its checks can be tried")


@dataclass
class CheckTally:
    """The outcomes of one check in a class: `failing` has those of failing submissions by id.

    `check` is its name, which no language changes; empty for an exercise as a whole.
    """

    says: str
    decided: int = 0
    failing: dict[str, Outcome] = field(default_factory=dict)
    check: str = ""

    @property
    def share(self) -> float:
        """The share of failing submissions among those for which the check was decided."""
        return len(self.failing) / self.decided if self.decided else 0.0

    @property
    def otherwise(self) -> Sequence[tuple[Outcome, int]]:
        """The outcomes other than a wrong answer, with their counts."""
        ended = Counter(outcome for outcome in self.failing.values() if outcome is not Outcome.FAILED)
        return ended.most_common()


@dataclass(kw_only=True)
class ExerciseTally:
    """One exercise in a class: the whole, its failing checks, and who did not attempt or finish it.

    `near` are those whose code one edit would make right.
    """

    name: str
    title: str
    whole: CheckTally
    checks: list[CheckTally]
    absent: list[str]
    unfinished: list[str]
    near: list[str]


@dataclass
class MistakeTally:
    """A known mistake of an exercise, and the `ids` of the submissions that make it, alone or with another.

    Where the diagnosis has several alternatives, they are counted together as one.
    """

    exercise: str
    title: str
    alternatives: Alternatives
    ids: list[str] = field(default_factory=list)

    @property
    def mistake(self) -> Mistake:
        """The alternatives as one mistake, with the hints of all."""
        mistake = join_mistakes(self.alternatives)
        assert mistake is not None
        return mistake


def exercise_titles(results: Sequence[Result]) -> dict[str, str]:
    """The titles of all exercises by name, in the order of their first appearance."""
    return {e.name: e.title for result in results for e in result.exercises}


def find_exercise(result: Result, name: str) -> ExerciseResult | None:
    """The result of the exercise of this name; None where the submission has none."""
    for exercise in result.exercises:
        if exercise.name == name:
            return exercise
    return None


def tally_exercises(results: Sequence[Result]) -> list[ExerciseTally]:
    """Count every exercise; those with the greatest share of failures come first, and so do their checks."""
    questions = {e.name for result in results for e in result.exercises if e.answer is not None}
    titles = exercise_titles(results).items()
    tallies = [_tally(results, name, title) for name, title in titles if name not in questions]
    return sorted(tallies, key=lambda tally: _worst_first(tally.whole))


def decided_checks(result: ExerciseResult) -> list[tuple[str, str, Outcome]]:
    """The name, sentence and outcome of every decided check; if none was run, those of loading the code."""
    if not result.findings and result.outcome.decided and result.answer is None:
        return [("", tr(CODE_LOADS), result.outcome)]
    return [(f.check, f.says, f.outcome) for f in result.findings if f.outcome.decided]


def failing_checks(result: ExerciseResult) -> dict[str, str]:
    """The sentences of the checks that do not pass, by name."""
    return {
        check: sentence
        for check, sentence, outcome in decided_checks(result)
        if outcome is not Outcome.PASSED
    }


def tally_mistakes(results: Sequence[Result]) -> list[MistakeTally]:
    """Count the known mistakes of all exercises, the most frequent first."""
    tallies: dict[tuple[str, str], MistakeTally] = {}
    mistakes_of = remember(mistakes_in)
    for result in results:
        for e in result.exercises:
            for name, alternatives in mistakes_of(e).items():
                tally = tallies.setdefault((e.name, name), MistakeTally(e.name, e.title, alternatives))
                tally.ids.append(result.submission.id)
    return sorted(tallies.values(), key=lambda tally: -len(tally.ids))


def mistakes_in(result: ExerciseResult) -> Mapping[str, Alternatives]:
    """The known mistakes of an exercise by name; two made at once count as two, alternatives as one."""
    mistakes: dict[str, Alternatives] = {}
    for finding in result.findings:
        alternatives = finding.alternatives
        if len(alternatives) == 1:
            mistakes |= {mistake.name: ((mistake,),) for mistake in alternatives[0]}
        elif alternatives:
            mistakes[
                join_names([mistake.name for mistake in combination] for combination in alternatives)
            ] = alternatives
    return mistakes


def _tally(results: Sequence[Result], name: str, title: str) -> ExerciseTally:
    whole, tallies = CheckTally(title), dict[str, CheckTally]()
    absent, unfinished, near = list[str](), list[str](), list[str]()
    for attempt, submissions in _group_by_attempt(results, name):
        if attempt is None or attempt.outcome is Outcome.NOT_ATTEMPTED:
            absent += submissions
            continue
        if attempt.outcome is Outcome.UNFINISHED:
            unfinished += submissions
        if any(
            repair.completes and repair.beside is None
            for finding in attempt.findings
            for repair in finding.repairs
        ):
            near += submissions
        if attempt.outcome.decided:
            _count(whole, submissions, attempt.outcome)
        for check, sentence, outcome in decided_checks(attempt):
            _count(tallies.setdefault(check, CheckTally(sentence, check=check)), submissions, outcome)
    if "" in tallies:
        tallies[""].decided = whole.decided
    checks = sorted((tally for tally in tallies.values() if tally.failing), key=_worst_first)
    return ExerciseTally(
        name=name, title=title, whole=whole, checks=checks, absent=absent, unfinished=unfinished, near=near
    )


def _worst_first(tally: CheckTally) -> tuple[float, int]:
    return -tally.share, -len(tally.failing)


def _count(tally: CheckTally, submissions: Sequence[str], outcome: Outcome) -> None:
    tally.decided += len(submissions)
    if outcome is not Outcome.PASSED:
        tally.failing |= dict.fromkeys(submissions, outcome)


def _group_by_attempt(
    results: Sequence[Result], name: str
) -> Iterable[tuple[ExerciseResult | None, list[str]]]:
    """The results of an exercise that could be read, each with the submissions that share it."""
    groups: dict[int, tuple[ExerciseResult | None, list[str]]] = {}
    for result in results:
        attempt = find_exercise(result, name)
        if attempt is None or attempt.outcome is not Outcome.UNREADABLE:
            groups.setdefault(id(attempt), (attempt, []))[1].append(result.submission.id)
    return groups.values()
