"""Two tensors are close if they have one shape, and values that differ by rounding alone."""

import math

import pytest
import torch

from graders.diagnosis.closeness import CLOSE, CLOSE32, all_equal, close

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


@pytest.mark.parametrize("single", [VALUES.float(), VALUES.half(), VALUES.bfloat16()])
def test_where_one_is_less_precise_than_float64_three_digits_decide(single: torch.Tensor):
    mine, apart = single.clone(), torch.tensor([0.0, 0.0, 0.0, 4.0])
    assert close(mine, single + 5e-4 * apart.to(single.dtype)) and close(single + 5e-4 * apart, mine)
    assert not close(mine, single + 2e-2 * apart.to(single.dtype))
    assert not close(single.float() + 4e-3 * apart, single.float())
    assert close(single.double() + 5e-4 * apart, single)
    assert not close(single.double() + 5e-4 * apart, single.double())


def test_a_difference_is_large_or_small_beside_the_largest_value_which_counts_as_a_thousandth_at_least():
    for scale in (1e6, 1.0, 1e-2):
        assert close(scale * VALUES, scale * (VALUES + 0.9 * CLOSE * 4))
        assert not close(scale * VALUES, scale * (VALUES + 2.5 * CLOSE * 4))
    nothing = torch.zeros(3, dtype=torch.float64)
    assert close(nothing, nothing + 0.9 * CLOSE * 1e-3) and not close(nothing + 1.1 * CLOSE * 1e-3, nothing)
    odd = torch.tensor([math.inf, 0.0, 1.0], dtype=torch.float64)  # beside what is not finite, too
    assert close(odd + 0.9 * CLOSE, odd) and not close(odd + torch.tensor([0, 2.1 * CLOSE, 0]).double(), odd)
    assert close(torch.tensor([math.nan]), torch.tensor([math.nan]))


def test_equal_answers_have_as_many_tensors_and_the_same_bits():
    assert all_equal([VALUES, VALUES + 1], [VALUES.clone(), VALUES + 1]) and all_equal([], [])
    assert not all_equal([VALUES], [VALUES, VALUES])
    assert not all_equal([VALUES, VALUES], [VALUES, VALUES * (1 + 1e-15)])
    assert CLOSE < CLOSE32 < 1e-2


def test_numbers_and_truth_values_are_compared_as_numbers():
    assert close(torch.tensor([True, False]), torch.tensor([1, 0]))
    assert not close(torch.tensor([1, 2]), torch.tensor([1, 3]))
