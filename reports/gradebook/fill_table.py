"""Fill the marks of a class into the table of a platform."""

from collections.abc import Sequence
from dataclasses import replace

from graders.classroom.class_record import ClassRecord
from graders.classroom.csv_table import Table
from graders.classroom.marks import Mark
from graders.classroom.match_rows import assign_rows
from graders.results.result import Result
from reports.gradebook import canvas, moodle
from reports.gradebook.filled import FilledTable


def fill_table(
    table: Table,
    name: str,
    marks: Sequence[Mark],
    class_record: ClassRecord,
    results: Sequence[Result],
    *,
    platform: str,
    column: str | None,
) -> FilledTable:
    """The table with these marks; all else in it stays.

    Args:
        table: as the platform gave it.
        name: of its file.
        marks: those that are filled in.
        class_record: the class.
        results: the results of the class.
        platform: `moodle` or `canvas`.
        column: the title of the grades' column, or the assignment's title or id in Canvas.

    Raises:
        BadRoster: no column of the table identifies students.
        NoColumn: it has no column of grades.
    """
    rows, notes = assign_rows(table, name, marks, class_record, results)
    if platform == "moodle":
        filled = moodle.fill(table, rows, column)
    else:
        titles = [text for result in results[:1] for text in (result.title, result.assignment)]
        filled = canvas.fill(table, rows, column, titles)
    return replace(filled, notes=(*notes, *filled.notes))
