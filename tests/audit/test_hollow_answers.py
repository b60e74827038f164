"""Hollow answers: made from the contract, with every property of a right one, and worth little."""

import pytest

from graders.audit.audit import with_gaps
from graders.audit.hollow_answers import NAMES, hollow_answers
from graders.audit.try_answer import try_hollow
from graders.course.exercise import load_assignment
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.judging.nothing_right import MOST
from graders.results.audit_result import Kind, Tried
from reports import audit
from tests.support.open_box import OpenBox


def text_of(assignment: str, name: str) -> str:
    [exercise] = load_assignment(assignment).only([name]).exercises
    return dict(hollow_answers(exercise))[NAMES["mean"]]


@pytest.mark.parametrize(
    ("assignment", "name", "says"),
    [
        ("gpt", "gpt_attention", ["RELATION = 'before'", "MASK_AT = 1", "SENSE = 'ONE_ALLOWS'"]),
        ("attention", "multi_head_attention", ["RELATION = 'all'", "SENSE = 'TRUE_HIDES'"]),
        ("attention", "feed_forward", ["RELATION = 'apart'", "MASK_AT = 0"]),
    ],
)
def test_what_an_output_depends_on_is_seen_of_the_reference(
    assignment: str, name: str, says: list[str]
) -> None:
    text = text_of(assignment, name)
    assert all(line in text for line in says)


@pytest.mark.parametrize(
    ("assignment", "name", "held"), [("gpt", "gpt_attention", 0.6), ("attention", "concat_heads", 0.2)]
)
def test_a_mean_has_most_properties_and_gets_a_fifth(
    open_box: OpenBox, draws: Draws, assignment: str, name: str, held: float
) -> None:
    grader = Grader(load_assignment(assignment).only([name]), draws.without_search(), open_box)
    tried = try_hollow(grader, NAMES["mean"], text_of(assignment, name))
    assert tried.held is not None and tried.held > held
    assert tried.got == pytest.approx(MOST, abs=0.01)
    assert not tried.cheap


def test_one_that_gets_more_is_a_gap_and_stands_on_the_page() -> None:
    [exercise] = load_assignment("attention").only(["concat_heads"]).exercises
    reference = Tried(Kind.REFERENCE, "concat_heads", "passed")
    little = Tried(Kind.HOLLOW, NAMES["own"], "failed", got=0.2, held=0.5)
    much = Tried(Kind.HOLLOW, NAMES["mean"], "failed", got=0.5, held=0.5, cheap=True)
    audited = with_gaps(exercise, "attention", [reference, little, much])
    [gap] = [gap for gap in audited.gaps if "hollow" in gap]
    assert "a mean of what is seen" in gap and "50%" in gap and "20%" in gap
    assert "gets 20% of the points, where the checks that hold weigh 50%" in audit.render([audited])
