"""The sample class in `tests/handed_in/seq2seq/`: amelie is right in a style of her own."""

import pytest

from tests.whole_line.grade_sample import grade_sample, mistakes_in

# At each push the audit hands right answers and known mistakes of all exercises to the same grader, the
# classes of `attention` and `minigpt` show the command, and `test_stubs.py` what is not attempted.
pytestmark = [
    pytest.mark.nightly,
    pytest.mark.programs,
    pytest.mark.slow,
]

# The known mistakes, by exercise. bruno reads padding the other way round, combines masks with "and", leaves
# out the last sentinel, does not scale, and ends a batch at the first stop; his layer is right around a right
# attention. dario shifts left, has the norms after the sums, and shows his model the future. celine has done
# nothing.
DUE = {
    "amelie": {},
    "bruno": {
        "padding_mask": "padding_mask__inverted",
        "combine_masks": "combine_masks__both",
        "corrupt_spans": "corrupt_spans__without_last_sentinel",
        "cross_attention": "CrossAttention__unscaled",
        "greedy_decode": "greedy_decode__stops_at_the_first_stop",
    },
    "dario": {
        "shift_right": "shift_right__left",
        "decoder_layer": "DecoderLayer__post_norm",
        "seq2seq_model": "Seq2Seq__target_sees_the_future",
    },
}
MARKS = {"amelie": 20.0, "celine": 0.0}


@pytest.fixture(scope="module")
def results(tmp_path_factory) -> dict[str, dict]:
    return grade_sample("seq2seq", tmp_path_factory.mktemp("class"))


@pytest.mark.parametrize("name", DUE)
def test_each_mistake_has_its_name_and_all_else_is_right(results: dict[str, dict], name: str):
    assert mistakes_in(results[name]) == {exercise: {mistake} for exercise, mistake in DUE[name].items()}


@pytest.mark.parametrize("name", MARKS)
def test_right_work_gets_all_points_and_stubs_get_none(results: dict[str, dict], name: str):
    assert results[name]["points"] == MARKS[name]
    assert results[name]["undecided_points"] == 0


def test_stubs_are_not_attempted(results: dict[str, dict]):
    assert {e["outcome"] for e in results["celine"]["exercises"]} == {"not_attempted"}
