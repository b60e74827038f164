"""Fill one assignment's grades into a gradebook that Canvas exported.

The file for import has only the columns that identify the student, and that of the assignment: an import
changes every column that it contains, and an unknown column becomes a new assignment. All cells but the
grades stay as exported, since Canvas identifies students by them.
"""

import re
from collections.abc import Sequence

from graders.classroom.csv_table import Cell, Table
from graders.language import tr, translatable
from reports.gradebook.cell_text import format_grade
from reports.gradebook.filled import (
    FilledTable,
    NoColumn,
    Rows,
    has_points,
    list_names,
    parse_number,
    warnings,
)

_COLUMN = re.compile(r"(?P<title>.*) \((?P<id>[0-9]+)\)", re.DOTALL)
_POSSIBLE = "points possible"
_SEVERAL_COLUMNS = translatable(
    "several columns are called {called}: name its title or id with --column; there are {there}"
)
_NO_COLUMN = translatable(
    "no column is called {called}: name its title or id with --column; there are {there}"
)


def is_gradebook(header: Sequence[str]) -> bool:
    """Whether a table with these titles is a gradebook of Canvas's."""
    titles = [title.strip() for title in header]
    return "Section" in titles and any(title in ("Student", "LastName", "ID") for title in titles[:3])


def fill(table: Table, rows: Rows, column: str | None, titles: Sequence[str]) -> FilledTable:
    """The columns for an import, with the marks of `rows` as grades.

    Args:
        table: the exported gradebook.
        rows: the marks by row.
        column: the assignment's title or id in Canvas.
        titles: possible titles of it, used where `column` is None.

    Raises:
        NoColumn: the assignment has no column, or several columns match.
    """
    texts = table.texts()
    section_index = _find_section(texts[0])
    column_index = _find_assignment(texts[0], section_index, column, titles)
    possible = [
        row[column_index]
        for row in texts[1:]
        if row[0].strip().casefold() == _POSSIBLE and column_index < len(row)
    ]
    if any("read only" in cell for cell in possible):
        raise NoColumn(
            tr("Canvas does not let the column {column} be changed", column=repr(texts[0][column_index]))
        )
    lines, excused, count = [], [], 0
    for number, row in enumerate(table.rows):
        new = None
        if number in rows and has_points(mark := rows[number][0]):
            if column_index < len(row) and row[column_index].text.strip().upper() == "EX":
                excused.append(mark.id)
            else:
                new, count = format_grade(mark.points or 0), count + 1
        lines.append(_write_line(table, row, section_index, column_index, new))
    end = "\r\n" if "\r\n" in table.text else "\n"
    text = "".join(f"{line}{end}" for line in lines)
    limits = [value for cell in possible if (value := parse_number(cell)) is not None]
    notes = warnings(rows, limits[0] if limits else None, "Canvas")
    if excused:
        notes.append(tr("Excused in Canvas, and left so: {who}.", who=list_names(excused)))
    return FilledTable(table.mark + text.encode(table.encoding), count, tuple(notes))


def _find_section(header: Sequence[str]) -> int:
    """The index of the column Section, the last of those that identify a student."""
    matches = [i for i, name in enumerate(header) if name.strip() == "Section"]
    if not matches:
        raise NoColumn(tr("this is not a gradebook of Canvas: it has no column Section"))
    return matches[0]


def _find_assignment(
    header: Sequence[str], section_index: int, column: str | None, titles: Sequence[str]
) -> int:
    wanted = [column] if column is not None else list(titles)
    wanted_names = {name.strip().casefold() for name in wanted}
    columns = {
        i: names for i, name in enumerate(header) if i > section_index and (names := _assignment_names(name))
    }
    matches = [i for i, names in columns.items() if wanted_names & names]
    if len(matches) != 1:
        there = ", ".join(header[i].strip() for i in columns) or "–"
        called = tr(" or ").join(repr(name) for name in wanted)
        raise NoColumn(tr(_SEVERAL_COLUMNS if matches else _NO_COLUMN, called=called, there=there))
    return matches[0]


def _assignment_names(column: str) -> set[str]:
    """The names of an assignment's column; none for other columns."""
    match = _COLUMN.fullmatch(column.strip())
    return {match["title"].casefold(), match["id"], match[0].casefold()} if match else set()


def _write_line(
    table: Table, row: Sequence[Cell], section_index: int, column_index: int, new: str | None
) -> str:
    raw = [table.text[cell.start : cell.end] for cell in row]
    raw += [""] * (max(section_index, column_index) + 1 - len(raw))
    return table.delimiter.join([*raw[: section_index + 1], raw[column_index] if new is None else new])
