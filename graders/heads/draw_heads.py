"""All drawings of one submission: read it, extract the code, and draw each exercise that says how.

Apart from grading: it has processes of its own, no result depends on it, and nothing here gives a point.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from graders.course.exercise import Assignment
from graders.extraction.extract import Source, study
from graders.grade import extract_code
from graders.heads.draw_exercise import draw_exercise
from graders.heads.draw_trained import draw_trained
from graders.heads.request import Request
from graders.judging.draws import Draws
from graders.results.heads import Drawing
from graders.sandbox.box import Box
from graders.sandbox.session import BoxSession
from graders.submission.read import Unreadable, read
from graders.submission.resource_bounds import bound_resources


@dataclass(frozen=True)
class Drawer:
    """Draws submissions to one assignment. `pretrained` is drawn for each of them, where there is one."""

    assignment: Assignment
    draws: Draws
    box: Box
    request: Request
    pretrained: Drawing | None = None

    def draw(self, path: Path, name: str) -> tuple[Drawing, ...]:
        """The drawings of what lies at `path`; none of its own where that cannot be read.

        Raises:
            Exception: a fault of ours.
        """
        return (*self._own(path, name), *([self.pretrained] if self.pretrained else []))

    def _own(self, path: Path, name: str) -> Iterator[Drawing]:
        try:
            with bound_resources():
                submission = read(path, name)
                program = study(submission, [exercise.symbol for exercise in self.assignment.exercises])
                drawn = [exercise for exercise in self.assignment.exercises if exercise.options.drawn]
                codes = [(exercise, extract_code(program, exercise)) for exercise in drawn]
        except Unreadable:  # its result says so
            return
        for exercise, code in codes:
            if not isinstance(code.source, Source):  # nothing is there to draw, which its result says
                continue
            if exercise.rule is not None:
                yield draw_trained(
                    exercise=exercise,
                    submission=submission,
                    model=code.source,
                    beside=code.beside,
                    box=self.box,
                    sentence=self.request.sentence,
                )
                continue
            with BoxSession(self.box) as session:
                yield from draw_exercise(exercise, code.source, self.request.tokens, session, self.draws)
