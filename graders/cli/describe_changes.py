"""Say who has other points in a new grading, and what more or fewer of a class fail."""

from collections.abc import Iterator, Sequence

from graders.language import number, tr, trn
from graders.results.result import Result
from reports import words
from reports.class_statistics.compare import (
    ChangedPerson,
    ChangedShare,
    changed_checks,
    changed_mistakes,
    changed_people,
    count_both,
)


def describe_changes(old: Sequence[Result], new: Sequence[Result], most: int) -> Iterator[str]:
    """Yield the lines: who gains and who loses, by which checks, then the checks and the known mistakes.

    Args:
        old: the results of an earlier grading.
        new: those of a new one.
        most: how many lines of each list are shown.
    """
    yield from _people(old, new, most=most)
    yield from _shares(tr("Checks that more or fewer fail:"), changed_checks(old, new), most)
    yield from _shares(tr("Known mistakes that more or fewer make:"), changed_mistakes(old, new), most)


def _people(old: Sequence[Result], new: Sequence[Result], *, most: int) -> list[str]:
    """Who gains and who loses, by which checks."""
    both, changed = count_both(old, new), changed_people(old, new)
    if not both:
        return [tr("no submission is in both")]
    gain = sum(person.gained > 0 for person in changed)
    lose = sum(person.gained < 0 for person in changed)
    said = tr(
        "{n} submissions are in both: {gain} gain points, {lose} lose some", n=both, gain=gain, lose=lose
    )
    return [said, *(_person(person) for person in changed[:most]), *_beyond(changed, most)]


def _person(person: ChangedPerson) -> str:
    by = tr("; ").join(
        f"{each.title}{f' ({each.says})' if each.says else ''} {_signed(each.after - each.before)}"
        for each in person.by
    )
    return f"  {person.id}  {words.points(person.before)} → {words.points(person.after)}  {by}"


def _shares(title: str, shares: Sequence[ChangedShare], most: int) -> list[str]:
    lines = [_share(share) for share in shares[:most]]
    return ["", title, *lines, *_beyond(shares, most)] if lines else []


def _share(share: ChangedShare) -> str:
    before, after = number(share.before, ".0%"), number(share.after, ".0%")
    return f"  {before} → {after}  {words.about(share.title, share.what)}"


def _beyond(every: Sequence[object], most: int) -> list[str]:
    left = len(every) - most
    return [f"  {trn('and {n} more', 'and {n} more', left)}"] if left > 0 else []


def _signed(points: float) -> str:
    return number(round(points, 2), "+g")
