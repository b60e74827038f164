"""Multi-head attention under students' own names, from what is handed in to what the report says."""

from functools import cache

import pytest

from graders.audit.try_answer import FEW
from graders.course.exercise import Assignment
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.results.result import ExerciseResult, Outcome, Result
from graders.sandbox.box import Box

HEAD = """
import math
import torch
from torch import nn

class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        assert embed_dim % num_heads == 0
        self.h = num_heads
        {layers}

    def split(self, t):
        return t.unflatten(-1, (self.h, -1)).transpose(1, 2)

    def qkv(self, x):
        {projections}

    def forward(self, x, mask=None):
        q, k, v = self.qkv(x)
        scores = q @ k.transpose(-2, -1) / {divisor}
        if mask is not None:
            scores = scores.masked_fill(mask, float("-inf"))
        p = scores.softmax(-1)
        x = (p @ v).transpose(1, 2).flatten(2)
        return {last}, p
"""
ROOT = "math.sqrt(q.shape[-1])"
FUSED = "self.qkv_layer = nn.Linear(embed_dim, 3 * embed_dim); self.proj = nn.Linear(embed_dim, embed_dim)"
STACKED = "return [self.split(t) for t in self.qkv_layer(x).chunk(3, -1)]"
IN_TURNS = "return self.split(self.qkv_layer(x)).chunk(3, -1)"
HEADS = """
        size = embed_dim // num_heads
        self.q, self.k, self.v = (
            nn.ModuleList(nn.Linear(embed_dim, size) for _ in range(num_heads)) for _ in range(3))
        self.out = nn.Linear(embed_dim, embed_dim)"""
BY_HEAD = "return [torch.stack([l(x) for l in ls], 1) for ls in (self.q, self.k, self.v)]"
RAW = """
        for name in ("q", "k", "v", "o"):
            setattr(self, "w" + name, nn.Parameter(torch.randn(embed_dim, embed_dim)))
            setattr(self, "b" + name, nn.Parameter(torch.zeros(embed_dim)))"""
OF_RAW = (
    "return [self.split(x @ w + b) for w, b in ((self.wq, self.bq), (self.wk, self.bk), (self.wv, self.bv))]"
)
MEANINGLESS = "self.a, self.b, self.c, self.d = (nn.Linear(embed_dim, embed_dim) for _ in range(4))"
SHUFFLED = "return self.split(self.c(x)), self.split(self.d(x)), self.split(self.a(x))"
LOW_RANK = """
        self.lq, self.rq = nn.Linear(embed_dim, embed_dim, bias=False), nn.Linear(embed_dim, embed_dim)
        self.k, self.v, self.out = (nn.Linear(embed_dim, embed_dim) for _ in range(3))"""
OF_TWO = "return self.split(self.rq(self.lq(x))), self.split(self.k(x)), self.split(self.v(x))"
FLAT = """
        self.e, self.flat = embed_dim, nn.Parameter(torch.randn(embed_dim * embed_dim + embed_dim))
        self.k, self.v, self.out = (nn.Linear(embed_dim, embed_dim) for _ in range(3))"""
OF_FLAT = """w, b = self.flat[self.e:].reshape(self.e, self.e), self.flat[:self.e]
        return self.split(x @ w.T + b), self.split(self.k(x)), self.split(self.v(x))"""
NAMED = """self.W_q, self.W_k, self.W_v, self.W_o = (
            nn.Linear(embed_dim, embed_dim, bias=False) for _ in range(4))"""
OF_NAMED = "return [self.split(w(x)) for w in (self.W_q, self.W_k, self.W_v)]"
THREE = "self.a, self.b, self.c = (nn.Linear(embed_dim, embed_dim) for _ in range(3))"
OF_TORCH = """
import torch
from torch import nn

class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.inner = nn.MultiheadAttention(embed_dim, num_heads, batch_first=True)
        self.h = num_heads

    def forward(self, x, mask=None):
        b, s, _ = x.shape
        if mask is not None:
            mask = mask.expand(b, self.h, s, s).reshape(b * self.h, s, s)
        return self.inner(x, x, x, attn_mask=mask, average_attn_weights=False)
"""


def attention(layers: str, projections: str, last: str, divisor: str = ROOT) -> str:
    return HEAD.format(layers=layers, projections=projections, last=last, divisor=divisor)


