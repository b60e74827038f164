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


class Split(Layer):
    def __init__(self, sizes, num_heads):
        super().__init__(sizes)
        if sizes[0] % num_heads:
            raise ValueError("the heads do not divide the width")


class SplitAnyhow(WithoutBias):
    def __init__(self, sizes, num_heads):
        super().__init__(sizes)


def test_a_bias_is_missed_where_the_reference_refuses_the_number_of_heads():
    x = torch.ones(1, 3, dtype=torch.float64)
    config = {"sizes": (3, 2), "num_heads": 2}
    draw = SimpleNamespace(config=config, arguments=(x,), seed=1, dtype=torch.float64)
    assert fingerprint(LocalCandidate(SplitAnyhow), draw, Split).absent == {"layer.bias"}
