"""A subclass of nn.Sequential whose inner width is always four times the model's.

loses: has_two_layers_with_bias
"""

from torch import nn


class PositionwiseFeedForward(nn.Sequential):
    def __init__(self, n_embd):
        super().__init__(nn.Linear(n_embd, 4 * n_embd), nn.GELU("tanh"), nn.Linear(4 * n_embd, n_embd))
