"""A class where a function is due."""

import torch
from torch import nn

from softmark_worker import class_for_function, forward_arguments
from softmark_worker.call_assignments import Argument

LOCAL = [Argument(name) for name in ("Q", "K", "V", "window")]


class Local(nn.Module):
    """Attention of a window that its constructor is given."""

    def __init__(self, window_size=3):
        super().__init__()
        self.window = window_size

    def forward(self, q, k, v, mask=None):
        return q, k, v, self.window, mask, self.training


def test_the_constructor_and_forward_share_the_arguments_of_the_function():
    function, taken = forward_arguments.adapt_function(class_for_function.as_function(Local), LOCAL)
    assert function(1, 2, 3, 7) == (1, 2, 3, 7, None, False)
    assert taken["window_size"] == "window"


def test_a_class_whose_arguments_stand_as_in_the_contract_is_called_by_place():
    class Same(nn.Module):
        def forward(self, Q, K):
            return Q - K

    function, taken = forward_arguments.adapt_function(class_for_function.as_function(Same), LOCAL[:2])
    assert function(torch.tensor(3), torch.tensor(1)) == 2
    assert taken == {}


def test_what_is_not_called_is_no_function():
    assert class_for_function.as_function(dict) is None
