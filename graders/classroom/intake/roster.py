"""Read a roster, a CSV or a workbook: columns are recognised by titles or by their cells.

It may be a list of your own, Classroom 50's `students.csv`, Moodle's participants or grading worksheet, or
Canvas's gradebook, as they were downloaded.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo
from pathlib import Path

from graders.classroom.class_record import Student, Unmatched
from graders.classroom.csv_table import BadTable
from graders.classroom.csv_table import read as read_table
from graders.classroom.intake.column_times import read_times
from graders.classroom.intake.roster_columns import (
    BadRoster,
    clean,
    columns_by_title,
    find_columns,
    find_header,
    is_canvases,
    parse_student,
)
from graders.classroom.intake.workbook import is_workbook, read_workbook
from graders.language import tr, translatable, trn

_YES = frozenset({"yes", "true", "oui", "vrai", "1"})


@dataclass(frozen=True)
class ParsedRoster:
    """The content of a roster: students, hand-in times and lateness by student id, and unusable lines."""

    students: tuple[Student, ...] = ()
    at: Mapping[str, datetime] = field(default_factory=dict)
    late: frozenset[str] = frozenset()
    unmatched: tuple[Unmatched, ...] = ()


@dataclass(frozen=True, kw_only=True)
class RosterOptions:
    """How a roster is read.

    Attributes:
        columns: titles of columns by their meaning, one of `MEANINGS`, where somebody has said them.
        needs_times: whether each time has to be understood, since lateness costs points.
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    needs_times: bool = False


AS_IT_IS = RosterOptions()


def read(path: Path, zone: tzinfo, options: RosterOptions = AS_IT_IS) -> ParsedRoster:
    """Read a roster. Times that name no time zone are in `zone`.

    Raises:
        BadRoster: it cannot be read, no column says who is meant, or a time that is needed is not understood.
    """
    others = ""
    try:
        if is_workbook(path):
            rows, others = read_workbook(path)
        else:
            rows = read_table(path).texts()
    except BadTable as error:
        raise BadRoster(f"{error}.") from None
    parsed = parse_roster(rows, path.name, zone, options)
    told = (Unmatched(path.name, others),) if others else ()
    return replace(parsed, unmatched=(*told, *parsed.unmatched))


def parse_roster(
    rows: Sequence[Sequence[str]], name: str, zone: tzinfo, options: RosterOptions = AS_IT_IS
) -> ParsedRoster:
    """Read the students from the rows of a table; what stands above the row with the titles is left out.

    Raises:
        BadRoster: no column identifies students, or a time is not understood that is needed.
    """
    above = find_header(rows, options.columns)
    rows = rows[above:]
    columns = find_columns(rows, name, options.columns)
    students: dict[str, Student] = {}
    at, late, unmatched = {}, set(), _tell_recognised(rows, columns, name, options.columns)
    times, unread = _read_column_of_times(rows, columns, name, zone, above)
    if unread and options.needs_times:
        raise BadRoster(_refuse_times(unread))
    why = translatable("its time is not understood, and nobody counts as late by it: {time}")
    unmatched += [Unmatched(where, tr(why, time=time)) for where, time in unread]
    for number, row in enumerate(rows[1:], above + 2):
        student = parse_student(row, columns)
        if student is None:
            continue
        cells = {meaning: clean(row[i]) for meaning, i in columns.items() if i < len(row)}
        if not student.id or student.id in students:
            twice = tr("this id occurs twice; the first line counts")
            why = twice if student.id else tr("it has no id and no name")
            row_of = translatable("{file}, row {number}: {whose}")
            row_text = tr(row_of, file=name, number=number, whose=student.id or student.name)
            unmatched.append(Unmatched(row_text, why))
            continue
        students[student.id] = student
        if when := times[number - above - 2]:
            at[student.id] = when
        if cells.get("late", "").casefold() in _YES:
            late.add(student.id)
    return ParsedRoster(tuple(students.values()), at, frozenset(late), tuple(unmatched))


def _read_column_of_times(
    rows: Sequence[Sequence[str]], columns: Mapping[str, int], name: str, zone: tzinfo, above: int
) -> tuple[Sequence[datetime | None], list[tuple[str, str]]]:
    """The time in each row; and for each that is not understood, where it stands and what stands there."""
    index = columns.get("at")
    if index is None:
        return [None] * len(rows), []
    cells = ["" if is_canvases(row) or index >= len(row) else clean(row[index]) for row in rows[1:]]
    read = read_times(cells, zone)
    where = translatable("{file}, row {number}: {whose}")
    unread = []
    for i in read.unread:
        student = parse_student(rows[i + 1], columns)
        whose = (student.name or student.id) if student else "?"
        unread.append((tr(where, file=name, number=i + above + 2, whose=whose), repr(cells[i])))
    return read.at, unread


def _refuse_times(unread: Sequence[tuple[str, str]]) -> str:
    where, time = unread[0]
    return trn(
        "There is a late rule, and {n} time is not understood, so who is late is unknown. {where}, {time}. "
        "Write it as 2026-11-20 23:10, or name another column with --columns at=TITLE.",
        "There is a late rule, and {n} times are not understood, so who is late is unknown. {where}, {time}. "
        "Write them as 2026-11-20 23:10, or name another column with --columns at=TITLE.",
        len(unread),
        where=where,
        time=time,
    )


def _tell_recognised(
    rows: Sequence[Sequence[str]], columns: Mapping[str, int], name: str, chosen: Mapping[str, str]
) -> list[Unmatched]:
    """That columns were recognised by their cells, since this may be wrong."""
    titles = columns_by_title(rows[0], rows[1:], chosen)
    told = [f"{meaning}={clean(rows[0][i])}" for meaning, i in columns.items() if meaning not in titles]
    why = translatable("these columns were recognised by their cells; --columns says it otherwise: {columns}")
    return [Unmatched(name, tr(why, columns=",".join(told)))] if told else []
