"""A platform's own table with grades in it: what was filled in, and what its teacher should know."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graders.classroom.marks import Mark
from graders.language import number, tr, trn
from graders.results.result import Result

# By the row of the table: the mark that stands there, and the result where something was handed in.
Rows = Mapping[int, tuple[Mark, Result | None]]


class NoColumn(Exception):
    """Which column of a table is not there, or not the only one: a sentence for the instructor."""


@dataclass(frozen=True, slots=True)
class Filled:
    """The bytes of a table, how many grades were filled in, and sentences about the others."""

    data: bytes
    count: int
    notes: tuple[str, ...] = ()


def usable(mark: Mark) -> bool:
    """Whether there are points to hand over."""
    return mark.points is not None and math.isfinite(mark.points)


def warnings(marks: Sequence[Mark], most: float | None, what: str) -> list[str]:
    """What may surprise in a table whose grades run up to `most`."""
    notes = []
    counted = [mark for mark in marks if usable(mark)]
    if undecided := [mark.id for mark in counted if mark.undecided]:
        who = some(undecided)
        notes.append(tr("Points are still to be decided of: {who}. They are not in the grades.", who=who))
    if most is None:
        return notes
    if others := {mark.max_points for mark in counted} - {most}:
        there = ", ".join(number(points, "g") for points in sorted(others))
        says = tr(
            "{what} counts up to {most}, the assignment up to {there}: points stand as they are.",
            what=what,
            most=number(most, "g"),
            there=there,
        )
        notes.append(says)
    if above := [mark.id for mark in counted if (mark.points or 0) > most]:
        says = tr(
            "More points than {what} takes ({most}): {who}. The platform may leave them out.",
            what=what,
            most=number(most, "g"),
            who=some(above),
        )
        notes.append(says)
    return notes


def amount(cell: str) -> float | None:
    """A number as platforms write it, with a point or a comma."""
    match = re.fullmatch(r"\s*([0-9]+(?:[.,][0-9]+)?)\s*", cell)
    return float(match[1].replace(",", ".")) if match else None


def some(names: Sequence[str], most: int = 20) -> str:
    """The first of them, and how many more there are."""
    listed, left = ", ".join(names[:most]), len(names) - most
    return trn("{names} and {n} more", "{names} and {n} more", left, names=listed) if left > 0 else listed
