"""A size that is cut at a number of the code is found, whichever size and number it is, and so is a view."""

from collections.abc import Callable
from pathlib import Path

import pytest

from graders.course.exercise import load_assignment
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.results.result import ExerciseResult
from graders.sandbox.box import Box

ATTEND = """
import math

def scaled_dot_product_attention(Q, K, V, mask=None):
    B, H, S, D = Q.shape if Q.dim() == 4 else (1, 1, *Q.shape[-2:])
    q = Q.view(B * H, S, D).view(Q.shape) if Q.dim() == 4 else Q
    scores = q @ K.transpose(-2, -1) / math.sqrt(D)
    if mask is not None:
        scores = scores.masked_fill(mask, -math.inf)
    weights = scores.softmax(-1)
    return weights @ V, weights
"""
JOIN = """
import torch

def concat_heads(x):
    return torch.cat([x[:, h] for h in range(min(x.shape[1], MOST))], dim=-1)
"""
SEEN = """
def receptive_field(layers, window):
    return 2 * min(layers, MOST) * window + 1
"""
CONVOLVE = """
import torch

def causal_conv1d(x, weight, bias=None):
    weight = weight[..., -MOST:]
    padded = torch.nn.functional.pad(x, (0, 0, weight.shape[-1] - 1, 0))
    output = torch.nn.functional.conv1d(padded.mT, weight, bias).mT
    return output
"""
Judge = Callable[[str, str, str], ExerciseResult]


@pytest.fixture
def judge(box: Box, draws: Draws, tmp_path: Path) -> Judge:
    def judge(assignment: str, exercise: str, code: str) -> ExerciseResult:
        (tmp_path / "answer.py").write_text(code, encoding="utf-8")
        chosen = load_assignment(assignment).only([exercise])
        [result] = Grader(chosen, draws, box, names_mistakes=False).grade(tmp_path, "student").exercises
        return result

    return judge


def failed(result: ExerciseResult) -> list[str]:
    return [finding.check for finding in result.findings if finding.outcome.value != "passed"]


def test_a_view_of_heads_from_a_transpose_costs_the_check_about_it(judge: Judge) -> None:
    asked = "attention", "scaled_dot_product_attention"
    assert failed(judge(*asked, ATTEND)) == ["takes_heads_from_a_transpose"]
    assert failed(judge(*asked, ATTEND.replace(".view(B * H", ".reshape(B * H"))) == []


@pytest.mark.parametrize(
    ("assignment", "exercise", "code", "check"),
    [
        ("attention", "concat_heads", JOIN, "joins_extreme_sizes"),
        ("efficient", "receptive_field", SEEN, "counts_what_is_seen"),
        ("foundations", "causal_conv1d", CONVOLVE, "answers_extreme_sizes"),
    ],
)
@pytest.mark.parametrize("most", [100, 300])
def test_a_size_that_the_code_cuts_costs_one_check(
    judge: Judge, assignment: str, exercise: str, code: str, check: str, most: int
) -> None:
    assert failed(judge(assignment, exercise, code.replace("MOST", str(most)))) == [check]
    assert failed(judge(assignment, exercise, code.replace("MOST", "10 ** 6"))) == []
