"""The sample class in `tests/handed_in/rnn/`: marks, mistakes with their names, and stubs."""

import pytest

from tests.whole_line.grade_sample import grade_sample

# At each push the audit hands right answers and known mistakes of all exercises to the same grader.
pytestmark = [
    pytest.mark.nightly,
    pytest.mark.programs,
    pytest.mark.slow,
]
# boris makes a mistake in each exercise.
NAMED = {
    "rnn": {"RNN__relu"},
    "lstm_cell": {"LSTMCell__sigmoid_of_the_candidate"},
    "gru_cell": {"GRUCell__resets_before_the_product"},
    "gradient_by_lag": {"gradient_by_lag__from_the_first_position"},
    "recall": {"recall_by_lag__never_the_last_symbol"},
}


@pytest.fixture(scope="module")
def results(tmp_path_factory) -> dict[str, dict]:
    return grade_sample("rnn", tmp_path_factory.mktemp("class"))


def exercises(result: dict) -> dict[str, dict]:
    by_name = {exercise["name"]: exercise for exercise in result["exercises"]}
    return {name: by_name[name] for name in NAMED}


def test_a_module_that_is_right_in_styles_of_its_own_gets_all_points(results: dict[str, dict]):
    assert results["ada"]["max_points"] == 20
    for exercise in exercises(results["ada"]).values():
        assert exercise["points"] == exercise["max_points"] > 0, exercise["name"]


@pytest.mark.parametrize("name", NAMED)
def test_each_mistake_is_named(results: dict[str, dict], name: str):
    exercise = exercises(results["boris"])[name]
    assert exercise["outcome"] == "failed"
    assert {f["mistake"]["name"] for f in exercise["findings"] if f["mistake"]} == NAMED[name]


def test_stubs_are_not_attempted(results: dict[str, dict]):
    assert {exercise["outcome"] for exercise in exercises(results["chloe"]).values()} == {"not_attempted"}
