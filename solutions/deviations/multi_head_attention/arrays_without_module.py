"""The classes are no modules, and their weights are arrays of NumPy in objects of their own.

loses: has_four_layers_with_bias
"""

import numpy as np


class Weight:
    def __init__(self, *shape):
        self.data = np.random.randn(*shape) * 0.1
        self.grad = np.zeros(shape)


class Linear:
    def __init__(self, width):
        self.w, self.b = Weight(width, width), Weight(width)

    def __call__(self, x):
        return x @ self.w.data + self.b.data


class MultiHeadAttention:
    def __init__(self, embed_dim, num_heads):
        assert embed_dim % num_heads == 0
        self.num_heads = num_heads
        self.layers = {name: Linear(embed_dim) for name in ("query", "key", "value", "out")}

    def split(self, x):
        return np.swapaxes(x.reshape(*x.shape[:2], self.num_heads, -1), 1, 2)

    def forward(self, x, mask=None):
        q, k, v = (self.split(self.layers[name](x)) for name in ("query", "key", "value"))
        scores = np.matmul(q, k.transpose(0, 1, 3, 2)) / np.sqrt(q.shape[-1])
        if mask is not None:
            scores = np.where(mask, -np.inf, scores)
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights = weights / weights.sum(axis=-1, keepdims=True)
        joined = (weights @ v).transpose(0, 2, 1, 3).reshape(x.shape)
        return self.layers["out"](joined), weights
