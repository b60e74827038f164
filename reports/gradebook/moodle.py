"""Fill grades into Moodle's grading worksheet: two cells of a row change, and no other byte.

Moodle identifies columns by their titles in the language of the uploading user, and students by the first
column, so both must stay as downloaded. Names are not escaped against formulas, since that would change them.
Moodle accepts a decimal point in every language, and a comma in languages that write one.
"""

import html
import re
from collections.abc import Sequence

from graders.classroom.csv_table import Table
from graders.language import tr
from reports.gradebook.cell_text import format_grade
from reports.gradebook.feedback import PREFIX, feedback
from reports.gradebook.filled import (
    FilledTable,
    NoColumn,
    Rows,
    has_points,
    list_names,
    parse_number,
    warnings,
)

_GRADE = ("grade", "note")
_MOST = ("maximum grade", "note maximale")
_MARKED = ("last modified (grade)", "dernière modification (note)")
_FEEDBACK = ("feedback comments", "feedback par commentaires", "commentaires de feedback")
_LOCKED = ("grade can be changed", "la note peut être modifiée")
_NO = ("no", "non")


def fill(table: Table, rows: Rows, column: str | None = None) -> FilledTable:
    """Fill in the marks of `rows` as grades, and feedback where its cell is free.

    Args:
        table: the worksheet.
        rows: the marks by row.
        column: the title of the column of grades; needed for languages other than English and French.

    Raises:
        NoColumn: there is no column of grades.
    """
    texts = table.texts()
    header = [cell.strip().casefold() for cell in texts[0]]
    grade_column = _find_grades(header, column)
    maximum_column, feedback_column, locked_column = (
        _find_any(header, _MOST),
        _find_feedback(header),
        _find_any(header, _LOCKED),
    )
    comma = any(
        re.search(r"[0-9],[0-9]", _cell(row, i)) for row in texts[1:] for i in (grade_column, maximum_column)
    )
    changes: dict[tuple[int, int], str] = {}
    own_feedback, locked_rows = [], []
    for row, (mark, result) in rows.items():
        if mark.points is None or not has_points(mark):
            continue
        if _cell(texts[row], locked_column).strip().casefold() in _NO:
            locked_rows.append(mark.id)
            continue
        changes[row, grade_column] = format_grade(mark.points, comma)
        if feedback_column is not None:
            if _cell(texts[row], feedback_column).strip() and not _cell(
                texts[row], feedback_column
            ).startswith(PREFIX):
                own_feedback.append(mark.id)
            else:
                # Moodle shows it as HTML.
                changes[row, feedback_column] = html.escape(
                    feedback(mark, result, with_causes=True), quote=False
                )
    limits = {parse_number(_cell(row, maximum_column)) for row in texts[1:]} - {None}
    limit = limits.pop() if len(limits) == 1 else None
    notes = warnings(rows, limit, "Moodle")
    if own_feedback:
        notes.append(tr("These have feedback already, which was kept: {who}.", who=list_names(own_feedback)))
    if locked_rows:
        who = list_names(locked_rows)
        notes.append(
            tr(
                "Moodle does not allow these grades to be changed, so they were left as they are: {who}.",
                who=who,
            )
        )
    if feedback_column is None:
        notes.append(tr("The worksheet has no column for feedback comments: only grades were filled in."))
    count = sum(column == grade_column for _, column in changes)
    return FilledTable(table.fill(changes), count, tuple(notes))


def _find_grades(header: Sequence[str], column: str | None) -> int:
    if column is not None:
        return _find_column(header, column)
    grade_column = _find_any(header, _GRADE)
    if grade_column is not None:
        return grade_column
    if maximum_column := _find_any(header, _MOST):
        return maximum_column - 1  # in Moodle, the grade comes right before the maximum
    there = ", ".join(header)
    raise NoColumn(
        tr("no column is called Grade or Note: name it with --column; there are {there}", there=there)
    )


def _find_column(header: Sequence[str], column: str) -> int:
    matches = [i for i, name in enumerate(header) if name == column.strip().casefold()]
    if len(matches) != 1:
        there = ", ".join(header)
        raise NoColumn(
            tr("no column is called {column}: there are {there}", column=repr(column), there=there)
        )
    return matches[0]


def _find_feedback(header: Sequence[str]) -> int | None:
    """The column of feedback comments: by its title, or by its position after the time of the grade."""
    grade_column = _find_any(header, _FEEDBACK)
    if grade_column is not None:
        return grade_column
    time_column = _find_any(header, _MARKED)
    if time_column is None:  # a language that calls it so, too, as German does
        return next((i for i, name in enumerate(header) if "feedback" in name), None)
    if time_column + 1 >= len(header):
        return None
    return time_column + 1 if header[time_column + 1].startswith("feedback") else None


def _find_any(header: Sequence[str], names: Sequence[str]) -> int | None:
    return next((i for i, name in enumerate(header) if name in names), None)


def _cell(row: Sequence[str], column: int | None) -> str:
    return row[column] if column is not None and column < len(row) else ""
