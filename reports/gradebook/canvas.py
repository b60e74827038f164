"""Canvas's gradebook with one assignment's grades, made from the gradebook that was exported.

Only the columns that say who is meant and the assignment's own are left: an import changes what it holds, and
a column that Canvas does not know becomes a new assignment. All cells but the grades are as they were
exported, since Canvas finds its students by them.
"""

import re
from collections.abc import Sequence

from graders.classroom.csv_table import Cell, Table
from graders.language import tr, translatable
from reports.gradebook.cell_text import grade
from reports.gradebook.filled import Filled, NoColumn, Rows, amount, some, usable, warnings

_COLUMN = re.compile(r"(?P<title>.*) \((?P<id>[0-9]+)\)", re.DOTALL)
_POSSIBLE = "points possible"
_SEVERAL = translatable(
    "several columns are called {called}: name its title or id with --column; there are {there}"
)
_NONE = translatable("no column is called {called}: name its title or id with --column; there are {there}")


def fill(table: Table, rows: Rows, column: str | None, titles: Sequence[str]) -> Filled:
    """The columns for an import, with the marks of `rows` as grades.

    Args:
        table: the exported gradebook.
        rows: the marks by row.
        column: the assignment's title or id in Canvas.
        titles: what it may be called where `column` is not given.

    Raises:
        NoColumn: the column of the assignment is not there, or not to be told from others.
    """
    texts = table.texts()
    last = _section(texts[0])
    at = _assignment(texts[0], last, column, titles)
    possible = [row[at] for row in texts[1:] if row[0].strip().casefold() == _POSSIBLE and at < len(row)]
    if any("read only" in cell for cell in possible):
        raise NoColumn(tr("Canvas does not let the column {column} be changed", column=repr(texts[0][at])))
    lines, excused, count = [], [], 0
    for number, row in enumerate(table.rows):
        new = None
        if number in rows and usable(mark := rows[number][0]):
            if at < len(row) and row[at].text.strip().upper() == "EX":
                excused.append(mark.id)
            else:
                new, count = grade(mark.points or 0), count + 1
        lines.append(_line(table, row, last, at, new))
    end = "\r\n" if "\r\n" in table.text else "\n"
    text = "".join(f"{line}{end}" for line in lines)
    limits = [value for cell in possible if (value := amount(cell)) is not None]
    notes = warnings([mark for mark, _ in rows.values()], limits[0] if limits else None, "Canvas")
    if excused:
        notes.append(tr("Excused in Canvas, and left so: {who}.", who=some(excused)))
    return Filled(table.mark + text.encode(table.encoding), count, tuple(notes))


def _section(header: Sequence[str]) -> int:
    """The last of the columns that say who is meant."""
    found = [i for i, name in enumerate(header) if name.strip() == "Section"]
    if not found:
        raise NoColumn(tr("this is no gradebook of Canvas: it has no column Section"))
    return found[0]


def _assignment(header: Sequence[str], last: int, column: str | None, titles: Sequence[str]) -> int:
    wanted = [column] if column is not None else list(titles)
    asked = {name.strip().casefold() for name in wanted}
    known = {i: names for i, name in enumerate(header) if i > last and (names := _names(name))}
    found = [i for i, names in known.items() if asked & names]
    if len(found) != 1:
        there = ", ".join(header[i].strip() for i in known) or "–"
        called = tr(" or ").join(repr(name) for name in wanted)
        raise NoColumn(tr(_SEVERAL if found else _NONE, called=called, there=there))
    return found[0]


def _names(column: str) -> set[str]:
    """What the column of an assignment may be called; none for other columns."""
    match = _COLUMN.fullmatch(column.strip())
    return {match["title"].casefold(), match["id"], match[0].casefold()} if match else set()


def _line(table: Table, row: Sequence[Cell], last: int, at: int, new: str | None) -> str:
    raw = [table.text[cell.start : cell.end] for cell in row]
    raw += [""] * (max(last, at) + 1 - len(raw))
    return table.delimiter.join([*raw[: last + 1], raw[at] if new is None else new])
