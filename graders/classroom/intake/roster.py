"""Read a roster from CSV: the columns are recognised by their titles, in English and in French.

It may be a list of your own, Classroom 50's `students.csv`, Moodle's participants or grading worksheet, or
Canvas's gradebook, as they were downloaded.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from pathlib import Path

from graders.classroom.class_record import Student, Unmatched
from graders.classroom.csv_table import BadTable
from graders.classroom.csv_table import read as read_table
from graders.classroom.find_student import fold
from graders.classroom.intake.timestamps import parse_time
from graders.language import tr, translatable
from graders.safe_text import safe_text

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
    "group": ("group", "groups", "team", "section", "groupe", "groupes", "équipe"),
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


class BadRoster(Exception):
    """A roster cannot be used. The message tells the instructor why, and what is needed."""


@dataclass(frozen=True)
class ParsedRoster:
    """The content of a roster: students, hand-in times and lateness by student id, and unusable lines."""

    students: tuple[Student, ...] = ()
    at: Mapping[str, datetime] = field(default_factory=dict)
    late: frozenset[str] = frozenset()
    unmatched: tuple[Unmatched, ...] = ()


def read(path: Path, zone: tzinfo) -> ParsedRoster:
    """Read a roster. Times that name no time zone are in `zone`.

    Raises:
        BadRoster: it cannot be read, or no column identifies students.
    """
    try:
        rows = read_table(path).texts()
    except BadTable as error:
        raise BadRoster(f"{error}.") from None
    return parse_roster(rows, path.name, zone)


def parse_roster(rows: Sequence[Sequence[str]], name: str, zone: tzinfo) -> ParsedRoster:
    """Read the students from the rows of a table, whose first row has the titles.

    Raises:
        BadRoster: no column identifies students.
    """
    columns = find_columns(rows, name)
    students: dict[str, Student] = {}
    at, late, unmatched = {}, set(), []
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
        if when := parse_time(cells.get("at", ""), zone):
            at[student.id] = when
        if cells.get("late", "").casefold() in _YES:
            late.add(student.id)
    return ParsedRoster(tuple(students.values()), at, frozenset(late), tuple(unmatched))


def find_columns(rows: Sequence[Sequence[str]], name: str) -> dict[str, int]:
    """The column index of each meaning, such as "email".

    Raises:
        BadRoster: no column identifies students.
    """
    columns = _columns(rows[0], rows[1:]) if rows else {}
    if not {"id", "username", "email", "name", "first", "last", "number"} & set(columns):
        there = ", ".join(_clean(cell) for cell in rows[0][:12]) if rows else tr("nothing")
        message = translatable(
            "No column of {file} identifies the students: name one id, username, email or name. "
            "The first line has {there}."
        )
        raise BadRoster(tr(message, file=name, there=there))
    return columns


def parse_student(row: Sequence[str], columns: Mapping[str, int]) -> Student | None:
    """The student of a row; None for a row that is not about a student."""
    cells = {meaning: _clean(row[i]) for meaning, i in columns.items() if i < len(row)}
    return None if not any(cells.values()) or _is_canvases(row) else _student(cells)


def _clean(cell: str) -> str:
    return safe_text(cell, limit=200).replace("\n", " ").strip()


def _columns(header: Sequence[str], rows: Sequence[Sequence[str]]) -> dict[str, int]:
    """The column of each meaning; if several have the same meaning, the first."""
    columns: dict[str, int] = {}
    for index, name in enumerate(header):
        if meaning := _MEANING.get(fold(name)):
            columns.setdefault(meaning, index)
    if "identifier" in columns:
        # In Moodle's worksheet, "identifier" is "Participant 12" in the site's language; elsewhere an id.
        index = columns.pop("identifier")
        cells = [row[index].strip() for row in rows if index < len(row)]
        columns.setdefault("number" if _has_participant_numbers(cells) else "id", index)
    names = [fold(name) for name in header[:3]]
    if "id" in names and names[: names.index("id")] in (["student"], ["lastname", "firstname"]):
        # In Canvas's gradebook, "ID" is the user's number, which also is in the names of downloaded files.
        columns["number"] = names.index("id")
        sis = [i for i, name in enumerate(header) if fold(name) == "sisuserid"]
        columns.pop("id")
        columns |= {"id": sis[0]} if sis else {}
    if "last" in columns and "first" not in columns:
        columns.setdefault("name", columns.pop("last"))
    return columns


def _has_participant_numbers(cells: Sequence[str]) -> bool:
    words = {match[1].strip() if (match := re.fullmatch(r"(\D+)[0-9]+", cell)) else "" for cell in cells}
    return len(words) == 1 and len(words.pop()) > 3


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
