"""Search among the edits of a student's code for one after which checks hold that failed.

Edits are tried in the box, in a process of its own, on the draws on which the checks failed. What the box
says decides nothing: an edit counts once the host has proven it on code that has it from the start. How many
are tried is counted, so that what is found depends on no clock.
"""

import difflib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Any, Generic, TypeVar

from graders.candidate.parameter_mapping.mapping import Undecidable
from graders.candidate.remote_candidate import RemoteCandidate
from graders.candidate.student_error import RaisedByStudent
from graders.check_api.candidate import Raised
from graders.check_api.compare import Violation
from graders.check_api.mask_sense import MaskNotTaken
from graders.diagnosis.edits.edit import Edit
from graders.diagnosis.edits.edits_of import edits_of
from graders.diagnosis.edits.unit import Unit, write_units
from graders.extraction.extract import Source
from graders.judging.edited_calls import GoesOn, Recording, Replaying
from graders.judging.smallest_failure import Failure
from graders.results.result import Place, Repair
from graders.safe_text import safe_text
from graders.sandbox.process_lost import ProcessLost
from graders.sandbox.session import Session

TOGETHER = 16  # edits in one message
MOST = 1_000  # edits of an exercise's code that are tried, for all that is wrong there
DEAR = 6  # times the cost of an edit of a function that calls run: the module is constructed anew
MOST_CONSTRUCTED = 120  # edits of what constructs a module, in one search
MOST_ASKED = 160  # edits of functions that calls run that are asked all that the checks ask, in one search
MOST_PROVEN = 8  # edits that all checks are tried on, in one search
CODE, DIFF = 200, 2_000  # characters of a line, and of a diff
_FAILURES = (Violation, Raised, RaisedByStudent, ProcessLost, Undecidable, MaskNotTaken)
Proof = TypeVar("Proof")


@dataclass(frozen=True)
class Change:
    """An edit of a unit, the text that the unit has then, and the edit that is made already beside it."""

    unit: Unit
    edit: Edit
    text: str
    beside: "Change | None" = None

    @property
    def request(self) -> list[str]:
        """The arguments of `softmark_worker.edited_code.exchanged`."""
        unit = self.unit
        return [unit.module, unit.owner.name if unit.owner else "", unit.node.name, self.text]

    def source(self, source: Source) -> Source:
        """The source as it was handed in, with the edit, and with the one beside it."""
        units = [self.unit]
        if self.beside is not None and self.beside.unit is not self.unit:
            units.append(self.beside.unit)
        with self.edit.made():
            return write_units(units, source)

    @property
    def place(self) -> Place:
        """The line that is edited."""
        piece, line = self.unit.piece, self.edit.line
        code = safe_text(piece.code.split("\n")[line - 1].strip(), CODE)
        return Place(safe_text(piece.file), piece.cell, line, safe_text(self.unit.within), code)

    def repair(self, checks: int = 0, *, completes: bool = False, mistake: str = "") -> Repair:
        """The edit and its place, for a result; for the arguments, see `Repair`."""
        edit = safe_text(self.diff(), DIFF)
        return Repair(
            place=self.place,
            kind=self.edit.kind.value,
            checks=checks,
            completes=completes,
            mistake=mistake,
            edit=edit,
            beside=self.beside.place if self.beside else None,
        )

    def diff(self) -> str:
        """The lines that the edit changes, before and after."""
        before, after = self.unit.text().split("\n"), self.text.split("\n")
        lines = [line for line in difflib.ndiff(before, after) if line[:1] in "+-"]
        return "\n".join(lines)


