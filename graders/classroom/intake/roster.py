"""Read a roster from CSV: columns are recognised by titles in English and in French, or by their cells.

It may be a list of your own, Classroom 50's `students.csv`, Moodle's participants or grading worksheet, or
Canvas's gradebook, as they were downloaded.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from pathlib import Path
from types import MappingProxyType

from graders.classroom.class_record import Student, Unmatched
from graders.classroom.csv_table import BadTable
from graders.classroom.csv_table import read as read_table
from graders.classroom.find_student import fold
from graders.classroom.intake.column_shapes import (
    IDENTIFYING,
    are_numbered,
    are_participants,
    columns_by_shape,
)
from graders.classroom.intake.column_times import read_times
from graders.language import tr, translatable, trn
from graders.safe_text import composed, safe_text

_MEANINGS = {
    "id": (
        "id",
        "id number",
        "student id",
        "student number",
        "sid",
        "sis user id",
        "numéro d'identification",
        "numéro étudiant",
        "numéro d'étudiant",
        "n° étudiant",
        "code étudiant",
        "matricule",
    ),
    "identifier": ("identifier", "identifiant"),
    "username": (
        "username",
        "usernames",
        "user name",
        "login",
        "sis login id",
        "github username",
        "nom d'utilisateur",
    ),
    "email": (
        "email",
        "e-mail",
        "email address",
        "mail",
        "courriel",
        "adresse de courriel",
        "adresse e-mail",
    ),
    "name": ("name", "full name", "student", "student name", "nom complet", "étudiant", "prénom et nom"),
    "first": ("first name", "given name", "prénom"),
    "last": ("last name", "surname", "family name", "nom", "nom de famille"),
    "group": (
        "group",
        "groups",
        "team",
        "section",
        "groupe",
        "groupes",
        "équipe",
        # In other languages, too: by its cells, a column of groups is like one of states.
        *("gruppe", "gruppen", "grupo", "grupos", "gruppo", "gruppi", "groep", "groepen", "grup", "grupa"),
        *("grupy", "grupp", "grupper", "skupina", "skupiny", "csoport", "ryhmä", "группа", "група", "ομάδα"),
    ),
    "at": (
        "submitted at",
        "submission time",
        "datetime",
        "timestamp",
        "handed in at",
        "last modified (submission)",
        "dernière modification (travail remis)",
        "remis le",
    ),
    "late": ("late", "en retard"),
}
_MEANING = {fold(name): meaning for meaning, names in _MEANINGS.items() for name in names}
_YES = frozenset({"yes", "true", "oui", "vrai", "1"})


# What --columns may name, as people say it.
MEANINGS = ("id", "number", "username", "email", "name", "first", "last", "group", "at", "late")


class BadRoster(Exception):
    """A roster cannot be used. The message tells the instructor why, and what is needed."""


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
    try:
        rows = read_table(path).texts()
    except BadTable as error:
        raise BadRoster(f"{error}.") from None
    return parse_roster(rows, path.name, zone, options)


def parse_roster(
    rows: Sequence[Sequence[str]], name: str, zone: tzinfo, options: RosterOptions = AS_IT_IS
) -> ParsedRoster:
    """Read the students from the rows of a table, whose first row has the titles.

    Raises:
        BadRoster: no column identifies students, or a time is not understood that is needed.
    """
    columns = find_columns(rows, name, options.columns)
    students: dict[str, Student] = {}
    at, late, unmatched = {}, set(), _tell_recognised(rows, columns, name, options.columns)
    times, unread = _read_column_of_times(rows, columns, name, zone)
    if unread and options.needs_times:
        raise BadRoster(_refuse_times(unread))
    why = translatable("its time is not understood, and nobody counts as late by it: {time}")
    unmatched += [Unmatched(where, tr(why, time=time)) for where, time in unread]
    for number, row in enumerate(rows[1:], 2):
        student = parse_student(row, columns)
        if student is None:
            continue
        cells = {meaning: _clean(row[i]) for meaning, i in columns.items() if i < len(row)}
        if not student.id or student.id in students:
            twice = tr("this id occurs twice; the first line counts")
            why = twice if student.id else tr("it has no id and no name")
            row_of = translatable("{file}, row {number}: {whose}")
            row_text = tr(row_of, file=name, number=number, whose=student.id or student.name)
            unmatched.append(Unmatched(row_text, why))
            continue
        students[student.id] = student
        if when := times[number - 2]:
            at[student.id] = when
        if cells.get("late", "").casefold() in _YES:
            late.add(student.id)
    return ParsedRoster(tuple(students.values()), at, frozenset(late), tuple(unmatched))


def _read_column_of_times(
    rows: Sequence[Sequence[str]], columns: Mapping[str, int], name: str, zone: tzinfo
) -> tuple[Sequence[datetime | None], list[tuple[str, str]]]:
    """The time in each row; and for each that is not understood, where it stands and what stands there."""
    index = columns.get("at")
    if index is None:
        return [None] * len(rows), []
    cells = ["" if _is_canvases(row) or index >= len(row) else _clean(row[index]) for row in rows[1:]]
    read = read_times(cells, zone)
    where = translatable("{file}, row {number}: {whose}")
    unread = []
    for i in read.unread:
        student = parse_student(rows[i + 1], columns)
        whose = (student.name or student.id) if student else "?"
        unread.append((tr(where, file=name, number=i + 2, whose=whose), repr(cells[i])))
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
    titles = _columns(rows[0], rows[1:], chosen)
    told = [f"{meaning}={_clean(rows[0][i])}" for meaning, i in columns.items() if meaning not in titles]
    why = translatable("these columns were recognised by their cells; --columns says it otherwise: {columns}")
    return [Unmatched(name, tr(why, columns=",".join(told)))] if told else []


def find_columns(
    rows: Sequence[Sequence[str]], name: str, chosen: Mapping[str, str] = MappingProxyType({})
) -> dict[str, int]:
    """The column index of each meaning, such as "email".

    Args:
        rows: of the table; the first has the titles.
        name: of the table.
        chosen: titles by meaning, where somebody has said them.

    Raises:
        BadRoster: no column identifies students, or there is no column of a chosen title.
    """
    there = [_clean(cell).casefold() for cell in rows[0]] if rows else []
    for title in chosen.values():
        if title.casefold() not in there:
            message = translatable("{file} has no column {title}: the first line has {there}.")
            first = ", ".join(_clean(cell) for cell in rows[0][:12]) if rows else tr("nothing")
            raise BadRoster(tr(message, file=name, title=repr(title), there=first))
    columns = _columns(rows[0], rows[1:], chosen) if rows else {}
    columns |= columns_by_shape([row for row in rows[1:] if row and not _is_canvases(row)], columns)
    if not set(IDENTIFYING) & set(columns):
        first = ", ".join(_clean(cell) for cell in rows[0][:12]) if rows else tr("nothing")
        message = translatable(
            "No column of {file} identifies the students: name one id, username, email or name, or say which "
            "it is, as --columns name=TITLE. The first line has {there}."
        )
        raise BadRoster(tr(message, file=name, there=first))
    return columns


def parse_student(row: Sequence[str], columns: Mapping[str, int]) -> Student | None:
    """The student of a row; None for a row that is not about a student."""
    cells = {meaning: _clean(row[i]) for meaning, i in columns.items() if i < len(row)}
    return None if not any(cells.values()) or _is_canvases(row) else _student(cells)


def _clean(cell: str) -> str:
    return composed(safe_text(cell, limit=200).replace("\n", " ").strip())


def _columns(
    header: Sequence[str], rows: Sequence[Sequence[str]], chosen: Mapping[str, str]
) -> dict[str, int]:
    """The column of each meaning by titles; if several have the same meaning, the first."""
    columns: dict[str, int] = {}
    for index, name in enumerate(header):
        if meaning := _MEANING.get(fold(name)):
            columns.setdefault(meaning, index)
    if "identifier" in columns:
        # In Moodle's worksheet, "identifier" is "Participant 12" in the site's language; elsewhere an id.
        index = columns.pop("identifier")
        columns.setdefault("number" if are_participants(_cells(rows, index)) else "id", index)
    if "id" in columns and are_numbered(_cells(rows, columns["id"])):
        columns.setdefault("number", columns.pop("id"))  # in Moodle's worksheet in German, this title is "ID"
    names = [fold(name) for name in header[:3]]
    if "id" in names and names[: names.index("id")] in (["student"], ["lastname", "firstname"]):
        # In Canvas's gradebook, "ID" is the user's number, which also is in the names of downloaded files.
        columns["number"] = names.index("id")
        sis = [i for i, name in enumerate(header) if fold(name) == "sisuserid"]
        columns.pop("id")
        columns |= {"id": sis[0]} if sis else {}
    if "last" in columns and "first" not in columns:
        columns.setdefault("name", columns.pop("last"))
    titles = [_clean(name).casefold() for name in header]
    said = {meaning: titles.index(title.casefold()) for meaning, title in chosen.items()}
    return {m: i for m, i in columns.items() if i not in said.values()} | said


def _cells(rows: Sequence[Sequence[str]], index: int) -> list[str]:
    return [row[index].strip() for row in rows if index < len(row)]


def _student(cells: Mapping[str, str]) -> Student:
    number = cells.get("number", "")
    if match := re.fullmatch(r"\D*([0-9]+)", number):
        number = match[1]
    name = cells.get("name") or " ".join(filter(None, (cells.get("first"), cells.get("last"))))
    identifiers = [cells.get(meaning, "") for meaning in ("id", "username", "email")]
    id = next(filter(None, [*identifiers, number, name]), "")  # noqa: A001
    return Student(
        id=id,
        name=name,
        email=identifiers[2],
        group=cells.get("group", ""),
        username=identifiers[1],
        number=number,
    )


def _is_canvases(row: Sequence[str]) -> bool:
    # Rows of Canvas's gradebook that describe columns, and the row of its test student.
    first = row[0].strip().casefold()
    return first in ("points possible", "student, test") or (
        not first and any(cell.strip().casefold().startswith("manual posting") for cell in row)
    )
