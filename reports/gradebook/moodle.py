"""Moodle's grading worksheet, filled in place: two cells of a row change, and not a byte beside them.

Moodle finds its columns by their titles in the language of whoever uploads it, and its students by the first
column; so both must stay as they were downloaded. Names in it are the platform's to protect, and a sign put
before one would be a change. It takes a decimal point in every language, and a comma in those that write one.
"""

import html
import re
from collections.abc import Sequence

from graders.classroom.csv_table import Table
from graders.language import tr
from reports.gradebook.cell_text import grade
from reports.gradebook.feedback import OURS, feedback
from reports.gradebook.filled import Filled, NoColumn, Rows, amount, some, usable, warnings

_GRADE = ("grade", "note")
_MOST = ("maximum grade", "note maximale")
_MARKED = ("last modified (grade)", "dernière modification (note)")
_FEEDBACK = ("feedback comments", "feedback par commentaires", "commentaires de feedback")
_LOCKED = ("grade can be changed", "la note peut être modifiée")
_NO = ("no", "non")


def fill(table: Table, rows: Rows, column: str | None = None) -> Filled:
    """The worksheet with the marks of `rows` as grades, and a feedback where its cell is free.

    Args:
        table: the worksheet.
        rows: the marks by row.
        column: the title of the column of grades, where its language is another than English and French.

    Raises:
        NoColumn: there is no column of grades.
    """
    texts = table.texts()
    header = [cell.strip().casefold() for cell in texts[0]]
    at = _grades(header, column)
    most, remarks, locked = _index(header, _MOST), _remarks(header), _index(header, _LOCKED)
    comma = any(re.search(r"[0-9],[0-9]", _cell(row, i)) for row in texts[1:] for i in (at, most))
    changes: dict[tuple[int, int], str] = {}
    kept, shut = [], []
    for row, (mark, result) in rows.items():
        if mark.points is None or not usable(mark):
            continue
        if _cell(texts[row], locked).strip().casefold() in _NO:
            shut.append(mark.id)
            continue
        changes[row, at] = grade(mark.points, comma)
        if remarks is not None:
            if _cell(texts[row], remarks).strip() and not _cell(texts[row], remarks).startswith(OURS):
                kept.append(mark.id)
            else:
                # Moodle shows it as HTML.
                changes[row, remarks] = html.escape(feedback(mark, result), quote=False)
    limits = {amount(_cell(row, most)) for row in texts[1:]} - {None}
    limit = limits.pop() if len(limits) == 1 else None
    notes = warnings([mark for mark, _ in rows.values()], limit, "Moodle")
    if kept:
        notes.append(tr("A feedback was there already, and stays: {who}.", who=some(kept)))
    if shut:
        who = some(shut)
        notes.append(
            tr("Moodle says that these grades cannot be changed, and they were left: {who}.", who=who)
        )
    if remarks is None:
        notes.append(tr("The worksheet has no column for feedback comments: grades alone were filled in."))
    count = sum(column == at for _, column in changes)
    return Filled(table.fill(changes), count, tuple(notes))


def _grades(header: Sequence[str], column: str | None) -> int:
    if column is not None:
        return _only(header, column)
    at = _index(header, _GRADE)
    if at is not None:
        return at
    if most := _index(header, _MOST):
        return most - 1  # Moodle puts one before the other
    there = ", ".join(header)
    raise NoColumn(
        tr("no column is called Grade or Note: name it with --column; there are {there}", there=there)
    )


def _only(header: Sequence[str], column: str) -> int:
    found = [i for i, name in enumerate(header) if name == column.strip().casefold()]
    if len(found) != 1:
        there = ", ".join(header)
        raise NoColumn(
            tr("no column is called {column}: there are {there}", column=repr(column), there=there)
        )
    return found[0]


def _remarks(header: Sequence[str]) -> int | None:
    """The column of feedback comments: by its title, or since it comes after the time of the grade."""
    at = _index(header, _FEEDBACK)
    if at is not None:
        return at
    after = _index(header, _MARKED)
    if after is None or after + 1 >= len(header):
        return None
    return after + 1 if header[after + 1].startswith("feedback") else None


def _index(header: Sequence[str], names: Sequence[str]) -> int | None:
    return next((i for i, name in enumerate(header) if name in names), None)


def _cell(row: Sequence[str], column: int | None) -> str:
    return row[column] if column is not None and column < len(row) else ""
