"""Write the class page and the gradebook of a run."""

import gc
import multiprocessing
from collections.abc import Callable, Sequence
from pathlib import Path

from graders.batch.process_pool import PoolProcess, WorkerDied, default_jobs
from graders.classroom.run_marks import OF_RUN, MarkRules, compute_run_marks, settle_class
from graders.results.result import Result
from reports import publish


def publish_class(
    out: Path, results: Sequence[Result], notes: Sequence[str], rules: MarkRules = OF_RUN
) -> list[str]:
    """Write `OUT/index.html` and `OUT/grades.csv`; returns all notes that stand on the page."""
    settle_class(out, results)
    run = compute_run_marks(out, results, rules)
    every = [*notes, *run.notes]
    publish.publish_class(out, run.results, run.marks, every, beside=begin_beside)
    return every


def begin_beside(work: Callable[[], list[str]]) -> Callable[[], list[str]]:
    """Begin to work in a process of its own; returns what waits for the answer.

    Where there is one processor, or this process may have no children, the work is done when it is asked for.
    """
    if default_jobs() == 1 or multiprocessing.current_process().daemon:
        return work
    gc.freeze()  # or a collection in either process would copy all results
    process = PoolProcess[None, list[str]](lambda _: work(), lambda: None, [])
    process.give(None)

    def wait() -> list[str]:
        answer = process.answer()
        if isinstance(answer, WorkerDied):
            return work()
        process.end()
        return answer

    return wait
