"""Find the first line after which the values of wrong code are no longer those of a correct solution."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from torch import Tensor

from graders.candidate.local_candidate import LocalCandidate
from graders.candidate.parameter_mapping.mapping import Undecidable
from graders.check_api.candidate import Raised
from graders.check_api.compare import Violation
from graders.diagnosis.right_values import Followed, RightValues, first_other, gathered
from graders.judging.drawing import size_of
from graders.judging.edited_calls import Recording
from graders.judging.judge import Judge
from graders.judging.layout_sizes import shows_layout
from graders.judging.repair_checks import NewSession
from graders.judging.search_edits import holds_on
from graders.judging.smallest_failure import Failure
from graders.results.result import Departure, Finding, Outcome
from graders.safe_text import safe_text
from graders.sandbox.process_lost import ProcessLost
from graders.sandbox.session import Session

DRAWS = slice(1, 8)  # of a check: the first is so simple that many values are alike


def find_departure(judge: Judge, findings: Sequence[Finding], new_session: NewSession) -> list[Finding]:
    """The findings; the first without a repair, of a core check if one fails, gets where values part.

    Args:
        judge: has tried the checks, and knows on which draws they failed.
        findings: of the checks, with their repairs.
        new_session: a new one, in a box.
    """
    reference = judge.draws.reference_of(judge.exercise)
    wrong = {f.check for f in findings if f.outcome is Outcome.FAILED and not f.repairs}
    failures = [f for f in (judge.failures or {}).values() if f.check.name in wrong and f.check.answer]
    failures.sort(key=lambda failure: not failure.check.core)
    if reference is None or not failures:
        return [*findings]
    found: Departure | None = None
    with suppress(ProcessLost), new_session() as session:
        for failure in _draws_of(judge, failures[0]):
            if followed := _follow(judge, failure, session):
                found = _departure(judge, followed, _right_values(judge, failure, reference))
                break
    name = failures[0].check.name
    return [replace(f, departure=found) if f.check == name else f for f in findings]


def _draws_of(judge: Judge, failure: Failure) -> Iterator[Failure]:
    """Draws of a check, on some of which the code fails: those with much to compare come first."""
    examples = judge.draws.for_check(judge.exercise, failure.check)[DRAWS]
    order = sorted(examples, key=lambda each: (shows_layout(each.draw), size_of(each.draw)), reverse=True)
    yield from (replace(failure, example=example) for example in order)
    yield failure


def _follow(judge: Judge, failure: Failure, session: Session) -> list[Followed]:
    """The values of the code while it answers what the check fails on; empty where the check holds."""
    recording = Recording(session)
    candidate = judge.candidate.in_session(recording, judge.candidate.source, failure.mask_reading)
    candidate.load()
    recording.asked.clear()
    if holds_on(failure, candidate) or (call := recording.last_call) is None:
        return []
    files = [piece.label for module in candidate.source.modules for piece in module.pieces]
    reply = session.ask("follow", [files, *call], session.limits.call_s)
    rows = reply.value if reply.ok and isinstance(reply.value, list) else []
    return [Followed(*row) for row in rows if _is_followed(row)]


def _is_followed(row: Any) -> bool:
    """Whether what the box says has the form of a value that was followed."""
    kinds = (int, str, int, str)
    return (
        isinstance(row, list)
        and len(row) == len(kinds) + 1
        and all(type(each) is kind for each, kind in zip(row, kinds, strict=False))
        and isinstance(row[-1], Tensor)
        and row[-1].is_floating_point()
    )


def _right_values(judge: Judge, failure: Failure, reference: Any) -> RightValues:
    """The values that the reference computes for the same draw."""
    ours = LocalCandidate(reference, partial(judge.draws.mapping_draws, judge.exercise))
    with gathered() as values, suppress(Violation, Raised, Undecidable):
        failure.check.judge(ours, failure.example.draw, *failure.example.answer)
    return values


def _departure(judge: Judge, followed: Sequence[Followed], right: RightValues) -> Departure | None:
    pieces = [piece for module in judge.candidate.source.modules for piece in module.pieces]
    other = first_other(followed, right, {piece.label: piece.code for piece in pieces})
    place = other and judge.candidate.errors.place_of_line(other[0].file, other[0].line)
    if other is None or place is None:
        return None
    return Departure(place, safe_text(other[0].name, 100), tuple(safe_text(name, 100) for name in other[1]))
