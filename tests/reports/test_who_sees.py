"""Who sees whom, on a student's page: what is due beside the student's number, where that is wrong."""

import re
from dataclasses import replace

import pytest

from graders.candidate.local_candidate import LocalCandidate
from graders.check_api.compare import Violation
from graders.checks import receptive_field
from graders.judging.case_view import case_of
from graders.results.case import Case, Reach
from graders.results.result import Outcome, from_json, to_json
from reports.figures.who_sees import ARROWS, draw_reach
from reports.pages import student_page
from tests.reports import sample
from tests.reports.markup import assert_sound

TWO_LAYERS = Reach(window=1, seen=(1, 3, 5), answer=9)
NO_TENSORS = Case("layers=2, window=1", reach=TWO_LAYERS)


def svg(reach: Reach) -> str:
    drawn = draw_reach(reach)
    assert drawn is not None
    return str(drawn)


def rows(drawn: str) -> list[str]:
    """The dots of each layer, from the last one down to the input."""
    circles = re.findall(r'<circle [^>]*cy="([\d.]+)"[^>]*?fill="(\w+)"', drawn)
    heights = dict.fromkeys(y for y, _ in circles)
    return ["".join("x" if look == "currentColor" else "." for y, look in circles if y == h) for h in heights]


def lengths(drawn: str) -> list[float]:
    """The widths of both bars, in positions of 24 pixels."""
    ends = re.findall(r'<line x1="([\d.]+)" y1="\d+" x2="([\d.]+)" y2="\d+" stroke="', drawn)
    return [(float(right) - float(left)) / 24 for left, right in ends]


def test_each_layer_shows_what_the_position_at_the_top_depends_on() -> None:
    assert rows(svg(replace(TWO_LAYERS, answer=5))) == ["...x...", "..xxx..", ".xxxxx."]


def test_lines_join_each_position_to_those_that_it_sees() -> None:
    drawn = svg(replace(TWO_LAYERS, answer=5))
    seen = drawn.partition("</g>")[0]
    assert seen.count("<line ") == 3 + 3 * 3


def test_the_number_that_is_due_and_the_students_are_as_long_as_they_are() -> None:
    assert lengths(svg(TWO_LAYERS)) == [5, 9]
    assert lengths(svg(replace(TWO_LAYERS, answer=4))) == [5, 4]


@pytest.mark.parametrize("answer", [0, -7])
def test_an_answer_of_nothing_has_no_length_and_its_number(answer: int) -> None:
    drawn = svg(replace(TWO_LAYERS, answer=answer))
    assert lengths(drawn) == [5]
    assert f">{answer}</text>" in drawn


def test_an_answer_that_is_far_too_large_is_cut() -> None:
    drawn = svg(replace(TWO_LAYERS, answer=999_999))
    assert drawn.count("stroke-dasharray") == 1
    assert ">999,999</text>" in drawn and len(drawn) < 10_000


def test_the_largest_stack_that_is_drawn_is_small_and_has_its_outline() -> None:
    reach = Reach(5, tuple(1 + 10 * layer for layer in range(7)), 1)
    drawn = svg(reach)
    assert len(drawn) < 40_000
    assert drawn.partition("</g>")[0].count("<line ") == 2 * 6 < ARROWS
    assert draw_reach(Reach(200, (1, 401), 2)) is None


def test_a_picture_has_a_text_alternative() -> None:
    [label] = re.findall(r'aria-label="([^"]*)"', svg(TWO_LAYERS))
    assert label == (
        "who sees whom, with a window of 1 on each side: from the last layer to the input, the position "
        "at the top depends on 1, 3, 5 positions; your answer is 9"
    )


def test_a_wrong_answer_is_drawn_on_the_page_and_kept_as_data() -> None:
    finding = sample.finding(Outcome.FAILED, case=NO_TENSORS)
    result = sample.result(sample.exercise(finding))
    assert from_json(to_json(result)) == result
    text = student_page.render(result)
    assert "Filled dots are what the one at the top depends on" in assert_sound(text).words
    assert "Filled dots" not in student_page.render(sample.result())


@pytest.mark.parametrize(("answer", "drawn"), [(4, True), (10**6, False), (-(10**30), False)])
def test_the_check_says_what_is_seen_layer_by_layer(answer: int, drawn: bool) -> None:
    draw = receptive_field.Stack(3, 2)
    candidate = LocalCandidate(lambda layers, window: answer)
    with pytest.raises(Violation) as failure:
        receptive_field.counts_what_is_seen.body(candidate, draw, receptive_field.count_seen(draw))
    due = Reach(2, (1, 5, 9, 13), answer) if drawn else None
    assert case_of(draw, failure.value).reach == due
