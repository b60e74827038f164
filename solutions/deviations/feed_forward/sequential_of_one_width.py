"""A subclass of nn.Sequential whose inner width is always four times the model's.

loses: has_two_layers_with_bias
"""

import torch.nn as nn


class FeedForward(nn.Sequential):
    def __init__(self, d_model, p_drop=0.1):
        inner = 4 * d_model
        super().__init__(
            nn.Linear(d_model, inner),
            nn.GELU(approximate="tanh"),
            nn.Linear(inner, d_model),
            nn.Dropout(p_drop),
        )
