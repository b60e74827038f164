"""Which draws of a check show which wrong answers, and what further draws alone show."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import strategies as st

from graders.audit.try_draws import describe_unseen, try_exercise
from graders.check_api.check import check, require, shaped, tensor
from graders.check_api.options import Options
from graders.checks.causal_mask import Length
from graders.course.exercise import Assignment, Exercise
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.judging.kept_draws import Example
from graders.results.audit_result import DrawnCheck, Kind, Shown, Unseen
from reports.draws import describe_draws
from tests.support.open_box import OpenBox

EXERCISE = "causal_mask"


def grader_of(
    assignment: Assignment,
    open_box: OpenBox,
    change: Callable[[Exercise], Exercise] = lambda exercise: exercise,
) -> Grader:
    one = assignment.only([EXERCISE])
    [exercise] = one.exercises
    one = replace(one, exercises=(change(exercise),))
    return Grader(one, Draws(5, tries=0), open_box)  # type: ignore[arg-type]


def test_each_known_mistake_stands_with_the_draws_that_show_it(
    assignment: Assignment, open_box: OpenBox
) -> None:
    drawn = try_exercise(grader_of(assignment, open_box), 2)
    assert (drawn.name, drawn.gaps, drawn.unseen) == (EXERCISE, (), ())
    assert drawn.mistakes > 10 and drawn.changed == 2
    hides = next(each for each in drawn.checks if each.name == "hides_the_future")
    shown = next(each for each in hides.shown if each.name == "causal_mask__inverted")
    assert (shown.draws, shown.change) == (tuple(range(1, hides.draws + 1)), "")
    assert hides.shown_by_draw[0] > 5 and not hides.missed


@check(points=1, given=st.sampled_from([Length(3), Length(8)]), draws=1, shape_only=True)
def holds_at_eight(causal_mask: Any, draw: Length) -> None:
    """mistakes show at length 8 alone"""
    if draw.seq_len == 8:
        mask = tensor(causal_mask(8), "the mask")
        shaped(mask, (8, 8), "the mask")
        require(bool(mask[0, 1]), "the future is seen")


def test_what_further_draws_alone_show_is_a_gap(
    assignment: Assignment, open_box: OpenBox, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = holds_at_eight.of_exercise("holds_at_eight", Options(diagnostic_draws=lambda _: []))
    grader = grader_of(assignment, open_box, lambda exercise: replace(exercise, checks=(made,)))
    monkeypatch.setattr(Draws, "for_check", lambda *_: [Example(Length(3), ())])
    drawn = try_exercise(grader, 0)
    [decided] = drawn.checks
    assert "causal_mask__inverted" in [shown.name for shown in decided.missed]
    assert [shown.name for shown in decided.missed] == [unseen.shown.name for unseen in drawn.unseen]
    assert drawn.gaps == tuple(map(describe_unseen, drawn.unseen))
    assert all("def causal_mask" in unseen.text for unseen in drawn.unseen)


def test_so_many_draws_are_enough_as_show_all_that_fixed_ones_do_not() -> None:
    first = Shown(Kind.MISTAKE, "f__a", draws=(1, 2, 3))
    late, fixed = Shown(Kind.MISTAKE, "f__b", draws=(3,)), Shown(Kind.MISTAKE, "f__c", draws=(4,), fixed=1)
    missed = Shown(Kind.RIGHT, "loops", "axis", further=2)
    drawn = DrawnCheck("holds", 4, 1, (first, late, fixed, missed))
    assert (drawn.enough, drawn.missed, drawn.shown_by_draw) == (3, [missed], [1, 1, 2, 1])
    assert DrawnCheck("holds", 4, 1, (fixed,)).enough == 0


@pytest.mark.parametrize(
    ("draws", "fixed", "further", "said"),
    [
        ((1, 2, 3, 5), 0, 9, "1 to 3, 5"),
        ((2,), 2, 0, "2, 2 of fixed sizes"),
        ((), 0, 3, "3 further ones alone"),
    ],
)
def test_draws_are_written_as_ranges(draws: tuple[int, ...], fixed: int, further: int, said: str) -> None:
    assert describe_draws(Shown(Kind.MISTAKE, "f__a", "", draws, fixed, further)) == said


def test_a_gap_says_which_answer_and_which_checks() -> None:
    changed = Unseen(Shown(Kind.RIGHT, "loops", "axis", further=1), ("a", "b"), "")
    assert describe_unseen(changed) == (
        "no draw shows right answer loops with one change (axis), and further ones of a and b do: "
        "give more draws"
    )
