"""A class in numbers: its exercises, which checks fail how often, which mistakes are made, and by whom."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from graders.language import tr, translatable
from graders.results.mistakes import join_mistakes, join_names
from graders.results.result import ExerciseResult, Mistake, Outcome, Result

Alternatives = tuple[tuple[Mistake, ...], ...]
LOADS = translatable("the code can be loaded and called, so that its checks can be tried")


@dataclass
class CheckTally:
    """One check over a class: `failing` are ids with their outcomes."""

    says: str
    decided: int = 0
    failing: dict[str, Outcome] = field(default_factory=dict)

    @property
    def share(self) -> float:
        """The share of those for whom it was decided that fail."""
        return len(self.failing) / self.decided if self.decided else 0.0

    @property
    def otherwise(self) -> Sequence[tuple[Outcome, int]]:
        """How often it ended in another way than by a wrong answer."""
        ended = Counter(outcome for outcome in self.failing.values() if outcome is not Outcome.FAILED)
        return ended.most_common()


@dataclass
class ExerciseTally:
    """One exercise over a class: as a whole, its checks that fail for someone, who did not attempt it."""

    name: str
    title: str
    whole: CheckTally
    checks: list[CheckTally]
    absent: list[str]


@dataclass
class MistakeTally:
    """A known mistake of an exercise over a class, made alone or with another: `ids` make it.

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


def exercises(results: Sequence[Result]) -> dict[str, str]:
    """The names of all exercises with their titles, in the order in which they first appear."""
    return {e.name: e.title for result in results for e in result.exercises}


def exercise(result: Result, name: str) -> ExerciseResult | None:
    """A submission's exercise of this name."""
    return next((e for e in result.exercises if e.name == name), None)


def tallied(results: Sequence[Result]) -> list[ExerciseTally]:
    """Every exercise, the one that the greatest share fails first; so are its checks."""
    found = [_tallied(results, name, title) for name, title in exercises(results).items()]
    return sorted(found, key=lambda tally: _worst_first(tally.whole))


def ends(result: ExerciseResult) -> Iterator[tuple[str, str, Outcome]]:
    """The name, the sentence and the outcome of every decided check; of loading, where none was tried."""
    if not result.findings and result.outcome.decided:
        yield "", tr(LOADS), result.outcome
    for finding in result.findings:
        if finding.outcome.decided:
            yield finding.check, finding.says, finding.outcome


def failing(result: ExerciseResult) -> dict[str, str]:
    """The checks that do not pass, with their sentences."""
    return {check: says for check, says, outcome in ends(result) if outcome is not Outcome.PASSED}


def mistakes(results: Sequence[Result]) -> list[MistakeTally]:
    """The known mistakes that are made, over all exercises, the most frequent first."""
    tallies: dict[tuple[str, str], MistakeTally] = {}
    for result in results:
        for e in result.exercises:
            for name, made in mistakes_in(e).items():
                tally = tallies.setdefault((e.name, name), MistakeTally(e.name, e.title, made))
                tally.ids.append(result.submission.id)
    return sorted(tallies.values(), key=lambda tally: -len(tally.ids))


def mistakes_in(result: ExerciseResult) -> Mapping[str, Alternatives]:
    """The known mistakes of an exercise by name; two at once are two, two alternatives are one."""
    mistakes: dict[str, Alternatives] = {}
    for finding in result.findings:
        alternatives = finding.alternatives
        if len(alternatives) == 1:
            mistakes |= {mistake.name: ((mistake,),) for mistake in alternatives[0]}
        elif alternatives:
            mistakes[join_names([mistake.name for mistake in made] for made in alternatives)] = alternatives
    return mistakes


def _tallied(results: Sequence[Result], name: str, title: str) -> ExerciseTally:
    whole, found = CheckTally(title), dict[str, CheckTally]()
    absent = []
    for result in results:
        who, here = result.submission.id, exercise(result, name)
        if here is None or here.outcome is Outcome.NOT_ATTEMPTED:
            absent.append(who)
            continue
        if here.outcome.decided:
            _count(whole, who, here.outcome)
        for check, says, outcome in ends(here):
            _count(found.setdefault(check, CheckTally(says)), who, outcome)
    if "" in found:
        found[""].decided = whole.decided
    checks = sorted((tally for tally in found.values() if tally.failing), key=_worst_first)
    return ExerciseTally(name, title, whole, checks, absent)


def _worst_first(tally: CheckTally) -> tuple[float, int]:
    return -tally.share, -len(tally.failing)


def _count(tally: CheckTally, who: str, outcome: Outcome) -> None:
    tally.decided += 1
    if outcome is not Outcome.PASSED:
        tally.failing[who] = outcome
