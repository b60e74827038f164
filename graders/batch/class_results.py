"""What a class gets: its results and marks, as a run over it returns them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from graders.classroom.class_record import Attempt
from graders.classroom.marks import Mark, Marker, compute_marks
from graders.classroom.questions import with_questions
from graders.results.result import Result
from graders.results.store import read_result
from graders.sandbox.isolation.level import IsolationLevel


@dataclass(frozen=True, kw_only=True)
class ClassResults:
    """The results of a class.

    Attributes:
        results: one for each submission that was asked for, of the hand-in that counts, sorted by id; in
            compact form, without the messages and cases that only the page of one submission shows.
        graded: the ids of those that were graded now.
        reused: the ids of those whose result was there.
        stale: the ids of those among them that were kept although something has changed.
        notes: sentences for the instructor about the class; none of a part.
        seed: of the draws: secret, while someone can hand in again.
        level: the isolation in force.
        out: the folder of the results; None if nothing was kept.
        attempts: the hand-ins that count, by id, where they are not the latest.
        marker: the students, overrides and late policy from which marks are made.
    """

    results: tuple[Result, ...]
    graded: tuple[str, ...]
    reused: tuple[str, ...]
    stale: tuple[str, ...]
    notes: tuple[str, ...]
    seed: int
    level: IsolationLevel
    out: Path | None
    marker: Marker
    whole: Mapping[str, Result]
    attempts: Mapping[str, Attempt] = field(default_factory=dict)

    @property
    def marks(self) -> list[Mark]:
        """The marks, after overrides and lateness: of submissions, and of students who handed in nothing."""
        marker = self.marker
        return compute_marks(
            [with_questions(result, marker.questions) for result in self.results],
            marker.class_record,
            marker.overrides,
            marker.rule,
            self.attempts,
            extensions=marker.extensions,
            holds=marker.holds,
            comments=marker.comments,
        )

    @property
    def have_passed(self) -> bool:
        """Whether every submission has passed."""
        return all(result.has_passed for result in self.results)

    @property
    def softmark_failed(self) -> bool:
        """Whether softmark itself failed on a submission, whose points are then undecided."""
        return any(result.softmark_failed for result in self.results)

    def read(self, id: str) -> Result:  # noqa: A002 - the field's name in every result
        """The whole result of a submission, with all messages and cases.

        Raises:
            KeyError: there is none of this id, or it cannot be read any more.
        """
        result = self.whole.get(id) if self.out is None else read_result(self.out, id)
        if result is None:
            raise KeyError(id)
        return self.marker.count(self.out, result)[0] if self.out else result
