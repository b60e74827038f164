"""Read an earlier grading of a class, with which a new one is compared."""

from dataclasses import dataclass
from pathlib import Path

from graders.batch.load_class import load_class
from graders.classroom.class_record import Before
from graders.classroom.regrade import keep_highest
from graders.classroom.run_marks import compute_run_marks, read_class
from graders.results.result import Result


@dataclass(frozen=True)
class EarlierGrading:
    """An earlier grading of a class.

    Attributes:
        results: those that counted, in compact form.
        before: what each submission got, for `class.json` of the new run.
        notes: sentences about results that could not be read.
        never_lower: whether nobody gets fewer points than then for the same files.
    """

    results: tuple[Result, ...]
    before: tuple[Before, ...]
    notes: tuple[str, ...] = ()
    never_lower: bool = False


def read_earlier(folder: Path) -> EarlierGrading:
    """Read the results in a folder: it may be the one into which the new run writes, if that begins later."""
    results, notes = load_class(folder)
    run = compute_run_marks(folder, results)
    raised = {mark.id for mark in run.marks if mark.raised}
    before = keep_highest(run.results, read_class(folder, run.results)[0].before, raised)
    return EarlierGrading(tuple(run.results), tuple(before), tuple(notes))
