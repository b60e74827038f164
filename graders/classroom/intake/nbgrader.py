"""Read nbgrader's `submitted/<student>/<assignment>/`, with the hand-in time in its `timestamp.txt`."""

from collections.abc import Sequence
from datetime import datetime, tzinfo
from pathlib import Path

from graders.classroom.class_record import Unmatched
from graders.classroom.find_student import Identity
from graders.classroom.intake.download import (
    Download,
    DownloadedSubmission,
    choose_assignment,
    not_of_assignment,
)
from graders.classroom.intake.timestamps import parse_time
from graders.language import tr, translatable
from graders.submission.files import read_head, tidy_name

STEP = "submitted"
STAMP = "timestamp.txt"

_BESIDE = translatable("it was not graded, since it does not lie in {folder}/, where the hand-ins are")
_NO_FOLDER = translatable("it was not graded, since it is not the folder of a student")


def root_of(folder: Path) -> Path | None:
    """The folder `submitted`, if `folder` is an nbgrader course or that folder itself; else None."""
    for place in (folder / STEP, folder):
        if place.name == STEP and place.is_dir() and not place.is_symlink():
            students = [p for p in place.iterdir() if p.is_dir() and not p.name.startswith(".")]
            if students and all(any(q.is_dir() for q in p.iterdir()) for p in students):
                return place
    return None


def read(
    root: Path, beside: Sequence[Path], assignment: str, zone: tzinfo, named: str | None = None
) -> Download:
    """Read the assignment's folder of each student; if only one assignment was handed in, read that."""
    unmatched = [Unmatched(tidy_name(path.name), tr(_BESIDE, folder=STEP)) for path in beside if path != root]
    submissions = []
    students = sorted(path for path in root.iterdir() if path.is_dir() and not path.is_symlink())
    unmatched += [
        Unmatched(_name(path, root), tr(_NO_FOLDER)) for path in root.iterdir() if path not in students
    ]
    names = {path.name for student in students for path in student.iterdir() if path.is_dir()}
    wanted = choose_assignment(names, assignment, named)
    for student in students:
        inside = sorted(student.iterdir())
        unmatched += [
            Unmatched(_name(p, root), not_of_assignment(wanted, p.name)) for p in inside if p.name != wanted
        ]
        folder = student / wanted
        if not folder.is_dir() or folder.is_symlink():
            unmatched += [Unmatched(_name(p, root), tr(_NO_FOLDER)) for p in inside if p.name == wanted]
            continue
        at = _read_timestamp(folder, zone)
        who = Identity(name=student.name, names=(student.name,))
        clock = STAMP if at else ""
        submissions.append(
            DownloadedSubmission(student.name, _name(folder, root), who, folder, at=at, clock=clock)
        )
    return Download("nbgrader", tuple(submissions), tuple(unmatched))


def _name(path: Path, root: Path) -> str:
    return tidy_name(path.relative_to(root.parent).as_posix())


def _read_timestamp(folder: Path, zone: tzinfo) -> datetime | None:
    try:
        return parse_time(read_head(folder / STAMP, 1000).decode("utf-8", "replace"), zone)
    except OSError:
        return None
