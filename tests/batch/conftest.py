"""Grading without a box, for tests about runs: the outcome stands in what is handed in."""

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

from graders.batch import prepare_run
from graders.classroom import run_marks
from graders.course.assignment_points import AssignmentPoints, assignment_points
from graders.course.exercise import load_assignment
from graders.grade import Grader
from graders.judging import score
from graders.judging.draws import Draws
from graders.results.result import Outcome, SubmissionInfo
from graders.sandbox.box import Box
from graders.sandbox.isolation.level import IsolationLevel

WORDS = {
    "right": Outcome.PASSED,
    "wrong": Outcome.FAILED,
    "hangs": Outcome.TIMED_OUT,
    "ours": Outcome.BROKEN,
    "nothing": Outcome.NOT_ATTEMPTED,
}


@pytest.fixture
def quick(monkeypatch):
    """Grading without a box: the outcome stands in what is handed in, as one of `WORDS`."""
    grade_without_box(monkeypatch)


def grade_without_box(patch: pytest.MonkeyPatch) -> None:
    """The same for longer than one test."""

    def grade(self: Grader, path: Path, name: str):
        outcome = WORDS[path.read_text(encoding="utf-8").split()[1]]
        [exercise] = self.assignment.exercises
        points = exercise.points if outcome is Outcome.PASSED else 0
        found = replace(score.unjudged_result(exercise, outcome, "so it is"), points=points)
        info = SubmissionInfo(name, (path.name,), hashlib.sha256(path.read_bytes()).hexdigest())
        return score.submission_result(self.assignment, info, [found], [], self._run)

    patch.setattr(Grader, "grade", grade)
    patch.setattr(Box, "start", lambda self: None)
    patch.setattr(Draws, "prepare", lambda self, exercises: None)
    patch.setattr(prepare_run, "best", lambda limits, *_: (Box(IsolationLevel.OPEN, limits), []))
    patch.setattr(prepare_run, "load_assignment", lambda name: load_assignment(name).only(["concat_heads"]))
    ask_for_one_exercise(patch)


def ask_for_one_exercise(patch: pytest.MonkeyPatch) -> None:
    """Give marks as if the assignment had one exercise."""

    def worth(name: str) -> AssignmentPoints | None:
        whole = assignment_points(name)
        return whole and replace(whole, exercises={"concat_heads": whole.exercises["concat_heads"]})

    patch.setattr(run_marks, "assignment_points", worth)
