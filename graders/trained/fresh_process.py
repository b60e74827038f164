"""Run the student's symbol in a new process; any failure there stops the measurement."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Protocol

from graders.candidate.remote_candidate import RemoteCandidate
from graders.candidate.student_error import RaisedByStudent
from graders.extraction.extract import Missing, Source
from graders.results.limit import Limit
from graders.results.result import Outcome, Place
from graders.sandbox.box import Box
from graders.sandbox.own_time import TimeBudget
from graders.sandbox.process_lost import ProcessLost
from graders.sandbox.session import BoxSession, Session
from graders.submission.read import Checkpoint


class MeasurementStopped(Exception):
    """The measurement of a model cannot go on. The text is for the student."""

    def __init__(
        self,
        outcome: Outcome,
        message: str,
        place: Place | None = None,
        staff: str | None = None,
        limit: Limit | None = None,
    ) -> None:
        super().__init__(message)
        self.outcome = outcome
        self.place = place
        self.staff = staff
        self.limit = limit


@dataclass(frozen=True)
class Parts:
    """The parts of a trained model that were handed in: its class, its tokenizer, its checkpoint."""

    model: Source
    encode: Source | Missing
    decode: Source | Missing
    checkpoint: Checkpoint


class Processes(Protocol):
    """Where the parts of a trained model run: in a box, or in a notebook's own process."""

    def session(self) -> AbstractContextManager[Session]:
        """A session in which no code of the student's is loaded."""

    def load(self, source: Source) -> AbstractContextManager[RemoteCandidate]:
        """Load the symbol of a source.

        Raises:
            MeasurementStopped: it cannot be loaded, or a later request to it fails.
        """


@dataclass(frozen=True)
class FreshProcesses:
    """Starts processes for the measurement, one at a time, in one box.

    All of them together have the time of the `spending`.
    """

    box: Box
    spending: TimeBudget

    def session(self) -> BoxSession:
        """A session in a new process."""
        return BoxSession(self.box, self.spending)

    @contextmanager
    def load(self, source: Source) -> Iterator[RemoteCandidate]:
        """Load the symbol of a source in a new process."""
        with self.session() as session, stopping_at_errors(RemoteCandidate(session, source)) as candidate:
            yield candidate


@contextmanager
def stopping_at_errors(candidate: RemoteCandidate) -> Iterator[RemoteCandidate]:
    """Load a candidate; its errors, and those of later requests to it, stop the measurement.

    Raises:
        MeasurementStopped: it cannot be loaded, or a later request to it fails.
    """
    try:
        candidate.load()
        if candidate.problem:
            raise MeasurementStopped(Outcome.RAISED, candidate.problem, limit=candidate.problem_limit)
        yield candidate
    except RaisedByStudent as error:
        raise MeasurementStopped(error.outcome, str(error), error.place, limit=error.limit) from error
    except ProcessLost as lost:
        errors = candidate.errors
        message, place = errors.with_place(lost), errors.place_of(lost)
        raise MeasurementStopped(lost.outcome, message, place, lost.staff, lost.limit) from lost
