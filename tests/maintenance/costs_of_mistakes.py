"""Write down which checks each known mistake fails, for `tests/check_api/test_costs_of_mistakes.py`.

python -m tests.maintenance.costs_of_mistakes [EXERCISE ...]
"""

import sys

from graders.course.exercise import assignment_names, load_assignment
from graders.judging.draws import Draws
from tests.support.costs_of_mistakes import (
    EVERY,
    WRITTEN,
    chosen_mistakes,
    failed_checks,
    read_costs,
    write_costs,
)

SEEDS = (1, 2, 3, 4)


def main(names: list[str]) -> None:
    """Ask each mistake of these exercises under several seeds; of all exercises if none is named."""
    runs = [Draws(seed) for seed in SEEDS]
    exercises = [e for name in assignment_names() for e in load_assignment(name).exercises if e.name in EVERY]
    costs: dict[str, dict[str, tuple[set[str], set[str]]]] = {}
    for exercise in exercises:
        if names and exercise.name not in names:
            costs[exercise.name] = dict(read_costs()[exercise.name])
            continue
        for name, mistake in chosen_mistakes(exercise):
            failed = [failed_checks(exercise, mistake, draws) for draws in runs]
            costs.setdefault(exercise.name, {})[name] = set.intersection(*failed), set.union(*failed)
    WRITTEN.write_text(write_costs(costs), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
