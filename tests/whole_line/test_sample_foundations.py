"""The sample class in `tests/handed_in/foundations/`: marks, mistakes with their names, and stubs."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from graders.cli.main import main

HANDED_IN = Path(__file__).parents[1] / "handed_in/foundations"
pytestmark = [
    pytest.mark.programs,
    pytest.mark.slow,
]
# An exercise that is added to the assignment later is in none of them, and is not compared.
EXERCISES = (
    *("self_attention", "list_of_heads", "from_torch", "additive_mask", "layer_norm", "residual"),
    *("cross_entropy", "causal_conv1d", "head_scores", "plot_heads", "count_model"),
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
    "plot_heads": set(),
    "count_model": {"count_model__never_tied"},
}


@pytest.fixture(scope="module")
def out(tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("class")
    command = ["grade", str(HANDED_IN), "--assignment", "foundations", "--out", str(out)]
    done = CliRunner().invoke(main, [*command, "--seed", "1", "--unsafe"], catch_exceptions=False)
    assert done.exit_code == 1, done.output
    return out


def exercises(out: Path, name: str) -> dict[str, dict]:
    result = json.loads((out / name / "result.json").read_text(encoding="utf-8"))
    found = {exercise["name"]: exercise for exercise in result["exercises"]}
    return {name: found[name] for name in EXERCISES}


def test_a_notebook_that_is_right_in_styles_of_its_own_gets_all_points(out: Path):
    for exercise in exercises(out, "ariane").values():
        assert exercise["points"] == exercise["max_points"] > 0, exercise["name"]


def test_the_exercises_share_twenty_points(out: Path):
    assert json.loads((out / "ariane/result.json").read_text(encoding="utf-8"))["max_points"] == 20


@pytest.mark.parametrize("name", EXERCISES)
def test_each_mistake_is_named_and_costs_no_other_exercise_a_point(out: Path, name: str):
    exercise = exercises(out, "bruno")[name]
    assert exercise["outcome"] == ("passed" if name == "causal_conv1d" else "failed")
    assert {f["mistake"]["name"] for f in exercise["findings"] if f["mistake"]} == NAMED[name]


def test_a_figure_that_is_drawn_and_not_returned_costs_one_check(out: Path):
    findings = exercises(out, "bruno")["plot_heads"]["findings"]
    [failed] = [finding for finding in findings if finding["outcome"] != "passed"]
    assert failed["message"] == "the figure is drawn but not returned: is a return missing?"


def test_stubs_are_not_attempted(out: Path):
    assert {exercise["outcome"] for exercise in exercises(out, "celia").values()} == {"not_attempted"}
