"""A mistake that changes no value is named in code that computes a part in float32, too."""

import pytest

from graders.course.reference import mistakes, reference
from graders.judging.draws import Draws
from tests.diagnosis.test_diagnose import named

EXERCISE, SYMBOL = "grouped_query_attention", "GroupedQueryAttention"


def with_softmax_in_single(attention: type) -> type:
    """The same attention with a softmax in float32, as many write it."""

    class Single(attention):
        def weigh(self, scores, seen):
            return super().weigh(scores.float(), seen).to(scores.dtype)

    return Single


def name_of(attention: type, draws: Draws) -> str | None:
    return named(draws, EXERCISE, with_softmax_in_single(attention))


@pytest.mark.parametrize("mistake", ["accepts_any_heads", "detached", "changes_its_input"])
def test_a_mistake_that_changes_no_value_is_named(mistake: str, draws: Draws):
    name = f"{SYMBOL}__{mistake}"
    assert name_of(mistakes(EXERCISE, SYMBOL)[name], draws) == name


def test_the_right_answer_has_no_name(draws: Draws):
    assert name_of(reference(EXERCISE, SYMBOL), draws) is None
