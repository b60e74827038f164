"""An exercise's configuration may hold any values, lists too."""

from types import SimpleNamespace

import torch
from torch import nn

from graders.candidate.local_candidate import LocalCandidate
from graders.diagnosis.fingerprint import fingerprint


class Layer(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.layer = nn.Linear(*sizes)

    def forward(self, x):
        return self.layer(x)


class WithoutBias(Layer):
    def __init__(self, sizes):
        super().__init__(sizes)
        self.layer = nn.Linear(*sizes, bias=False)


def test_a_bias_is_missed_in_a_configuration_that_holds_a_list():
    x = torch.ones(1, 3, dtype=torch.float64)
    draw = SimpleNamespace(config={"sizes": [3, 2]}, arguments=(x,), seed=1, dtype=torch.float64)
    assert fingerprint(LocalCandidate(WithoutBias), draw, Layer).absent == {"layer.bias"}
    assert fingerprint(LocalCandidate(Layer), draw, Layer).absent == set()
