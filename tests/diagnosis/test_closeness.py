"""Two tensors are close if they have one shape, and values that differ by rounding alone."""

import math

import pytest
import torch

from graders.diagnosis.closeness import CLOSE, close

VALUES = torch.tensor([1e-6, -1.0, 2.0, 4.0], dtype=torch.float64)


def is_near(mine: torch.Tensor, theirs: torch.Tensor) -> bool:
    """The same, asked of PyTorch for each value."""
    return torch.allclose(mine, theirs, rtol=CLOSE, atol=CLOSE * 4.0, equal_nan=True)


@pytest.mark.parametrize("place", range(4))
@pytest.mark.parametrize("share", [0.0, 0.9, 0.99, 1.01, 1.2, 1.9, 2.1, 50.0])
def test_how_far_a_value_may_be_apart_depends_on_the_largest_and_on_itself(place: int, share: float):
    mine = VALUES.clone()
    mine[place] += share * CLOSE * 4.0
    assert close(mine, VALUES) == is_near(mine, VALUES)
    assert close(mine, VALUES) or share > 1
    assert not close(mine, VALUES) or share <= 2


@pytest.mark.parametrize("odd", [math.nan, math.inf, -math.inf])
def test_what_is_not_finite_must_be_so_at_the_same_places(odd: float):
    mine, theirs = VALUES.clone(), VALUES.clone()
    mine[1] = odd
    assert close(mine, mine.clone())
    assert not close(mine, theirs)
    assert not close(theirs, mine)
    theirs[2] = odd
    assert not close(mine, theirs)


def test_shapes_count_and_what_is_empty_is_close_to_what_is_empty():
    assert not close(VALUES, VALUES.reshape(2, 2))
    assert close(torch.zeros(0, 3), torch.zeros(0, 3))
    assert not close(torch.zeros(0, 3), torch.zeros(3, 0))


def test_float32_is_compared_less_closely():
    mine = VALUES.float() * (1 + 1e-5)
    assert close(mine, VALUES)
    assert not close(mine.double(), VALUES)


def test_numbers_and_truth_values_are_compared_as_numbers():
    assert close(torch.tensor([True, False]), torch.tensor([1, 0]))
    assert not close(torch.tensor([1, 2]), torch.tensor([1, 3]))
