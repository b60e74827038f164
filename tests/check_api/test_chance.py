"""Counts that chance explains are borne, others are found: with bounds, not with luck."""

import math

import pytest
import torch

from graders.check_api.statistics import FALSE_ALARM, TESTS, margin, surprising, tempered

CHANCES = torch.tensor([0.5, 0.3, 0.15, 0.05])


def drawn(chances: torch.Tensor, many: int, seed: int = 1) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.multinomial(chances, many, replacement=True, generator=generator)


def counts(chances: torch.Tensor, many: int, seed: int = 1) -> torch.Tensor:
    return torch.bincount(drawn(chances, many, seed), minlength=len(chances))


def test_what_is_drawn_by_the_chances_never_surprises():
    for seed in range(500):
        assert surprising(counts(CHANCES, 2_000, seed), CHANCES) is None


def test_a_share_that_is_off_by_a_tenth_is_found_and_its_cell_told():
    assert surprising(counts(torch.tensor([0.4, 0.4, 0.15, 0.05]), 4_000), CHANCES) in (0, 1)


def test_what_never_comes_is_found():
    assert surprising(torch.tensor([1_000, 600, 400, 0]), CHANCES) == 3


def test_what_cannot_come_and_does_is_found():
    assert surprising(torch.tensor([999, 1]), torch.tensor([1.0, 0.0])) is not None


def test_what_must_come_and_does_is_no_surprise():
    assert surprising(torch.tensor([1_000, 0]), torch.tensor([1.0, 0.0])) is None


@pytest.mark.parametrize("many", [20, 50, 200])
@pytest.mark.parametrize("chance", [0.05, 0.3, 0.5])
def test_the_bound_holds_for_counts_exactly(many: int, chance: float):
    """The probability of all counts that surprise, summed up: at most what one test may give."""
    chances = torch.tensor([chance, 1 - chance])
    total = 0.0
    for count in range(many + 1):
        if surprising(torch.tensor([count, many - count]), chances) is not None:
            total += math.comb(many, count) * chance**count * (1 - chance) ** (many - count)
    assert total <= FALSE_ALARM / TESTS


def test_a_mean_lies_within_its_margin():
    for seed in range(200):
        values = torch.rand(600, generator=torch.Generator().manual_seed(seed))
        assert abs(float(values.mean()) - 0.5) <= margin(600)
    assert margin(600) < 0.2


def test_ids_drawn_at_temperature_1_are_never_told_another():
    logits = torch.tensor([2.0, 1.0, 0.0, -1.0])
    for seed in range(300):
        found = drawn(logits.softmax(-1), 1_000, seed)
        assert tempered(logits.expand(1_000, 4), found) is None


@pytest.mark.parametrize("temperature", [0.5, 0.8, 1.25, 2.0])
def test_another_temperature_is_told(temperature: float):
    logits = torch.tensor([2.0, 1.0, 0.0, -1.0])
    found = drawn((logits / temperature).softmax(-1), 8_000)
    assert tempered(logits.expand(8_000, 4), found) == temperature
