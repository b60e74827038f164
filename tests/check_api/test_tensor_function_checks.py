"""Checks of a function of tensors: draws by letters, and what right, wrong and empty code gets."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import pytest
import torch
from torch import Tensor

from graders.candidate.local_candidate import LocalCandidate
from graders.check_api.compare import Violation
from graders.check_api.standard_checks.tensor_function_checks import TensorFunctionChecks
from graders.check_api.strategies.drawn import Drawn
from graders.check_api.strategies.shaped_by import ShapedBy


@dataclass(frozen=True, eq=False)
class Products(Drawn):
    """Two batches of matrices, and a factor."""

    alive_at: ClassVar[tuple[int, ...]] = (0, 1)

    a: Tensor
    b: Tensor
    factor: int = 1


PRODUCTS = ShapedBy(Products, a="B I K", b="B K O", factor=[2, 3])


def multiply(a: Tensor, b: Tensor, factor: int) -> Tensor:
    return factor * a @ b


def test_one_letter_is_one_size_and_no_two_sizes_of_a_diagnostic_draw_are_equal():
    for draw in PRODUCTS.diagnostic_draws(seed=5):
        batch, rows, inner = draw.a.shape
        assert draw.b.shape[:2] == (batch, inner)
        assert len({batch, rows, inner, draw.b.shape[2]}) == 4
        assert draw.a.dtype == torch.float64
    assert {draw.factor for draw in PRODUCTS.diagnostic_draws(seed=5)} == {2, 3}


def test_a_corner_has_one_size_of_1():
    corner = PRODUCTS.make(1, {"B": 2, "I": 1, "K": 3, "O": 4})
    assert [tuple(corner.a.shape), tuple(corner.b.shape)] == [(2, 1, 3), (2, 3, 4)]
    assert PRODUCTS.stretched("K", 129, 1).b.shape == (2, 129, 2)


def test_an_axis_with_a_2_is_twice_as_long_as_its_letter():
    even = ShapedBy(Products, a="B I 2K", b="B 2K O", factor=[1])
    draw = even.make(1, {"B": 2, "I": 5, "K": 3, "O": 4})
    assert [tuple(draw.a.shape), tuple(draw.b.shape)] == [(2, 5, 6), (2, 6, 4)]
    assert even.stretched("K", 129, 1).b.shape == (2, 258, 2)
    checks = TensorFunctionChecks(even, output="B I O")
    checks.computes_what_the_reference_computes(points=1).judge(
        LocalCandidate(multiply), draw, checks.due(draw, multiply)
    )


CHECKS = TensorFunctionChecks(PRODUCTS, output="B I O")
PROPERTIES = [
    CHECKS.computes_in_double_precision(points=1),
    CHECKS.passes_gradients_back(points=1),
    CHECKS.treats_apart("B", points=1),
    CHECKS.answers_the_smallest_sizes("I", "K", points=1),
    CHECKS.answers_extreme_sizes("K", points=1),
    CHECKS.leaves_its_arguments_alone(points=1),
]


def judge(check: Any, code: Callable[..., Any]) -> None:
    draw = PRODUCTS.make(3, {"B": 2, "I": 3, "K": 4, "O": 5})
    if check.name == "computes_in_double_precision":
        draw = replace(draw, a=draw.a.double(), b=draw.b.double())
    answer = () if check.answer is None else (check.answer(draw, multiply),)
    check.judge(LocalCandidate(code), draw, *answer)


@pytest.mark.parametrize("check", PROPERTIES, ids=lambda check: check.name)
def test_a_right_answer_has_every_property_and_a_wrong_one_with_it_too(check: Any):
    judge(check, lambda a, b, factor: factor * torch.einsum("bik,bko->bio", a, b))
    judge(check, lambda a, b, factor: a @ b + factor)


@pytest.mark.parametrize("check", PROPERTIES, ids=lambda check: check.name)
@pytest.mark.parametrize(
    "empty",
    [
        lambda a, b, factor: torch.zeros(*a.shape[:2], b.shape[2], dtype=a.dtype, requires_grad=True) + 0,
        lambda a, b, factor: torch.full((*a.shape[:2], b.shape[2]), 0.5, dtype=a.dtype),
    ],
    ids=["zeros", "constant"],
)
def test_code_that_computes_nothing_has_none(check: Any, empty: Callable[..., Tensor]):
    with pytest.raises(Violation):
        judge(check, empty)


def test_an_argument_as_it_came_is_no_answer():
    same = ShapedBy(Products, a="B S", b="B S", factor=[1])
    checks = TensorFunctionChecks(same, output="B S")
    draw = same.make(3, {"B": 2, "S": 3})
    with pytest.raises(Violation, match="the output is b as it came"):
        checks.leaves_its_arguments_alone(points=1).judge(LocalCandidate(lambda a, b, factor: b), draw)
