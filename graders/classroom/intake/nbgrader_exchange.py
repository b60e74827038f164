"""Read what students submitted to nbgrader's exchange: `inbound/<student>+<assignment>+<time>[+<random>]`.

A student may submit often: all of it is there, each with its time, which nbgrader wrote and not the student.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from graders.classroom.class_record import Student, Unmatched
from graders.classroom.find_student import Identity
from graders.classroom.intake.download import (
    Download,
    DownloadedSubmission,
    choose_assignment,
    not_of_assignment,
)
from graders.classroom.intake.timestamps import parse_time
from graders.language import tr, translatable
from graders.safe_text import safe_text
from graders.submission.files import tidy_name

STEP = "inbound"

_FORM = re.compile(
    r"(?P<student>.+)\+(?P<assignment>[^+]+)\+(?P<time>\d{4}-\d\d-\d\d [^+]+?)(?:\+(?P<random>[^+]+))?"
)

_BESIDE = translatable("it was not graded, since it does not lie in {folder}/, where the hand-ins are")
_NOT_ITS_FORM = translatable(
    "it was not graded, since its name does not have the form of a submission to nbgrader"
)


@dataclass(frozen=True)
class _HandedIn:
    """A folder of the exchange, and what its name says."""

    path: Path
    student: str
    assignment: str
    at: datetime


def root_of(folder: Path) -> Path | None:
    """The folder `inbound`, if `folder` is that folder or has it; else None."""
    for place in (folder, folder / STEP):
        if place.is_dir() and not place.is_symlink() and any(map(_parse, _folders(place))):
            return place
    return None


def read(root: Path, beside: Sequence[Path], assignment: str, named: str | None) -> Download:
    """Read each hand-in for the assignment, the latest of a student first."""
    unmatched = [Unmatched(tidy_name(path.name), tr(_BESIDE, folder=STEP)) for path in beside if path != root]
    found = []
    for path in sorted(root.iterdir()):
        if parsed := _parse(path):
            found.append(parsed)
        else:
            unmatched.append(Unmatched(tidy_name(path.name), tr(_NOT_ITS_FORM)))
    wanted = choose_assignment({one.assignment for one in found}, assignment, named)
    found.sort(key=lambda one: one.at, reverse=True)
    unmatched += [
        Unmatched(tidy_name(one.path.name), not_of_assignment(wanted, one.assignment))
        for one in found
        if one.assignment != wanted
    ]
    submissions = [_submission(one) for one in found if one.assignment == wanted]
    return Download("nbgrader", tuple(submissions), tuple(unmatched))


def _folders(place: Path) -> list[Path]:
    return [path for path in place.iterdir() if path.is_dir() and not path.is_symlink()]


def _parse(path: Path) -> _HandedIn | None:
    """What a name says: a name may have pluses, a time none."""
    match = _FORM.fullmatch(path.name) if path.is_dir() and not path.is_symlink() else None
    at = parse_time(_colons(match["time"]), UTC) if match else None
    return _HandedIn(path, match["student"], match["assignment"], at) if match and at else None


def _colons(text: str) -> str:
    """A time with the colons that Windows does not let a name have, and that our own unpacking replaces."""
    return re.sub(r"(\d\d)[_\uf03a](\d\d)[_\uf03a](\d\d)", r"\1:\2:\3", text)


def _submission(one: _HandedIn) -> DownloadedSubmission:
    login = safe_text(one.student, 200).replace("\n", " ")
    return DownloadedSubmission(
        one.student,
        tidy_name(one.path.name),
        Identity(name=one.student, names=(one.student,)),
        one.path,
        or_else=f"{one.student} {one.at:%Y-%m-%d %H.%M.%S}",
        at=one.at,
        clock=STEP,
        students=(Student(login, username=login),),
    )
