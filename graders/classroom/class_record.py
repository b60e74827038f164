"""Who is in a class and what came from whom: frozen, versioned data, JSON in and out (`OUT/class.json`).

Names and paths come from students and learning platforms; they have been through `graders.safe_text`, and
reports escape them.
"""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import cattrs

from graders.results.json_schema import from_json_text, to_json_text

SCHEMA = "softmark/class/1"


@dataclass(frozen=True, slots=True)
class Student:
    """One line of the roster. `username` is a login, `number` what the platform counts participants by."""

    id: str
    name: str = ""
    email: str = ""
    group: str = ""
    username: str = ""
    number: str = ""


@dataclass(frozen=True, slots=True)
class HandIn:
    """What counts of a student or a team: `id` is the submission's, `source` its path in the download.

    `students` are ids of the roster, several for a team. `late` is the platform's word. `at` has a time
    zone, and `clock` says where the time is from.
    """

    id: str
    source: str
    at: datetime | None = None
    clock: str = ""
    late: bool = False
    name: str = ""
    number: str = ""
    students: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Earlier:
    """A hand-in that does not count, since `instead`, the submission of this id, came after it."""

    source: str
    at: datetime | None
    instead: str


@dataclass(frozen=True, slots=True)
class Unmatched:
    """Something that is nobody's, with the reason: a sentence for the instructor."""

    what: str
    why: str


@dataclass(frozen=True, slots=True)
class ClassRecord:
    """A class and what it handed in for one assignment of `max_points` points.

    `zone` is the time zone in which times that name none were read, where there were such.
    """

    schema: str = field(default=SCHEMA, kw_only=True)
    assignment: str
    max_points: float
    layout: str = "plain"
    students: tuple[Student, ...] = ()
    hand_ins: tuple[HandIn, ...] = ()
    earlier: tuple[Earlier, ...] = ()
    unmatched: tuple[Unmatched, ...] = ()
    zone: str = ""


_converter = cattrs.Converter()
_converter.register_unstructure_hook(datetime, lambda at: at.isoformat())


def _moment(text: Any, _: type) -> datetime:
    at = datetime.fromisoformat(text)
    if at.tzinfo is None:
        raise ValueError(f"{text} has no time zone")
    return at


_converter.register_structure_hook(datetime, _moment)


def to_json(klass: ClassRecord) -> str:
    """The text of a class.json: keys in a fixed order, one line per key, ends with a newline."""
    return to_json_text(_converter, klass)


def from_json(text: str) -> ClassRecord:
    """The class in a class.json.

    Raises:
        ValueError: the text is not a class of this schema.
    """
    return from_json_text(_converter, text, ClassRecord, SCHEMA)
