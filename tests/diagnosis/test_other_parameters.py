"""Mistakes that change a part's parameters are named in a whole, and others on top of them."""

import math

import pytest
import torch
from torch import nn
from torch.nn import functional

from graders.candidate.parameter_mapping.layouts import LAYOUTS
from graders.candidate.parameter_mapping.mapping import ParameterMapping, ParameterRule
from graders.course.reference import copy_around, mistakes, reference
from graders.diagnosis.combinations import twins
from graders.diagnosis.other_mappings import likely_mappings, without_vectors_too_many
from graders.diagnosis.part_mistakes import parts_alike
from graders.judging.draws import Draws
from tests.diagnosis.test_several_mistakes import named

SHAPES = {"linear1.weight": (5, 3), "linear1.bias": (5,)}


class SharedByHeads(nn.Module):
    """A projection as wide as a head for all heads, scaled by the whole width, and 1 is kept."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads, self.width = heads, width
        self.keys, self.values, self.queries = (
            nn.Linear(width // heads, width // heads, bias=False) for _ in range(3)
        )
        self.last = nn.Linear(width, width)

    def forward(self, x, mask=None):
        heads = x.unflatten(-1, (self.heads, -1))
        scores = torch.einsum("nqhd,nkhd->nhqk", self.queries(heads), self.keys(heads))
        if mask is not None:
            scores = scores.masked_fill(mask == 0, -1e20)
        weights = torch.softmax(scores / math.sqrt(self.width), 3)
        return self.last(torch.einsum("nhql,nlhd->nqhd", weights, self.values(heads)).flatten(2))


class OfTutorials(nn.Module):
    """Norms behind the sums, around attention with shared projections."""

    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
        super().__init__()
        inner = ff_dim or 4 * embed_dim
        self.attention = SharedByHeads(embed_dim, num_heads)
        self.norm1, self.norm2 = nn.LayerNorm(embed_dim), nn.LayerNorm(embed_dim)
        self.network = nn.Sequential(nn.Linear(embed_dim, inner), nn.ReLU(), nn.Linear(inner, embed_dim))

    def forward(self, x, mask=None):
        x = self.norm1(self.attention(x, mask) + x)
        return self.norm2(self.network(x) + x)


class OneGain(nn.Module):
    def __init__(self, _):
        super().__init__()
        self.alpha, self.bias = nn.Parameter(torch.ones(1)), nn.Parameter(torch.zeros(1))

    def forward(self, x):
        return self.alpha * (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + 1e-6) + self.bias


class NormedByOneGain(OfTutorials):
    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
        super().__init__(embed_dim, num_heads, ff_dim, dropout)
        self.attention = nn.MultiheadAttention(embed_dim, num_heads, batch_first=True)
        self.norm1, self.norm2 = OneGain(embed_dim), OneGain(embed_dim)

    def forward(self, x, mask=None):
        normed = self.norm1(x)
        x = x + self.attention(normed, normed, normed)[0]
        return x + self.network(self.norm2(x))


@pytest.mark.parametrize(
    ("made", "names"),
    [
        (OfTutorials, {"shared_by_heads", "scaled_by_embed_dim", "post_norm", "mask_inverted"}),
        (NormedByOneGain, {"one_gain", "unbiased_norm", "mask_lost"}),
    ],
)
def test_a_block_with_other_parameters_has_all_its_mistakes_named(made: type, names: set[str], draws: Draws):
    assert named(draws, "transformer_block", made) == names


class Gated(nn.Module):
    """SwiGLU, whose gate is the first of three layers, without biases."""

    def __init__(self, hidden_size, intermediate_size):
        super().__init__()
        self.w1, self.w3 = (nn.Linear(hidden_size, intermediate_size, bias=False) for _ in range(2))
        self.w2 = nn.Linear(intermediate_size, hidden_size, bias=False)

    def forward(self, x):
        return self.w2(functional.silu(self.w1(x)) * self.w3(x))


def test_a_gate_is_told_from_the_layer_that_it_multiplies(draws: Draws):
    assert named(draws, "gpt_feed_forward", Gated) == {"gated", "silu"}


class WithANormOfItsOwn(nn.Module):
    """The reference's names, and a norm of which it knows nothing."""

    def __init__(self, embed_dim, ff_dim=None, dropout=0.1):
        super().__init__()
        self.linear1 = nn.Linear(embed_dim, ff_dim or 4 * embed_dim)
        self.linear2 = nn.Linear(ff_dim or 4 * embed_dim, embed_dim)
        self.norm = nn.LayerNorm(embed_dim)

    def forward(self, x):
        return self.norm(x + self.linear2(self.linear1(x).relu()))


def test_a_norm_too_many_hides_no_mistake(draws: Draws):
    assert named(draws, "feed_forward", WithANormOfItsOwn) == {"residual_and_norm"}


def test_a_norm_too_many_changes_nothing_and_a_layer_too_many_is_none():
    mapping = without_vectors_too_many({**SHAPES, "norm.weight": (3,), "norm.bias": (3,)}, SHAPES)
    assert mapping is not None
    assert mapping.ones == ("norm.weight",)
    assert set(mapping.extra) == {"norm.weight", "norm.bias"}
    assert without_vectors_too_many(SHAPES, SHAPES) is None
    assert without_vectors_too_many({**SHAPES, "gate.weight": (5, 3)}, SHAPES) is None


def test_layers_of_one_module_are_in_one_part():
    held = {
        "a.q.weight": "self_attention.W_q.weight",
        "a.k.weight": "cross_attention.W_k.weight",
        "a.o.weight": "self_attention.W_o.weight",
        "b.q.weight": "cross_attention.W_q.weight",
        "b.k.weight": "self_attention.W_k.weight",
        "b.o.weight": "cross_attention.W_o.weight",
    }
    rules = tuple(ParameterRule(name, (source,), LAYOUTS[1][0]) for name, source in held.items())
    [mapping] = likely_mappings(ParameterMapping(rules))
    parts = {rule.name[0]: rule.sources[0].partition(".")[0] for rule in mapping.rules}
    assert parts == {"a": "self_attention", "b": "cross_attention"}
    assert all(rule.sources[0].split(".")[1] == held[rule.name].split(".")[1] for rule in mapping.rules)


def test_a_mistake_of_a_part_is_constructed_at_any_depth():
    part = mistakes("bert_feed_forward", "PositionwiseFeedForward")["PositionwiseFeedForward__gated"]
    around = copy_around("bert_encoder", {"PositionwiseFeedForward": part})
    assert around is not None
    sizes = {"num_layers": 2, "hidden_size": 4, "num_heads": 2, "intermediate_size": 3}
    assert type(around["BertEncoder"](**sizes).layers[1].ff) is part
    right = reference("bert_encoder", "BertEncoder")
    assert right is not None
    assert type(right(**sizes).layers[1].ff) is not part
    assert copy_around("bert_feed_forward", {"MultiHeadSelfAttention": part}) is None


def test_attentions_of_one_class_make_a_mistake_together():
    layer = reference("decoder_layer", "DecoderLayer")
    assert layer is not None
    alike = parts_alike(layer(embed_dim=4, num_heads=2))
    assert alike == [{"MultiHeadAttention", "CrossAttention"}]
    names = ["MultiHeadAttention__unscaled", "FeedForward__silu", "CrossAttention__unscaled"]
    assert twins(names, alike) == [("MultiHeadAttention__unscaled", "CrossAttention__unscaled")]
