"""Answers that compute nothing, of the right shape, lose all that is not about shapes and counts."""

from pathlib import Path

import pytest

from graders.draw import Deck
from graders.exercise import Assignment
from graders.grade import Grader
from graders.result import Outcome
from graders.sandbox import Box

TRIVIAL = sorted((Path(__file__).parent / "trivial").glob("*.py"))
ABOUT_SHAPES = {
    "answers_with_output_and_weights",
    "splits_the_width",
    "joins_widths_to_one",
    "keeps_the_shape",
    "is_a_square_of_bool",
    "has_four_layers_with_bias",
    "has_two_layers_with_bias",
    "has_the_parameters_of_its_parts",
    "is_four_times_as_wide_by_default",
    "refuses_a_width_it_cannot_split",
    "is_an_int",
}
# True of equal shares and of noise all the same; what they weigh is small.
TRUE_ALL_THE_SAME = {"shares_one_among_the_keys", "is_not_linear"}


@pytest.mark.parametrize("path", TRIVIAL, ids=lambda path: path.stem)
def test_an_answer_that_computes_nothing_gets_points_for_shapes_alone(
    path: Path, assignment: Assignment, deck: Deck, box: Box
):
    result = Grader(assignment, deck, box).grade(path, path.stem)
    passed = {f.check for e in result.exercises for f in e.findings if f.outcome is Outcome.PASSED}
    assert passed - ABOUT_SHAPES - TRUE_ALL_THE_SAME == set()
    assert result.points < 3
