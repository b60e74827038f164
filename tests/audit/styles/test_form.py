"""Styles of form keep what the code computes."""

import importlib
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

from graders.audit.styles.form import STYLES
from tests.audit.styles.both_forms import both_forms, find_exercise, rewrite

ATTENTION = find_exercise("multi_head_attention", "attention")
NETWORK = find_exercise("feed_forward", "attention")
E = 8

CODE = """
import torch
from torch import nn

def softmax(scores):
    return torch.exp(scores - scores.logsumexp(-1, keepdim=True))

class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.q_proj = nn.Linear(embed_dim, embed_dim)
        self.k_proj = nn.Linear(embed_dim, embed_dim)
        self.v_proj = nn.Linear(embed_dim, embed_dim)
        self.out = nn.Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        B, S, E = x.shape
        H, D = self.num_heads, E // self.num_heads
        q = self.q_proj(x).view(B, S, H, D).transpose(1, 2)
        k = self.k_proj(x).view(B, S, H, D).transpose(1, 2)
        v = self.v_proj(x).view(B, S, H, D).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / D**0.5
        if mask is not None:
            scores = scores.masked_fill(mask, float("-inf"))
        weights = softmax(scores)
        heads = torch.einsum("bhqk,bhkd->bqhd", weights, v)
        return self.out(heads.reshape(B, S, E)), weights
"""
SEQUENTIAL = """
import torch
from torch import nn

class FeedForward(nn.Module):
    def __init__(self, embed_dim, ff_dim):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(embed_dim, ff_dim), nn.GELU(), nn.Linear(ff_dim, embed_dim))

    def forward(self, x):
        return self.net(x)
"""


def fill(module: Any) -> Any:
    """The module with parameters that follow from their shapes; fused layers are filled part by part."""
    for parameter in module.parameters():
        parts = parameter.data.split(E) if len(parameter) % E == 0 else [parameter.data]
        for part in parts:
            part.copy_(torch.linspace(-1, 1, part.numel()).view(part.shape))
    return module


def attend(names: dict[str, Any]) -> tuple[torch.Tensor, torch.Tensor]:
    """What the attention answers on fixed numbers."""
    x = torch.linspace(-1, 1, 2 * 5 * E).sin().view(2, 5, E)
    mask = torch.ones(5, 5, dtype=torch.bool).triu(1)
    output, weights = fill(names["MultiHeadAttention"](E, 2))(x, mask)
    return output, weights


IN_ONE_FILE = [s.name for s in STYLES if not s.name.endswith("_in_files") and s.name != "form.sequential"]


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("style", IN_ONE_FILE)
def test_attention_answers_the_same_in_each_form(style: str, number: int) -> None:
    before, after = map(attend, both_forms(style, ATTENTION, CODE, number))
    torch.testing.assert_close(after, before)


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("style", ["form.parts_in_files", "form.answer_in_files"])
def test_attention_answers_the_same_from_several_files(
    style: str, number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rewritten = rewrite(style, ATTENTION, CODE, number)
    assert rewritten is not None
    for name, text in rewritten.texts().items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "answer", raising=False)  # of another test
    before = dict(sys.modules)
    module = importlib.import_module("answer")
    for name in set(sys.modules) - set(before):
        del sys.modules[name]
    original: dict[str, Any] = {}
    exec(CODE, original)
    torch.testing.assert_close(attend(vars(module)), attend(original))


def test_layers_that_forward_reads_outside_the_class_stay_attributes() -> None:
    outside = rewrite("form.forward_added", ATTENTION, CODE)
    assert outside is not None
    assert rewrite("form.container", ATTENTION, outside.texts()["answer.py"]) is None


def test_a_network_that_is_a_sequential_answers_the_same() -> None:
    before, after = both_forms("form.sequential", NETWORK, SEQUENTIAL)
    x = torch.linspace(-1, 1, 3 * E).view(1, 3, E)
    answers = [fill(names["FeedForward"](E, 2 * E))(x) for names in (before, after)]
    assert issubclass(after["FeedForward"], torch.nn.Sequential)
    torch.testing.assert_close(*answers)
