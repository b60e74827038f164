"""A tolerance is sixteen times the rounding error that is measured on the draw, and no constant."""

import math

import pytest
import torch
from torch import Tensor

from graders.check_api.target import EPS32, Target, largest, least_rounding, rounding, target, targets

EPS = {torch.float32: EPS32, torch.float64: torch.finfo(torch.float64).eps}
PRECISIONS = list(EPS)


def ones(dtype: torch.dtype = torch.float32) -> Tensor:
    return torch.tensor([1.0, -2.0, 4.0], dtype=dtype)


@pytest.mark.parametrize("dtype", PRECISIONS)
@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e6])
def test_rounding_is_that_of_each_output_and_follows_its_scale(dtype: torch.dtype, scale: float):
    small, large = rounding(lambda x: (scale * x, 1000 * scale * x), [ones(dtype)])
    assert 4 * scale <= small / EPS[dtype] <= 3 * 4 * scale
    assert 4000 * scale <= large / EPS[dtype] <= 3 * 4000 * scale


@pytest.mark.parametrize("dtype", PRECISIONS)
@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e6])
def test_with_one_scale_each_output_has_at_least_a_rounding_of_the_largest_of_all(
    dtype: torch.dtype, scale: float
):
    both = rounding(lambda x: (0 * x, scale * x), [ones(dtype)], one_scale=True)
    for error in both:  # values that cancel to nothing were as large as the others
        assert 4 * scale <= error / EPS[dtype] <= 3 * 4 * scale
    assert rounding(lambda x: (0 * x, scale * x), [ones(dtype)])[0] == 0


def test_where_nothing_happens_to_be_rounded_inputs_nearby_tell_how_much_is():
    [error] = rounding(lambda x: ((x + 1000) - 1000,), [ones()])  # exact for integers
    assert error > 50 * EPS32
    [of_integers] = rounding(lambda x: (x + 0.0,), [torch.tensor([1, 2])])
    assert of_integers == 0


@pytest.mark.parametrize(
    ("dtypes", "eps"),
    [
        ((torch.float32, torch.float64), EPS32),
        ((torch.float64, torch.float32), EPS32),
        ((torch.float64, torch.int64), EPS[torch.float64]),
        ((torch.int64,), 0.0),
    ],
)
def test_the_least_precise_input_decides(dtypes: tuple[torch.dtype, ...], eps: float):
    inputs = [torch.ones(2, dtype=dtype) for dtype in dtypes]
    exact = [torch.tensor([3.0, -8.0]), torch.tensor([0.5]), torch.zeros(0)]
    assert least_rounding(exact, inputs) == [8 * eps, 0.5 * eps, 0.0]
    assert least_rounding(exact, inputs, one_scale=True) == [8 * eps] * 3


def test_another_right_algorithm_may_have_sixteen_times_the_error():
    def compute(x: Tensor) -> tuple[Tensor, Tensor]:
        return x.exp(), 0 * x

    for one_scale in (False, True):
        errors = rounding(compute, [ones()], one_scale)
        for wanted, error in zip(targets(compute, [ones()], one_scale), errors, strict=True):
            assert wanted.tolerance == 16 * error
        smallest = targets(compute, [ones()], one_scale)[1].least
        assert (smallest > 0) is one_scale
    [wanted] = targets(lambda x: (x.exp(),), [ones()])
    assert wanted.exact.dtype is torch.float64
    assert wanted.least == pytest.approx(16 * EPS32 * math.exp(4))
    assert torch.equal(wanted.exact, ones().double().exp())


def test_an_answer_may_be_twice_as_far_as_all_right_variants_together():
    exact = torch.tensor([1.0, 2.0], dtype=torch.float64)
    variants = [exact + torch.tensor([0.0, 0.25]), exact - torch.tensor([0.5, 0.0])]
    assert target(exact, 0.125).tolerance == 16 * 0.125
    assert target(exact, 0.125, variants).tolerance == 16 * 0.125 + 2 * (0.25 + 0.5)


def test_a_target_of_known_tolerance_needs_no_measuring():
    exact = torch.ones(2, dtype=torch.float64)
    plain = Target(exact, 0.25)
    wider = plain.loosen(4.0)
    assert (plain.least, wider.least, wider.tolerance) == (0.25, 1.0, 1.0)
    assert wider.exact is exact
    assert plain.with_values(lambda values: values + 1).exact.tolist() == [2.0, 2.0]
    assert plain.with_values(lambda values: values + 1).tolerance == 0.25
    assert (largest(torch.zeros(0)), largest(torch.tensor([-3.0, -2.0]))) == (0.0, -2.0)
