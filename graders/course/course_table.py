"""What a course's file says of the course itself: its table `[course]`.

A file without this table, which `--course` may name, gives other assignments, points and dates to the
exercises that softmark ships; it may have `languages` above its assignments.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from graders.course.toml_lines import line_of
from graders.language import LANGUAGES, Language, tr, translatable
from graders.results.mistake_address import is_site

COURSE = "course"
SHIPPED_NAME = "softmark"  # what `extends` may name
_LANGUAGES = "languages"
_TEXTS = ("title", "title_fr", "solutions", "folder", "link_to")
_FOLDER = re.compile(r"^[ \t]*folder[ \t]*=", re.MULTILINE)
_HEADER = re.compile(rf"^[ \t]*\[[ \t]*{COURSE}[ \t]*\]", re.MULTILINE)


class BadCourse(Exception):
    """What is wrong with a course's file: a sentence for the instructor."""


class BadEntry(Exception):
    """What is wrong with an entry of a course's file, and by which words its line is found."""

    def __init__(self, message: str, *words: str, last: bool = False) -> None:
        super().__init__(message)
        self.words = words
        self.last = last


@dataclass(frozen=True, kw_only=True)
class CourseTable:
    """The table `[course]`.

    Attributes:
        title: of the course.
        title_fr: in French.
        languages: those in which the texts of its exercises are complete.
        time_zone: of dates that have no offset, such as Europe/Paris.
        extends: whether it brings the exercises that softmark ships.
        points: what those of each assignment sum to; 0 where they may sum to anything.
        link_to: the address of the site with the pages of its known mistakes, to which hints lead.
        replaces: the shipped exercises in whose place, or in the place of whose text, the course has its own.
        solutions: where the solutions of the shipped exercises lie, from the folder of the course; needed
            where softmark is no checkout and the environment does not say it.
        folder: where the course lies, in the copy that a run keeps of its file.
    """

    title: str = ""
    title_fr: str = ""
    languages: tuple[Language, ...] = LANGUAGES
    time_zone: ZoneInfo | None = None
    extends: bool = False
    points: float = 0
    link_to: str = ""
    replaces: frozenset[str] = frozenset()
    solutions: str = ""
    folder: str = ""


@dataclass(frozen=True)
class CourseText:
    """What stands in a course's file: its table `[course]`, None where it has none, and its assignments."""

    course: CourseTable | None
    languages: tuple[Language, ...]
    assignments: Mapping[str, Any]


def has_course_table(text: str) -> bool:
    """Whether a text has a table `[course]`, even if it is no TOML otherwise."""
    return _HEADER.search(text) is not None


def with_folder(text: str, folder: str) -> str:
    """The text of a course's file that says where the course lies; unchanged without a table `[course]`.

    Args:
        text: that of the file.
        folder: as a string of TOML.
    """
    if _FOLDER.search(text) or not has_course_table(text):
        return text
    return _HEADER.sub(lambda header: f"{header[0]}\nfolder = {folder}", text, count=1)


def without(text: bytes, *keys: str) -> bytes:
    """The text of a course's file without the lines of these keys, which no table but `[course]` has."""
    lines = rb"^[ \t]*(?:%s)[ \t]*=[^\n]*\n?" % b"|".join(key.encode() for key in keys)
    return re.sub(lines, b"", text, flags=re.MULTILINE)


def read_course_text(file: Path) -> str:
    """The text of a course's file.

    Raises:
        BadCourse: it cannot be read.
    """
    try:
        return file.read_bytes().decode()
    except (OSError, UnicodeDecodeError) as error:
        raise unreadable(file.name, error) from error


def unreadable(name: str, error: Exception) -> BadCourse:
    """The error for a file that cannot be read."""
    return BadCourse(tr("{file} cannot be read: {reason}", file=name, reason=" ".join(str(error).split())))


@lru_cache(maxsize=8)  # a command asks for it some five times
def parse_course(text: str) -> CourseText:
    """What a course's file says, the same object for the same text, so nobody may change it.

    Raises:
        tomllib.TOMLDecodeError: it is no TOML.
        BadEntry: its table `[course]`, or its `languages`, are wrong.
    """
    tables = tomllib.loads(text)
    said = tables.pop(COURSE, None)
    if said is None:
        languages = _read_languages(tables.pop(_LANGUAGES, list(LANGUAGES)))
        return CourseText(None, languages, tables)
    table = _read_course_table(said)
    return CourseText(table, table.languages, tables)


def at_line(name: str, text: str, error: BadEntry, table: str) -> BadCourse:
    """The error of an entry with its file and line."""
    line = line_of(text, table, error.words, last=error.last)
    if f"[{table}" not in text:  # a key in the place of a table
        return BadCourse(tr("{file}, line {line}: {error}", file=name, line=line, error=error))
    message = translatable("{file}, line {line}, [{table}]: {error}")
    return BadCourse(tr(message, file=name, line=line, table=table, error=error))


def unknown_keys(table: Mapping[str, Any], known: set[str], *words: str) -> None:
    """Refuse keys that nobody reads.

    Raises:
        BadEntry: there is one.
    """
    if unknown := sorted(set(table) - known):
        names = ", ".join(sorted(known))
        message = tr("there is no {unknown}; there are {known}", unknown=", ".join(unknown), known=names)
        raise BadEntry(message, *words, unknown[0])


def _read_course_table(table: Any) -> CourseTable:
    if not isinstance(table, Mapping):
        raise BadEntry(tr('write a table, such as title = "Deep learning"'))
    unknown_keys(table, set(CourseTable.__dataclass_fields__))
    for key in _TEXTS:
        if not isinstance(table.get(key, ""), str):
            raise BadEntry(tr("{key} must be a text", key=key), key)
    if (site := table.get("link_to")) and not is_site(site):
        raise BadEntry(tr("link_to must be an address, such as https://example.org/softmark/"), "link_to")
    if table.get("extends", SHIPPED_NAME) != SHIPPED_NAME:
        raise BadEntry(tr('extends must be "{name}"', name=SHIPPED_NAME), "extends")
    replaces = table.get("replaces", [])
    if not isinstance(replaces, list) or not all(isinstance(name, str) for name in replaces):
        raise BadEntry(tr('replaces must be a list of names, such as ["concat_heads"]'), "replaces")
    points = table.get("points", 0)
    if isinstance(points, bool) or not isinstance(points, int | float) or not 0 <= points < float("inf"):
        raise BadEntry(tr("points must be a number: what those of each assignment sum to"), "points")
    return CourseTable(
        **{key: table.get(key, "") for key in _TEXTS},
        languages=_read_languages(table.get(_LANGUAGES, list(LANGUAGES))),
        time_zone=_read_zone(table.get("time_zone")),
        extends="extends" in table,
        points=points,
        replaces=frozenset(replaces),
    )


def _read_languages(said: Any) -> tuple[Language, ...]:
    if not isinstance(said, list) or not said or not all(language in LANGUAGES for language in said):
        raise BadEntry(tr('languages must be ["en"], ["fr"] or ["en", "fr"]'), _LANGUAGES)
    return tuple(language for language in LANGUAGES if language in said)


def _read_zone(name: Any) -> ZoneInfo | None:
    try:
        return None if name is None else ZoneInfo(name)
    except (ZoneInfoNotFoundError, OSError, TypeError, ValueError, AttributeError) as error:
        message = tr('time_zone: there is no {name}; write one such as "Europe/Paris"', name=repr(name))
        raise BadEntry(message, "time_zone") from error
