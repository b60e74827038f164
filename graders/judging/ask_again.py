"""Checks that compare two answers of the same code prove nothing where it repeats what it answered before.

So of two draws of each such check one call is asked once more, in a process that has answered none of the
others: what that process does not know it cannot repeat. One process serves a whole submission.
"""

import itertools
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import torch
from torch import Tensor

from graders.candidate.parameter_mapping.mapping import Undecidable
from graders.candidate.recorded_calls import AskedAgain, Record, RecordedCandidate
from graders.candidate.remote_candidate import RemoteCandidate
from graders.check_api.candidate import ObservedCall, Raised
from graders.check_api.check import Check
from graders.check_api.compare import Violation, alike
from graders.course.exercise import Exercise
from graders.judging import score
from graders.judging.kept_draws import Example
from graders.language import tr, translatable
from graders.results.result import ExerciseResult, Finding, Outcome
from graders.sandbox.box import Box
from graders.sandbox.own_time import Allowance, TimeBudget
from graders.sandbox.process_lost import ProcessLost
from graders.sandbox.session import BoxSession

DRAWS = 2  # of a check
LARGEST = 5_000  # numbers in a draw: of larger ones nothing is kept
SPARE = 12_000_000  # numbers in large answers that are kept for an exercise, of one draw of each check
SECONDS = 5.0  # of own time, for all calls of a submission that are asked again
DIFFERS = translatable(
    "asked alone, in a new process, the same call has another answer: an answer may depend on the arguments"
    " and the weights, and on no call before it"
)
TOO_LARGE = translatable("its answers are too large to be kept")
ALWAYS_ANOTHER = translatable("the same call has another answer each time")
OPEN = translatable(
    "your instructor decides whether it answers by itself what it is asked in a new process: {what}"
)


@dataclass(frozen=True)
class KeptCalls:
    """The calls of a draw that were recorded.

    `in_session` gives the candidate, as it was asked then, in another session; `asked_as` is the same for
    calls of one candidate that is asked in one way.
    """

    check: Check
    example: Example
    record: Record
    in_session: Callable[[BoxSession], RemoteCandidate]
    asked_as: tuple[int, ...]

    def load(self, session: BoxSession) -> RemoteCandidate:
        """The candidate, as it was asked, in another session.

        Raises:
            ProcessLost: the process ended while loading.
        """
        candidate = self.in_session(session)
        candidate.load()
        return candidate


