"""Read Gradescope's "Export Submissions": a folder for each submission, and a table that says whose it is.

`submission_metadata.yml` has for each folder those who handed it in, several for a group, and the time. Only
the submission that counts in Gradescope is in the export. The file also has the results of Gradescope's own
autograder, which are most of it and are not parsed.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import yaml

from graders.classroom.class_record import Student, Unmatched
from graders.classroom.find_student import Identity
from graders.classroom.intake.download import Download, DownloadedSubmission
from graders.classroom.intake.plain_folder import make_hand_in
from graders.classroom.intake.timestamps import parse_time
from graders.language import tr, translatable
from graders.safe_text import safe_text
from graders.submission.files import read_head, tidy_name

FILE = "submission_metadata.yml"
LIMIT = 200_000_000  # bytes, with all results
ABOUT_LIMIT = 20_000  # bytes of what is parsed of one submission; a group of twenty takes two thousand
NAMES_SHOWN = 3  # of a group, in the name of its folder of results

_WANTED = (":submitters:", ":created_at:")
_NUMBER = re.compile(r"submission_(\d+)")
# all values are texts: numbers of students keep their zeros

_NO_FOLDER = translatable("nothing was graded: {file} names it, and the export has no such folder")
_NOT_NAMED = translatable("{file} does not say whose it is")
_BESIDE = translatable("it was not graded, since it is not the folder of a submission")


@dataclass(frozen=True)
class _About:
    """What the table says of one submission."""

    students: tuple[Student, ...]
    at: datetime | None


def fits(paths: Sequence[Path]) -> bool:
    """Whether a folder contains an export of Gradescope's."""
    return any(path.name == FILE and path.is_file() for path in paths)


def read(paths: Sequence[Path]) -> Download:
    """Read each folder as the hand-in of those whom the table names."""
    table = next(path for path in paths if path.name == FILE)
    about = dict(_read_table(read_head(table, LIMIT).decode("utf-8", "replace")))
    places = {path.name: path for path in paths if path != table}
    submissions, unmatched = [], []
    for name, path in places.items():
        if name in about and about[name].students:
            submissions.append(_submission(path, about[name]))
        elif path.is_dir():
            submissions.append(make_hand_in(path))
            unmatched.append(Unmatched(tidy_name(name), tr(_NOT_NAMED, file=FILE)))
        else:
            unmatched.append(Unmatched(tidy_name(name), tr(_BESIDE)))
    unmatched += [
        Unmatched(tidy_name(name), tr(_NO_FOLDER, file=FILE)) for name in about if name not in places
    ]
    return Download("gradescope", tuple(submissions), tuple(unmatched))


def _submission(path: Path, about: _About) -> DownloadedSubmission:
    students = about.students
    # In the order of their names: in another export, another of them may have handed in.
    names = sorted(student.name or student.id for student in students)
    label = " + ".join(names[:NAMES_SHOWN]) + ("…" if len(names) > NAMES_SHOWN else "")
    number = match[1] if (match := _NUMBER.fullmatch(path.name)) else path.name
    return DownloadedSubmission(
        label,
        tidy_name(path.name),
        Identity(name=label),
        path,
        or_else=f"{label}_{number}",
        at=about.at,
        clock=FILE if about.at else "",
        students=students,
    )


def _read_table(text: str) -> Iterator[tuple[str, _About]]:
    """What the table says of each submission, by the name of its folder."""
    for part in re.split(r"^(?=[^\s#-])", text, flags=re.MULTILINE):
        wanted = _keep_wanted(part)
        try:
            # The base loader makes texts alone, whatever a tag says, and a number keeps its zeros.
            data = yaml.load(wanted, yaml.BaseLoader) if len(wanted) <= ABOUT_LIMIT else None  # noqa: S506
        except (yaml.YAMLError, ValueError, RecursionError):
            data = None
        for name, about in data.items() if isinstance(data, dict) else ():
            if isinstance(about, dict):
                yield str(name), _about(about)


def _keep_wanted(part: str) -> str:
    """The lines of a submission that say whose it is and since when."""
    first, *lines = part.split("\n")
    kept, keeps = [first], False
    for line in lines:
        if re.match(
            r"  [^\s-]", line
        ):  # a key of the submission; what belongs to it is further right, or a dash
            keeps = line.strip().startswith(_WANTED)
        if keeps:
            kept.append(line)
    return "\n".join(kept)


def _about(data: Mapping[str, Any]) -> _About:
    submitters = data.get(":submitters")
    found = (
        [_student(one) for one in submitters if isinstance(one, dict)] if isinstance(submitters, list) else []
    )
    at = data.get(":created_at")
    if isinstance(at, dict):  # in older exports the time of an object of theirs
        at = at.get("utc")
    return _About(
        tuple(student for student in found if student.id),
        parse_time(at, UTC) if isinstance(at, str) else None,
    )


def _student(data: Mapping[str, Any]) -> Student:
    name, number, email = (_said(data.get(key)) for key in (":name", ":sid", ":email"))
    return Student(id=number or email or name, name=name, email=email)


def _said(value: object) -> str:
    text = safe_text(value, 200).replace("\n", " ").strip() if isinstance(value, str) else ""
    return "" if text in ("~", "null") else text
