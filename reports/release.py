"""Give pages and marks back: copies that hold nothing of anybody else's, under names that nobody guesses."""

import csv
import hashlib
import hmac
import html
import io
import json
import re
import secrets
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from graders.classroom.class_record import Student
from graders.classroom.intake import canvas
from graders.classroom.marks import Mark
from graders.language import tr
from graders.results.atomic_write import make_plain_folder, replace_atomically, write_atomically
from graders.results.read_below import read_below
from graders.results.result import Result
from reports.gradebook.cell_text import escape_formula, rounded_number

RECORD = "release.json"  # in OUT, for the staff: the secret, and what was given back
TABLE = "release.csv"
PAGE_LIMIT = 64_000_000  # bytes
PAGES = ("index.html", "notebook.html")
SHORTEST = 5  # characters of an id or of a staff's text that is looked for: shorter ones occur by chance
SHORTEST_NOTE = 12  # of a note: a word like "Attention" stands on pages anyway
NAME = 32  # characters of the name of a page's folder
_MOODLE = re.compile(r"[^/]+_\d+_assignsubmission_[a-z]+_?(?=/|$)")  # a student's folder in its download
_BETWEEN = r"(?<![\w.@-]){}(?![\w@-])"


@dataclass(frozen=True)
class Given:
    """What was given back of one submission."""

    points: float | None
    pages: str = ""  # the digest of the pages; empty where only marks were given


@dataclass
class Record:
    """What is known of earlier releases of a run; `secret` makes the names of the pages."""

    secret: str = field(default_factory=lambda: secrets.token_hex(32))
    given: dict[str, Given] = field(default_factory=dict)


@dataclass(frozen=True)
class Release:
    """What is to be given back of one submission: its pages by their names."""

    mark: Mark
    pages: Mapping[str, bytes]

    @property
    def digest(self) -> str:
        """The digest of the pages; empty without any."""
        parts = [name.encode() + b"\0" + data for name, data in sorted(self.pages.items())]
        return hashlib.sha256(b"\0".join(parts)).hexdigest() if parts else ""

    @property
    def given(self) -> Given:
        """What is kept of it."""
        return Given(self.mark.points, self.digest)


@dataclass(frozen=True)
class Changes:
    """How a release differs from the one before: the ids of what is new, or has other points or pages."""

    new: tuple[str, ...] = ()
    points: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()


def read_record(out: Path) -> Record:
    """What is known of earlier releases; a new record where there was none.

    Raises:
        ValueError: it is damaged, and with it the names of the pages are lost.
    """
    try:
        text = read_below(out, PAGE_LIMIT, RECORD).text
    except FileNotFoundError:
        return Record()
    try:
        data = json.loads(text)
        given = {name: Given(one["points"], str(one["pages"])) for name, one in data["given"].items()}
        return Record(bytes.fromhex(data["secret"]).hex(), given)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(tr("{file} is damaged", file=out / RECORD)) from error


def write_record(out: Path, record: Record) -> None:
    """Keep what was given back."""
    data: dict[str, Any] = {"secret": record.secret, "given": {k: asdict(v) for k, v in record.given.items()}}
    write_atomically(out / RECORD, (json.dumps(data, indent=1, sort_keys=True) + "\n").encode(), durable=True)


def name_of_page(record: Record, submission: str) -> str:
    """The name of the folder of a submission's pages: the same in each release, and nobody's guess."""
    return hmac.new(bytes.fromhex(record.secret), submission.encode(), hashlib.sha256).hexdigest()[:NAME]


def read_pages(out: Path, submission: str) -> dict[str, bytes]:
    """The pages of a submission that there are."""
    found = {}
    for name in PAGES:
        try:
            found[name] = read_below(out, PAGE_LIMIT, submission, name).data
        except FileNotFoundError:
            continue
    return found


def find_foreign(release: Release, result: Result, marks: Sequence[Mark]) -> str | None:
    """Why pages may not be given back: they hold a text for the staff, or somebody else's id or address.

    What stands in the student's own code, texts or names of files does not count: it is theirs.
    """
    text = "\n".join(html.unescape(data.decode("utf-8", "replace")) for data in release.pages.values())
    own = "\n".join((*result.submission.files, *_own_code(result), *(each.text for each in result.texts)))
    for staff in (*_texts_for_staff(result), *_notes_of_staff(release.mark)):
        if len(staff) >= SHORTEST and staff in text and staff not in own:
            return tr("a page holds a text for the staff: {text}", text=staff[:80])
    for name in _names_of_others(release.mark, marks):
        if name in text and re.search(_BETWEEN.format(re.escape(name)), text) and name not in own:
            return tr("a page holds what belongs to somebody else: {text}", text=name)
    return None


def _own_code(result: Result) -> Iterator[str]:
    return (definition.code for e in result.exercises for definition in e.definitions)


