"""Read the folder of a part, which may come from another machine: bounded, without following links."""

import hashlib
import os
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from graders.batch import part_record, run_seed
from graders.batch.part_record import PartRecord, digest_of, digest_of_seed
from graders.classroom import class_record
from graders.classroom.class_record import ClassRecord
from graders.classroom.intake.match_students import OURS
from graders.language import tr, translatable
from graders.results.file_elsewhere import FileElsewhere
from graders.safe_text import is_safe_id, safe_text

RECORD_LIMIT = 64_000_000  # bytes of a part.json; a class of 100,000 in one part takes 10 MB
CLASS_LIMIT = 256_000_000  # bytes of a class.json; 100,000 students with all their names take 60 MB
COURSE_LIMIT = 1_000_000
COURSE = "course.toml"


class BadPartFolder(Exception):
    """A folder that cannot be gathered. Text for the person who gathers."""


@dataclass(frozen=True)
class PartFolder:
    """A part that was graded: its folder, its record, the seed, and the digest of the class that it saw.

    `course` is the course's own file that it kept, if there was one.
    """

    path: Path
    record: PartRecord
    seed: int
    class_digest: str
    course: bytes | None = field(repr=False)


def open_below(folder: Path, *names: str) -> BinaryIO:
    """Open a plain file in a folder, or in folders in it, none of which may be a link.

    Raises:
        OSError: it is not a plain file, or cannot be opened.
    """
    place = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for name in names[:-1]:
            inner = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=place)
            os.close(place)
            place = inner
        # Not to wait for ever on a named pipe.
        file = os.fdopen(os.open(names[-1], os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=place), "rb")
    finally:
        os.close(place)
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(tr("not a plain file"))
    return file


def read_below(folder: Path, limit: int, *names: str) -> FileElsewhere:
    """A plain file below a folder, with its content.

    Raises:
        OSError: it cannot be opened, is no plain file, or is larger than `limit`.
    """
    with open_below(folder, *names) as file:
        # Python allocates as much as is asked for, which took longer than to read.
        size = min(os.fstat(file.fileno()).st_size, limit)
        data = file.read(size + 1)
        if len(data) > size:  # it has grown meanwhile
            data += file.read(limit + 1 - len(data))
        status = os.fstat(file.fileno())
    if len(data) > limit:
        raise OSError(tr("it is larger than {most} MB", most=limit // 1_000_000))
    return FileElsewhere(folder.joinpath(*names), data, status)


def read_part_folder(folder: Path) -> PartFolder:
    """Read what a part has recorded of its run.

    Raises:
        BadPartFolder: it is no folder of a part, or its records cannot be read, or contradict each other.
    """
    try:
        record = part_record.from_json(_read(folder, part_record.FILE, RECORD_LIMIT).decode())
        seed = int(_read(folder, run_seed.NAME, 40).decode("ascii"))
        class_text = _read(folder, class_record.FILE, CLASS_LIMIT)
        course = _read(folder, COURSE, COURSE_LIMIT) if (folder / COURSE).exists() else None
    except FileNotFoundError as error:
        message = translatable("{folder} is no part of a class: there is no {file}")
        raise BadPartFolder(tr(message, folder=folder, file=error.filename)) from error
    except (OSError, ValueError, RecursionError) as error:
        reason = safe_text(" ".join(str(error).split()), 200)
        raise BadPartFolder(tr("{folder} cannot be read: {reason}", folder=folder, reason=reason)) from error
    if record.run != digest_of(record.facts) or record.facts.get("seed") != digest_of_seed(seed):
        message = translatable(
            "{folder}: what it says of its run does not fit together. Grade part {part} again"
        )
        raise BadPartFolder(tr(message, folder=folder, part=record.part))
    return PartFolder(folder, record, seed, hashlib.sha256(class_text).hexdigest(), course)


def read_class_of(part: PartFolder) -> tuple[ClassRecord, bytes]:
    """The class that a part saw, whose ids are names of folders, and its text.

    Raises:
        BadPartFolder: it cannot be read, or an id is not one that softmark gives.
    """
    try:
        data = _read(part.path, class_record.FILE, CLASS_LIMIT)
        record = class_record.from_json(data.decode())
    except (OSError, ValueError, RecursionError) as error:
        reason = safe_text(" ".join(str(error).split()), 200)
        raise BadPartFolder(
            tr("{folder} cannot be read: {reason}", folder=part.path, reason=reason)
        ) from error
    ids = [hand_in.id for hand_in in record.hand_ins]
    for id in ids:  # noqa: A001 - the field's name in every result
        if not is_safe_id(id) or id.casefold().endswith(OURS):
            name = safe_text(repr(id), 100)
            message = tr("{folder}: {id} is no id that softmark gives", folder=part.path, id=name)
            raise BadPartFolder(message)
    if len({id.casefold() for id in ids}) < len(ids):  # noqa: A001
        raise BadPartFolder(tr("{folder}: two submissions have the same id", folder=part.path))
    return record, data


def _read(folder: Path, name: str, limit: int) -> bytes:
    try:
        return read_below(folder, limit, name).data
    except FileNotFoundError as error:
        error.filename = name
        raise
