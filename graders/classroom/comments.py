"""Read `OUT/comments.csv`, which the instructor writes: comments on a student's code, with points or none."""

import difflib
import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from graders.classroom.csv_table import BadTable
from graders.classroom.csv_table import read as read_table
from graders.classroom.find_student import fold
from graders.classroom.rubric import BankComment
from graders.language import tr, translatable
from graders.safe_text import safe_text

NAME = "comments.csv"
LONGEST = 2_000  # characters of a comment

_COLUMNS = ("id", "exercise", "line", "text")
_FRENCH = {
    "identifiant": "id",
    "exercice": "exercise",
    "ligne": "line",
    "texte": "text",
    "commentaire": "text",
    "comment": "text",
    "note": "points",
    "fichiers": "files",
}


class _BadRow(Exception):
    """A row is left out; the text says why."""


@dataclass(frozen=True, slots=True)
class Comment:
    """What a person says of a submission, of one of its exercises, or of a line of it.

    `points` are added to those of the exercise, or taken where they are below zero. `judged` is the digest of
    the files that it is about, or its beginning; None where that is not known. `row` is its row in the file.
    """

    id: str
    exercise: str | None
    line: int | None
    text: str
    points: float | None = None
    judged: str | None = field(default=None, compare=False)
    row: int = field(default=0, compare=False, repr=False)


def read(path: Path, bank: Mapping[str, BankComment]) -> tuple[list[Comment], list[str]]:
    """Read the comments of a file; also returns a sentence for each row that is left out.

    Args:
        path: of the file, which need not exist.
        bank: comments that a row may name by their codes.
    """
    if not path.exists() and not path.is_symlink():
        return [], []
    try:
        if path.is_symlink():  # as all that is read of a folder of results
            raise BadTable(tr("{file} is not a plain file", file=path.name))
        rows = read_table(path)
    except BadTable as error:
        return [], [tr("{error}: no comment is shown.", error=error)]
    texts = rows.texts()
    names = [fold(cell) for cell in texts[0]] if texts else []
    columns = {_FRENCH.get(name, name): index for index, name in reversed(list(enumerate(names)))}
    if "id" not in columns or not {"text", "code"} & set(columns):
        message = translatable("{file} needs a first line `{columns}`: no comment is shown.")
        return [], [tr(message, file=path.name, columns=",".join(_COLUMNS))]
    comments, notes = [], []
    for number, row in enumerate(texts[1:], 2):
        cells = {name: row[i].strip() for name, i in columns.items() if i < len(row)}
        try:
            comments.append(_comment(cells, bank, number))
        except _BadRow as error:
            message = translatable("{file}, row {number} is left out: {reason}.")
            notes.append(tr(message, file=path.name, number=number, reason=error))
        else:
            notes += _doubts(comments[-1], bank)
    return comments, notes


def tell(about: Comment, what: str) -> str:
    """A sentence about a row: `comments.csv, row 3, 'david', split_heads: nobody has this id`, and a stop."""
    names = ", ".join([repr(about.id), *([about.exercise] if about.exercise else [])])
    return tr("{file}, row {number}, {names}: {what}.", file=NAME, number=about.row, names=names, what=what)


def _comment(cells: Mapping[str, str], bank: Mapping[str, BankComment], row: int) -> Comment:
    if not cells.get("id"):
        raise _BadRow(tr("it needs an id"))
    line, points = _line(cells.get("line", "")), _points(cells.get("points", ""))
    code, text = cells.get("code", ""), cells.get("text", "")
    if code and code not in bank:
        raise _BadRow(_no_code(code, bank))
    kept = bank.get(code or text)
    if kept is not None:
        text = f"{kept.text} {text}".strip() if code else kept.text
        points = kept.points if points is None else points
    if not text and points is None:
        raise _BadRow(tr("it has neither a text nor points"))
    exercise = safe_text(cells.get("exercise", ""), 200) or None
    if exercise is None and (line is not None or points is not None):
        raise _BadRow(tr("a line and points need an exercise"))
    judged = cells.get("files", "").casefold() or None
    return Comment(
        safe_text(cells["id"], 200), exercise, line, safe_text(text, LONGEST), points, judged=judged, row=row
    )


def _doubts(comment: Comment, bank: Mapping[str, BankComment]) -> Iterator[str]:
    """That a text looks like a code of the bank, and is none."""
    if comment.text in bank or not comment.text or len(comment.text.split()) > 1:
        return
    if near := difflib.get_close_matches(comment.text, bank, n=1):
        message = translatable("no comment has the code {code} (there is {near}): the word is shown as it is")
        yield tell(comment, tr(message, code=repr(comment.text), near=near[0]))


def _no_code(code: str, bank: Collection[str]) -> str:
    shown, near = repr(safe_text(code, 60)), difflib.get_close_matches(code, bank, n=1)
    if near:
        return tr("rubric.toml has no comment {code}; the nearest is {near}", code=shown, near=near[0])
    return tr("rubric.toml has no comment {code}", code=shown)


def _line(text: str) -> int | None:
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 9 and int(text) > 0):
        raise _BadRow(tr("a line is a number from 1 on, and not {text}", text=repr(safe_text(text, 60))))
    return int(text)


def _points(text: str) -> float | None:
    """Parse points: with a sign or none, a decimal point or a decimal comma."""
    if not text:
        return None
    plain = text.replace("\u2212", "-").replace("\u2013", "-")  # the minus signs of word processors
    try:
        points = float("" if "_" in text else plain.replace(",", "."))
    except ValueError:
        points = math.nan
    if not math.isfinite(points):
        raise _BadRow(tr("points are a number, such as -0.5, and not {text}", text=repr(safe_text(text, 60))))
    return points


def points_of(comments: Iterable[Comment], exercise: str) -> float | None:
    """What comments add to the points of an exercise; None where none has points."""
    given = [comment.points for comment in comments if comment.exercise == exercise]
    numbers = [points for points in given if points is not None]
    return sum(numbers) if numbers else None
