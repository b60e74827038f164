"""Write the class page and the gradebook of a run."""

import gc
import multiprocessing
from collections.abc import Callable, Sequence
from pathlib import Path

from graders.batch.process_pool import PoolProcess, WorkerDied
from graders.classroom.run_marks import compute_run_marks
from graders.cli.jobs_option import default_jobs
from graders.language import trn
from graders.results.result import Result
from reports import publish

SHOWN = 30  # notes shown in the terminal; the class page lists all


def publish_class(out: Path, results: Sequence[Result], notes: Sequence[str]) -> list[str]:
    """Write `OUT/index.html` and `OUT/grades.csv`; returns the notes to show to the instructor at once."""
    marks, more = compute_run_marks(out, results)
    every = [*notes, *more]
    publish.publish_class(out, results, marks, every, beside=begin_beside)
    left = len(every) - SHOWN
    page = out / "index.html"
    message = trn("{n} more note stands on {page}", "{n} more notes stand on {page}", left, page=page)
    return [*every[:SHOWN], *([message] if left > 0 else [])]


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
