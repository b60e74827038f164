"""Biases too many or too few are named in code with names of its own, whose values do not tell them."""

import pytest
import torch
from torch import nn
from torch.nn import functional

from graders.candidate.local_candidate import LocalCandidate
from graders.course.reference import reference
from graders.judging.draws import Draws
from tests.diagnosis.test_diagnose import EXERCISES


class Gated(nn.Module):
    """A gated network in two layers, of which either may have a bias; in four with a norm of its own."""

    biases = (True, True)
    norm = nn.Identity

    def __init__(self, dim, hidden_dim):
        super().__init__()
        self.wide = nn.Linear(dim, 2 * hidden_dim, bias=self.biases[0])
        self.narrow = nn.Linear(hidden_dim, dim, bias=self.biases[1])
        self.own = self.norm(dim) if self.norm is not nn.Identity else None

    def forward(self, x):
        gate, up = self.wide(x if self.own is None else self.own(x)).chunk(2, -1)
        return self.narrow(functional.silu(gate) * up)


class GatedWithOneBias(Gated):
    biases = (False, True)


class GatedWithout(Gated):
    biases = (False, False)


class GatedAndNormed(Gated):
    norm = nn.LayerNorm


class Plain(nn.Module):
    def __init__(self, embed_dim, ff_dim=None, dropout=0.1):
        super().__init__()
        ff_dim = ff_dim or 4 * embed_dim
        self.up = nn.Linear(embed_dim, ff_dim, bias=False)
        self.down = nn.Linear(ff_dim, embed_dim, bias=self.last_bias)

    last_bias = False

    def forward(self, x):
        return self.down(torch.relu(self.up(x)))


class PlainWithLastBias(Plain):
    last_bias = True


@pytest.mark.parametrize(
    ("exercise", "made", "name"),
    [
        ("swiglu", Gated, "SwiGLU__with_biases"),
        ("swiglu", GatedWithOneBias, "SwiGLU__with_biases"),
        ("swiglu", GatedWithout, None),
        ("swiglu", GatedAndNormed, None),
        ("feed_forward", Plain, "FeedForward__without_bias"),
        ("feed_forward", PlainWithLastBias, None),
    ],
)
def test_the_mistake_with_as_many_biases_is_named_and_none_where_more_differs(
    draws: Draws, exercise: str, made: type, name: str | None
):
    known = draws.known_mistakes(EXERCISES[exercise])
    assert known is not None
    assert known.of_biases(LocalCandidate(made, lambda: draws.mapping_draws(EXERCISES[exercise]))) == name


def test_queries_keys_and_values_without_biases_are_no_norms_without_weights(draws: Draws):
    """In a decoder's layer, the biases of both attentions are as many values as the weights of its norms."""
    right = reference("decoder_layer", "DecoderLayer")

    def made(**config):
        layer = right(**config)
        for name, part in list(layer.named_modules()):
            if isinstance(part, nn.Linear) and name.endswith(("W_q", "W_k", "W_v")):
                part.bias = None
        return layer

    biases = {name for name, _ in right(12, 3).named_parameters()} - {
        n for n, _ in made(embed_dim=12, num_heads=3).named_parameters()
    }
    assert len(biases) == 6
    known = draws.known_mistakes(EXERCISES["decoder_layer"])
    assert known is not None
    name = known.of_biases(LocalCandidate(made, lambda: draws.mapping_draws(EXERCISES["decoder_layer"])))
    assert name is None or "norm" not in name
