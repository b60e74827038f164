"""Summarise a run in a few lines, for a class of any size."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from graders.language import number, tr, trn
from graders.results.result import Outcome, Result

IDS = 20  # ids named per line
LISTED = 40  # submissions whose points are listed one by one


@dataclass
class Done:
    """The results so far, in compact form, and the ids of those taken from the cache.

    `stale` are the ids whose cached result is outdated but kept (`--only-failed`).
    """

    results: list[Result] = field(default_factory=list)
    cached: list[str] = field(default_factory=list)
    stale: list[str] = field(default_factory=list)

    def cache(self, result: Result, stale: bool) -> None:
        """Add a cached result."""
        self.results.append(result)
        self.cached.append(result.submission.id)
        self.stale += [result.submission.id] if stale else []


def lines(done: Done) -> Iterator[str]:
    """Yield the lines of the summary."""
    ids = sorted(result.submission.id for result in done.results)
    cached = set(done.cached)
    yield from _points(done.results)
    yield _line(tr("graded"), [id for id in ids if id not in cached])  # noqa: A001
    yield _line(tr("cached"), sorted(cached))
    yield from _groups(done.results)
    if done.stale:
        yield _line(tr("left as they were, though changed since"), sorted(done.stale))


def lines_of(results: Sequence[Result]) -> Iterator[str]:
    """Yield the lines of the summary of results that were graded elsewhere."""
    yield from _points(results)
    yield from _groups(results)


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


def some(ids: Sequence[str]) -> str:
    """The first ids, and the number of the others."""
    shown, more = ", ".join(ids[:IDS]), len(ids) - IDS
    return trn("{names} and {n} more", "{names} and {n} more", more, names=shown) if more > 0 else shown


def _line(label: str, ids: Sequence[str]) -> str:
    if not ids:
        return tr("{what}: {n}", what=label, n=0)
    return tr("{what}: {n} ({ids})", what=label, n=number(len(ids), ","), ids=some(ids))


def _ids_where(results: Sequence[Result], test: Callable[[Result], bool]) -> list[str]:
    return [result.submission.id for result in results if test(result)]


def _not_attempted(result: Result) -> bool:
    return all(e.outcome is Outcome.NOT_ATTEMPTED for e in result.exercises)


def _timed_out(result: Result) -> bool:
    return any(e.outcome is Outcome.TIMED_OUT for e in result.exercises)
