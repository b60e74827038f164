"""A platform's table with grades filled in, and notes for the instructor."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graders.classroom.marks import Mark
from graders.language import number, tr, trn
from graders.results.result import Result

# By row of the table: the mark, and the result where there is a submission.
Rows = Mapping[int, tuple[Mark, Result | None]]


class NoColumn(Exception):
    """The table has no such column, or several. The text is for the instructor."""


@dataclass(frozen=True, slots=True)
class FilledTable:
    """The bytes of a table, the number of grades filled in, and notes on the others."""

    data: bytes
    count: int
    notes: tuple[str, ...] = ()


def has_points(mark: Mark) -> bool:
    """Whether the mark has points to export."""
    return mark.points is not None and math.isfinite(mark.points)


def warnings(rows: Rows, most: float | None, what: str) -> list[str]:
    """Notes on marks that someone should look at, or that do not fit a table whose grades go up to `most`."""
    notes = []
    counted = [mark for mark, _ in rows.values() if has_points(mark)]
    if unread := [mark.id for mark, result in rows.values() if _is_unread(mark, result)]:
        who = list_names(unread)
        notes.append(tr("Files could not be read, and have no points in these grades: {who}.", who=who))
    if undecided := [mark.id for mark in counted if mark.undecided]:
        who = list_names(undecided)
        notes.append(tr("Points are still to be decided of: {who}. They are not in the grades.", who=who))
    if most is None:
        return notes
    if others := {mark.max_points for mark in counted} - {most}:
        other_maximums = ", ".join(number(points, "g") for points in sorted(others))
        sentence = tr(
            "{what} counts up to {most}, the assignment up to {there}: points stand as they are.",
            what=what,
            most=number(most, "g"),
            there=other_maximums,
        )
        notes.append(sentence)
    if above := [mark.id for mark in counted if (mark.points or 0) > most]:
        sentence = tr(
            "More points than {what} takes ({most}): {who}. The platform may leave them out.",
            what=what,
            most=number(most, "g"),
            who=list_names(above),
        )
        notes.append(sentence)
    return notes


def _is_unread(mark: Mark, result: Result | None) -> bool:
    """Whether something of it could not be read, and the instructor has set no points for the whole."""
    return result is not None and result.unreadable is not None and mark.whole is None


def parse_number(cell: str) -> float | None:
    """Parse a number with a decimal point or comma; None where the cell is not a number."""
    match = re.fullmatch(r"\s*([0-9]+(?:[.,][0-9]+)?)\s*", cell)
    return float(match[1].replace(",", ".")) if match else None


def list_names(names: Sequence[str], most: int = 20) -> str:
    """The first names, and the number of the others."""
    names_shown, remaining = ", ".join(names[:most]), len(names) - most
    return (
        trn("{names} and {n} more", "{names} and {n} more", remaining, names=names_shown)
        if remaining > 0
        else names_shown
    )
