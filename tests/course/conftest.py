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
    return _grade(assignment, draws, box, tmp_path, names_mistakes=True)


@pytest.fixture
def judge(assignment: Assignment, draws: Draws, box: Box, tmp_path: Path) -> Grade:
    """The same, without the names of mistakes: to look for one takes longer than to judge."""
    return _grade(assignment, draws, box, tmp_path, names_mistakes=False)


def _grade(assignment: Assignment, draws: Draws, box: Box, folder: Path, names_mistakes: bool) -> Grade:
    few = draws.without_search().first(6)

    def graded(exercise: str, code: str) -> Result:
        path = folder / "rendu.py"
        path.write_text(textwrap.dedent(code), encoding="utf-8")
        grader = Grader(assignment.only([exercise]), few, box, names_mistakes=names_mistakes)
        return grader.grade(path, "rendu")

    return graded