RIGHT = {
    "fused, stacked": (attention(FUSED, STACKED, "self.proj(x)"), "qkv_layer.weight: W_q.weight, W_k.weight"),
    "fused, interleaved": (attention(FUSED, IN_TURNS, "self.proj(x)"), "(interleaved, head by head)"),
    "raw parameters": (attention(RAW, OF_RAW, "x @ self.wo + self.bo"), "wq: W_q.weight (transposed)"),
    "a list per head": (attention(HEADS, BY_HEAD, "self.out(x)"), "q.#.weight: W_q.weight (head by head)"),
    "of torch": (OF_TORCH, "inner.in_proj_weight: W_q.weight, W_k.weight, W_v.weight"),
    "meaningless": (attention(MEANINGLESS, SHUFFLED, "self.b(x)"), "c.weight: W_q.weight"),
}


@pytest.fixture(scope="session")
def brief(draws: Draws) -> Draws:
    return draws.without_search().only(FEW)


@pytest.fixture(scope="module")
def grade(assignment: Assignment, brief: Draws, box: Box, tmp_path_factory: pytest.TempPathFactory):
    """Grades a code, once; without the names of mistakes, which are looked for as long as is judged."""
    path = tmp_path_factory.mktemp("handed_in") / "rendu.py"
    grader = Grader(assignment.only(["multi_head_attention"]), brief, box, names_mistakes=False)

    @cache
    def grade_code(code: str) -> Result:
        path.write_text(code, encoding="utf-8")
        return grader.grade(path, "rendu")

    return grade_code


def outcomes(exercise: ExerciseResult) -> dict[str, Outcome]:
    return {finding.check: finding.outcome for finding in exercise.findings}


def remarks(result: Result) -> str:
    return " | ".join(remark.says for remark in result.remarks)


@pytest.mark.parametrize("variant", RIGHT)
def test_a_right_attention_under_other_names_loses_nothing_and_a_remark_shows_the_mapping(
    variant: str, grade
):
    code, remark = RIGHT[variant]
    result = grade(code)
    [exercise] = result.exercises
    wrong = [(f.check, f.message) for f in exercise.findings if f.outcome is not Outcome.PASSED]
    assert (result.points, wrong, exercise.message) == (result.max_points, [], None)
    assert "parameters were matched by what they do" in remarks(result)
    assert remark in remarks(result)


def test_the_reference_names_give_no_remark(grade):
    layers = "self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(embed_dim, embed_dim) for _ in range(4))"
    projections = "return [self.split(w(x)) for w in (self.W_q, self.W_k, self.W_v)]"
    result = grade(attention(layers, projections, "self.W_o(x)"))
    assert result.points == result.max_points
    assert remarks(result) == ""


@pytest.mark.parametrize("divisor", ["1", "q.shape[-1]", "3.0"])
def test_meaningless_names_do_not_excuse_wrong_arithmetic(divisor: str, grade):
    result = grade(attention(MEANINGLESS, SHUFFLED, "self.b(x)", divisor))
    [exercise] = result.exercises
    assert exercise.outcome is Outcome.FAILED
    assert outcomes(exercise)["computes_what_the_reference_computes"] is Outcome.FAILED
    assert exercise.undecided_points == 0


def test_without_a_mapping_the_instructor_decides_and_behaviour_counts(grade):
    [exercise] = grade(attention(FLAT, OF_FLAT, "self.out(x)")).exercises
    skipped = [f for f in exercise.findings if f.outcome is Outcome.SKIPPED]
    assert {f.outcome for f in exercise.findings} == {Outcome.PASSED, Outcome.SKIPPED}
    assert 0 < exercise.undecided_points == round(sum(f.max_points for f in skipped), 2)
    assert 0 < exercise.points == pytest.approx(exercise.max_points - exercise.undecided_points)
    assert exercise.outcome is Outcome.SKIPPED


def test_while_no_mapping_is_proven_cases_are_shown_under_the_likeliest(grade):
    wrong = attention(MEANINGLESS, SHUFFLED, "self.b(x)", "(1.7 * math.sqrt(q.shape[-1]))")
    result = grade(wrong)
    [exercise] = result.exercises
    assert exercise.outcome is Outcome.FAILED
    [core] = [f for f in exercise.findings if f.check == "computes_what_the_reference_computes"]
    assert core.case is not None
    [remark] = [r.says for r in result.remarks if "however your parameters are matched" in r.says]
    assert "a.weight: W_v.weight" in remark


