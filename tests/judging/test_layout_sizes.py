"""A smallest case shows the layout: no size is 1 where axes are the subject, and no two are equal."""

from collections.abc import Callable

import pytest
import torch

from graders.check_api.strategies.module_inputs import Model, Tokens
from graders.check_api.strategies.tensors import Attention, Heads, Joined
from graders.course.exercise import load_assignment
from graders.judging.draws import Draws
from graders.judging.kept_draws import Example
from graders.judging.layout_sizes import is_single, shows_layout
from tests.support.smallest import smallest


@pytest.mark.parametrize(
    ("draw", "shows"),
    [
        (Heads(torch.zeros(1, 2, 3, 4)), True),
        (Heads(torch.zeros(1, 2, 2, 4)), False),
        (Heads(torch.zeros(1, 2, 3, 1)), False),
        (Joined(torch.zeros(1, 4, 6), 2), True),
        (Joined(torch.zeros(1, 3, 6), 2), False),
        (Model({"embed_dim": 6, "num_heads": 2}, torch.zeros(1, 4, 6)), True),
        (Model({"embed_dim": 2, "num_heads": 1}, torch.zeros(1, 4, 2)), False),
        (Tokens({"vocab_size": 5}, torch.zeros(1, 4, dtype=torch.long)), True),
        (Attention(torch.zeros(2, 3), torch.zeros(4, 3), torch.zeros(4, 5)), True),
        (Attention(torch.zeros(1, 3), torch.zeros(4, 3), torch.zeros(4, 5)), False),
    ],
)
def test_sizes_show_the_layout_where_they_are_above_1_and_different(draw: object, shows: bool) -> None:
    assert shows_layout(draw) is shows


@pytest.mark.parametrize(
    ("draw", "single"),
    [
        (Heads(torch.zeros(1, 1, 3, 4)), True),
        (Heads(torch.zeros(1, 2, 3, 4)), False),
        (Heads(torch.zeros(2, 1, 3, 4)), False),
        (Heads(torch.zeros(1, 1, 3, 3)), False),
        (Heads(torch.zeros(1, 1, 3, 1)), False),
        (Joined(torch.zeros(1, 4, 6), 1), True),
        (Joined(torch.zeros(1, 4, 6), 2), False),
        (Model({"embed_dim": 6, "num_heads": 1}, torch.zeros(1, 4, 6)), True),
        (Model({"embed_dim": 6, "num_heads": 2}, torch.zeros(1, 4, 6)), False),
        (Tokens({"vocab_size": 5}, torch.zeros(1, 4, dtype=torch.long)), True),
        (Tokens({"vocab_size": 5}, torch.zeros(2, 4, dtype=torch.long)), False),
        (Tokens({"vocab_size": 5}, torch.zeros(1, 1, dtype=torch.long)), False),
        (Attention(torch.zeros(2, 3), torch.zeros(4, 3), torch.zeros(4, 5)), True),
        (Attention(torch.zeros(2, 3), torch.zeros(1, 3), torch.zeros(1, 5)), False),
    ],
)
def test_single_is_one_head_and_one_sequence_of_other_sizes_above_1(draw: object, single: bool) -> None:
    assert is_single(draw) is single


def found(draws: Draws, fails: Callable[[Example], object]) -> Example:
    [exercise] = load_assignment("attention").only(["split_heads"]).exercises
    check = exercise.checks[0]
    first = next(e for e in draws.for_check(exercise, check) if fails(e))
    return smallest(draws, exercise, check, first, fails)


def test_one_head_and_one_sequence_are_shown_where_such_a_case_fails(draws: Draws) -> None:
    case = found(draws, lambda example: True).draw
    batch, length, width = case.x.shape
    assert (batch, case.num_heads) == (1, 1)
    assert 1 < length != width > 1


def test_the_smallest_case_of_several_heads_shows_the_layout(draws: Draws) -> None:
    case = found(draws, lambda example: example.draw.num_heads > 1).draw
    assert shows_layout(case) and not is_single(case)


def test_no_case_has_a_size_of_1_but_that_of_a_check_about_it(draws: Draws) -> None:
    [exercise] = load_assignment("attention").only(["split_heads"]).exercises
    for check in exercise.checks:
        sizes_drawn = {n for e in draws.for_check(exercise, check) for n in layout_of(e.draw)}
        assert (1 in sizes_drawn) is (check.name == "answers_the_smallest_sizes")


def layout_of(draw: Joined) -> tuple[int, ...]:
    return *draw.x.shape, draw.num_heads
