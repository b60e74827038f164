"""Summarise a run in a few lines, for a class of any size."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from graders.batch.class_results import ClassResults
from graders.language import list_names, number, tr, trn
from graders.results.result import Outcome, Result

IDS = 20  # ids named per line
NOTES = 30  # notes shown in the terminal
LISTED = 40  # submissions whose points are listed one by one


def describe_run(done: ClassResults) -> Iterator[str]:
    """Yield the lines of the summary of a run."""
    yield from _points(done.results)
    yield _line(tr("graded"), done.graded)
    yield _line(tr("cached"), done.reused)
    yield from _groups(done.results)
    if done.stale:
        yield _line(tr("left as they were, though changed since"), done.stale)


def describe_results(results: Sequence[Result]) -> Iterator[str]:
    """Yield the lines of the summary of results that were graded elsewhere."""
    yield from _points(results)
    yield from _groups(results)


def shorten_notes(notes: Sequence[str], out: Path) -> list[str]:
    """The notes to show in the terminal; the class page has all."""
    left, page = len(notes) - NOTES, out / "index.html"
    message = trn("{n} more note stands on {page}", "{n} more notes stand on {page}", left, page=page)
    return [*notes[:NOTES], *([message] if left > 0 else [])]


def _points(results: Sequence[Result]) -> Iterator[str]:
    for result in sorted(results, key=_id) if len(results) <= LISTED else ():
        points, most = number(result.points, "5.2f"), number(result.max_points, "g")
        yield f"  {points} / {most}  {result.submission.id}"


def _groups(results: Sequence[Result]) -> Iterator[str]:
    in_order = sorted(results, key=_id)
    groups = {
        tr("could not be read"): _ids_where(in_order, lambda result: result.unreadable is not None),
        tr("not attempted"): _ids_where(in_order, _not_attempted),
        tr("timed out"): _ids_where(in_order, _timed_out),
        tr("broken, softmark's own fault"): _ids_where(in_order, lambda result: result.softmark_failed),
    }
    yield from (_line(label, ids) for label, ids in groups.items() if ids)


def _id(result: Result) -> str:
    return result.submission.id


def _line(label: str, ids: Sequence[str]) -> str:
    if not ids:
        return tr("{what}: {n}", what=label, n=0)
    return tr("{what}: {n} ({ids})", what=label, n=number(len(ids), ","), ids=list_names(ids, IDS))


def _ids_where(results: Sequence[Result], test: Callable[[Result], bool]) -> list[str]:
    return [result.submission.id for result in results if test(result)]


def _not_attempted(result: Result) -> bool:
    return all(e.outcome is Outcome.NOT_ATTEMPTED for e in result.exercises)


def _timed_out(result: Result) -> bool:
    return any(e.outcome is Outcome.TIMED_OUT for e in result.exercises)
