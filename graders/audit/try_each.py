"""Ask one question of each exercise, in the processes of a pool; what fails is a gap of its own exercise."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import TypeVar

from graders.audit.load_exercises import ExercisesToAudit
from graders.batch import grade_all
from graders.batch.process_pool import WorkerDied, spread
from graders.course.describe_error import describe_error
from graders.grade import Grader
from graders.language import tr

HUNG_S = 7_200.0  # of one exercise
T = TypeVar("T")


def try_each(
    loaded: ExercisesToAudit,
    plan: grade_all.ClassPlan,
    jobs: int,
    *,
    ask: Callable[[Grader], T],
    with_gap: Callable[[str, str], T],
) -> Iterator[T]:
    """What is found of each exercise; the result of each, as it comes.

    Args:
        loaded: the exercises.
        plan: the draws and the box; its assignment has all exercises.
        jobs: how many processes.
        ask: tries one exercise, by the grader of it alone, which shows the first draw that fails.
        with_gap: the result of an exercise, by its name, that could not be tried, and why.
    """
    names = [exercise.name for _, exercise in loaded.exercises]
    work, begin = partial(_try, ask=ask, with_gap=with_gap), partial(grade_all.begin, plan)
    for name, found in spread(names, work, jobs, begin, HUNG_S):
        if isinstance(found, WorkerDied):
            yield with_gap(name, tr("the process that tried it ended: {error}", error=found))
        else:
            yield found


def _try(name: str, ask: Callable[[Grader], T], with_gap: Callable[[str, str], T]) -> T:
    grader = grade_all.grader_of(name)
    try:
        return ask(replace(grader, draws=grader.draws.without_search()))
    except Exception as error:  # whatever the author's code raises: the other exercises go on
        return with_gap(name, tr("it cannot be tried: correct it: {error}", error=describe_error(error)))
