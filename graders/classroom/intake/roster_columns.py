"""Which column of a list of students holds what: by titles in English and in French, or by its cells."""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from graders.classroom.class_record import Student
from graders.classroom.find_student import fold
from graders.classroom.intake.column_shapes import (
    IDENTIFYING,
    are_numbered,
    are_participants,
    columns_by_shape,
)
from graders.language import tr, translatable
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


# What --columns may name, as people say it.
MEANINGS = ("id", "number", "username", "email", "name", "first", "last", "group", "at", "late")


SEEN = 20  # rows in which the titles may stand


class BadRoster(Exception):
    """A roster cannot be used. The message tells the instructor why, and what is needed."""


def find_header(rows: Sequence[Sequence[str]], chosen: Mapping[str, str] = MappingProxyType({})) -> int:
    """The index of the row with the titles: above it may stand the name of a course, or a date.

    It is the first that has the chosen titles, or one that says whose a row is and has more cells than any
    row above it. Where no title is known, rows with less than half of the widest's cells are above the table.
    """
    widths = [sum(1 for cell in row if clean(cell)) for row in rows[:SEEN]]
    if chosen:
        titles = {title.casefold() for title in chosen.values()}
        there = [titles <= {clean(cell).casefold() for cell in row} for row in rows[:SEEN]]
        return there.index(True) if True in there else 0
    for i, row in enumerate(rows[:SEEN]):
        known = columns_by_title(row, rows[i + 1 :], chosen)
        is_wide = 2 * widths[i] >= max(widths) and all(width < widths[i] for width in widths[:i])
        if is_wide and set(IDENTIFYING) & set(known):
            return i
    return next((i for i, width in enumerate(widths) if 2 * width >= max(widths)), 0)


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
    there = [clean(cell).casefold() for cell in rows[0]] if rows else []
    for title in chosen.values():
        if title.casefold() not in there:
            message = translatable("{file} has no column {title}: the first line has {there}.")
            first = ", ".join(clean(cell) for cell in rows[0][:12]) if rows else tr("nothing")
            raise BadRoster(tr(message, file=name, title=repr(title), there=first))
    columns = columns_by_title(rows[0], rows[1:], chosen) if rows else {}
    columns |= columns_by_shape([row for row in rows[1:] if row and not is_canvases(row)], columns)
    if not set(IDENTIFYING) & set(columns):
        first = ", ".join(clean(cell) for cell in rows[0][:12]) if rows else tr("nothing")
        message = translatable(
            "No column of {file} identifies the students: name one id, username, email or name, or say which "
            "it is, as --columns name=TITLE. The first line has {there}."
        )
        raise BadRoster(tr(message, file=name, there=first))
    return columns


def parse_student(row: Sequence[str], columns: Mapping[str, int]) -> Student | None:
    """The student of a row; None for a row that is not about a student."""
    cells = {meaning: clean(row[i]) for meaning, i in columns.items() if i < len(row)}
    return None if not any(cells.values()) or is_canvases(row) else _student(cells)


def clean(cell: str) -> str:
    """The text of a cell, in one line."""
    return composed(safe_text(cell, limit=200).replace("\n", " ").strip())


def columns_by_title(
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
    titles = [clean(name).casefold() for name in header]
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


def is_canvases(row: Sequence[str]) -> bool:
    """Whether a row of Canvas's gradebook describes columns, or is its test student's."""
    first = row[0].strip().casefold()
    return first in ("points possible", "student, test") or (
        not first and any(cell.strip().casefold().startswith("manual posting") for cell in row)
    )
