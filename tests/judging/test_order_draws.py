"""A check's draws are few, so that each has something that those before it have not."""

from dataclasses import dataclass, field
from typing import Any

import pytest
import torch
from hypothesis.strategies import SearchStrategy
from torch import Tensor

from graders.check_api.check import check
from graders.check_api.strategies.tensors import attention, heads
from graders.check_api.strategies.translations import translations
from graders.judging.drawing import draw_examples
from graders.judging.layout_sizes import shows_layout
from graders.judging.order_draws import order_draws


@dataclass(frozen=True)
class Sized:
    """A tensor, an argument that may be absent, and a number."""

    x: Tensor
    mask: Tensor | None = None
    number: int = 0
    seed: int = field(default=0)


def sized(*shape: int, mask: Tensor | None = None, number: int = 0, seed: int = 0) -> Sized:
    return Sized(torch.zeros(shape), mask, number, seed)


def drawn(given: SearchStrategy[Any], seed: int = 1) -> list[Any]:
    def body(*_: Any) -> None:
        """it holds"""

    return draw_examples(check(points=1, given=given)(body), seed)


def test_the_simplest_comes_first_then_sizes_that_show_the_layout_then_what_is_new() -> None:
    simplest, square, layout = sized(2, 2, 2), sized(2, 3, 3), sized(2, 3, 4)
    assert order_draws([simplest, square, layout], 1, with_values=False) == [simplest, layout, square]
    masked = sized(2, 2, 2, mask=torch.zeros(2, 2, dtype=torch.bool))
    assert order_draws([simplest, square, masked], 0, with_values=False) == [simplest, masked, square]


def test_a_form_that_is_new_comes_before_any_number_of_sizes() -> None:
    simplest, larger = sized(2, 2, 2), sized(7, 8, 9, number=5)
    double = Sized(torch.zeros(2, 2, 2, dtype=torch.float64))
    assert order_draws([simplest, larger, double], 0, with_values=False) == [simplest, double, larger]


def test_numbers_count_unless_they_may_be_values_of_the_run() -> None:
    draws = [sized(2, 2, 2), sized(2, 2, 2, seed=8), sized(2, 2, 2, number=9)]
    assert order_draws(draws, 0, with_values=False) == [draws[0], draws[2], draws[1]]
    assert order_draws(draws, 0, with_values=True) == draws


def test_six_draws_have_every_form_of_a_mask() -> None:
    forms = {tuple(size == 1 for size in draw.mask.shape) for draw in drawn(attention(masked=True))}
    square, padding = (False, False), (False, False, True, False)
    assert {square, padding, (False,) * 4} <= forms
    assert any(form[:2] == (True, True) for form in forms)


@pytest.mark.parametrize("given", [attention(), heads(), translations()])
def test_the_order_is_the_same_under_every_seed(given: SearchStrategy[Any]) -> None:
    def shapes(draw: Any) -> list[tuple[int, ...]]:
        return [tuple(value.shape) for value in vars(draw).values() if isinstance(value, Tensor)]

    first, *others = ([*map(shapes, drawn(given, seed))] for seed in (1, 2, 3))
    assert all(first == other for other in others)


def test_three_draws_show_the_layout() -> None:
    assert sum(map(shows_layout, drawn(heads()))) >= 3
