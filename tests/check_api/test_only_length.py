"""Draws of code that answers inputs of one length alone, of which no argument of its constructor tells."""

from dataclasses import dataclass

import pytest
import torch
from torch import Tensor

from graders.check_api.usual_sizes import at_usual_sizes, only_length


@dataclass(frozen=True)
class Drawn:
    config: dict[str, int]
    hidden_states: Tensor
    attention_mask: Tensor


@pytest.mark.parametrize("length", [2, 3, 7])
def test_inputs_and_masks_have_the_length_and_the_constructor_is_given_no_more(length: int):
    states, mask = torch.randn(2, 3, 4), torch.ones(2, 1, 3, 3).tril()
    size = only_length("hidden_states", "a_check").of_one_length(length)
    draw = at_usual_sizes(Drawn({"hidden_size": 4}, states, mask), [size])
    assert draw.config == {"hidden_size": 4}
    assert draw.hidden_states.shape == (2, length, 4)
    assert draw.attention_mask.shape == (2, 1, length, length)
    assert torch.equal(draw.hidden_states[:, :2], states[:, :2])
    assert bool(draw.attention_mask.diagonal(dim1=-2, dim2=-1).all())
