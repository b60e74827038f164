"""A table of the inputs that one run showed is no answer: the next run asks for others in most checks.

The arguments of these exercises hold no values, which other exercises draw anew in each run, and are few.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from torch import Tensor

from graders.check_api.check import Check
from graders.course.exercise import Exercise, load_assignment
from graders.judging.draws import Draws
from tests.support.shared_draws import with_all_draws

WITHOUT_VALUES = {
    "attention": ("causal_mask", "count_parameters"),
    "foundations": ("count_model", "additive_mask"),
    "seq2seq": ("padding_mask", "combine_masks"),
    "efficient": ("local_mask", "global_mask", "receptive_field", "attention_cost"),
}
MOST = 0.2  # of the points


def exercises() -> Iterator[Exercise]:
    for assignment, names in WITHOUT_VALUES.items():
        yield from load_assignment(assignment).only(names).exercises


def shown(draw: Any) -> str:
    """The inputs of a draw, as a table would know them again."""
    parts = getattr(draw, "arguments", None) or [getattr(draw, name) for name in draw.__dataclass_fields__]
    return repr([part.tolist() if isinstance(part, Tensor) else part for part in parts])


def draws_of(run: Draws, exercise: Exercise, check: Check) -> list[Any]:
    with with_all_draws():
        return [example.draw for example in run.for_check(exercise, check)]


@pytest.mark.parametrize("exercise", list(exercises()), ids=lambda exercise: exercise.name)
def test_a_table_of_what_two_runs_have_shown_gets_a_fifth_of_the_points_at_most(exercise: Exercise):
    seen, asked = [Draws(1), Draws(2)], Draws(3)
    checks = [check for check in exercise.checks if check.grows_as is None]
    table = {shown(draw) for run in seen for check in checks for draw in draws_of(run, exercise, check)}
    known = [c for c in checks if all(shown(draw) in table for draw in draws_of(asked, exercise, c))]
    whole = sum(check.points for check in checks)
    assert sum(check.points for check in known) <= MOST * whole, [check.name for check in known]
