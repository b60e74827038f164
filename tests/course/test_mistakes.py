"""What lies in `solutions/`; that the checks bite is seen by `softmark audit`, which `make test` calls."""

import pytest

from graders.audit.audit import tried_here
from graders.course.exercise import Assignment, Exercise, assignment_names, load_assignment
from graders.course.reference import mistakes, reference
from graders.judging.draws import Draws
from graders.results.audit_result import Kind

ASSIGNMENTS = [load_assignment(name) for name in assignment_names()]
EXERCISES = {e.name: e for assignment in ASSIGNMENTS for e in assignment.exercises if e.rule is None}


@pytest.mark.parametrize("name", EXERCISES)
def test_the_reference_loses_nothing_under_another_seed(name: str):
    exercise = EXERCISES[name]
    tried = tried_here(exercise, Draws(2), Kind.REFERENCE, name, lambda: reference(name, exercise.symbol))
    assert (tried.failed, tried.message) == ((), None)


def test_there_are_at_least_a_hundred_mistakes():
    assert sum(len(mistakes(name, e.symbol)) for name, e in EXERCISES.items()) >= 100


def test_every_mistake_has_a_hint():
    for name, exercise in EXERCISES.items():
        for mistake, made in mistakes(name, exercise.symbol).items():
            assert made.__doc__, mistake


@pytest.mark.parametrize("exercise", EXERCISES.values(), ids=EXERCISES)
def test_every_exercise_has_at_least_five_checks_and_mistakes(exercise: Exercise):
    assert len(exercise.checks) >= 5
    assert len(mistakes(exercise.name, exercise.symbol)) >= 5


@pytest.mark.parametrize("assignment", ASSIGNMENTS, ids=lambda assignment: assignment.name)
def test_the_points_of_an_assignment_sum_to_twenty(assignment: Assignment):
    assert sum(exercise.points for exercise in assignment.exercises) == 20
