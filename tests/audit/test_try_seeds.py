"""The same points under every seed: a known answer whose points follow from the seed is a gap."""

from dataclasses import replace

import torch

from graders.audit.try_seeds import Graded, describe_luck, try_exercise
from graders.check_api.check import require
from graders.course.exercise import Assignment, Exercise
from graders.grade import Grader
from graders.judging.draws import Draws


def with_check(exercise: Exercise, body) -> Exercise:
    """The exercise with another first check; its answers are few."""
    first, *others = exercise.checks
    return replace(exercise, checks=(replace(first, body=body, answer=None, shape_only=True), *others))


def test_points_that_follow_from_a_seed_are_a_gap(assignment: Assignment, box):
    one = assignment.only(["concat_heads"])
    [exercise] = one.exercises

    def is_lucky(_candidate, draw) -> None:
        """it is lucky"""
        require(bool(torch.equal(draw.x, draw.x.round()) or draw.x.sum() > -1e9), "")

    grader = Grader(one, Draws(1, tries=0).first(2), box, names_mistakes=False)
    sound = try_exercise(grader, 2)
    assert (sound.name, sound.gaps) == ("concat_heads", ())
    assert sound.answers > len(exercise.checks)


def test_what_swings_is_said_with_the_seeds():
    same = Graded("failed", {"one": 1.0, "two": 0.0})
    other = Graded("passed", {"one": 1.0, "two": 2.5})
    assert describe_luck({1: same, 2: same}) is None
    assert describe_luck({1: same, 2: other, 3: same}) == (
        "1 points (failed) under 1 and 3, 3.5 points (passed) under 2; what swings: two"
    )
    undecided = Graded("failed", {"one": 1.0, "two": None})
    assert "what swings: two" in (describe_luck({1: same, 2: undecided}) or "")
