"""Makes the downloads of the term in `tests/handed_in/term/`: what each platform gives."""

import csv
import io
import tarfile
import tomllib
import unicodedata
import zipfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from babel.dates import format_date

from tests.hostile.honest import RIGHT
from tests.support.downloads import commit, run_git
from tests.support.notebooks import notebook

FOLDER = Path(__file__).parents[1] / "handed_in/term"
PARIS = ZoneInfo("Europe/Paris")
THE_EVENING_BEFORE = datetime(2026, 10, 22, 20, tzinfo=PARIS)
TEXTS = {"right": RIGHT, "wrong": "def concat_heads(x):\n    return x.flatten(2)\n"}
IN_GIT = 8  # repositories: each takes three programs to make

# The titles of Moodle's worksheet in each language, and how it writes a time.
TITLES = {
    "fr": "Identifiant,Nom complet,Numéro d'identification,Adresse de courriel,Groupe,Statut,"
    "Dernière modification (travail remis)",
    "de": "ID,Vollständiger Name,ID-Nummer,E-Mail-Adresse,Gruppe,Status,Zuletzt geändert (Abgabe)",
    "en_US": "Identifier,Full name,ID number,Email address,Group,Status,Last modified (submission)",
}
PARTICIPANT = {"fr": "Participant", "de": "Teilnehmer/in", "en_US": "Participant"}


@dataclass(frozen=True)
class Person:
    """A line of the list of the class."""

    id: str
    name: str
    email: str
    username: str
    group: str


@dataclass(frozen=True)
class HandedIn:
    """What a student hands in: texts by file name, when, and the times of files in a zip."""

    who: Person
    files: Mapping[str, str] = field(default_factory=lambda: {"rendu.py": "right"})
    at: datetime = THE_EVENING_BEFORE
    written: Mapping[str, datetime] = field(default_factory=dict)
    partners: tuple[Person, ...] = ()
    apart: bool = False

    def contents(self) -> dict[str, bytes]:
        """The bytes of each file."""
        packed: dict[str, dict[str, bytes]] = {}
        for name, text in self.files.items():
            archive, _, inside = name.rpartition("!/")
            packed.setdefault(archive, {})[inside] = _bytes(inside, TEXTS.get(text, text))
        plain = packed.pop("", {})
        return plain | {name: _pack(name, files, self.written) for name, files in packed.items()}


@dataclass(frozen=True)
class Handed:
    """What the class hands in for an assignment, and what complaints.toml says of the assignment."""

    work: list[HandedIn]
    everybody: list[Person]
    options: Mapping[str, Any]


def people() -> list[Person]:
    """The class."""
    with (FOLDER / "students.csv").open(encoding="utf-8", newline="") as file:
        return [Person(**row) for row in csv.DictReader(file)]


def read_term() -> dict[str, Any]:
    """The assignments and the complaints."""
    return tomllib.loads((FOLDER / "complaints.toml").read_text(encoding="utf-8"))


def handed_in(
    complaints: Iterable[Mapping[str, Any]], everybody: Iterable[Person], *, again: bool
) -> list[HandedIn]:
    """What the class hands in for an assignment, at first or the second time."""
    by_id = {person.id: person for person in everybody}
    found = {person.id: HandedIn(person) for person in everybody}
    for complaint in complaints:
        who = complaint["who"]
        told = {**complaint, **(complaint.get("again", {}) if again else {})}
        one = replace(
            found[who],
            files=told.get("files", found[who].files),
            at=told["at"].replace(tzinfo=PARIS) if "at" in told else THE_EVENING_BEFORE,
            written=told.get("written", {}),
            partners=tuple(by_id[other] for other in told.get("with", ())),
            apart=told.get("apart", False),
        )
        found[who] = one
        for partner in one.partners:
            del found[partner.id]
    return [one for one in found.values() if one.files]


def moodle(folder: Path, all_of: Handed) -> tuple[Path, Path]:
    """Moodle's zip and worksheet; teams have a folder of the team."""
    teams = all_of.options.get("teams", False)
    numbers = {person.id: 5000 + i for i, person in enumerate(all_of.everybody)}
    files: dict[str, bytes] = {}
    by_group: dict[str, HandedIn] = {}
    for one in all_of.work:
        # Of a team, whoever has something to say hands in.
        if one != HandedIn(one.who) or one.who.group not in by_group:
            by_group[one.who.group] = one
    chosen = list(by_group.values()) if teams else all_of.work
    for one in chosen:
        name, number = (one.who.group, 900) if teams else (one.who.name, numbers[one.who.id])
        name = unicodedata.normalize("NFD", name) if one.apart else name
        folder_name = f"{name}_{number}_assignsubmission_file_"
        files |= {f"{folder_name}/{file}": data for file, data in one.contents().items()}
    times = {one.who.id: one.at for one in all_of.work}
    times |= {p.id: by_group[p.group].at for p in all_of.everybody} if teams else {}
    worksheet = folder / "worksheet.csv"
    worksheet.write_text(_worksheet(all_of, numbers, times), encoding="utf-8-sig")
    return _zip(folder / "rendus.zip", files), worksheet


