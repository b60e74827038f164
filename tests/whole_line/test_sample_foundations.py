"""The sample class in `tests/handed_in/foundations/`: marks, mistakes with their names, and stubs."""

import pytest

from tests.whole_line.grade_sample import grade_sample

# At each push the audit hands right answers and known mistakes of all exercises to the same grader, the
# classes of `attention` and `minigpt` show the command, and `test_stubs.py` what is not attempted.
pytestmark = [
    pytest.mark.nightly,
    pytest.mark.programs,
    pytest.mark.slow,
]
# An exercise that is added to the assignment later is in none of them, and is not compared.
EXERCISES = (
    *("self_attention", "list_of_heads", "from_torch", "additive_mask", "layer_norm", "residual"),
    *("cross_entropy", "causal_conv1d", "head_scores", "strongest_head", "plot_heads", "count_model"),
)
# bruno makes a mistake in each exercise but one; his figure is drawn and not returned, which has no name.
NAMED = {
    "self_attention": {"SelfAttention__unscaled"},
    "list_of_heads": {"MultiHead__without_dropout"},
    "from_torch": {"from_torch__keys_and_values_swapped"},
    "additive_mask": {"to_additive__nan"},
    "layer_norm": {"LayerNorm__unbiased_deviation"},
    "residual": {"Residual__adds_the_normed_input"},
    "cross_entropy": {"cross_entropy__log_of_softmax"},
    "causal_conv1d": set(),
    "head_scores": {"head_scores__nan_at_zero"},
    "strongest_head": {"strongest__most_spread_for_entropy"},
    "plot_heads": set(),
    "count_model": {"count_model__never_tied"},
}


@pytest.fixture(scope="module")
def results(tmp_path_factory) -> dict[str, dict]:
    return grade_sample("foundations", tmp_path_factory.mktemp("class"))


def exercises(result: dict) -> dict[str, dict]:
    by_name = {exercise["name"]: exercise for exercise in result["exercises"]}
    return {name: by_name[name] for name in EXERCISES}


def test_a_notebook_that_is_right_in_styles_of_its_own_gets_all_points(results: dict[str, dict]):
    for exercise in exercises(results["ariane"]).values():
        assert exercise["points"] == exercise["max_points"] > 0, exercise["name"]


def test_the_exercises_share_twenty_points(results: dict[str, dict]):
    assert results["ariane"]["max_points"] == 20


@pytest.mark.parametrize("name", EXERCISES)
def test_each_mistake_is_named_and_costs_no_other_exercise_a_point(results: dict[str, dict], name: str):
    exercise = exercises(results["bruno"])[name]
    assert exercise["outcome"] == ("passed" if name == "causal_conv1d" else "failed")
    assert {f["mistake"]["name"] for f in exercise["findings"] if f["mistake"]} == NAMED[name]


def test_a_figure_that_is_drawn_and_not_returned_costs_one_check(results: dict[str, dict]):
    findings = exercises(results["bruno"])["plot_heads"]["findings"]
    [failed] = [finding for finding in findings if finding["outcome"] != "passed"]
    assert failed["message"] == "the figure is drawn but not returned: is a return missing?"


def test_stubs_are_not_attempted(results: dict[str, dict]):
    assert {exercise["outcome"] for exercise in exercises(results["celia"]).values()} == {"not_attempted"}
