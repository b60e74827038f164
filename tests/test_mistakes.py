"""Right answers pass, known mistakes fail: the references and what is under them in `solutions/`."""

from pathlib import Path

import pytest

from graders.draw import Deck
from graders.exercise import Assignment, Exercise, assignment_names, load_assignment
from graders.reference import mistakes
from graders.sandbox import Box
from graders.turn import Turn
from tests.handing import failing_checks, source_of

ASSIGNMENTS = [load_assignment(name) for name in assignment_names()]
EXERCISES = {exercise.name: exercise for assignment in ASSIGNMENTS for exercise in assignment.exercises}
MISTAKES = [(name, mistake) for name, e in EXERCISES.items() for mistake in mistakes(name, e.symbol)]


@pytest.mark.parametrize("name", EXERCISES)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_reference_loses_nothing_under_any_seed(name: str, seed: int, box: Box, tmp_path: Path):
    exercise = EXERCISES[name]
    code = f"from solutions.{name} import {exercise.symbol}"
    source = source_of(tmp_path, code, exercise, with_solutions=True)
    with Turn(box) as turn:
        assert failing_checks(source, exercise, Deck(seed), turn) == []


@pytest.mark.parametrize(("name", "mistake"), MISTAKES)
def test_every_known_mistake_is_caught(name: str, mistake: str, box: Box, deck: Deck, tmp_path: Path):
    exercise = EXERCISES[name]
    code = f"from solutions.{name} import {mistake}\n{exercise.symbol} = {mistake}"
    source = source_of(tmp_path, code, exercise, with_solutions=True)
    with Turn(box) as turn:
        assert failing_checks(source, exercise, deck, turn, first=True) != []


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
