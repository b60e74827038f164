"""Run a student's code on one draw, in the box, and see its values line by line, and what edits do."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from typing import Any

import torch
from torch import Tensor

from graders.candidate.parameter_mapping.mapping import Undecidable
from graders.candidate.remote_candidate import RemoteCandidate
from graders.candidate.student_error import RaisedByStudent
from graders.check_api.candidate import Raised
from graders.check_api.check import Check
from graders.check_api.compare import Violation
from graders.check_api.mask_sense import MaskNotTaken
from graders.judging.case_view import case_of
from graders.judging.edited_calls import Recording
from graders.judging.judge import Judge
from graders.judging.kept_draws import Example
from graders.judging.search_edits import Change
from graders.results.case import Case
from graders.results.code_questions import Effect

_FAILURES = (Violation, Raised, RaisedByStudent, Undecidable, MaskNotTaken)
_PLAIN = ("call", "infer")  # requests whose answer is what the code returned
CLOSE = 1e-6  # as far as values may differ and are the same to a reader


@dataclass(frozen=True)
class Seen:
    """A value that a line gave to a variable, or returned; `file` is its name in tracebacks."""

    call: int
    file: str
    line: int
    name: str
    value: Tensor


@dataclass(frozen=True)
class Run:
    """One call of a student's code that gave an answer.

    Attributes:
        case: the inputs, for a reader.
        inputs: their tensors.
        candidate: the code, in a session of the box.
        judge: which has the session.
        call: the request.
        answers: the tensors and numbers of the answer, in their order.
        seen: the values on the way.
    """

    case: Case
    inputs: tuple[Tensor, ...]
    candidate: RemoteCandidate
    judge: Judge
    call: list[Any]
    answers: tuple[Any, ...]
    seen: tuple[Seen, ...]

    @property
    def size(self) -> int:
        """How many numbers the inputs have."""
        return sum(each.numel() for each in self.inputs)

    @property
    def alike_sizes(self) -> int:
        """How many axes of a value have the size of another axis, or 1: without any, a shape tells most."""
        shapes = {tuple(each.shape) for each in (*self.inputs, *(seen.value for seen in self.seen))}
        return max((len(shape) - len({size for size in shape if size > 1}) for shape in shapes), default=0)

    def effect(self, change: Change) -> Effect | None:
        """What an edit of the code does to the answer; None where nobody knows.

        Raises:
            ProcessLost: the edited code ended the process.
        """
        session = self.judge.session
        limit = session.limits.call_s
        exchanged = session.ask("exchange", [change.request], limit)
        do, value = self.call
        answer = session.ask(do, value, limit)
        session.ask("exchange", [None], limit)
        if not exchanged.ok:
            return None
        return compare(self.answers, parts_of(answer.value)) if answer.ok else Effect.ERROR

    def answers_as_before(self) -> bool:
        """Whether the code as it is still answers as it did: no edit has left anything behind."""
        do, value = self.call
        answer = self.judge.session.ask(do, value, self.judge.session.limits.call_s)
        return answer.ok and compare(self.answers, parts_of(answer.value)) is Effect.NOTHING


def parts_of(value: Any) -> tuple[Any, ...]:
    """The tensors and numbers of an answer, in their order."""
    if isinstance(value, list | tuple):
        return tuple(part for each in value for part in parts_of(each))
    return (value,)


def compare(before: Sequence[Any], after: Sequence[Any]) -> Effect | None:
    """How the answer of edited code differs; None where the answers cannot be compared."""
    if not before or len(before) != len(after):
        return None
    effects = [_compare(one, other) for one, other in zip(before, after, strict=True)]
    return next((e for e in (None, Effect.SHAPE, Effect.VALUES) if e in effects), Effect.NOTHING)


def _compare(before: Any, after: Any) -> Effect | None:
    if isinstance(before, Tensor) and isinstance(after, Tensor):
        if before.shape != after.shape:
            return Effect.SHAPE
        pair = before.to(torch.float64), after.to(torch.float64)
        near = torch.isclose(*pair, rtol=CLOSE, atol=CLOSE, equal_nan=True)
        rough = torch.isclose(*pair, rtol=1e3 * CLOSE, atol=1e3 * CLOSE, equal_nan=True)
        if bool(near.all()):
            return Effect.NOTHING if before.dtype == after.dtype else None
        return Effect.VALUES if not bool(rough.all()) else None  # too near to be seen
    if isinstance(before, int | float) and isinstance(after, int | float):
        if before == after:
            return Effect.NOTHING if type(before) is type(after) else None  # 6 and 6.0: is that the same?
        return Effect.VALUES
    return None


def run_on(judge: Judge, check: Check, example: Example) -> Run | None:
    """Ask a check's question; None where the code gives no answer, or gets other values than the draw's."""
    recording = Recording(judge.session)
    candidate = judge.candidate.in_session(recording, judge.candidate.source, judge.candidate.mask_reading)
    candidate.load()
    recording.asked.clear()
    with suppress(*_FAILURES):
        check.judge(candidate, example.draw, *example.answer)
    call = recording.last_call
    asked = next((each for each in reversed(recording.asked) if [each.do, each.value] == call), None)
    if call is None or asked is None or not asked.answer.ok:
        return None
    draw = [getattr(example.draw, field.name) for field in fields(example.draw)]
    if call[0] not in _PLAIN or not _is_of(draw, call[1][1:]):
        return None
    if call[0] == "infer" and check.answer is None:  # nobody knows how its module was made
        return None
    answers = parts_of(asked.answer.value)
    files = [piece.label for module in candidate.source.modules for piece in module.pieces]
    reply = judge.session.ask("follow_every", [files, *call], judge.session.limits.call_s)
    rows = reply.value if reply.ok and isinstance(reply.value, list) else []
    seen = tuple(Seen(*row) for row in rows if _is_seen(row))
    run = Run(
        case=case_of(example.draw),
        inputs=tuple(part for part in _parts(draw) if isinstance(part, Tensor)),
        candidate=candidate,
        judge=judge,
        call=call,
        answers=answers,
        seen=seen,
    )
    return run if run.answers_as_before() else None


def _is_of(draw: Any, call: Any) -> bool:
    """Whether all that a call was given is the draw's, so that the draw says what the code got."""
    given = list(_parts(draw))
    return all(any(_is_same(each, other) for other in given) for each in _parts(call))


def _parts(value: Any) -> Iterator[Any]:
    """The tensors and numbers in a value."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for each in value:
            yield from _parts(each)
    elif isinstance(value, Tensor | int | float):
        yield value


def _is_same(first: Any, second: Any) -> bool:
    if isinstance(first, Tensor) and isinstance(second, Tensor):
        return first.shape == second.shape and torch.equal(first.double(), second.double())
    return type(first) is type(second) and not isinstance(first, Tensor) and bool(first == second)


def _is_seen(row: Any) -> bool:
    """Whether what the box says has the form of a value that was seen."""
    kinds = (int, str, int, str)
    return (
        isinstance(row, list)
        and len(row) == len(kinds) + 1
        and all(type(each) is kind for each, kind in zip(row, kinds, strict=False))
        and isinstance(row[-1], Tensor)
    )
