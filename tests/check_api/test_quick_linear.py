"""Layers of ours get the values that PyTorch would give them."""

import pytest
import torch
from torch import nn

from graders.check_api.quick_linear import quick_linear


@pytest.mark.parametrize("bias", [True, False])
def test_values_and_the_random_numbers_after_them_are_those_of_pytorch(bias):
    torch.manual_seed(3)
    due, next_due = nn.Linear(5, 7, bias=bias), torch.rand(2)
    with quick_linear():
        torch.manual_seed(3)
        quick, after = nn.Linear(5, 7, bias=bias), torch.rand(2)
    assert torch.equal(after, next_due)
    assert all(map(torch.equal, quick.parameters(), due.parameters()))
    assert quick.weight.requires_grad


def test_after_the_block_pytorch_draws_again():
    own = nn.Linear.reset_parameters
    with pytest.raises(ZeroDivisionError), quick_linear():
        assert nn.Linear.reset_parameters is not own
        raise ZeroDivisionError
    assert nn.Linear.reset_parameters is own
