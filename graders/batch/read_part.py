"""Read the folder of a part, which may come from another machine: bounded, without following links."""

import hashlib
import os
from dataclasses import dataclass, field
from pathlib import Path

from graders.batch import part_record, run_seed
from graders.batch.kept_course import LIMIT
from graders.batch.part_record import PartRecord, digest_of, digest_of_seed
from graders.classroom import class_record
from graders.classroom.class_record import ClassRecord
from graders.classroom.intake.match_students import OURS
from graders.language import tr, translatable
from graders.locations import COURSE_FILE
from graders.results.read_below import read_below
from graders.safe_text import is_safe_id, safe_text


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


def read_part_folder(folder: Path) -> PartFolder:
    """Read what a part has recorded of its run.

    Raises:
        BadPartFolder: it is no folder of a part, or its records cannot be read, or contradict each other.
    """
    try:
        record = part_record.from_json(_read(folder, part_record.FILE, part_record.LIMIT).decode())
        seed = int(_read(folder, run_seed.NAME, 40).decode("ascii"))
        class_text = _read(folder, class_record.FILE, class_record.LIMIT)
        course = _read(folder, COURSE_FILE, LIMIT) if os.path.lexists(folder / COURSE_FILE) else None
    except FileNotFoundError as error:
        message = translatable("{folder} is no part of a class: there is no {file}")
        raise BadPartFolder(tr(message, folder=folder, file=error.filename)) from error
    except (OSError, ValueError, RecursionError) as error:
        reason = safe_text(" ".join(str(error).split()), 200)
        raise BadPartFolder(tr("{folder} cannot be read: {reason}", folder=folder, reason=reason)) from error
    if record.run != digest_of(record.facts) or record.facts.get("seed") != digest_of_seed(seed):
        message = translatable(
            "{folder}: what it says of its run does not fit together: another version of softmark graded it, "
            "or somebody has changed it. Grade part {part} again"
        )
        raise BadPartFolder(tr(message, folder=folder, part=record.part))
    return PartFolder(folder, record, seed, hashlib.sha256(class_text).hexdigest(), course)


def read_class_of(part: PartFolder) -> tuple[ClassRecord, bytes]:
    """The class that a part saw, whose ids are names of folders, and its text.

    Raises:
        BadPartFolder: it cannot be read, or an id is not one that softmark gives.
    """
    try:
        data = _read(part.path, class_record.FILE, class_record.LIMIT)
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
