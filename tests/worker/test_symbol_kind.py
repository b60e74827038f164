"""What a symbol's answer is meant to be."""

import numpy as np
import torch

from softmark_worker.symbol_kind import with_plain_numbers


def test_numbers_of_numpy_are_pythons_own():
    plain = with_plain_numbers([np.exp(1.5), (np.float32(0.5), np.int64(3)), torch.ones(2)])
    assert [type(item) for item in plain] == [float, tuple, torch.Tensor]
    assert [type(item) for item in plain[1]] == [float, int]
    assert type(with_plain_numbers(np.longdouble(2))) is float
