"""What students get of each assignment, handed in as it is: nothing of it was attempted."""

from pathlib import Path

import pytest

from graders.course.exercise import assignment_names, load_assignment
from graders.grade import Grader
from graders.handout.notebook_file import as_module
from graders.handout.sheet import sheet_of
from graders.judging.draws import Draws
from graders.results.result import Outcome
from graders.sandbox.box import Box
from graders.sandbox.isolation.level import IsolationLevel

NEVER_STARTED = Box(IsolationLevel.OPEN)  # no code runs


@pytest.mark.parametrize("name", assignment_names())
def test_a_handout_as_it_is_is_not_attempted(name: str, tmp_path: Path):
    assignment = load_assignment(name)
    (path := tmp_path / "work.py").write_text(as_module(sheet_of(assignment, "en", "")), encoding="utf-8")
    result = Grader(assignment, Draws(1), NEVER_STARTED).grade(path, "work")
    assert {exercise.outcome for exercise in result.exercises} == {Outcome.NOT_ATTEMPTED}
    assert (result.points, result.undecided_points) == (0, 0)
