"""The audit hands in each known mistake: what was seen of it once need not be seen again."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from graders.candidate.local_candidate import LocalCandidate
from graders.course.exercise import Assignment
from graders.course.reference import mistakes, reference
from graders.judging.draws import Draws

STRIDED, OTHER = "split_heads__strided", "split_heads__detached"


@pytest.fixture
def named(assignment: Assignment, draws: Draws) -> Callable[[Any, str], list[str]]:
    """The names of the mistakes that agree with a function that is known to be one of them."""
    [exercise] = assignment.only(["split_heads"]).exercises

    def names(function: Any, is_known: str) -> list[str]:
        known = draws.known_mistakes(exercise)
        assert known is not None
        candidate = LocalCandidate(function, partial(draws.mapping_draws, exercise))
        return [mistake.name for [mistake] in known.identify(candidate, is_known)]

    return names


def test_a_known_mistake_is_called_on_the_first_draw_alone(named):
    strided, calls = mistakes("split_heads", "split_heads")[STRIDED], []

    def counted(*arguments):
        calls.append(arguments)
        return strided(*arguments)

    assert named(counted, "") == [STRIDED]
    everywhere = len(calls)
    assert named(counted, STRIDED) == [STRIDED]
    assert 0 < len(calls) - everywhere < everywhere / 2


@pytest.mark.parametrize("is_known", [OTHER, "unheard_of"])
def test_what_behaves_otherwise_on_the_first_draw_keeps_its_own_name(named, is_known):
    assert named(mistakes("split_heads", "split_heads")[STRIDED], is_known) == [STRIDED]


def test_the_reference_is_no_mistake_whatever_it_is_said_to_be(named):
    assert named(reference("split_heads", "split_heads"), STRIDED) == []
