"""Some known answers in other styles keep their verdicts; the nightly run tries more, with a new seed."""

import pytest

from graders.audit.styles.try_styles import StyleTrial
from graders.course.exercise import Assignment
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.sandbox.box import Box

SEED, COMPOSITIONS = 5, 4


@pytest.mark.parametrize("name", ["concat_heads", "causal_mask", "feed_forward"])
def test_known_answers_keep_their_verdicts_in_other_styles(assignment: Assignment, box: Box, name: str):
    one = assignment.only([name])
    grader = Grader(one, Draws(SEED, tries=0).first(2), box)
    styled = StyleTrial(grader, one.exercises[0]).run(COMPOSITIONS)
    assert sum(styled.tried.values()) >= COMPOSITIONS
    assert [(a.name, a.styles, a.change) for a in styled.changed] == []


def test_each_known_mistake_is_named_as_itself_where_nothing_says_which_it_is(
    assignment: Assignment, box: Box
):
    one = assignment.only(["concat_heads"])
    handed_in = StyleTrial(
        Grader(one, Draws(SEED, tries=0).first(2), box), one.exercises[0]
    ).hand_in_mistakes()
    assert handed_in.handed_in > 5
    assert handed_in.gaps == ()
