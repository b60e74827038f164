"""A known mistake costs the checks that are about it and no other, and the reference loses nothing."""

import pytest

from graders.course.exercise import Exercise, assignment_names, load_assignment
from graders.course.reference import reference
from graders.judging.draws import Draws
from tests.support.costs_of_mistakes import EVERY, chosen_mistakes, failed_checks, read_costs


@pytest.fixture(scope="module")
def exercises() -> dict[str, Exercise]:
    return {e.name: e for name in assignment_names() for e in load_assignment(name).exercises}


@pytest.mark.parametrize("name", EVERY)
def test_a_mistake_costs_the_checks_that_are_about_it_and_no_other(
    name: str, exercises: dict[str, Exercise], draws: Draws
):
    exercise, written = exercises[name], read_costs()[name]
    chosen = dict(chosen_mistakes(exercise))
    assert [*chosen] == [*written], "the list is out of date: python -m tests.maintenance.costs_of_mistakes"
    assert failed_checks(exercise, reference(name, exercise.symbol), draws) == set()
    for mistake, symbol in chosen.items():
        always, sometimes = written[mistake]
        failed = failed_checks(exercise, symbol, draws)
        assert always <= failed, f"{mistake} passes {sorted(always - failed)}"
        assert failed <= sometimes, f"{mistake} fails {sorted(failed - sometimes)}, which are not about it"
