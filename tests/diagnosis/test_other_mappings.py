"""Where gradients tell a wrong order of the norms, they are tried in the order in which they stand."""

import math

import pytest
import torch
from torch import nn

from graders.candidate.parameter_mapping.layouts import LAYOUTS
from graders.candidate.parameter_mapping.mapping import ParameterMapping, ParameterRule
from graders.diagnosis.other_mappings import likely_mappings
from graders.judging.draws import Draws
from tests.diagnosis.test_several_mistakes import named


class Looking(nn.Module):
    """An attention; queries look at a memory where there is one."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.q, self.k, self.v, self.last = (nn.Linear(width, width) for _ in range(4))

    def forward(self, x, mask=None, memory=None):
        seen = x if memory is None else memory
        q, k, v = (
            layer(y).unflatten(-1, (self.heads, -1)).transpose(1, 2)
            for layer, y in zip((self.q, self.k, self.v), (x, seen, seen), strict=True)
        )
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        scores = scores if mask is None else scores.masked_fill(mask, -1e9)
        return self.last((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))


class Norm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.gain, self.shift = nn.Parameter(torch.ones(width)), nn.Parameter(torch.zeros(width))

    def forward(self, x):
        return self.gain * (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + 1e-6) + self.shift


class Decoder(nn.Module):
    """Norms behind the sums that divide by the unbiased deviation."""

    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
        super().__init__()
        inner = ff_dim or 4 * embed_dim
        self.mine, self.after_mine = Looking(embed_dim, num_heads), Norm(embed_dim)
        self.theirs, self.after_theirs = Looking(embed_dim, num_heads), Norm(embed_dim)
        self.up, self.down, self.at_the_end = (
            nn.Linear(embed_dim, inner),
            nn.Linear(inner, embed_dim),
            Norm(embed_dim),
        )

    def forward(self, x, memory, mask=None, memory_mask=None):
        x = self.after_mine(x + self.mine(x, mask))
        x = self.after_theirs(x + self.theirs(x, memory_mask, memory))
        return self.at_the_end(x + self.down(nn.functional.gelu(self.up(x))))


@pytest.mark.nightly  # at each push, below is what is tried for it
def test_two_mistakes_of_a_decoder_s_layer_are_named(draws: Draws) -> None:
    assert named(draws, "decoder_layer", Decoder) == {"post_norm", "unbiased_norm"}


def rule(name: str, source: str) -> ParameterRule:
    return ParameterRule(name, (source,), LAYOUTS[1][0])


def test_three_norms_are_tried_as_they_stand_before_two_are_exchanged() -> None:
    ends = ("weight", "bias")
    order = {"a": "norm2", "b": "norm3", "c": "norm1"}
    rules = tuple(rule(f"{own}.{end}", f"{norm}.{end}") for end in ends for own, norm in order.items())
    first, second, *others = likely_mappings(ParameterMapping(rules))
    assert [r.sources[0] for r in first.rules] == [r.sources[0] for r in rules]
    assert [r.sources[0] for r in second.rules] == [f"norm{n}.{end}" for end in ends for n in (1, 2, 3)]
    assert len(others) == 3


def test_a_gate_and_the_layer_that_it_multiplies_are_exchanged() -> None:
    order = {"w1": "up_proj", "w3": "gate_proj", "w2": "down_proj"}
    rules = tuple(rule(f"{own}.weight", f"{layer}.weight") for own, layer in order.items())
    _, exchanged = likely_mappings(ParameterMapping(rules))
    due = ["gate_proj.weight", "up_proj.weight", "down_proj.weight"]
    assert [r.sources[0] for r in exchanged.rules] == due
