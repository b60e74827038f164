"""Write the class page and the gradebook of a run."""

import gc
import multiprocessing
from collections.abc import Callable, Sequence
from pathlib import Path

from graders.batch.process_pool import PoolProcess, WorkerDied, default_jobs
from graders.classroom.run_marks import (
    OF_RUN,
    MarkRules,
    RunMarks,
    compute_run_marks,
    make_marker,
    settle_class,
)
from graders.language import trn
from graders.results.result import Result
from graders.results.store import read_result
from reports import publish
from reports.pages import answers_page


def publish_class(
    out: Path, results: Sequence[Result], notes: Sequence[str], rules: MarkRules = OF_RUN, run: str = ""
) -> list[str]:
    """Write `OUT/index.html` and `OUT/grades.csv`; returns all notes that stand on the page.

    Args:
        out: the folder of the run.
        results: of what was handed in last.
        notes: for the instructor.
        rules: what marks are made with.
        run: the digest of what results depend on, where some were graded or taken now.
    """
    settle_class(out, results, run)
    computed = compute_run_marks(out, results, rules)
    every = [*notes, *computed.notes, *_publish_answers(out, computed)]
    publish.publish_class(out, computed.results, computed.marks, every, beside=begin_beside)
    return every


def _publish_answers(out: Path, run: RunMarks) -> list[str]:
    """Write the answers to the questions of rubric.toml side by side, for whoever marks them."""
    marker, _ = make_marker(out, run.results)
    path = out / answers_page.PAGE
    if not marker.questions:
        path.unlink(missing_ok=True)
        return []
    latest = (read_result(out, result.submission.id) for result in run.results)
    counted = [marker.count(out, result) for result in latest if result is not None]
    publish.write(path, answers_page.render(counted, marker.questions))
    left = sum(e.undecided_points > 0 for r, _ in counted for e in r.exercises if e.answer is not None)
    says = trn(
        "{n} answer to a question is to be marked: {file} shows it.",
        "{n} answers to questions are to be marked: {file} shows them side by side.",
        left,
        file=path.name,
    )
    return [says] if left else []


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
