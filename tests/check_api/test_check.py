"""What a check is: what it may leave out, and what it is refused for."""

from typing import Any

import pytest
from hypothesis import strategies as st

from graders.check_api.check import Stretched, check
from graders.check_api.grows_as import Growth
from graders.check_api.variation import vary
from graders.judging.draws import Draws
from tests.judging.test_draw import exercise_of

GROWTH = Growth("quadratic", "slow", lambda length, width: 0.0)


def body(*_: Any) -> None:
    """it holds

    fr: cela tient
    """


@pytest.mark.parametrize(
    ("asked", "draws"),
    [({}, 6), ({"on_its_word": True}, 6), ({"draws": 3}, 3), ({"draws": 9}, 9)],
)
def test_a_check_has_six_draws_or_as_many_as_it_says(asked: dict[str, Any], draws: int):
    made = check(points=2, given=st.integers(), **asked)(body)
    assert (made.draws, made.points, made.name) == (draws, 2, "body")
    assert (made.core, made.shape_only, made.kept_because, made.at_length) == (False, False, None, None)
    assert made.on_its_word is ("on_its_word" in asked)
    assert len(Draws(1).for_check(exercise_of(made), made)) == min(draws, 5)  # tests ask a few alone


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"given": st.integers(), "grows_as": GROWTH},
        {"given": st.integers(), "grows_as": GROWTH, "answer": body},
        {"grows_as": GROWTH},
    ],
)
def test_a_check_is_about_draws_or_about_a_growth_with_an_answer(asked: dict[str, Any]):
    with pytest.raises(TypeError, match="either given="):
        check(points=1, **asked)
    assert check(points=1, grows_as=GROWTH, answer=body)(body).grows_as is GROWTH
    assert check(points=1, given=st.integers(), answer=body)(body).answer is body


@pytest.mark.parametrize(
    ("answer", "needs"),
    [
        (None, False),
        (lambda draw: draw, False),
        (lambda draw, reference: draw, True),
        (lambda reference: 1, True),
    ],
)
def test_a_check_needs_the_reference_where_its_answer_asks_for_it(answer: Any, needs: bool):
    assert check(points=1, given=st.integers(), answer=answer)(body).needs_reference is needs


def test_draws_of_fixed_and_of_large_sizes_come_under_every_seed():
    wide = Stretched(lambda size, seed: ("wide", size), least=50, most=100)
    made = check(points=1, fixed=[lambda seed: ("fixed", 0)], stretched=[wide])(body)

    def sizes_of(constants: tuple[int, ...] = (), seed: int = 1) -> list[Any]:
        return [e.draw for e in Draws(seed).only([0]).for_check(exercise_of(made), made, constants)]

    assert sizes_of() == sizes_of(seed=2) == [("fixed", 0), ("wide", 50)]
    assert sizes_of((49, 100)) == sizes_of()
    assert sizes_of((60, 99, 100)) == [*sizes_of(), ("wide", 100)]
    changed = made.mapped(lambda draw: draw[1])
    assert [e.draw for e in Draws(1).for_check(exercise_of(changed), changed, (70,))] == [0, 50, 71]


def test_what_a_check_compares_a_changed_draw_with_is_changed_too():
    made = check(points=1, given=st.just(2), answer=vary(lambda n: 10 * n, lambda n, reference: n))(body)
    assert (made.answer(2, None).answer, made.answer(2, None).plain) == (2, 20)
    assert made.mapped(lambda number: number + 100).answer(102, None).plain == 1120


def test_changed_draws_are_those_of_every_length():
    made = check(points=1, given=st.just(2), at_length=st.just, core=True)(body)
    changed = made.mapped(lambda number: number + 100)
    assert (changed.core, changed.name) == (True, "body")
    assert {e.draw for e in Draws(1).for_check(exercise_of(changed), changed)} == {102, 228}
    assert check(points=1, given=st.just(2))(body).mapped(str).at_length is None
