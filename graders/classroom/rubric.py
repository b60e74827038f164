"""Read `OUT/rubric.toml`, the instructor's: questions that people judge, and a bank of comments."""

import math
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from graders.language import current_language, tr, translatable
from graders.results.read_below import read_below
from graders.safe_text import safe_text

NAME = "rubric.toml"
LIMIT = 1_000_000  # bytes
LONGEST = 2_000  # characters of a text
_NAME = re.compile(r"\w[\w-]{0,99}")


class _BadEntry(Exception):
    """An entry is left out; the text says why."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question without checks, whose points people give.

    `find` are the words that stand where the answer begins, such as the heading of its cell.
    """

    name: str
    title: str
    points: float
    find: str


@dataclass(frozen=True, slots=True)
class BankComment:
    """A comment that is written once and given to many, with the points that it adds or takes."""

    text: str
    points: float | None = None


@dataclass(frozen=True)
class Rubric:
    """What the instructor's file says: questions in their order, comments by their codes."""

    questions: tuple[Question, ...] = ()
    bank: Mapping[str, BankComment] = field(default_factory=dict)

    @property
    def points(self) -> float:
        """The points of all questions together."""
        return sum(question.points for question in self.questions)


def read(out: Path) -> tuple[Rubric, list[str]]:
    """Read the file, in the current language; also returns a sentence for each entry that is left out."""
    try:
        table = tomllib.loads(read_below(out, LIMIT, NAME).text.removeprefix("\ufeff"))
    except FileNotFoundError:
        return Rubric(), []
    except (OSError, ValueError, RecursionError) as error:
        reason = safe_text(" ".join(str(error).split()), 200)
        message = translatable("{file} cannot be read ({reason}): its questions and comments are missing.")
        return Rubric(), [tr(message, file=NAME, reason=reason)]
    notes = [
        tr("{file}: a table [{name}] is unknown; there are [questions] and [comments].", file=NAME, name=name)
        for name in table
        if name not in ("questions", "comments")
    ]
    questions = dict(_entries(table, "questions", _question, notes))
    return Rubric(tuple(questions.values()), dict(_entries(table, "comments", _comment, notes))), notes


def _entries(table: Mapping[str, Any], kind: str, parse: Any, notes: list[str]) -> Iterator[tuple[str, Any]]:
    entries = table.get(kind, {})
    if not isinstance(entries, dict):
        notes.append(tr("{file}: [{name}] should be a table.", file=NAME, name=kind))
        return
    for name, entry in entries.items():
        try:
            if not _NAME.fullmatch(name):
                raise _BadEntry(tr("its name has other characters than letters, digits, _ and -"))
            yield name, parse(name, entry)
        except _BadEntry as error:
            about = f"{kind}.{safe_text(name, 100)}"
            notes.append(tr("{file}, [{about}] is left out: {reason}.", file=NAME, about=about, reason=error))


def _question(name: str, entry: object) -> Question:
    if not isinstance(entry, dict):
        raise _BadEntry(tr("it should be a table with a title and points"))
    _refuse_unknown(entry, ("title", "title_fr", "points", "find"))
    points = _number(entry.get("points"))
    if points is None or points < 0:
        raise _BadEntry(tr("it needs points, a number from 0 on"))
    title = _text(entry, "title")
    return Question(name, title, points, _plain(entry.get("find")) or title)


def _comment(_: str, entry: object) -> BankComment:
    entry = {"text": entry} if isinstance(entry, str) else entry
    if not isinstance(entry, dict):
        raise _BadEntry(tr("it should be a text, or a table with one"))
    _refuse_unknown(entry, ("text", "text_fr", "points"))
    points = _number(entry.get("points"))
    if "points" in entry and points is None:
        raise _BadEntry(tr("its points are no number"))
    return BankComment(_text(entry, "text"), points)


def _refuse_unknown(entry: Mapping[str, object], known: tuple[str, ...]) -> None:
    for key in entry:
        if key not in known:
            raise _BadEntry(
                tr("it has a key {key}; there are {known}", key=safe_text(key, 100), known=", ".join(known))
            )


def _text(entry: Mapping[str, object], key: str) -> str:
    french = _plain(entry.get(f"{key}_fr")) if current_language() == "fr" else ""
    text = french or _plain(entry.get(key))
    if not text:
        raise _BadEntry(tr("it needs a {key}", key=key))
    return text


def _plain(value: object) -> str:
    return safe_text(value, LONGEST).strip() if isinstance(value, str) else ""


def _number(value: object) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and math.isfinite(value) else None  # type: ignore[arg-type]