@dataclass
class Recorder:
    """Records some calls of an exercise's checks while they are judged.

    Attributes:
        seed: that of the run: no code knows of which draws a call will be asked again.
        kept: by check, what was recorded when it was judged last, if it held then.
    """

    seed: int
    kept: dict[str, list[KeptCalls]] = field(default_factory=dict)

    def start(self, check: Check, examples: Sequence[Example]) -> dict[int, Record]:
        """A new record for each draw of a check whose calls are kept, by the draw's number."""
        if check.shape_only or check.core or check.grows_as is not None:
            return {}
        small = [n for n, example in enumerate(examples) if _size(example.draw) <= LARGEST]
        return {n: Record() for n in self._chance(check).sample(small, min(DRAWS, len(small)))}

    def keep(
        self,
        check: Check,
        candidate: RemoteCandidate,
        examples: Sequence[Example],
        records: Mapping[int, Record],
    ) -> None:
        """Keep what was recorded of a check that holds."""
        source, reading = candidate.source, candidate.mask_reading
        how = partial(candidate.in_session, source=source, reading=reading), (id(source), id(reading))
        records = {n: record for n, record in records.items() if not record.is_of_another_process}
        kept = [KeptCalls(check, examples[n], record, *how) for n, record in records.items()]
        kept = [each for each in kept if each.record.may_compare]
        # Where one draw's answers are large, those of another say as much.
        usual = [each for each in kept if not each.record.is_large]
        self.kept[check.name] = usual or sorted(kept, key=lambda each: each.record.values)[:1]
        self._drop_what_is_too_much(check.name)

    def _drop_what_is_too_much(self, check: str) -> None:
        """Keep of this check no more numbers than there is room for beside large answers to other checks."""
        large = [each.record for kept in self.kept.values() for each in kept if each.record.is_large]
        if sum(record.values for record in large if not record.is_too_large) > SPARE:
            for each in self.kept[check]:
                each.record.drop_answers()

    def chosen_calls(self, check: str) -> list[tuple[KeptCalls, int]]:
        """Which call of each draw is asked again: one whose answer was compared.

        Not the first, if there are others: there is nothing yet that it could repeat. Nor one with the
        arguments of an earlier call: what answers at random alone would answer otherwise. Of the first draw
        it is one of the earlier half, of the second one of the later, as checks compare one thing after
        another; where there is one alone, one draw is enough.
        """
        chosen = []
        for place, each in enumerate(self.kept[check]):
            first, *others = each.record.compared
            calls = [n for n in others if n not in each.record.repeated] or others or [first]
            half = -(-len(calls) // 2)
            if place == 0 or len(calls) > 1:
                some = calls[:half] if place == 0 else calls[half:]
                chosen.append((each, self._chance(each.check).choice(some)))
        return chosen

    def is_too_large(self, check: str) -> bool:
        """Whether the answers to a draw were too many numbers to be kept."""
        return any(each.record.is_too_large for each in self.kept[check])

    def _chance(self, check: Check) -> random.Random:
        return random.Random(f"{self.seed} {check.name}")  # noqa: S311 (the seed is the secret)


def ask_again(box: Box, judged: Sequence[tuple[Exercise, ExerciseResult, Recorder]]) -> list[ExerciseResult]:
    """The results of a submission, with the findings of checks that hold by memory alone as they are due.

    Args:
        box: no process of the submission is in it.
        judged: its exercises, their results, and what was recorded of each.
    """
    allowance = tr("it took too long")
    with BoxSession(box, TimeBudget([Allowance(SECONDS, allowance, allowance)])) as session:
        return [_judge_again(session, *each) for each in judged]


def _judge_again(
    session: BoxSession, exercise: Exercise, result: ExerciseResult, recorder: Recorder
) -> ExerciseResult:
    held = {f.check: f for f in result.findings if f.outcome is Outcome.PASSED and recorder.kept.get(f.check)}
    told = {name: _leave_open(held[name], tr(TOO_LARGE)) for name in held if recorder.is_too_large(name)}
    chosen = [call for name in held if name not in told for call in recorder.chosen_calls(name)]
    for (each, number), answer in zip(chosen, _ask_all(session, chosen), strict=True):
        name = each.check.name
        if name not in told and not _is_same(each.record.answers[number], answer):
            told[name] = _judge_difference(session, held[name], each, number, answer)
    if not told:
        return result
    findings = [told.get(finding.check, finding) for finding in result.findings]
    return score.with_findings(exercise, result, findings)


def _ask_all(session: BoxSession, chosen: Sequence[tuple[KeptCalls, int]]) -> Iterator[Any]:
    """The answers to calls asked again, all in one process; an exception where there is none."""
    for _, group in itertools.groupby(chosen, key=lambda call: call[0].asked_as):
        calls = list(group)
        try:
            candidate = calls[0][0].load(session)
        except ProcessLost as lost:
            yield from [lost] * len(calls)
            continue
        works = [partial(_ask, candidate, each, number) for each, number in calls]
        yield from candidate.together(works) or [work() for work in works]


def _ask(candidate: RemoteCandidate, each: KeptCalls, number: int, *, with_history: bool = False) -> Any:
    """The answer to a call; with its history, after those that the check made before it."""
    record = each.record.asked_again(number, with_history=with_history)
    try:
        each.check.judge(RecordedCandidate(candidate, record), each.example.draw, *each.example.answer)
    except AskedAgain as again:
        return again.answer
    except (Violation, Raised, ProcessLost, Undecidable) as error:
        return error.with_traceback(None)
    return Violation("")  # the check asks for less than it did


def _judge_difference(
    session: BoxSession, finding: Finding, each: KeptCalls, number: int, answer: Any
) -> Finding:
    """The finding of a check whose call has another answer alone: wrong where the calls before make it so.

    Where the process was lost, which the code may not be the cause of, the call is asked once more.
    """
    session.close()
    try:
        if isinstance(answer, ProcessLost):
            answer = _ask(each.load(session), each, number)
            session.close()
        if isinstance(answer, ProcessLost):
            return _leave_open(finding, str(answer))
        if _is_same(each.record.answers[number], answer):
            return finding
        answer = _ask(each.load(session), each, number, with_history=True)
    except ProcessLost as lost:
        return _leave_open(finding, str(lost))
    if not _is_same(each.record.answers[number], answer):
        return _leave_open(finding, tr(ALWAYS_ANOTHER))
    return replace(finding, outcome=Outcome.FAILED, points=0, message=tr(DIFFERS))


def _leave_open(finding: Finding, what: str) -> Finding:
    return replace(finding, outcome=Outcome.SKIPPED, points=0, message=tr(OPEN, what=what))


def _is_same(recorded: Any, again: Any) -> bool:
    """Whether two answers to the same call agree as far as answers of the same code do."""
    if isinstance(recorded, ObservedCall) and isinstance(again, ObservedCall):
        return _is_same(recorded.answer, again.answer)
    if isinstance(recorded, Tensor) and isinstance(again, Tensor):
        return _are_alike(recorded.detach(), again.detach())
    if isinstance(recorded, tuple | list) and isinstance(again, tuple | list):
        return len(recorded) == len(again) and all(map(_is_same, recorded, again))
    if isinstance(recorded, dict) and isinstance(again, dict):
        return list(recorded) == list(again) and all(map(_is_same, recorded.values(), again.values()))
    if isinstance(recorded, float) and isinstance(again, float):
        return _are_alike(torch.tensor(recorded), torch.tensor(again))
    return type(recorded) is type(again) and (not _is_plain(recorded) or recorded == again)


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, int | str)


def _are_alike(recorded: Tensor, again: Tensor) -> bool:
    if recorded.shape != again.shape or recorded.dtype != again.dtype:
        return False
    if not recorded.is_floating_point():
        return torch.equal(recorded, again)
    infinite = ~recorded.isfinite()
    if not torch.equal(infinite, ~again.isfinite()):
        return False
    try:
        alike(again.masked_fill(infinite, 0), recorded.masked_fill(infinite, 0))
    except Violation:
        return False
    return True


def _size(draw: Any) -> int:
    """The numbers in the tensors of a draw."""
    values = vars(draw).values() if hasattr(draw, "__dict__") else ()
    return sum(value.numel() for value in values if isinstance(value, Tensor))