def test_a_draw_that_is_wrong_decides_over_one_that_is_undecidable(grade):
    # With one head, one matrix fewer and one bias more are as many values as there should be.
    layers = f"{THREE}; self.d = nn.Parameter(torch.zeros(embed_dim * (embed_dim + 1) // num_heads))"
    projections = "return self.split(self.a(x)), self.split(self.b(x)), self.split(self.c(x))"
    [exercise] = grade(attention(layers, projections, "x")).exercises
    assert exercise.outcome is Outcome.FAILED
    assert outcomes(exercise)["computes_what_the_reference_computes"] is Outcome.FAILED
    assert Outcome.SKIPPED not in outcomes(exercise).values()
    assert exercise.undecided_points == 0


LACKING = {
    "all": MEANINGLESS.replace("embed_dim)", "embed_dim, bias=False)"),
    "the fused one": FUSED.replace("3 * embed_dim", "3 * embed_dim, bias=False"),
    "under the reference's names": NAMED,
}


@pytest.mark.parametrize("lacking", LACKING)
def test_missing_biases_cost_the_check_on_parameters_alone(lacking: str, grade):
    projections, last = {
        "all": (SHUFFLED, "self.b(x)"),
        "the fused one": (STACKED, "self.proj(x)"),
        "under the reference's names": (OF_NAMED, "self.W_o(x)"),
    }[lacking]
    [exercise] = grade(attention(LACKING[lacking], projections, last)).exercises
    lost = [f.check for f in exercise.findings if f.outcome is not Outcome.PASSED]
    assert lost == ["has_four_layers_with_bias"]


def test_a_bias_too_many_costs_the_check_on_parameters_alone(grade):
    layers = f"{FUSED}; self.shift = nn.Parameter(torch.zeros(embed_dim))"
    [exercise] = grade(attention(layers, STACKED, "self.proj(x) + self.shift")).exercises
    lost = [f.check for f in exercise.findings if f.outcome is not Outcome.PASSED]
    assert lost == ["has_four_layers_with_bias"]


@pytest.mark.parametrize(
    ("layers", "projections", "theirs"),
    [(FLAT, OF_FLAT, ["flat", "k.weight"]), (LOW_RANK, OF_TWO, ["lq.weight", "rq.weight"])],
    ids=["one flat vector", "a product of two"],
)
def test_parameters_that_cannot_be_matched_are_listed_with_those_expected(layers, projections, theirs, grade):
    [exercise] = grade(attention(layers, projections, "self.out(x)")).exercises
    messages = [f.message for f in exercise.findings if f.outcome is Outcome.SKIPPED]
    assert messages
    for message in messages:
        expected, actual = message.split("\nbut they are ")
        assert expected.startswith("your instructor decides: the parameters should be W_")
        assert "W_o.bias (" in expected
        assert all(f"{name} (" in actual for name in theirs)


def test_a_product_of_two_matrices_only_has_too_many_parameters(grade):
    [exercise] = grade(attention(LOW_RANK, OF_TWO, "self.out(x)")).exercises
    [failed] = [f for f in exercise.findings if f.outcome not in (Outcome.PASSED, Outcome.SKIPPED)]
    assert "parameters, but there are" in failed.message


def test_parameters_that_cannot_be_matched_do_not_excuse_wrong_behaviour(grade):
    wrong = attention(LOW_RANK, OF_TWO, "self.out(x)").replace("softmax(-1)", "softmax(-2)")
    [exercise] = grade(wrong).exercises
    assert exercise.outcome is Outcome.FAILED


def test_missing_parameters_fail_with_a_list(grade):
    projections = "return self.split(self.a(x)), self.split(self.b(x)), self.split(self.c(x))"
    [exercise] = grade(attention(THREE, projections, "x")).exercises
    assert exercise.outcome is Outcome.FAILED
    assert exercise.undecided_points == 0
    messages = [f.message for f in exercise.findings if f.outcome is Outcome.FAILED and f.message]
    assert any("W_o.weight" in text and "but they are a.weight" in text for text in messages)


def test_an_answer_of_another_shape_is_wrong_although_parameters_cannot_be_matched(grade):
    [exercise] = grade(attention(LOW_RANK, OF_TWO, "self.out(x)[:, -1:]")).exercises
    finding = next(f for f in exercise.findings if f.check == "computes_what_the_reference_computes")
    assert finding.outcome is Outcome.FAILED
    assert "should have shape" in finding.message
    assert exercise.undecided_points == 0
