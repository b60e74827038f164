"""Write the class page and the gradebook of a run."""

from collections.abc import Sequence
from pathlib import Path

from graders.classroom.run_marks import compute_run_marks
from graders.language import trn
from graders.results.result import Result
from reports import publish

SHOWN = 30  # notes shown in the terminal; the class page lists all


def publish_class(out: Path, results: Sequence[Result], notes: Sequence[str]) -> list[str]:
    """Write `OUT/index.html` and `OUT/grades.csv`; returns the notes to show to the instructor at once."""
    marks, more = compute_run_marks(out, results)
    every = [*notes, *more]
    publish.publish_class(out, results, marks, every)
    left = len(every) - SHOWN
    page = out / "index.html"
    message = trn("{n} more note stands on {page}", "{n} more notes stand on {page}", left, page=page)
    return [*every[:SHOWN], *([message] if left > 0 else [])]
