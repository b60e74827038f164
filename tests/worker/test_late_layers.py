"""A layer that forward is given, and the constructor not."""

import torch
from torch import nn

from softmark_worker import bind_arguments


class Late(nn.Module):
    """As the annotated Transformers have it."""

    def __init__(self, d_model, dropout=0.1):
        super().__init__()
        self.norm = nn.LayerNorm(d_model)

    def forward(self, x, sublayer):
        return x + sublayer(self.norm(x))


def test_forward_gets_the_layer_that_the_constructor_does_not_take():
    layer = nn.Linear(4, 4)
    given = {"layer": layer, "dim": 4}
    made, pairs = bind_arguments.construct(Late, (), given, ["layer", "dim", "dropout", "pre"])
    x = torch.randn(2, 3, 4)
    assert torch.equal(made(x), x + layer(made.norm(x)))
    assert pairs["sublayer (forward)"] == "layer"
    assert pairs["d_model"] == "dim"
    assert any(value is layer.weight for value in made.parameters())


def test_a_constructor_that_takes_the_layer_keeps_it():
    class Early(nn.Module):
        def __init__(self, sublayer, size):
            super().__init__()
            self.layer = sublayer

        def forward(self, x):
            return self.layer(x)

    layer = nn.Linear(4, 4)
    made, pairs = bind_arguments.construct(Early, (), {"layer": layer, "dim": 4}, ["layer", "dim"])
    assert made.layer is layer
    assert "sublayer (forward)" not in pairs
