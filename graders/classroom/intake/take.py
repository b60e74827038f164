"""Turn a download into a class: the submissions to grade, with their students and times."""

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, tzinfo
from pathlib import Path

from graders.classroom.class_record import ClassRecord, Unmatched
from graders.classroom.due_dates import DueDates
from graders.classroom.intake import roster as rosters
from graders.classroom.intake.detect_platform import read_download
from graders.classroom.intake.download import DownloadedSubmission, Entry
from graders.classroom.intake.match_students import make_ids, match_students
from graders.classroom.intake.repository_states import (
    AS_THEY_ARE,
    StateRules,
    find_states_in_time,
    take_back,
)
from graders.classroom.intake.unpack import unpack
from graders.language import tr
from graders.submission.files import tidy_name

STAGE = ".handed-in"  # in OUT, while a run lasts


@dataclass(frozen=True)
class Intake:
    """The submissions that count, in the order of their ids, and their class."""

    entries: list[Entry]
    class_record: ClassRecord


@contextmanager
def take(
    handed_in: Path,
    assignment: str,
    max_points: float,
    out: Path,
    roster: Path | None,
    zone: tzinfo = UTC,
    states: StateRules = AS_THEY_ARE,
    read_as: rosters.RosterOptions = rosters.AS_IT_IS,
    named: str | None = None,
) -> Iterator[Intake]:
    """Take in the class in a folder or a zip. Unpacked files lie under `out` until the `with` block ends.

    Args:
        handed_in: the folder or the zip.
        assignment: the assignment's name.
        max_points: the points that it is worth.
        out: the folder of the run's results.
        roster: a table of the students.
        zone: the time zone of times that name none.
        states: which states of repositories are graded.
        read_as: how the roster is read.
        named: the platform's name of the assignment, where it is another.

    Raises:
        NotUnpacked: the zip cannot be unpacked.
        BadRoster: the roster cannot be read.
        NoRepositories: a state at a time was asked for of something else.
        OSError: the disk is full, or `handed_in` cannot be read.
    """
    roster_data = None if roster is None else rosters.read(roster, zone, read_as)
    stage = out / STAGE
    clear(stage)  # left by a run that was killed
    try:
        root, left_out = _unpack_if_zip(handed_in, stage / "zip")
        unpacked = handed_in.name if root is not handed_in else ""
        contents = read_download(root, assignment, zone, unpacked, ours=out, named=named)
        if states.at is not None:
            contents = take_back(contents, states.at, stage / "states")
        due_dates = states.due_dates if states.only_in_time else lambda _: DueDates()
        class_record = match_students(contents, roster_data, assignment, max_points, due_dates)
        assumed = any(hand_in.at and hand_in.at.tzinfo is zone for hand_in in class_record.hand_ins)
        class_record = replace(
            class_record, unmatched=(*left_out, *class_record.unmatched), zone=str(zone) if assumed else ""
        )
        counting = {hand_in.id for hand_in in class_record.hand_ins}
        by_id = dict(zip(make_ids(contents.submissions), contents.submissions, strict=True))
        entries, unread = list[Entry](), list[Unmatched]()
        chosen = sorted((pair for pair in by_id.items() if pair[0] in counting), key=lambda pair: pair[0])
        for id, submission in chosen:  # noqa: A001
            staged = stage / "files" / id
            path, lost = (submission.path, []) if submission.path else _copy_pieces(submission, staged)
            entries.append(Entry(id, path))
            unread += lost
        class_record, entries = find_states_in_time(class_record, entries, by_id, states, stage / "in-time")
        yield Intake(entries, replace(class_record, unmatched=(*class_record.unmatched, *unread)))
    finally:
        clear(stage)


def _unpack_if_zip(handed_in: Path, into: Path) -> tuple[Path, list[Unmatched]]:
    """The folder of the download, and what of a zip was left out."""
    if not handed_in.is_file():
        return handed_in, []
    into.mkdir(parents=True)
    return into, unpack(handed_in, into)


def clear(stage: Path) -> None:
    """Remove the unpacked files of a run."""
    if stage.is_symlink():
        stage.unlink()
    elif stage.exists():
        shutil.rmtree(stage)


def _copy_pieces(submission: DownloadedSubmission, folder: Path) -> tuple[Path, Sequence[Unmatched]]:
    """Copy a student's files into `folder`, under the names that the student gave them."""
    folder.mkdir(parents=True)
    lost = []
    for number, (name, path) in enumerate(submission.pieces):
        target = folder / Path(name).name
        if target.exists() or target.is_symlink():
            target = folder / f"{number}_{target.name}"
        try:
            _copy(path, target)
        except OSError as error:
            lost.append(
                Unmatched(tidy_name(path.name), tr("it cannot be read ({reason})", reason=error.strerror))
            )
    return folder, lost


def _copy(path: Path, target: Path) -> None:
    try:
        os.link(path, target, follow_symlinks=False)
    except OSError:  # another file system, or one without links
        shutil.copy2(path, target, follow_symlinks=False)  # its time may say which version is later
