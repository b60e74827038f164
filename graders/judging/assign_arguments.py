"""Find which of a call's arguments a submission's parameters are, where their names leave it open.

The box says in how many ways that may be, from likely to unlikely. The first is taken under which the code
runs and the shapes come out: the checks say so that ask for shapes alone, and the reference's answers. What a
check finds beyond that does not count, so that no wrong answer becomes a right one. The box may lie: what it
gains so, code could do by itself.
"""

import contextlib
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol, TypeVar

from torch import Tensor

from graders.candidate.remote_candidate import RemoteCandidate
from graders.candidate.student_error import RaisedByStudent
from graders.check_api.check import Check
from graders.check_api.compare import NoTensor, Violation
from graders.check_api.properties import first_tensor
from graders.check_api.reference_answer import ReferenceAnswer
from graders.course.exercise import Exercise
from graders.judging.draws import Draws
from graders.judging.kept_draws import Example
from graders.sandbox.process_lost import ProcessLost

DRAWS = 3  # of a check
TRIALS = 24  # of one way, at most
FAR = 3  # times as few draws as the likeliest way fails on, from which on another counts as meant


class Tries(Protocol):
    """Tries checks of an exercise on one submission's code."""

    @property
    def exercise(self) -> Exercise:
        """The exercise."""

    @property
    def draws(self) -> Draws:
        """Those of the run."""

    @property
    def candidate(self) -> RemoteCandidate:
        """The one that is judged."""

    def try_on(self, check: Check, example: Example) -> Exception | str | None:
        """How a check fails on a draw, if it does."""


AnyJudge = TypeVar("AnyJudge", bound=Tries)


@dataclass(frozen=True, order=True)
class Misfit:
    """How badly a way fits: on how many draws the code raises, and on how many no tensor of a shape comes."""

    raised: int = 0
    of_another_shape: int = 0
    trials: int = field(default=0, compare=False)

    @property
    def is_none(self) -> bool:
        """Whether it fits on all draws."""
        return not self.raised and not self.of_another_shape

    @property
    def is_whole(self) -> bool:
        """Whether it fits on none."""
        return self.draws == self.trials

    @property
    def draws(self) -> int:
        """On how many it does not fit."""
        return self.raised + self.of_another_shape

    def is_far_better_than(self, other: "Misfit") -> bool:
        """Whether it fits nearly everywhere and has the shapes, where the other does not."""
        return FAR * self.draws <= other.draws and self.raised <= other.raised and not self.of_another_shape


def assign_arguments(judge: AnyJudge) -> AnyJudge:
    """Have the candidate take its arguments in the first way that fits.

    Where none does, the likeliest stays if it fits on some draws: the code is wrong on others. Where it fits
    on none, the way is taken that fits best; and one that fits far better is taken in any case.

    Args:
        judge: with a candidate that is loaded.

    Returns:
        the judge.
    """
    for call, count in judge.candidate.ways.items():
        with contextlib.suppress(Exception):  # the checks meet it too, and say so
            _assign(judge, call, count)
    return judge


def _assign(judge: Tries, call: str, count: int) -> None:
    candidate, likeliest = judge.candidate, _misfit(judge)
    if likeliest.is_none:
        return
    lost = _lost_by(candidate)
    best, way, tried = likeliest, 0, 0
    while not best.is_none and (tried := tried + 1) < count:
        candidate.take_arguments(call, tried)
        misfit = _misfit(judge)
        if not likeliest.is_whole and _lost_by(candidate) - lost:
            continue  # code that refuses the contract's masks fits without any; how it reads them comes next
        if misfit.is_none or (likeliest.is_whole and misfit < best) or misfit.is_far_better_than(best):
            best, way = misfit, tried
    candidate.take_arguments(call, way)
    candidate.use_mapping_draws(candidate.mapper.mapping_draws)


def _lost_by(candidate: RemoteCandidate) -> set[str]:
    """The contract's arguments that the code is not given."""
    return {name for name, given in candidate.taken.items() if not given}


def _misfit(judge: Tries) -> Misfit:
    """How badly the way fits that is in use."""
    failures = []
    for trial in itertools.islice(_trials(judge), TRIALS):
        failures.append(trial())
        if isinstance(failures[-1], ProcessLost):
            raise failures[-1]
    raised = sum(isinstance(failure, RaisedByStudent) for failure in failures)
    return Misfit(raised, sum(isinstance(f, Violation) for f in failures), len(failures))


def _trials(judge: Tries) -> Iterator[Callable[[], Any]]:
    for check in judge.exercise.value_checks:
        if not judge.draws.decidable(judge.exercise, check) or check.on_its_word:
            continue
        for example in judge.draws.for_check(judge.exercise, check)[:DRAWS]:
            if check.shape_only:
                yield partial(judge.try_on, check, example)
            elif isinstance(example.answer[0] if example.answer else None, ReferenceAnswer):
                yield partial(_ask, judge.candidate, example.answer[0])
            elif not hasattr(example.draw, "config"):
                yield partial(_runs, judge, check, example)


def _runs(judge: Tries, check: Check, example: Example) -> Exception | None:
    """How the code raises on a draw, or gives no tensor; a wrong value says nothing here."""
    failure = judge.try_on(check, example)
    return failure if isinstance(failure, RaisedByStudent | ProcessLost | NoTensor) else None


def _ask(candidate: RemoteCandidate, answer: ReferenceAnswer) -> Exception | None:
    """How a module's answer fails to have the shape of the reference's."""
    try:
        module = candidate.construct(**answer.draw.config).to(answer.draw.dtype)
        output = module(*answer.draw.arguments)
        shape = tuple(answer.outputs[0][0].exact.shape)
        tensors = output if isinstance(output, tuple | list) else [output]
        if not any(isinstance(one, Tensor) and tuple(one.shape) == shape for one in tensors):
            first_tensor(output)
            raise Violation("")
    except (Violation, RaisedByStudent, ProcessLost) as failure:
        return failure
    return None
