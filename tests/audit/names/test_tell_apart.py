"""By which draw a mistake is told apart from its neighbours; sizes that follow from one another."""

from dataclasses import dataclass, replace

import torch
from torch import Tensor

from graders.audit.names.related_sizes import related_sizes
from graders.audit.names.tell_apart import compare_mistakes
from graders.course.exercise import Exercise
from graders.judging.draws import Draws
from graders.results.audit_result import NearKind
from tests.audit.styles.both_forms import find_exercise


@dataclass(frozen=True)
class Pair:
    """Two tensors."""

    Q: Tensor
    V: Tensor

    @property
    def arguments(self) -> tuple[Tensor, Tensor]:
        return self.Q, self.V


def pair(width: int, value_width: int) -> Pair:
    return Pair(torch.zeros(2, width), torch.zeros(2, value_width))


def test_a_size_that_always_follows_from_another_is_a_gap() -> None:
    general = [pair(3, 9), pair(4, 5), pair(7, 2)]
    [gap] = related_sizes([pair(4, 5), pair(6, 7), pair(9, 10)], general)
    assert "V.shape[1] of 2 = Q.shape[1] of 2 + 1" in gap
    assert related_sizes([pair(4, 5), pair(6, 7), pair(9, 20)], general) == []


def test_what_follows_by_the_contract_is_none() -> None:
    assert related_sizes([pair(4, 5), pair(6, 7), pair(9, 10)], [pair(1, 2), pair(3, 4), pair(5, 6)]) == []


def _with_first_draws(exercise: Exercise, count: int) -> Exercise:
    return replace(exercise, diagnostic_draws=lambda seed: exercise.diagnostic_draws(seed)[:count])


def test_each_mistake_has_its_nearest_neighbours_with_the_draw_that_tells() -> None:
    named = compare_mistakes(find_exercise("causal_mask", "attention"), Draws(5, tries=0))
    assert named.gaps == ()
    assert len(named.mistakes) > 10
    for mistake in named.mistakes:
        assert mistake.neighbours >= len(named.mistakes)
        assert all(near.is_apart and near.draw and near.sizes for near in mistake.nearest)


def test_a_pair_that_no_draw_tells_apart_is_a_gap() -> None:
    exercise = find_exercise("concat_heads", "attention")
    named = compare_mistakes(_with_first_draws(exercise, 3), Draws(5, tries=0))
    assert any("concat_heads__few_heads from concat_heads:" in gap for gap in named.gaps)
    few = next(mistake for mistake in named.mistakes if mistake.name == "concat_heads__few_heads")
    assert (few.nearest[0].kind, few.nearest[0].is_apart) == (NearKind.REFERENCE, False)


def test_changed_code_that_makes_the_mistake_wherever_it_shows_may_be_named_so() -> None:
    draws = Draws(101, tries=0)
    # targets[targets == ignore_index] = 1 changes the targets as well as = 0 does.
    assert compare_mistakes(find_exercise("cross_entropy", "foundations"), draws).gaps == ()
    # A base of 1001 is "a base of 1000" but for a thousandth.
    assert compare_mistakes(find_exercise("sinusoidal_positions", "minigpt"), draws).gaps == ()
