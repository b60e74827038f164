"""The reference's known mistakes are asked on mapping draws, and leave these as they were."""

from graders.candidate.parameter_mapping.reference_models import models_of
from graders.course.exercise import Assignment
from graders.judging.draws import Draws


def test_a_mistake_that_changes_its_input_in_place_changes_no_draw(assignment: Assignment):
    [exercise] = assignment.only(["multi_head_attention"]).exercises
    answers = Draws(7).mapping_draws(exercise)
    models = models_of(answers[0].recipe, answers)
    assert models is not None
    before = [answer.draw.arguments[0].clone() for answer in answers]
    for mistake in models.mistakes():
        mistake.probe(0)
        mistake.output(0, frozenset())
    assert all(x.equal(answer.draw.arguments[0]) for x, answer in zip(before, answers, strict=True))
