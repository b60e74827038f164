"""Recurrent cells as others write them: layers joined, the other sense of a gate, and a mistake beside it."""

import pytest
import torch
from torch import nn

from graders.judging.draws import Draws
from tests.diagnosis.test_several_mistakes import named


class ResetFirst(nn.Module):
    """One layer for both gates and one for what is new, each for the input and the state together."""

    def __init__(self, input_size, hidden_size):
        super().__init__()
        self.width = hidden_size
        self.of_gates = nn.Linear(input_size + hidden_size, 2 * hidden_size)
        self.of_new = nn.Linear(input_size + hidden_size, hidden_size)

    def mix(self, gate, new, before):
        return before + gate * (new - before)

    def forward(self, x, h=None):
        h = x.new_zeros(len(x), self.width) if h is None else h
        reset, gate = self.of_gates(torch.cat([x, h], 1)).sigmoid().chunk(2, 1)
        new = torch.tanh(self.of_new(torch.cat([x, reset * h], 1)))
        return self.mix(gate, new, h)


class ResetFirstThenKept(ResetFirst):
    def mix(self, gate, new, before):
        return new + gate * (before - new)


@pytest.mark.parametrize("cell", [ResetFirst, ResetFirstThenKept])
def test_a_reset_before_the_product_and_single_biases_are_named_in_joined_layers_whatever_z_weighs(
    draws: Draws, cell: type
):
    assert named(draws, "gru_cell", cell) == {"resets_before_the_product", "one_bias_each"}
