"""A right answer in an unusual dress is right: `solutions/right/<exercise>__<style>.py` lose nothing."""

from pathlib import Path

import pytest

from graders.draw import Deck
from graders.exercise import Assignment, assignment_names, load_assignment
from graders.grade import Grader
from graders.result import Outcome
from graders.sandbox import Box

ASSIGNMENTS = [load_assignment(name) for name in assignment_names()]
RIGHT = sorted((Path(__file__).parent.parent / "solutions/right").glob("*.py"))


@pytest.mark.parametrize("path", RIGHT, ids=lambda path: path.stem)
def test_a_right_answer_loses_nothing(path: Path, deck: Deck, box: Box):
    exercise = path.stem.partition("__")[0]
    assignment = next(a for a in ASSIGNMENTS if exercise in {e.name for e in a.exercises})
    result = Grader(assignment.only([exercise]), deck, box).grade(path, path.stem)
    [graded] = result.exercises
    wrong = [
        (f.check, f.message, f.case and f.case.text)
        for f in graded.findings
        if f.outcome is not Outcome.PASSED
    ]
    assert (graded.outcome, wrong, graded.message) == (Outcome.PASSED, [], None)
    assert graded.points == graded.max_points


@pytest.mark.parametrize(
    "exercise", [e.stem for e in (Path(__file__).parent.parent / "graders/checks").glob("[a-z]*.py")]
)
def test_every_exercise_has_right_answers_in_several_styles(exercise: str):
    assert len([path for path in RIGHT if path.stem.startswith(f"{exercise}__")]) >= 4


def test_setting_the_global_seed_is_remarked_and_costs_nothing(assignment: Assignment, deck: Deck, box: Box):
    [path] = [path for path in RIGHT if path.stem.endswith("sets_the_seed")]
    result = Grader(assignment.only(["scaled_dot_product_attention"]), deck, box).grade(path, path.stem)
    remarks = [f.message for f in result.exercises[0].findings if f.message]
    assert remarks == ["remark: the call uses or sets the global random state"]
    assert result.points == result.max_points
