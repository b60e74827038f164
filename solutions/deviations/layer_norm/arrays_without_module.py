"""The class is no module, and its gamma and beta are arrays of NumPy.

loses: has_a_gain_and_a_shift
"""

import numpy as np


class LayerNorm:
    def __init__(self, dim, eps=1e-5):
        self.gamma, self.grad_gamma = np.ones(dim), np.zeros(dim)
        self.beta, self.grad_beta = np.zeros(dim), np.zeros(dim)
        self.eps = eps

    def forward(self, x):
        self.centred = x - np.mean(x, axis=-1, keepdims=True)
        variance = np.var(x, axis=-1, keepdims=True)
        return self.gamma * self.centred / np.sqrt(variance + self.eps) + self.beta
