"""A student's symbol in a process that knows nothing yet; whatever goes wrong there ends the measuring."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from graders.candidate.remote_candidate import RemoteCandidate
from graders.candidate.student_error import RaisedByStudent
from graders.extraction.extract import Missing, Source
from graders.results.result import Outcome, Place
from graders.sandbox.box import Box
from graders.sandbox.process_lost import ProcessLost
from graders.sandbox.session import BoxSession
from graders.submission.read import Checkpoint


class Stopped(Exception):
    """A model cannot be measured any further. The text is for the student."""

    def __init__(self, outcome: Outcome, says: str, place: Place | None = None, staff: str | None = None):
        super().__init__(says)
        self.outcome = outcome
        self.place = place
        self.staff = staff


@dataclass(frozen=True)
class Parts:
    """What was handed in of a trained model: its class, how text becomes numbers and back, its weights."""

    model: Source
    encode: Source | Missing
    decode: Source | Missing
    checkpoint: Checkpoint


@dataclass(frozen=True)
class FreshProcesses:
    """Where a model is measured: the box, one process at a time, `until` a time of the monotonic clock."""

    box: Box
    until: float

    @contextmanager
    def fresh(self, source: Source) -> Iterator[RemoteCandidate]:
        """The symbol of a source in a process of its own.

        Raises:
            Stopped: it cannot be loaded, or what is done with it goes wrong.
        """
        with BoxSession(self.box, self.until) as turn:
            candidate = RemoteCandidate(turn, source)
            try:
                candidate.load()
                if candidate.problem:
                    raise Stopped(Outcome.RAISED, candidate.problem)
                yield candidate
            except RaisedByStudent as error:
                raise Stopped(error.outcome, str(error), error.place) from error
            except ProcessLost as lost:
                account = candidate.errors
                raise Stopped(
                    lost.outcome, account.with_place(lost), account.place_of(lost), lost.staff
                ) from lost
