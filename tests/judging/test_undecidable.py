"""Where a core check failed, nobody has to decide the checks that were skipped: the code is wrong."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from graders.course.exercise import load_assignment
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.judging.undecidable import decide_where_wrong, undecidable_checks
from graders.results.result import Finding, Outcome
from tests.support.open_box import OpenBox

CHECKS = [SimpleNamespace(name=name, core=name.startswith("core")) for name in ("core", "side", "far")]
EXERCISE: Any = SimpleNamespace(checks=CHECKS)
# Only `far` needs the reference, which is not there.
DRAWS: Any = SimpleNamespace(decidable=lambda _, check: check.name != "far")


def of(*outcomes: Outcome) -> list[Finding]:
    return [Finding(c.name, outcome, 0, 1, "") for c, outcome in zip(CHECKS, outcomes, strict=True)]


PASSED, FAILED, RAISED, SKIPPED = Outcome.PASSED, Outcome.FAILED, Outcome.RAISED, Outcome.SKIPPED


@pytest.mark.parametrize(
    ("outcomes", "tried_again"),
    [
        ((FAILED, SKIPPED, SKIPPED), ["side"]),
        ((FAILED, PASSED, SKIPPED), []),
        ((FAILED, FAILED, FAILED), []),
        ((PASSED, SKIPPED, SKIPPED), []),
        ((PASSED, FAILED, SKIPPED), []),
        ((RAISED, SKIPPED, SKIPPED), []),
        ((SKIPPED, FAILED, PASSED), []),
        ((SKIPPED, SKIPPED, FAILED), []),
    ],
)
def test_a_skipped_check_is_tried_again_only_where_a_core_check_failed(
    outcomes: tuple[Outcome, ...], tried_again: list[str]
):
    tried = []

    def try_again(check: Any) -> Finding:
        tried.append(check.name)
        return Finding(check.name, FAILED, 0, 1, "", "again")

    findings = of(*outcomes)
    decided = decide_where_wrong(EXERCISE, DRAWS, findings, try_again)
    assert tried == tried_again
    for before, after in zip(findings, decided, strict=True):
        assert after.check == before.check
        assert after.message == ("again" if after.check in tried_again else None)


def test_undecidable_are_the_skipped_checks_for_which_there_is_a_reference():
    assert [c.name for c in undecidable_checks(EXERCISE, DRAWS, of(FAILED, SKIPPED, SKIPPED))] == ["side"]
    assert undecidable_checks(EXERCISE, DRAWS, of(FAILED, PASSED, Outcome.BROKEN)) == []


FEED_FORWARD = """
from torch import nn
from torch.nn import functional as F
class FeedForward(nn.Module):
    def __init__(self, embed_dim, ff_dim=None, dropout=0.1):
        super().__init__()
        ff_dim = ff_dim or 4 * embed_dim
        self.up, self.gate = nn.Linear(embed_dim, ff_dim), nn.Linear(embed_dim, ff_dim)
        self.down, self.wide = nn.Linear(ff_dim, embed_dim), nn.Linear(ff_dim, ff_dim, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.last = nn.Linear(embed_dim, embed_dim)
    def forward(self, x):
        return self.dropout({body})
"""


@pytest.mark.parametrize(
    ("body", "is_decided"),
    [
        ("self.down(F.silu(self.gate(x)) * self.up(x))", True),
        ("self.last(F.relu(self.down(F.relu(self.up(x)))))", True),
        ("self.down(F.relu(self.wide(F.relu(self.up(x)))))", True),
        ("self.down(F.relu(self.wide(self.up(x))))", False),
        ("self.last(self.down(F.relu(self.up(x))))", False),
    ],
    ids=["a gate", "a third layer", "a third layer within", "a product before", "a product behind"],
)
def test_a_gate_and_a_third_layer_are_other_layers_and_a_product_of_matrices_may_be_right(
    open_box: OpenBox, draws: Draws, tmp_path: Path, body: str, is_decided: bool
) -> None:
    code = FEED_FORWARD.format(body=body)
    if not is_decided:  # nor does it lack dropout alone that makes it wrong
        code = code.replace("return self.dropout", "return ")
    (tmp_path / "answer.py").write_text(code)
    grader = Grader(load_assignment("attention").only(["feed_forward"]), draws.without_search(), open_box)
    [result] = grader.grade(tmp_path / "answer.py", "student").exercises
    undecided = {f.check for f in result.findings if f.outcome is SKIPPED}
    assert ("computes_what_the_reference_computes" in undecided) is not is_decided


FLAT = """
import torch
from torch import nn
class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.heads, self.width = num_heads, embed_dim
        self.flat = nn.Parameter(torch.randn(4 * (embed_dim * embed_dim + embed_dim){more}) / embed_dim)
    def layer(self, x, n):
        own = self.flat[n::4][: self.width * (self.width + 1)]
        return x @ own[: self.width ** 2].view(self.width, -1) + own[self.width ** 2 :]
    def forward(self, x, mask=None):
        q, k, v = (self.layer(x, n).unflatten(-1, (self.heads, -1)).transpose(1, 2) for n in range(3))
        scores = {scores}
        if mask is not None:
            scores = scores.masked_fill(mask, float("-inf"))
        weights = scores.softmax(-1)
        return self.layer((weights @ {values}).transpose(1, 2).flatten(2), 3), weights
"""
SCALED = "q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5"


@pytest.mark.parametrize(
    ("scores", "values", "more", "says"),
    [
        (SCALED, "v", "", ""),
        (f"({SCALED} * torch.ones(1, dtype=torch.float32)).to(x.dtype)", "v", "", ""),
        ("q @ k.transpose(-1, -2)", "v", "", "the output is another"),
        ("(q + k).sum(-1, keepdim=True) * 0 + torch.zeros(x.shape[1])", "v", "", "is another"),
        (SCALED, "k", "", "the gradients are others"),
        (SCALED, "v", " + 4", "not as many numbers"),
    ],
    ids=["right", "right with a constant", "unscaled", "a mean", "values from keys", "one number too many"],
)
def test_parameters_in_one_vector_are_decided_where_one_number_for_all_shows_that_the_code_is_wrong(
    open_box: OpenBox, draws: Draws, tmp_path: Path, scores: str, values: str, more: str, says: str
) -> None:
    path = tmp_path / "answer.py"
    path.write_text(FLAT.format(scores=scores, values=values, more=more), encoding="utf-8")
    chosen = load_assignment("attention").only(["multi_head_attention"])
    [result] = Grader(chosen, draws.without_search(), open_box).grade(path, "student").exercises
    core = next(f for f in result.findings if f.check == "computes_what_the_reference_computes")
    assert core.outcome is (FAILED if says else SKIPPED)
    assert (result.undecided_points == 0) is bool(says)
    assert says in (core.message or "")
