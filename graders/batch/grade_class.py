"""A class: every submission of a folder, several at a time, none able to stop the others."""

import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing.util import Finalize

from graders.batch.process_pool import WorkerDied, spread
from graders.classroom.intake.download import Entry
from graders.course.exercise import Assignment
from graders.grade import Grader, prepare
from graders.judging import score
from graders.judging.draws import Draws
from graders.results.compact import compact
from graders.results.result import Result, SubmissionInfo
from graders.sandbox.box import Box
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.limits import Limits
from graders.timing.stopwatch import Plan, Stopwatch

# Whatever a submission does, its own limit ends it; a process that takes so much longer hangs by our fault.
PATIENCE, SPARE_S = 5, 300.0
TWICE = "tried twice, the second time alone: "


@dataclass(frozen=True)
class Class:
    """How a class is graded. `keep` is called with each result in the process that made it."""

    assignment: Assignment
    draws: Draws
    level: IsolationLevel
    limits: Limits
    device: str
    keep: Callable[[Entry, Result], None]
    timing: int = 0


def grade_all(todo: list[Entry], plan: Class, jobs: int) -> Iterator[Result]:
    """Grade `todo` with `jobs` processes, each with its own warm box; results without bulk, as they come.

    A process that dies costs the submission it had in hand a second try, alone; then that one is
    `broken`, which costs no points.
    """
    if todo:
        prepare(plan.draws, plan.assignment.exercises)
    suspects = []
    for entry, came in _spread(todo, plan, jobs):
        if isinstance(came, WorkerDied):
            suspects.append(entry)
        else:
            yield came
    for suspect in suspects:
        for entry, came in _spread([suspect], plan, 1):
            if isinstance(came, WorkerDied):
                came = _kept(entry, _broken(entry, plan, f"{TWICE}{came}"), plan)
            yield came


def begin(plan: Class) -> None:
    """Give this process of a pool a grader, with a warm box."""
    global _grader, _plan  # a pool's process has no other place
    box = Box(plan.level, plan.limits, plan.device)
    box.start()
    watch = Stopwatch(box, plan.draws, Plan(threads=plan.timing)) if plan.timing else None
    for each in (box, watch):
        if each is not None:
            Finalize(None, each.close, exitpriority=0)  # a pool's process never leaves a `with` by itself
    _plan, _grader = plan, Grader(plan.assignment, plan.draws, box, watch)


_grader: Grader
_plan: Class


def grader() -> Grader:
    """The grader of this process of a pool."""
    return _grader


def _spread(todo: list[Entry], plan: Class, jobs: int) -> Iterator[tuple[Entry, Result | WorkerDied]]:
    patience = PATIENCE * plan.limits.submission_s + SPARE_S
    return spread(todo, _grade, jobs, partial(begin, plan), patience)


def _grade(entry: Entry) -> Result:
    started = time.monotonic()
    result = _grader.grade(entry.path, entry.id)
    try:
        return _kept(entry, replace(result, seconds=round(time.monotonic() - started, 3)), _plan)
    except ValueError:  # by our fault it is no JSON, and must not end the run
        return _kept(entry, _broken(entry, _plan, traceback.format_exc(limit=-6)), _plan)


def _kept(entry: Entry, result: Result, plan: Class) -> Result:
    result = replace(result, key=entry.key)
    plan.keep(entry, result)
    return compact(result)


def _broken(entry: Entry, plan: Class, why: str) -> Result:
    info = SubmissionInfo(entry.id, (entry.path.name,), "")
    return score.broken_result(
        plan.assignment, info, why, score.Run(plan.draws.seed, plan.level, plan.device)
    )
