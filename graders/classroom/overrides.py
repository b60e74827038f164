"""Read `OUT/overrides.csv`, which the instructor writes; softmark never does.

A line sets points, or holds a student's mark and page back, or both.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from graders.classroom.csv_table import BadTable
from graders.classroom.csv_table import read as read_table
from graders.classroom.find_student import fold
from graders.classroom.marks import Hold, Override
from graders.language import tr, translatable
from graders.safe_text import safe_text

NAME = "overrides.csv"

_COLUMNS = ("id", "exercise", "points", "comment")
_OTHER_TITLES = {
    "exercice": "exercise",
    "note": "points",
    "commentaire": "comment",
    "identifiant": "id",
    "fichiers": "files",
    "staffnote": "staff",
    "noteinterne": "staff",
    "held": "hold",
    "retenir": "hold",
    "retenu": "hold",
}
_NO = frozenset({"", "-", "0", "no", "n", "non", "false", "faux"})


@dataclass(frozen=True)
class Given:
    """What the instructor wrote.

    Attributes:
        overrides: points that count in place of the machine's.
        holds: whose mark and page are held back.
        notes: a sentence for each line that is left out.
    """

    overrides: tuple[Override, ...] = ()
    holds: tuple[Hold, ...] = ()
    notes: tuple[str, ...] = ()


def read(path: Path) -> Given:
    """Read a file of overrides."""
    if not path.exists() and not path.is_symlink():
        return Given()
    try:
        if path.is_symlink():  # as all that is read of a folder of results
            raise BadTable(tr("{file} is not a plain file", file=path.name))
        rows = read_table(path).texts()
    except BadTable as error:
        return Given(notes=(tr("{error}: no override is in force.", error=error),))
    names = [fold(cell) for cell in rows[0]] if rows else []
    columns = {_OTHER_TITLES.get(name, name): index for index, name in reversed(list(enumerate(names)))}
    if "id" not in columns or not {"points", "hold"} & set(columns):
        message = translatable("{file} needs a first line `{columns}`: no override is in force.")
        return Given(notes=(tr(message, file=path.name, columns=",".join(_COLUMNS)),))
    overrides, holds, notes = [], [], []
    for number, row in enumerate(rows[1:], 2):
        cells = {name: row[i].strip() for name, i in columns.items() if i < len(row)}
        hold = _hold(cells)
        holds += [hold] if hold else []
        if hold and not cells.get("points"):
            continue
        override = _override(cells)
        if override is None:
            notes.append(_describe_left_out(path.name, number, cells))
        else:
            overrides.append(override)
    return Given(tuple(overrides), tuple(holds), tuple(notes))


def _hold(cells: Mapping[str, str]) -> Hold | None:
    """Whom a line holds back. What does not say no holds: a page that is given is not taken back."""
    if not cells.get("id") or cells.get("hold", "").casefold() in _NO:
        return None
    return Hold(safe_text(cells["id"], 200), safe_text(cells.get("staff", ""), 1_000))


def _override(cells: Mapping[str, str]) -> Override | None:
    points = _points(cells.get("points", ""))
    if not cells.get("id") or points is None:
        return None
    exercise = safe_text(cells.get("exercise", ""), 200) or None
    comment = safe_text(cells.get("comment", ""), 1_000)
    judged = cells.get("files", "").casefold() or None
    staff = safe_text(cells.get("staff", ""), 1_000)
    return Override(
        id=safe_text(cells["id"], 200),
        exercise=exercise,
        points=points,
        comment=comment,
        judged=judged,
        staff_note=staff,
    )


def _describe_left_out(file: str, number: int, cells: Mapping[str, str]) -> str:
    message = translatable("{file}, row {number} is left out: it needs an id.")
    if cells.get("id"):
        message = translatable("{file}, row {number} is left out: it needs points from 0 on, not {points}.")
    said = repr(safe_text(cells.get("points", ""), 60))
    return tr(message, file=file, number=number, points=said)


def _points(text: str) -> float | None:
    """Parse points, written with a decimal point or a decimal comma."""
    if "_" in text:  # Python would read 1_0 as 10
        return None
    try:
        points = float(text.replace(",", ".") if text.count(",") == 1 and "." not in text else text)
    except ValueError:
        return None
    return points if math.isfinite(points) and points >= 0 else None
