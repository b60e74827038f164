"""The sample class in `tests/handed_in/efficient/`: adele is right in a style of her own."""

import pytest

from tests.whole_line.grade_sample import grade_sample, mistakes_in

# At each push the audit hands right answers and known mistakes of all exercises to the same grader, the
# classes of `attention` and `minigpt` show the command, and `test_stubs.py` what is not attempted.
pytestmark = [
    pytest.mark.nightly,
    pytest.mark.programs,
    pytest.mark.slow,
]

# The known mistakes, by exercise. boris halves the window, forgets the columns of global tokens, multiplies
# where windows add, lets rounds share numbers and count alike, has the positions in another library's order,
# and counts multiplications alone. denis marks what is seen, changes one mask for all sequences, masks
# full attention where it should be local, forgets the opposites, shows each query itself, makes both tables
# large, and counts the scores of one head. chloe has done nothing.
DUE = {
    "adele": {},
    "boris": {
        "local_mask": "local_mask__total_width",
        "global_mask": "global_mask__rows_only",
        "receptive_field": "receptive_field__power",
        "lsh_buckets": "lsh_buckets__rounds_share_numbers",
        "lsh_attention": "lsh_attention__rounds_count_alike",
        "axial_positions": "AxialPositions__other_order",
        "attention_cost": "attention_cost__half_the_operations",
    },
    "denis": {
        "local_mask": "local_mask__inverted",
        "global_mask": "global_mask__accumulates",
        "local_attention": "local_attention__full_matrix",
        "lsh_buckets": "lsh_buckets__without_opposites",
        "lsh_attention": "lsh_attention__sees_itself",
        "axial_positions": "AxialPositions__large_tables",
        "attention_cost": "attention_cost__scores_of_one_head",
    },
}
MARKS = {"adele": 20.0, "chloe": 0.0}


@pytest.fixture(scope="module")
def results(tmp_path_factory) -> dict[str, dict]:
    return grade_sample("efficient", tmp_path_factory.mktemp("class"))


@pytest.mark.parametrize("name", DUE)
def test_each_mistake_has_its_name_and_all_else_is_right(results: dict[str, dict], name: str):
    assert mistakes_in(results[name]) == {exercise: {mistake} for exercise, mistake in DUE[name].items()}


@pytest.mark.parametrize("name", MARKS)
def test_right_work_gets_all_points_and_stubs_get_none(results: dict[str, dict], name: str):
    assert results[name]["points"] == MARKS[name]
    assert results[name]["undecided_points"] == 0


def test_stubs_are_not_attempted(results: dict[str, dict]):
    assert {e["outcome"] for e in results["chloe"]["exercises"]} == {"not_attempted"}
