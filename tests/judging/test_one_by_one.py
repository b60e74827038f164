"""Right code for one sequence alone, or for one head, loses the check about batches, and no other."""

import pytest

from graders.course.exercise import load_assignment
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.results.result import Outcome
from tests.support.open_box import OpenBox

SPLIT = """
def split_heads(x, num_heads):
    length, width = x.shape
    return x.reshape(length, num_heads, width // num_heads).transpose(0, 1)
"""
ATTENTION = """
import math
import torch
from torch import nn


class CrossAttention(nn.Module):
    def __init__(self, embed_dim, num_heads, kv_dim=None):
        super().__init__()
        assert embed_dim % num_heads == 0
        self.num_heads, inner = num_heads, kv_dim or embed_dim
        self.W_q, self.W_o = nn.Linear(embed_dim, embed_dim), nn.Linear(embed_dim, embed_dim)
        self.W_k, self.W_v = nn.Linear(inner, embed_dim), nn.Linear(inner, embed_dim)

    def split(self, x):
        length, width = x.shape
        return x.reshape(length, self.num_heads, -1).transpose(0, 1)

    def forward(self, x, memory, mask=None):
        q, k, v = self.split(self.W_q(x)), self.split(self.W_k(memory)), self.split(self.W_v(memory))
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        weights = (scores if mask is None else scores.masked_fill(mask, -math.inf)).softmax(-1)
        return self.W_o((weights @ v).transpose(0, 1).flatten(1)), weights
"""
LOCAL = """
def local_attention(Q, K, V, window):
    length, width = Q.shape
    rows = []
    for i in range(length):
        seen = slice(max(0, i - window), i + window + 1)
        rows.append((Q[i] @ K[seen].T / width**0.5).softmax(-1) @ V[seen])
    return torch.stack(rows)
"""
PLAIN = """
import math


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.T / math.sqrt(Q.shape[-1])
    weights = (scores if mask is None else scores.masked_fill(mask, -math.inf)).softmax(-1)
    return weights @ V, weights
"""
JOINED_ALONG_POSITIONS = """
import math
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        assert embed_dim % num_heads == 0
        self.num_heads = num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(embed_dim, embed_dim) for _ in range(4))

    def forward(self, x, mask=None):
        split = lambda layer: layer(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
        q, k, v = map(split, (self.W_q, self.W_k, self.W_v))
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        weights = (scores if mask is None else scores.masked_fill(mask, -math.inf)).softmax(-1)
        return self.W_o((weights @ v).flatten(1, 2)), weights
"""
CASES = {
    "scaled_dot_product_attention": ("attention", PLAIN, "treats_leading_axes_apart"),
    "split_heads": ("attention", SPLIT, "splits_the_width"),
    "cross_attention": ("seq2seq", ATTENTION, "treats_sequences_apart"),
    "local_attention": ("efficient", "import torch\n" + LOCAL, "treats_heads_and_sequences_apart"),
}


def lost(name, code, open_box: OpenBox, draws: Draws, tmp_path):
    """The findings that do not hold, by their checks."""
    assignment = load_assignment(CASES.get(name, ("attention",))[0]).only([name])
    (tmp_path / "answer.py").write_text(code)
    [result] = (
        Grader(assignment, draws.without_search(), open_box).grade(tmp_path / "answer.py", "s").exercises
    )
    return {f.check: f for f in result.findings if f.outcome.failed_or_raised}


@pytest.mark.parametrize("name", CASES)
def test_one_check_fails_and_says_what_the_code_takes(name, open_box, draws, tmp_path):
    _, code, check = CASES[name]
    findings = lost(name, code, open_box, draws, tmp_path)
    assert [*findings] == [check]
    assert findings[check].outcome is Outcome.FAILED
    assert findings[check].message.startswith("your code takes one ")


def test_code_that_raises_for_another_reason_is_told_its_own_error(open_box, draws, tmp_path):
    code = SPLIT.replace("length, width = x.shape", "raise ValueError('mine')")
    findings = lost("split_heads", code, open_box, draws, tmp_path)
    assert {f.message for f in findings.values()} == {"ValueError: mine"}


def test_a_batch_as_the_second_axis_is_told_and_is_not_taken_for_one_sequence(open_box, draws, tmp_path):
    code = ATTENTION.replace("length, width = x.shape", "length, batch, width = x.shape")
    code = code.replace(
        "x.reshape(length, self.num_heads, -1)", "x.reshape(length, batch * self.num_heads, -1)"
    )
    code = code.replace(".transpose(0, 1).flatten(1))", ".transpose(0, 1).reshape(*x.shape))")
    findings = lost("cross_attention", code, open_box, draws, tmp_path)
    assert "(S, B, E)" in findings["treats_sequences_apart"].message
    assert "computes_what_the_reference_computes" in findings


def test_a_known_mistake_is_named_and_not_taken_for_code_of_one_sequence(open_box, draws, tmp_path):
    findings = lost("multi_head_attention", JOINED_ALONG_POSITIONS, open_box, draws, tmp_path)
    assert not any((f.message or "").startswith("your code takes one ") for f in findings.values())
    assert "joined_along_positions" in str(findings["computes_what_the_reference_computes"].mistakes)