def _worksheet(all_of: Handed, numbers: Mapping[str, int], times: Mapping[str, datetime]) -> str:
    language = all_of.options["language"]
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(TITLES[language].split(","))
    for person in all_of.everybody:
        at = times.get(person.id)
        when = f"{format_date(at, 'full', language)}, {_clock(at, language)}" if at else "-"
        number = f"{PARTICIPANT[language]} {numbers[person.id]}"
        writer.writerow([number, person.name, person.id, person.email, person.group, "", when])
    return text.getvalue()


def _clock(at: datetime, language: str) -> str:
    return f"{at:%I:%M %p}".lstrip("0") if language == "en_US" else f"{at:%H:%M}"


def canvas(folder: Path, all_of: Handed) -> tuple[Path, Path]:
    """Canvas's zip, and the list of the class as a workbook with a title above it."""
    from openpyxl import Workbook

    files = {}
    for number, one in enumerate(all_of.work):
        first, last = one.who.name.split(" ", 1)
        last_first = "".join(c for c in last + first if c.isalnum())
        for i, (name, data) in enumerate(one.contents().items()):
            files[f"{last_first.lower()}_{700 + number}_{9000 + 10 * number + i}_{name}"] = data
    book = Workbook()
    sheet = book.active
    for row in (["M2 NLP 2026"], [], ["numéro étudiant", "nom complet", "courriel"]):
        sheet.append(row)
    for person in all_of.everybody:
        sheet.append([int(person.id), person.name, person.email])
        sheet.cell(sheet.max_row, 1).number_format = "0" * len(person.id)
    book.save(folder / "liste.xlsx")
    return _zip(folder / "submissions.zip", files), folder / "liste.xlsx"


def git(folder: Path, all_of: Handed) -> tuple[Path, Path]:
    """Repositories, each with a commit; a second hand-in is a second commit."""
    for one in all_of.work[:IN_GIT]:
        place = folder / "repositories" / f"nlp-concat-heads-{one.who.username}"
        at = one.at.isoformat(timespec="seconds")
        if not place.exists():
            place.mkdir(parents=True)
            run_git(place, "init", "-q", at=at)
            commit(place, at, dict(one.contents()))
        elif one.at != THE_EVENING_BEFORE:
            commit(place, at, dict(one.contents()))
    rows = "".join(f"{p.id};{p.name};{p.username}\n" for p in all_of.everybody)
    (folder / "list.csv").write_text(f"sep=;\nid;nom complet;login\n{rows}", encoding="utf-8-sig")
    return folder / "repositories", folder / "list.csv"


def gradescope(folder: Path, all_of: Handed) -> tuple[Path, None]:
    """Gradescope's export, which says itself who they are."""
    about, files = ["---"], {}
    for number, one in enumerate(all_of.work, 101):
        at = one.at.astimezone(UTC)
        about += [f"submission_{number}:", "  :submitters:"]
        for person in (one.who, *one.partners):
            about += [f"  - :name: {person.name}", f"    :sid: '{person.id}'", f"    :email: {person.email}"]
        about += [f"  :created_at: {at:%Y-%m-%d %H:%M:%S}.000000000 Z", "  :results: {}"]
        files |= {f"export/submission_{number}/{name}": data for name, data in one.contents().items()}
    files["export/submission_metadata.yml"] = "\n".join([*about, ""]).encode()
    return _zip(folder / "export.zip", files), None


MAKE: Mapping[str, Callable[..., tuple[Path, Path | None]]] = {
    "moodle": moodle,
    "canvas": canvas,
    "git": git,
    "gradescope": gradescope,
}


def _bytes(name: str, text: str) -> bytes:
    is_notebook = name.endswith((".ipynb", ".ipynb.txt", ".json"))
    return notebook(text) if is_notebook else text.encode()


def _zip(path: Path, files: Mapping[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name, (2026, 10, 26, 9, 0, 0)), data)
    return path


def _pack(name: str, files: Mapping[str, bytes], written: Mapping[str, datetime]) -> bytes:
    packed = io.BytesIO()
    if name.endswith(".tar.gz"):
        with tarfile.open(fileobj=packed, mode="w:gz") as tar:
            for inside, data in files.items():
                member = tarfile.TarInfo(inside)
                member.size = len(data)
                tar.addfile(member, io.BytesIO(data))
    else:
        with zipfile.ZipFile(packed, "w") as archive:
            for inside, data in files.items():
                at = written.get(inside, THE_EVENING_BEFORE)
                archive.writestr(zipfile.ZipInfo(inside, at.timetuple()[:6]), data)
    return packed.getvalue()
