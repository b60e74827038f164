"""A class: every submission of a folder, several at a time, none able to stop the others."""

import multiprocessing
import os
import signal
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing.util import Finalize

from graders import score
from graders.draw import Deck
from graders.exercise import Assignment
from graders.grade import Grader
from graders.intake.found import Entry
from graders.limits import Limits
from graders.result import Result, SubmissionInfo
from graders.sandbox import Box
from graders.wall.rung import Rung
from graders.worker.kernel import die_with_parent


@dataclass(frozen=True)
class Class:
    """How a class is graded. `keep` is called with each result in the process that made it."""

    assignment: Assignment
    deck: Deck
    rung: Rung
    limits: Limits
    device: str
    keep: Callable[[Entry, Result], None]


def grade_all(todo: list[Entry], plan: Class, jobs: int) -> Iterator[Result]:
    """Grade `todo` with `jobs` processes, each with its own warm box; results as they come.

    A process that dies costs the submissions it had in hand a second try, alone; then they are
    `broken`, which costs no points.
    """
    plan.deck.prepare(plan.assignment.exercises)
    suspects = yield from _round(todo, plan, jobs)
    for entry in suspects:
        if (yield from _round([entry], plan, 1)):
            result = _broken(entry, plan)
            plan.keep(entry, result)
            yield result


def _round(todo: list[Entry], plan: Class, jobs: int) -> Generator[Result, None, list[Entry]]:
    """Grade with one pool, started again if it breaks; returns the entries that were in hand then."""
    left = list(reversed(todo))
    suspects: list[Entry] = []
    while left:
        with pool(plan, jobs) as processes:
            hand: dict[Future[Result], Entry] = {}
            try:
                while left or hand:
                    # Only as many as are worked on, so that a pool that breaks names its suspects.
                    while left and len(hand) < jobs:
                        hand[processes.submit(_grade, left[-1])] = left[-1]
                        left.pop()
                    done, _ = wait(hand, return_when=FIRST_COMPLETED)
                    for future in done:
                        yield future.result()
                        del hand[future]
            except BrokenProcessPool:
                suspects += hand.values()
            except BaseException:
                _stop(processes)
                raise
    return suspects


def pool(plan: Class, jobs: int) -> ProcessPoolExecutor:
    """Processes, each with a grader of its own and its warm box."""
    context = multiprocessing.get_context("fork")  # the draws are shared, and torch is imported already
    return ProcessPoolExecutor(jobs, mp_context=context, initializer=_begin, initargs=(plan,))


def _stop(pool: ProcessPoolExecutor) -> None:
    pool.shutdown(wait=False, cancel_futures=True)
    for process in multiprocessing.active_children():
        process.terminate()


_grader: Grader
_plan: Class


def _begin(plan: Class) -> None:
    global _grader, _plan  # a pool's process has no other place
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's, which then ends us
    die_with_parent()
    box = Box(plan.rung, plan.limits, plan.device)
    box.start()
    Finalize(None, box.close, exitpriority=0)  # a pool's process never leaves a `with` by itself
    _plan, _grader = plan, Grader(plan.assignment, plan.deck, box)


def grader() -> Grader:
    """The grader of this process of a pool."""
    return _grader


def _grade(entry: Entry) -> Result:
    result = _grader.grade(entry.path, entry.id)
    _plan.keep(entry, result)
    return result


def _broken(entry: Entry, plan: Class) -> Result:
    info = SubmissionInfo(entry.id, (entry.path.name,), "")
    staff = "the process that graded this submission died twice"
    return score.broken(plan.assignment, info, staff, score.Run(plan.deck.seed, plan.rung, plan.device))


def default_jobs() -> int:
    """As many processes as this process may use processors."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
