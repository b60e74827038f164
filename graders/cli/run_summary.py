"""Summarise a run in a few lines, for a class of any size."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from graders.batch.class_results import ClassResults
from graders.classroom.marks import Mark
from graders.language import list_names, number, tr, trn
from graders.results.result import Outcome, Result

IDS = 20  # ids named per line
NOTES = 30  # notes shown in the terminal
LISTED = 40  # submissions whose points are listed one by one


def describe_run(done: ClassResults) -> Iterator[str]:
    """Yield the lines of the summary of a run."""
    yield from _marks(done.results, done.marks)
    yield _line(tr("graded"), done.graded)
    yield _line(tr("cached"), done.reused)
    yield from _groups(done.results)
    if done.stale:
        yield _line(tr("left as they were, though changed since"), done.stale)


def describe_results(results: Sequence[Result], marks: Sequence[Mark]) -> Iterator[str]:
    """Yield the lines of the summary of results that were graded elsewhere."""
    yield from _marks(results, marks)
    yield from _groups(results)


def shorten_notes(notes: Sequence[str], out: Path) -> list[str]:
    """The notes to show in the terminal; the class page has all."""
    left, page = len(notes) - NOTES, out / "index.html"
    message = trn("{n} more note stands on {page}", "{n} more notes stand on {page}", left, page=page)
    return [*notes[:NOTES], *([message] if left > 0 else [])]


def _marks(results: Sequence[Result], marks: Sequence[Mark]) -> Iterator[str]:
    """The mark of each submission, with what makes it another than the machine's points."""
    if len(results) > LISTED:
        return
    graded = {result.submission.id for result in results}
    for mark in marks:
        if mark.id in graded and mark.points is not None:
            points, most = number(mark.points, "5.2f"), number(mark.max_points, "g")
            why = tr("; ").join(_reasons(mark))
            said = f" ({why})" if why else ""
            yield f"  {points} / {most}  {mark.id}{said}"


def _reasons(mark: Mark) -> Iterator[str]:
    if mark.machine is not None and mark.machine != mark.points:
        yield tr("machine: {points}", points=number(mark.machine, "g"))
    if mark.overrides:
        yield tr("set by the instructor")
    if mark.raised:
        yield tr("points of an earlier grading: +{points}", points=number(mark.raised, "g"))
    if mark.late:
        lost = number(mark.late.lost, "g")
        yield trn("{n} day late, −{lost}", "{n} days late, −{lost}", mark.late.days, lost=lost)
    if mark.differs_for_members:
        yield tr("other points for some members")
    if mark.undecided:
        yield tr("{points} undecided", points=number(mark.undecided, "g"))
    if mark.held:
        yield tr("held back")


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
