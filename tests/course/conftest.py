"""Grading one text as one exercise."""

import textwrap
from pathlib import Path

import pytest

from graders.course.exercise import Assignment
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.results.result import Result
from graders.sandbox.box import Box
from tests.support.policy import Grade


@pytest.fixture
def grade(assignment: Assignment, draws: Draws, box: Box, tmp_path: Path) -> Grade:
    def graded(exercise: str, code: str) -> Result:
        (tmp_path / "rendu.py").write_text(textwrap.dedent(code), encoding="utf-8")
        return Grader(assignment.only([exercise]), draws.without_search().first(6), box).grade(
            tmp_path / "rendu.py", "rendu"
        )

    return graded
