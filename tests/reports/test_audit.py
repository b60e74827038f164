"""The page and the table of an audit."""

import io
from dataclasses import replace

import pytest
from rich.console import Console

from graders.results.audit_result import AuditedCheck, Kind, Tried
from reports import audit
from tests.reports import audited_course
from tests.reports.markup import assert_sound
from tests.reports.test_page import HOSTILE

BOTH = [audited_course.exercise(), audited_course.with_gaps()]


def said(*exercises) -> str:
    return " ".join(assert_sound(audit.render(exercises)).pieces)


@pytest.mark.parametrize("exercises", [[], BOTH[:1], BOTH])
def test_an_audit_is_sound_html(exercises) -> None:
    assert_sound(audit.render(exercises))


def test_the_totals_come_first() -> None:
    words = said(*BOTH)
    assert "11 gaps" in words and "Mistakes caught 8 of 9 Named as themselves 6 of 9" in words
    assert "Right answers accepted 10 of 11" in words


def test_an_audit_without_gaps_says_so() -> None:
    words = said(BOTH[0])
    assert "The checks catch every known mistake" in words and "no gap" in words and "\u2717" not in words


def test_wrong_figures_are_marked() -> None:
    classes = assert_sound(audit.render(BOTH)).values("class")
    assert classes.count("number amiss") == 2 * len(("caught", "named", "misnamed", "accepted", "gaps"))


def test_every_gap_is_a_sentence_of_its_exercise() -> None:
    words = said(*BOTH)
    assert all(gap in words for gap in BOTH[1].gaps)


def test_mistakes_are_listed_with_the_checks_that_catch_them_and_their_names() -> None:
    words = said(BOTH[1])
    assert (
        "unscaled is the references, hides what is masked, attends head by head and 1 more as itself" in words
    )
    assert "dropout of scores \u2717 no check \u2717 no" in words
    assert "\u2717 as mask of rows or unscaled and without bias" in words


def test_checks_are_listed_with_what_they_catch_or_why_they_are_kept() -> None:
    words = said(BOTH[1])
    assert "keeps the shape 0 stays: the others need the shape" in words
    assert "keeps its inputs 0 \u2717 catches none" in words


def test_answers_say_whether_they_are_accepted() -> None:
    words = said(BOTH[1])
    assert "einsum right answer accepted" in words
    assert "\u2717 failed: is the references: 4 of 4 values of the output differ" in words
    assert "zeros empty answer \u2717 caught by 4 of 5 checks, not by keeps its inputs" in words
    assert "zeros empty answer caught by 5 of 5 checks" in said(BOTH[0])


def test_hostile_text_is_escaped() -> None:
    evil = replace(
        BOTH[0],
        name=HOSTILE,
        title=HOSTILE,
        checks=(AuditedCheck(HOSTILE, shape_only=False, kept_because=HOSTILE),),
        tried=(
            Tried(Kind.MISTAKE, HOSTILE, HOSTILE, (HOSTILE,), ((HOSTILE + "!",),)),
            Tried(Kind.RIGHT, HOSTILE, HOSTILE, (HOSTILE,), (), HOSTILE),
        ),
        gaps=(HOSTILE,),
    )
    words = said(evil)
    assert "{{7*7}}" in words and "49" not in words


def test_the_table_has_a_line_per_exercise_the_sums_and_every_gap() -> None:
    text = io.StringIO()
    audit.show(Console(file=text, width=100), BOTH)
    lines = text.getvalue().splitlines()
    assert lines[1].split() == ["multi_head_attention", "6", "5", "5", "5", "0", "6", "6", "0"]
    assert lines[3].split() == ["all", "12", "9", "8", "6", "1", "11", "10", "11"]
    assert lines[4:] == [f"gpt_attention: {gap}" for gap in BOTH[1].gaps]


def test_the_table_says_that_there_is_no_gap() -> None:
    text = io.StringIO()
    audit.show(Console(file=text, width=100), BOTH[:1])
    assert text.getvalue().endswith("no gap\n")
