"""Remarks on a right answer that does more than it should."""

from pathlib import Path

from graders.course.exercise import Assignment
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.sandbox.box import Box

RIGHT = sorted((Path(__file__).parents[2] / "solutions/right").glob("*/*.py"))


def test_setting_the_global_seed_is_remarked_and_costs_nothing(
    assignment: Assignment, draws: Draws, box: Box
):
    [path] = [path for path in RIGHT if path.stem == "sets_the_seed"]
    result = Grader(assignment.only(["scaled_dot_product_attention"]), draws, box).grade(path, path.stem)
    remarks = [f.message for f in result.exercises[0].findings if f.message]
    assert remarks == ["remark: the call uses or sets the global random state"]
    assert result.points == result.max_points
