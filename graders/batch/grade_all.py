"""Grade submissions in several processes at a time; none can stop the others."""

import multiprocessing
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing.util import Finalize
from pathlib import Path

from graders.batch.grade_states import grade_states
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
from graders.sandbox.isolation.needs import can_fork_boxes
from graders.sandbox.limits import GB, Limits
from graders.sandbox.own_time import SLOWEST
from graders.submission.resource_bounds import bound_memory
from graders.timing.plan import Plan
from graders.timing.run_curves import CurveStore
from graders.timing.stopwatch import Stopwatch

# Seconds to spare beyond what all limits allow on a busy machine. Then assume that our own code hangs.
SPARE_S = 300.0
# Memory of a worker beyond what it starts with; it needs a tenth of this. A fault of ours that takes ever
# more then ends one submission, and not the machine.
MEMORY_BYTES = 2 * GB
TWICE = "tried twice, the second time alone: "


@dataclass(frozen=True, kw_only=True)
class ClassPlan:
    """How a class is graded. `keep` is called with each result, in the process that graded it.

    `keep` returns why the page of the result could not be made; nothing where it was made.

    `timing` is how correct answers are timed, None if they are not; in the folder `curves` the processes
    share what they measure once.
    `warm_box`, if there is one, is used by the first process; the caller closes it. `run` is the digest of
    what all results depend on.
    """

    assignment: Assignment
    draws: Draws
    level: IsolationLevel
    limits: Limits
    device: str
    keep: Callable[[Entry, Result], str | None]
    timing: Plan | None = None
    curves: Path | None = None
    warm_box: "WarmBox | None" = None
    run: str = ""


class WarmBox:
    """A box that was started before the processes are forked: one of them has it, the others start theirs."""

    def __init__(self, box: Box) -> None:
        self._box = box
        # Processes share it where there are any.
        self._free = multiprocessing.get_context("fork").Lock() if can_fork_boxes() else threading.Lock()

    def take(self) -> Box | None:
        """The box; None if a process has taken it already."""
        return self._box if self._free.acquire(False) else None


@dataclass(frozen=True)
class KeptResult:
    """A result that was kept, in compact form, and why its page could not be made, if it could not."""

    result: Result
    page_failed: str = ""


class NotSent(Exception):
    """A submission that is not sent to other machines. Text for staff."""


Elsewhere = Callable[[list[Entry]], Iterator[tuple[Entry, KeptResult | WorkerDied | NotSent]]]


def grade_all(
    todo: list[Entry], plan: ClassPlan, jobs: int, elsewhere: Elsewhere | None = None
) -> Iterator[KeptResult]:
    """Grade `todo` with `jobs` processes, each with its own warm box; yield the results as they come.

    Where a process dies, its submission is graded a second time, alone. If the process dies again, the result
    is `broken`, which costs no points.

    Args:
        todo: the submissions.
        plan: how they are graded.
        jobs: how many processes there are at most.
        elsewhere: grades them on other machines first; what they could not grade is graded here.
    """
    with tempfile.TemporaryDirectory(prefix="softmark-curves-") as curves:
        plan = replace(plan, curves=Path(curves))
        here, alone = todo, list[Entry]()
        if elsewhere is not None:
            here = []
            for entry, result in elsewhere(todo):
                if isinstance(result, KeptResult):
                    yield result
                else:
                    (here if isinstance(result, NotSent) else alone).append(entry)
        yield from _grade_here(here, alone, plan, jobs)


def _grade_here(todo: list[Entry], alone: list[Entry], plan: ClassPlan, jobs: int) -> Iterator[KeptResult]:
    if todo or alone:
        prepare(plan.draws, plan.assignment.exercises)
    for entry, result in _spread(todo, plan, jobs):
        if isinstance(result, WorkerDied):
            alone.append(entry)
        else:
            yield result
    for entry in alone:
        for _, result in _spread([entry], plan, 1):
            if isinstance(result, WorkerDied):
                result = keep(entry, _broken_result(entry, plan, f"{TWICE}{result}"), plan)
            yield result


def begin(plan: ClassPlan) -> None:
    """Make the grader of this worker process, with a warm box."""
    global _grader, _plan  # only globals last from one item of a process to the next
    # At the level fresh every process is an interpreter, and most of them need none of these.
    libraries = () if plan.level is IsolationLevel.FRESH else plan.assignment.libraries
    # The warm box has imported PyTorch alone.
    box = plan.warm_box.take() if plan.warm_box and not libraries else None
    if box is None:
        box = Box(plan.level, plan.limits, plan.device, libraries=libraries)
        box.start()
    watch = None
    if plan.timing:
        watch = Stopwatch(box, plan.draws, plan.timing, CurveStore(plan.curves))
    for resource in (box, watch):
        if resource is not None:
            Finalize(None, resource.close, exitpriority=0)  # no `with` block can span all items of a process
    bound_memory(MEMORY_BYTES)
    _plan = plan
    _grader = Grader(plan.assignment, plan.draws, box, watch, finds_places=True, for_staff=True)


_grader: Grader
_plan: ClassPlan


def grader_of(exercise: str) -> Grader:
    """The grader of one exercise in this process, for audits: it looks for no places."""
    return replace(grader().only((exercise,)), finds_places=False)


def grader() -> Grader:
    """The grader of this worker process."""
    return _grader


def patience_of(limits: Limits) -> float:
    """Seconds after which a process that grades one submission counts as hung."""
    return SLOWEST * (limits.submission_s + limits.trained_s) + SPARE_S


def _spread(todo: list[Entry], plan: ClassPlan, jobs: int) -> Iterator[tuple[Entry, KeptResult | WorkerDied]]:
    return spread(todo, _grade, jobs, partial(begin, plan), patience_of(plan.limits))


def _grade(entry: Entry) -> KeptResult:
    started = time.monotonic()
    entry, result = grade_states(_grader.grade, entry)
    try:
        return keep(entry, replace(result, seconds=round(time.monotonic() - started, 3)), _plan)
    except ValueError:  # our result is not valid JSON; the run must go on
        return keep(entry, _broken_result(entry, _plan, traceback.format_exc(limit=-6)), _plan)


def keep(entry: Entry, result: Result, plan: ClassPlan) -> KeptResult:
    """Keep a result, with its cache key."""
    result = replace(result, key=entry.key, run=plan.run)
    page_failed = plan.keep(entry, result)
    return KeptResult(compact(result), page_failed or "")


def _broken_result(entry: Entry, plan: ClassPlan, reason: str) -> Result:
    info = SubmissionInfo(entry.id, (entry.path.name,), "")
    return score.broken_result(
        plan.assignment, info, reason, score.Run(plan.draws.seed, plan.level, plan.device)
    )
