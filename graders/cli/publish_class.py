"""The class page and gradebook of a run, with the marks that its files give."""

from collections.abc import Sequence
from pathlib import Path

from graders.classroom.run_marks import compute_run_marks
from graders.language import trn
from graders.results.result import Result
from reports import publish

SHOWN = 30  # notes in a terminal; the class page has them all


def publish_class(out: Path, results: Sequence[Result], notes: Sequence[str]) -> list[str]:
    """Write `OUT/index.html` and `OUT/grades.csv`; what of it the instructor should read at once."""
    marks, more = compute_run_marks(out, results)
    every = [*notes, *more]
    publish.publish_class(out, results, marks, every)
    left = len(every) - SHOWN
    page = out / "index.html"
    message = trn("{n} more note stands on {page}", "{n} more notes stand on {page}", left, page=page)
    return [*every[:SHOWN], *([message] if left > 0 else [])]
