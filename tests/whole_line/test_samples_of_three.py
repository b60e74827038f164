"""Small hand-ins of llama, training and bert_tasks: one right in a public style, one with two mistakes."""

from pathlib import Path

import pytest

from graders.course.exercise import load_assignment
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.results.result import Outcome, Result
from graders.sandbox.box import Box

HANDED_IN = Path(__file__).parents[1] / "handed_in"
# The mistakes of boris; ada makes none in these exercises.
NAMED = {
    "llama": {"rms_norm": "RMSNorm__subtracts_the_mean", "swiglu": "SwiGLU__with_biases"},
    "training": {"train_bpe": "train_bpe__last_of_equals", "learning_rate": "lr_at__no_least_of_0"},
    "bert_tasks": {"token_classifier": "TokenClassifier__summed", "span_head": "SpanHead__mask_inverted"},
}


def graded(assignment: str, name: str, draws: Draws, box: Box) -> Result:
    some = load_assignment(assignment).only([*NAMED[assignment]])
    grader = Grader(some, draws.without_search().first(6), box, names_mistakes=True)
    return grader.grade(HANDED_IN / assignment / f"{name}.py", name)


@pytest.mark.parametrize("assignment", NAMED)
def test_what_is_right_gets_all_points(assignment: str, draws: Draws, box: Box):
    for exercise in graded(assignment, "ada", draws, box).exercises:
        assert (exercise.outcome, exercise.points) == (Outcome.PASSED, exercise.max_points), exercise.name


@pytest.mark.parametrize("assignment", NAMED)
def test_each_mistake_is_named_as_itself_and_nothing_else_is(assignment: str, draws: Draws, box: Box):
    exercises = graded(assignment, "boris", draws, box).exercises
    named = {e.name: {f.mistake.name for f in e.findings if f.mistake} for e in exercises}
    assert named == {exercise: {mistake} for exercise, mistake in NAMED[assignment].items()}
    assert all(exercise.outcome is Outcome.FAILED for exercise in exercises)
