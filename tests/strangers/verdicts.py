"""Compare the grader's verdict with the one that a person gave."""

from dataclasses import dataclass, field
from enum import StrEnum

from graders.results.result import ExerciseResult, Outcome
from tests.strangers.corpus import Answer


class Verdict(StrEnum):
    """How the grader's verdict stands to the person's."""

    JUST = "just"
    UNJUST = "unjust"  # it loses more than its deviations cost
    LENIENT = "lenient"  # a deviation costs nothing
    UNDECIDED = "undecided"
    WRONGLY_FULL = "wrongly full"  # wrong code with all points


@dataclass(frozen=True)
class Judged:
    """One answer with its verdict.

    Attributes:
        answer: the answer.
        verdict: how the grader's verdict stands to the person's.
        points: those given, and all that can be had.
        lost: the checks that cost points.
        undecided: the checks that were left undecided.
        mistakes: the names of the mistakes that were named.
        says: why, where it is not just: the first message.
    """

    answer: Answer
    verdict: Verdict
    points: tuple[float, float]
    lost: frozenset[str] = frozenset()
    undecided: frozenset[str] = frozenset()
    mistakes: frozenset[str] = frozenset()
    says: str = ""
    facts: dict[str, str] = field(default_factory=dict)

    @property
    def is_wrong(self) -> bool:
        """Whether a person calls the answer wrong."""
        return bool(self.answer.mistakes)

    @property
    def is_named(self) -> bool:
        """Whether a true name was given to what is wrong, and no other name."""
        return bool(self.mistakes & self.answer.mistakes) and not self.is_named_wrongly

    @property
    def is_named_wrongly(self) -> bool:
        """Whether a name was given that does not describe it."""
        return self.is_wrong and not self.mistakes <= self.answer.mistakes | self.answer.also


def compare(answer: Answer, result: ExerciseResult) -> Judged:
    """The verdict on an answer.

    Args:
        answer: with the person's verdict.
        result: the grader's.
    """
    lost = frozenset(f.check for f in result.findings if f.outcome.wrong)
    undecided = frozenset(f.check for f in result.findings if f.outcome.undecided)
    mistakes = frozenset(_plain(m.name) for f in result.findings for pair in f.mistakes for m in pair)
    messages = {f.check: f.message or "" for f in result.findings if f.outcome is not Outcome.PASSED}
    return Judged(
        answer=answer,
        verdict=_verdict(answer, result, lost, undecided),
        points=(sum(f.points for f in result.findings), result.max_points),
        lost=lost,
        undecided=undecided,
        mistakes=mistakes,
        says=result.message or "",
        facts=messages,
    )


def _verdict(
    answer: Answer, result: ExerciseResult, lost: frozenset[str], undecided: frozenset[str]
) -> Verdict:
    if answer.raises:
        return Verdict.JUST if lost and not undecided else Verdict.UNDECIDED
    if answer.mistakes:
        if result.outcome.undecided or not result.findings:
            return Verdict.UNDECIDED
        return Verdict.JUST if lost else Verdict.WRONGLY_FULL
    if not result.findings or lost - answer.costs - answer.may_cost:
        return Verdict.UNJUST
    if undecided:
        return Verdict.UNDECIDED
    return Verdict.JUST if answer.costs <= lost else Verdict.LENIENT


def _plain(name: str) -> str:
    return name.rpartition("__")[2]
