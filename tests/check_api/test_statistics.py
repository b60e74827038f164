"""The tests of random answers accept counts that can be chance and find all others, within proven bounds."""

import math

import pytest
import torch

from graders.check_api.statistics import FALSE_ALARM, TESTS, margin, surprising, tempered

PROBABILITIES = torch.tensor([0.5, 0.3, 0.15, 0.05])


def draw_ids(probabilities: torch.Tensor, many: int, seed: int = 1) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.multinomial(probabilities, many, replacement=True, generator=generator)


def draw_counts(probabilities: torch.Tensor, many: int, seed: int = 1) -> torch.Tensor:
    return torch.bincount(draw_ids(probabilities, many, seed), minlength=len(probabilities))


def test_draws_with_the_right_probabilities_never_surprise():
    for seed in range(500):
        assert surprising(draw_counts(PROBABILITIES, 2_000, seed), PROBABILITIES) is None


def test_a_share_that_is_wrong_by_a_tenth_is_found_with_its_cell():
    assert surprising(draw_counts(torch.tensor([0.4, 0.4, 0.15, 0.05]), 4_000), PROBABILITIES) in (0, 1)


def test_a_cell_that_is_never_drawn_is_found():
    assert surprising(torch.tensor([1_000, 600, 400, 0]), PROBABILITIES) == 3


def test_a_cell_of_probability_0_that_is_drawn_is_found():
    assert surprising(torch.tensor([999, 1]), torch.tensor([1.0, 0.0])) is not None


def test_a_cell_of_probability_1_is_no_surprise():
    assert surprising(torch.tensor([1_000, 0]), torch.tensor([1.0, 0.0])) is None


@pytest.mark.parametrize("many", [20, 50, 200])
@pytest.mark.parametrize("probability", [0.05, 0.3, 0.5])
def test_the_bound_holds_for_counts_exactly(many: int, probability: float):
    """The total probability of all surprising counts is at most that of a false alarm in one test."""
    probabilities = torch.tensor([probability, 1 - probability])
    total = 0.0
    for count in range(many + 1):
        if surprising(torch.tensor([count, many - count]), probabilities) is not None:
            total += math.comb(many, count) * probability**count * (1 - probability) ** (many - count)
    assert total <= FALSE_ALARM / TESTS


def test_a_mean_lies_within_its_margin():
    for seed in range(200):
        values = torch.rand(600, generator=torch.Generator().manual_seed(seed))
        assert abs(float(values.mean()) - 0.5) <= margin(600)
    assert margin(600) < 0.2


def test_no_other_temperature_is_reported_for_ids_drawn_at_1():
    logits = torch.tensor([2.0, 1.0, 0.0, -1.0])
    for seed in range(300):
        ids = draw_ids(logits.softmax(-1), 1_000, seed)
        assert tempered(logits.expand(1_000, 4), ids) is None


@pytest.mark.parametrize("temperature", [0.5, 0.8, 1.25, 2.0])
def test_another_temperature_is_reported(temperature: float):
    logits = torch.tensor([2.0, 1.0, 0.0, -1.0])
    ids = draw_ids((logits / temperature).softmax(-1), 8_000)
    assert tempered(logits.expand(8_000, 4), ids) == temperature
