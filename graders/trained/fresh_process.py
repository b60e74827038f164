"""A student's symbol in a process that knows nothing yet; whatever goes wrong there ends the measuring."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from graders.candidate.remote_candidate import Boxed
from graders.candidate.student_error import StudentError
from graders.extraction.extract import Missing, Source
from graders.results.result import Outcome, Place
from graders.sandbox.box import Box
from graders.sandbox.process_lost import Lost
from graders.sandbox.session import Turn
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
class Bench:
    """Where a model is measured: the box, one process at a time, `until` a time of the monotonic clock."""

    box: Box
    until: float

    @contextmanager
    def fresh(self, source: Source) -> Iterator[Boxed]:
        """The symbol of a source in a process of its own.

        Raises:
            Stopped: it cannot be loaded, or what is done with it goes wrong.
        """
        with Turn(self.box, self.until) as turn:
            candidate = Boxed(turn, source)
            try:
                candidate.load()
                if candidate.problem:
                    raise Stopped(Outcome.RAISED, candidate.problem)
                yield candidate
            except StudentError as error:
                raise Stopped(error.outcome, str(error), error.place) from error
            except Lost as lost:
                account = candidate.account
                raise Stopped(
                    lost.outcome, account.explained(lost), account.place_of(lost), lost.staff
                ) from lost