@dataclass
class Search(Generic[Proof]):
    """A search for one edit after which checks hold.

    Attributes:
        session: one of its own, in a box.
        candidate: the wrong code, with all that is known of it; it is not asked.
        units: its functions, which are edited.
        targets: by check, a draw on which it fails.
        witnesses: further draws on which the edited code must be right.
        prove: what the host finds of code that has an edit from the start; None where that is no proof.
        left: how many further edits may be tried; all searches for one exercise share it.
        proven: how many edits the host has tried to prove.
        asked: how many edits of functions that calls run were asked all that the checks ask.
        beside: an edit that the candidate's source has, and that is made in the units during the search.
    """

    session: Session
    candidate: RemoteCandidate
    units: Sequence[Unit]
    targets: Sequence[Failure]
    witnesses: Sequence[Failure]
    prove: Callable[[Change], Proof | None]
    left: list[int]
    proven: int = 0
    asked: int = 0
    beside: Change | None = None
    # What edited code has constructed and nobody uses: each edit that is tried keeps all modules as they are.
    _unused: list[int | None] = field(default_factory=list)

    def find(self) -> tuple[Change, Proof] | None:
        """An edit and what proves it, or None where none is found."""
        for change in self._that_hold():
            if self.proven == MOST_PROVEN:
                return None
            self.proven += 1
            if proof := self.prove(change):
                return change, proof
        return None

    def _that_hold(self) -> Iterator[Change]:
        """Those after which every check holds on the draw on which it failed, and on the further draws."""
        first, every = self.targets[0], (*self.targets, *self.witnesses)
        with suppress(ProcessLost):
            recording, failed = self._record(first)
            calls = recording.calls if failed else None
            called = [unit for unit in self.units if calls is not None and not unit.constructs]
            changes = _in_order(called, self.beside)
            while some := list(islice(changes, min(TOGETHER, self._affordable))):
                for change in self._answering(first, recording, calls or [], some):
                    self.asked += 1
                    if self._holds_on(change, every):
                        yield change
            constructing = [unit for unit in self.units if unit not in called]
            if recording.only_constructs:
                constructing = [unit for unit in constructing if unit.constructs]
            most = min(MOST_CONSTRUCTED, max(0, self.left[0]) // DEAR)
            for change in islice(_in_order(constructing, self.beside), most):
                self.left[0] -= DEAR
                if self._holds_on(change, every):
                    yield change

    @property
    def _affordable(self) -> int:
        """How many further edits of functions that calls run may be tried."""
        return max(0, self.left[0]) if self.asked < MOST_ASKED else 0

    def _record(self, failure: Failure) -> tuple[Recording, bool]:
        """What the check asks of the code as it is, and whether it fails as it did."""
        recording = Recording(self.session)
        candidate = self.candidate.in_session(recording, self.candidate.source, failure.mask_reading)
        candidate.load()
        recording.asked.clear()
        return recording, not holds_on(failure, candidate)

    def _answering(
        self, failure: Failure, recording: Recording, calls: list[list[Any]], changes: Sequence[Change]
    ) -> Iterator[Change]:
        """Those of the changes under whose answers the check holds, or comes further than before."""
        self.left[0] -= len(changes)
        try:
            edits = [change.request for change in changes]
            reply = self.session.ask("try_edits", [edits, calls], self.session.limits.call_s)
        except ProcessLost:
            again, _ = self._record(failure)  # loads the code again: its modules have other handles
            recording.asked[:], calls[:] = again.asked, again.calls or []
            return
        answers = reply.value if reply.ok and type(reply.value) is list else []
        for change, answer in zip(changes, answers, strict=False):
            if type(answer) is list and len(answer) == len(calls):
                replaying = Replaying(recording, answer)
                source = self.candidate.source
                candidate = self.candidate.in_session(replaying, source, failure.mask_reading)
                if _may_hold(failure, candidate):
                    yield change

    def _holds_on(self, change: Change, failures: Sequence[Failure]) -> bool:
        """Whether checks hold on these draws, for code with an edit."""
        source, limit = self.candidate.source, self.session.limits.call_s
        try:
            self.session.ask("exchange", [change.request], limit)
            edited = partial(self.candidate.in_session, self.session, source, left=self._unused)
            return all(holds_on(each, edited(each.mask_reading)) for each in failures)
        except ProcessLost:
            return False
        finally:
            with suppress(ProcessLost):
                self.session.ask("exchange", [None], limit)


def holds_on(failure: Failure, candidate: RemoteCandidate) -> bool:
    """Whether a check holds on the draw of a failure."""
    try:
        failure.check.judge(candidate, failure.example.draw, *failure.example.answer)
    except _FAILURES:
        return False
    return True


def _may_hold(failure: Failure, candidate: RemoteCandidate) -> bool:
    try:
        return holds_on(failure, candidate)
    except GoesOn:
        return True


def _in_order(units: Sequence[Unit], beside: Change | None) -> Iterator[Change]:
    """The edits of these units, from the likeliest, each text once."""
    seen = {(unit.within, unit.text()) for unit in units}
    edits = [(edit, unit) for unit in units for edit in edits_of(unit)]
    for edit, unit in sorted(edits, key=lambda pair: pair[0].cost):
        with edit.made():
            text = unit.text()
        if (unit.within, text) not in seen:
            seen.add((unit.within, text))
            yield Change(unit, edit, text, beside)