def _texts_for_staff(result: Result) -> Iterator[str]:
    for e in result.exercises:
        texts = [e.staff, *(finding.staff for finding in e.findings)]
        yield from (line.strip() for text in texts if text for line in text.splitlines() if line.strip())
        edits = (repair.edit for finding in e.findings for repair in finding.repairs)
        yield from (line[1:].strip() for edit in edits for line in edit.splitlines() if line.startswith("+"))


def _notes_of_staff(mark: Mark) -> Iterator[str]:
    for each in (mark, *mark.members):
        notes = [o.staff_note for o in each.overrides]
        notes += [each.extension.staff_note] if each.extension else []
        lines = (line.strip() for note in notes for line in note.splitlines())
        yield from (line for line in lines if len(line) >= SHORTEST_NOTE)


def _names_of_others(mark: Mark, marks: Sequence[Mark]) -> Iterator[str]:
    """The ids and addresses of all who have no part in a submission."""
    own = {name for student in students_of(mark) for name in _names(student)} | {mark.id}
    for other in marks:
        if other.id != mark.id:
            names = [other.id, *(name for student in students_of(other) for name in _names(student))]
            yield from (name for name in names if len(name) >= SHORTEST and name not in own)


def _names(student: Student) -> list[str]:
    return [name for name in (student.id, student.email, student.username) if name]


def students_of(mark: Mark) -> tuple[Student, ...]:
    """Those who get a mark: the members of a team, or one; none where the roster does not say who it is."""
    return mark.team or ((mark.student,) if mark.student else ())


def find_changes(record: Record, releases: Sequence[Release]) -> Changes:
    """How what is to be given back differs from what was."""
    known = [(r, record.given[r.mark.id]) for r in releases if r.mark.id in record.given]
    return Changes(
        new=tuple(r.mark.id for r in releases if r.mark.id not in record.given),
        points=tuple(r.mark.id for r, before in known if before.points != r.mark.points),
        pages=tuple(r.mark.id for r, before in known if r.pages and before.pages != r.digest),
    )


def write_pages(folder: Path, record: Record, releases: Sequence[Release]) -> dict[str, str]:
    """Write the pages of each submission into a folder of its own; returns the place of each there."""
    places = {}
    for release in releases:
        place = folder / name_of_page(record, release.mark.id)
        make_plain_folder(place)
        for name, data in release.pages.items():
            write_atomically(place / name, data)
        for name in PAGES:
            if name not in release.pages:
                (place / name).unlink(missing_ok=True)
        places[release.mark.id] = f"{place.name}/{PAGES[0]}"
    return places


def take_back(folder: Path, record: Record, submission: str) -> bool:
    """Remove the pages of a submission that an earlier release wrote; whether there were some."""
    place = folder / name_of_page(record, submission)
    there = [place / name for name in PAGES if (place / name).is_file()]
    for page in there:
        page.unlink()
    record.given.pop(submission, None)
    return bool(there)


def table_of(releases: Sequence[Release], places: Mapping[str, str]) -> str:
    """A row for each student: their points, and the link or the file of their page, for letters to all.

    Args:
        releases: what is given back.
        places: the link or the file of each submission's page, by its id.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(("id", "name", "email", "points", "max_points", "page"))
    for release in releases:
        for student in students_of(release.mark) or (None,):
            mark = release.mark.of(student)
            if mark.held:
                continue
            said = (student.id, student.name, student.email) if student else (mark.id, "", "")
            points = (rounded_number(mark.points), rounded_number(mark.max_points))
            page = places.get(mark.id, "")
            writer.writerow((*map(escape_formula, said), *points, escape_formula(page)))
    return text.getvalue()


def write_feedback_zip(
    path: Path, releases: Sequence[Release], sources: Mapping[str, str], layout: str
) -> dict[str, str]:
    """Write a zip that the platform of the download takes as feedback; returns the place of each page in it.

    Moodle finds the student by the name of the folder of its own download, Canvas by how the name of a file
    begins there. `sources` has both by the submission's id. Without either, a submission has no place.
    """
    places: dict[str, str] = {}
    with replace_atomically(path) as part, zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
        for release in releases:
            begins = _begin_feedback(sources.get(release.mark.id, ""), layout)
            for name, data in release.pages.items() if begins else ():
                entry = zipfile.ZipInfo(f"{begins}{name}")  # without a time: the same again is equal
                entry.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(entry, data)
                places.setdefault(release.mark.id, entry.filename)
    return places


def _begin_feedback(source: str, layout: str) -> str | None:
    """How names begin by which a platform knows whose feedback a file is."""
    if layout == "canvas":
        return canvas.prefix_of_feedback(source)
    folder = _MOODLE.search(source)
    return f"{folder[0]}/" if folder else None
