"""Read `extensions.csv`, in which the instructor gives single students more time; softmark never writes it.

It lies in the folder of results, or beside it, where one file serves all assignments of a term.
"""

import re
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from graders.classroom.csv_table import BadTable
from graders.classroom.csv_table import read as read_table
from graders.classroom.find_student import fold
from graders.classroom.intake.column_times import read_times
from graders.course.late_policy import LatePolicy, days_after
from graders.language import list_names, tr, translatable
from graders.safe_text import safe_text

NAME = "extensions.csv"
EVERY = "*"  # in place of an assignment's name
MOST_DAYS = 1000

_COLUMNS = ("id", "assignment", "due", "note")
_OTHER_TITLES = {
    "identifiant": "id",
    "devoir": "assignment",
    "echeance": "due",
    "date": "due",
    "remarque": "note",
    "motif": "note",
    "reason": "note",
}
_DAYS = re.compile(r"\+\s*(\d{1,4})\s*(?:days?|jours?|[dj])?", re.IGNORECASE)
_CLOCK = re.compile(r"\d\s*[:h]\s*\d\d|\d\s*[AaPp][Mm]")


@dataclass(frozen=True, slots=True)
class Extension:
    """More time for a student, or for all who share a submission.

    `staff_note`, the reason say, is shown on the class page alone.
    """

    id: str
    due: datetime
    staff_note: str = ""


@dataclass(frozen=True)
class _Line:
    where: str
    id: str
    assignment: str
    due: str
    note: str


def read(
    out: Path, assignment: str, policy: LatePolicy | None, known: Sequence[str]
) -> tuple[list[Extension], list[str]]:
    """Read the extensions of a run; also returns a sentence for each line that is left out.

    Args:
        out: the folder of the results.
        assignment: the lines for this one are read, and those for all.
        policy: of the assignment.
        known: the names of all assignments.
    """
    extensions, notes = list[Extension](), list[str]()
    for path in files_of(out):
        lines, unread = _read_lines(path)
        notes += unread
        notes += _note_unknown(path, lines, known)
        ours = [line for line in lines if line.assignment in (assignment, EVERY)]
        if policy is None:
            if any(line.assignment == assignment for line in ours):
                message = translatable("{file}: {assignment} has no late rule, so that nothing is extended.")
                notes.append(tr(message, file=path.name, assignment=assignment))
            continue
        for line in ours:
            read = _extension(line, policy)
            if isinstance(read, str):
                notes.append(read)
            else:
                extensions.append(read)
    return extensions, notes


def files_of(out: Path) -> list[Path]:
    """The files that may hold extensions for the results in a folder, and are there."""
    out = out.absolute()
    found = [folder / NAME for folder in (out, out.parent) if folder == out or not _is_everybodys(folder)]
    return [path for path in found if path.exists() or path.is_symlink()]


def _is_everybodys(folder: Path) -> bool:
    """Whether anybody may write there, as in the folder for temporary files: then it is nobody's word."""
    try:
        return bool(folder.stat().st_mode & stat.S_IWOTH)
    except OSError:
        return True


def _read_lines(path: Path) -> tuple[list[_Line], list[str]]:
    try:
        if path.is_symlink():
            raise BadTable(tr("{file} is not a plain file", file=path.name))
        rows = read_table(path).texts()
    except BadTable as error:
        return [], [tr("{error}: no extension is in force.", error=error)]
    names = [fold(cell) for cell in rows[0]] if rows else []
    columns = {_OTHER_TITLES.get(name, name): index for index, name in reversed(list(enumerate(names)))}
    if not {"id", "due"} <= set(columns):
        message = translatable("{file} needs a first line `{columns}`: no extension is in force.")
        return [], [tr(message, file=path.name, columns=",".join(_COLUMNS))]
    lines, notes = [], []
    for number, row in enumerate(rows[1:], 2):
        cells = {name: row[i].strip() for name, i in columns.items() if i < len(row)}
        where = tr("{file}, row {number}", file=path.name, number=number)
        if not cells.get("id"):
            notes.append(tr("{where} is left out: it needs an id.", where=where))
            continue
        said = {name: safe_text(cells.get(name, ""), 1_000) for name in _COLUMNS}
        lines.append(_Line(where, said["id"], said["assignment"] or EVERY, said["due"], said["note"]))
    return lines, notes


def _note_unknown(path: Path, lines: Sequence[_Line], known: Sequence[str]) -> Iterator[str]:
    unknown = {line.assignment for line in lines} - {*known, EVERY}
    if unknown:
        message = translatable("{file}: there is no assignment {names}; there are {known}.")
        yield tr(message, file=path.name, names=list_names(sorted(unknown)), known=list_names(list(known)))


def _extension(line: _Line, policy: LatePolicy) -> Extension | str:
    """What a line gives, or why it gives nothing."""
    due = _due(line.due, policy)
    if due is None:
        message = translatable(
            "{where} is left out: {said} is no time. Write 2026-11-25T23:59, 2026-11-25, or +3 for three "
            "days."
        )
        return tr(message, where=line.where, said=repr(line.due))
    if due.astimezone(UTC) <= policy.due.astimezone(UTC) and line.assignment != EVERY:
        message = translatable("{where} changes nothing: {at} is not after the common date, {due}.")
        return tr(message, where=line.where, at=show(due), due=show(policy.due))
    return Extension(line.id, due, line.note)


def _due(text: str, policy: LatePolicy) -> datetime | None:
    """The time that a cell states: on a day alone, at the due time of day."""
    if days := _DAYS.fullmatch(text):
        return days_after(policy.due, int(days[1])) if int(days[1]) <= MOST_DAYS else None
    if not _CLOCK.search(text):
        text = f"{text} {policy.due:%H:%M}"
    [at] = read_times([text], policy.due.tzinfo or UTC).at
    return at and days_after(at, 0)


def show(at: datetime) -> str:
    """A time as sentences for the staff show it."""
    return f"{at:%Y-%m-%d %H:%M %z}"
