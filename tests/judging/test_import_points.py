"""Forgotten imports cost one small check, once in a submission."""

import pytest

from graders.course.exercise import Assignment
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.judging.import_points import CHECK
from graders.results.result import Outcome, Result
from tests.support.open_box import OpenBox

CODE = """
def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights

def causal_mask(seq_len):
    return torch.triu(torch.ones(seq_len, seq_len, dtype=torch.bool), diagonal=1)
"""


@pytest.fixture
def result(assignment: Assignment, draws: Draws, open_box: OpenBox, tmp_path) -> Result:
    path = tmp_path / "mine.py"
    path.write_text(CODE, encoding="utf-8")
    names = ("scaled_dot_product_attention", "causal_mask")
    return Grader(assignment, draws, open_box).only(names).grade(path, "mine")


def test_two_forgotten_imports_cost_one_check_of_the_first_exercise(result: Result) -> None:
    attention, mask = result.exercises
    assert (attention.points, attention.max_points, attention.outcome) == (3.75, 4, Outcome.FAILED)
    assert (mask.points, mask.outcome) == (1, Outcome.PASSED)
    [finding] = [f for f in attention.findings if f.outcome is not Outcome.PASSED]
    assert (finding.check, finding.points, finding.max_points) == (CHECK, 0, 0.25)
    assert finding.message == (
        "not imported: math, torch. Add `import math`, `import torch`; all the rest was judged as if you "
        "had. (softmark explain imports)"
    )
    assert finding.place is not None and finding.place.line == 2
    assert sum(f.max_points for f in attention.findings) == pytest.approx(4, abs=1e-3)


def test_an_exercise_graded_alone_does_not_pay_for_an_earlier_one(
    assignment: Assignment, draws: Draws, open_box: OpenBox, tmp_path
) -> None:
    path = tmp_path / "mine.py"
    path.write_text(CODE, encoding="utf-8")
    [mask] = Grader(assignment, draws, open_box).only(("causal_mask",)).grade(path, "mine").exercises
    assert mask.outcome is Outcome.PASSED
