"""What counts as unfinished: code of which no call can get past what is still to be written."""

import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from graders.course.exercise import Assignment
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.results.result import ExerciseResult, Outcome, Result
from tests.support.open_box import OpenBox
from tests.support.policy import ATTENTION, BLOCK, FEED_FORWARD, Grade, changed, failing, whole

SCORES = "scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])"
ANSWER = "output, weights = scaled_dot_product_attention(Q, K, V, mask)"
HEADS = "return x.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)"


@pytest.fixture
def grade(assignment: Assignment, draws: Draws, open_box: OpenBox, tmp_path: Path) -> Grade:
    few = draws.without_search().first(6)

    def graded(exercise: str, code: str) -> Result:
        path = tmp_path / "rendu.py"
        path.write_text(textwrap.dedent(code), encoding="utf-8")
        return Grader(assignment.only([exercise]), few, open_box).grade(path, "rendu")

    return graded


def ended(grade: Grade, exercise: str, code: str) -> tuple[Outcome, float, str | None]:
    [result] = grade(exercise, code).exercises
    assert bool(result.findings) is (result.message is None)
    return result.outcome, result.points, result.message


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (HEADS, "raise NotImplementedError", "`heads` still raises NotImplementedError"),
        (HEADS, "pass", "the body of `heads` is still `pass`"),
        (SCORES, "scores = ...", "`scores` in `scaled_dot_product_attention` is still `...`"),
        (SCORES, "scores = None  # TODO", "`scores` in `scaled_dot_product_attention` is still `None`"),
        (
            "self.W_o = nn.Linear(embed_dim, embed_dim)",
            "self.W_o = None",
            "`self.W_o` in `forward` is still `None`",
        ),
    ],
    ids=["method", "pass", "ellipsis", "None", "attribute"],
)
def test_a_part_that_every_call_needs_is_unfinished(grade: Grade, old: str, new: str, says: str):
    code = changed(ATTENTION, old, new)
    assert ended(grade, "multi_head_attention", code) == (Outcome.UNFINISHED, 0, says)


def test_a_branch_that_raises_costs_the_calls_that_take_it(grade: Grade):
    code = changed(ATTENTION, 'scores = scores.masked_fill(mask, float("-inf"))', "raise NotImplementedError")
    [result] = grade("scaled_dot_product_attention", code).exercises
    assert result.outcome is not Outcome.UNFINISHED
    assert 0 < result.points < result.max_points


def test_a_right_answer_may_raise_in_a_branch_that_nothing_takes(grade: Grade):
    code = changed(
        ATTENTION, SCORES, f"if Q.dim() < 2:\n            raise NotImplementedError\n        {SCORES}"
    )
    assert whole(grade("scaled_dot_product_attention", code))


def test_a_wrong_answer_beside_an_unfinished_branch_is_wrong(grade: Grade):
    code = changed(ATTENTION, 'scores = scores.masked_fill(mask, float("-inf"))', "raise NotImplementedError")
    code = changed(code, " / math.sqrt(Q.shape[-1])", "")
    result = grade("scaled_dot_product_attention", code)
    assert result.exercises[0].outcome is Outcome.FAILED
    assert failing(result)


Block = Callable[[str], ExerciseResult]


@pytest.fixture
def block(assignment: Assignment, draws: Draws, open_box: OpenBox, tmp_path: Path) -> Block:
    """Grades a text as the Transformer block of an assignment that has its parts as exercises."""
    grader = Grader(assignment, draws.without_search().first(6), open_box).only(("transformer_block",))

    def graded(code: str) -> ExerciseResult:
        path = tmp_path / "rendu.py"
        path.write_text(textwrap.dedent(code), encoding="utf-8")
        return grader.grade(path, "rendu").exercises[0]

    return graded


UNFINISHED = FEED_FORWARD.replace("return self.linear2(self.dropout(F.gelu(self.linear1(x))))", "pass")
AS_HANDED_OUT = """
    class FeedForward(nn.Module):
        def __init__(self, embed_dim, ff_dim=None, dropout=0.1):
            super().__init__()
            raise NotImplementedError

        def forward(self, x):
            raise NotImplementedError
"""


@pytest.mark.parametrize("part", [UNFINISHED, AS_HANDED_OUT], ids=["unfinished", "not attempted"])
def test_a_whole_is_judged_with_a_right_part_in_the_place_of_an_unwritten_one(block: Block, part: str):
    result = block(changed(BLOCK, FEED_FORWARD, part))
    assert (result.outcome, result.points) == (Outcome.PASSED, result.max_points)
    assert "judged with a right FeedForward in place of yours" in [f.message for f in result.findings]


def test_a_whole_waits_for_a_part_in_whose_place_no_right_one_can_stand(block: Block):
    mask = "\n    def causal_mask(seq_len):\n        raise NotImplementedError\n"
    code = changed(BLOCK, "x = x + self.attention(self.norm1(x), mask)[0]", "causal_mask(3)") + mask
    result = block(code)
    assert (result.outcome, result.points, result.findings) == (Outcome.UNFINISHED, 0, ())
    assert result.message == "waits for causal_mask, which is not finished"
