"""Read `OUT/overrides.csv`, which the instructor writes; softmark never does."""

import math
from pathlib import Path

from graders.classroom.csv_table import BadTable
from graders.classroom.csv_table import read as read_table
from graders.classroom.find_student import fold
from graders.classroom.marks import Override
from graders.language import tr, translatable
from graders.safe_text import safe_text

NAME = "overrides.csv"

_COLUMNS = ("id", "exercise", "points", "comment")
_FRENCH = {
    "exercice": "exercise",
    "note": "points",
    "commentaire": "comment",
    "identifiant": "id",
    "fichiers": "files",
}


def read(path: Path) -> tuple[list[Override], list[str]]:
    """Read the overrides of a file; also returns a sentence for each line that is left out."""
    if not path.exists() and not path.is_symlink():
        return [], []
    try:
        if path.is_symlink():  # as all that is read of a folder of results
            raise BadTable(tr("{file} is not a plain file", file=path.name))
        rows = read_table(path).texts()
    except BadTable as error:
        return [], [tr("{error}: no override is in force.", error=error)]
    names = [fold(cell) for cell in rows[0]] if rows else []
    columns = {_FRENCH.get(name, name): index for index, name in reversed(list(enumerate(names)))}
    if not {"id", "points"} <= set(columns):
        message = translatable("{file} needs a first line `{columns}`: no override is in force.")
        return [], [tr(message, file=path.name, columns=",".join(_COLUMNS))]
    overrides, notes = [], []
    for number, row in enumerate(rows[1:], 2):
        cells = {name: row[i].strip() for name, i in columns.items() if i < len(row)}
        points = _points(cells.get("points", ""))
        if not cells.get("id") or points is None:
            message = translatable("{file}, row {number} is left out: it needs an id.")
            if cells.get("id"):
                message = translatable(
                    "{file}, row {number} is left out: it needs points from 0 on, not {points}."
                )
            said = repr(safe_text(cells.get("points", ""), 60))
            notes.append(tr(message, file=path.name, number=number, points=said))
            continue
        exercise = safe_text(cells.get("exercise", ""), 200) or None
        comment = safe_text(cells.get("comment", ""), 1_000)
        judged = cells.get("files", "").casefold() or None
        overrides.append(Override(safe_text(cells["id"], 200), exercise, points, comment, judged))
    return overrides, notes


def _points(text: str) -> float | None:
    """Parse points, written with a decimal point or a decimal comma."""
    if "_" in text:  # Python would read 1_0 as 10
        return None
    try:
        points = float(text.replace(",", ".") if text.count(",") == 1 and "." not in text else text)
    except ValueError:
        return None
    return points if math.isfinite(points) and points >= 0 else None
