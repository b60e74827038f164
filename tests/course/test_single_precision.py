"""Float32 in an otherwise exact answer is a remark, wherever it is; what is a little wrong is no rounding."""

from pathlib import Path

import pytest

from graders.course.exercise import load_assignment
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.results.result import ExerciseResult, Outcome
from graders.sandbox.box import Box

SOURCE = """
import torch
import torch.nn as nn
class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, hidden_size, num_heads):
        super().__init__()
        if hidden_size % num_heads:
            raise ValueError(hidden_size)
        self.num_heads = num_heads
        self.query, self.key, self.value, self.out = (nn.Linear(hidden_size, hidden_size) for _ in range(4))
    def forward(self, hidden_states, attention_mask=None):
        B, S, E = hidden_states.shape
        layers = self.query, self.key, self.value
        q, k, v = (f(hidden_states).view(B, S, self.num_heads, -1).transpose(1, 2) for f in layers)
        scores = q @ k.transpose(-2, -1) / SCALE
        hidden = torch.ones(S, S, dtype=torch.bool).triu(1)
        if attention_mask is not None:
            hidden = hidden | (attention_mask == 0)
        weights = scores.masked_fill(hidden, float("-inf")).softmax(-1)
        return self.out((weights @ v).transpose(1, 2).reshape(B, S, E))RETURN
"""


def grade(box: Box, draws: Draws, path: Path, scale: str, cast: str = "") -> ExerciseResult:
    path.write_text(SOURCE.replace("SCALE", scale).replace("RETURN", cast))
    asked = load_assignment("gpt").only(["gpt_attention"])
    [result] = Grader(asked, draws, box, names_mistakes=False).grade(path, "s").exercises
    return result


def test_a_constant_in_float32_is_a_remark(box: Box, draws: Draws, tmp_path: Path) -> None:
    result = grade(box, draws, tmp_path / "a.py", "torch.tensor(q.shape[-1]).float().sqrt().view(1)")
    assert result.outcome is Outcome.PASSED
    assert ["float32" in (f.message or "") for f in result.findings].count(True) == 1


@pytest.mark.parametrize("scale", ["(q.shape[-1] ** 0.5 * 1.001)"])
def test_a_scale_that_is_a_little_wrong_is_no_rounding(
    box: Box, draws: Draws, tmp_path: Path, scale: str
) -> None:
    result = grade(box, draws, tmp_path / "a.py", scale)
    failed = {f.check for f in result.findings if f.outcome is Outcome.FAILED}
    assert "computes_what_the_reference_computes" in failed


@pytest.mark.parametrize("cast", [".float()", ".double()"])
def test_an_answer_of_another_float_dtype_is_a_remark(
    box: Box, draws: Draws, tmp_path: Path, cast: str
) -> None:
    result = grade(box, draws, tmp_path / "a.py", "q.shape[-1] ** 0.5", cast)
    assert result.points == result.max_points
    said = [f.message for f in result.findings if f.message]
    assert len(said) == 1
    assert "float32" in said[0]


def test_code_that_cannot_take_float64_at_all_is_judged_in_float32(
    box: Box, draws: Draws, tmp_path: Path
) -> None:
    result = grade(box, draws, tmp_path / "a.py", "(q.shape[-1] ** 0.5)", " @ torch.eye(E)")
    assert result.points == result.max_points
    assert [f.check for f in result.findings if "float32" in (f.message or "")] == [
        "computes_in_double_precision"
    ]
