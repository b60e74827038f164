"""The class is no module, and its weights are tensors in lists.

loses: has_two_layers_with_bias
"""

import torch


class FeedForward:
    def __init__(self, embed_dim, ff_dim=None, dropout=0.1):
        sizes = [embed_dim, ff_dim or 4 * embed_dim, embed_dim]
        self.weights = [torch.randn(a, b) / a**0.5 for a, b in zip(sizes, sizes[1:])]
        self.biases = [torch.zeros(b, requires_grad=True) for b in sizes[1:]]
        self.dropout, self.training = dropout, True

    def __call__(self, x):
        x = torch.nn.functional.gelu(x @ self.weights[0] + self.biases[0])
        x = torch.nn.functional.dropout(x, self.dropout, self.training)
        return x @ self.weights[1] + self.biases[1]
