"""Constructors that must be given classes or an activation get what is usual, and not the rate of dropout."""

import pytest
import torch
from torch import nn

from softmark_worker import bind_arguments

GIVEN = {"embed_dim": 8, "num_heads": 2, "ff_dim": 6, "dropout": 0.25}


class Network(nn.Module):
    def __init__(self, width, act):
        super().__init__()
        self.made = act()


class Norms(nn.Module):
    def __init__(self, dim, heads, inner, norm_class, dropout):
        super().__init__()
        self.made, self.rate = norm_class(dim), dropout


class HandedOn(nn.Module):
    def __init__(self, dim, heads, inner, act_class, dropout=0.5):
        super().__init__()
        self.made, self.rate = Network(dim, act_class).made, dropout


class Kept(nn.Module):
    def __init__(self, dim, heads, inner, nonlin, rate):
        super().__init__()
        self.made, self.rate = nonlin, rate

    def forward(self, x):
        return self.made(x)


class Numbers(nn.Module):
    def __init__(self, dim, heads, inner, p):
        super().__init__()
        self.made, self.rate = nn.Dropout(p), p

    def forward(self, x):
        return self.made(x)


class Given(nn.Module):
    def __init__(self, dim, heads, inner, attention_class, dropout=0.5):
        super().__init__()
        self.made, self.rate = attention_class(dim, heads), dropout


class Attention(nn.Module):
    def __init__(self, heads, dim):
        super().__init__()


def test_a_class_of_the_authors_is_given_as_it_is():
    parts = {"attention_class": Attention}
    module, pairs = bind_arguments.construct(Given, [], dict(GIVEN), list(GIVEN), {}, parts=parts)
    assert type(module.made) is Attention
    assert pairs["attention_class"] == "Attention"


@pytest.mark.parametrize(
    ("symbol", "made"),
    [(Norms, nn.LayerNorm), (HandedOn, nn.GELU), (Kept, nn.GELU), (Numbers, nn.Dropout)],
)
def test_what_is_called_is_a_class_or_a_layer_and_no_number(symbol, made):
    module, _ = bind_arguments.construct(symbol, [], dict(GIVEN), list(GIVEN), {"dropout": 0.1})
    assert isinstance(module.made, made)
    assert module.rate == 0.25


def test_a_network_with_a_gate_has_another_activation():
    name = "SwiGLU"
    module, _ = bind_arguments.construct(Kept, [], dict(GIVEN), list(GIVEN), {}, name)
    assert torch.equal(module(torch.ones(1)), nn.functional.silu(torch.ones(1)))
