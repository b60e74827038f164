"""Which files an override or a comment judged: it outlives them, and whoever wrote it has to know.

softmark never writes the instructor's files. It keeps in `class.json` for which files it first met each
line, unless the line has them itself, in a column `files`.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TypeVar

from graders.classroom.class_record import ClassRecord, Judged
from graders.classroom.comments import Comment, tell
from graders.classroom.mark_holders import Names, mark_holders
from graders.classroom.marks import Mark, Override
from graders.language import number, tr, translatable
from graders.results.result import Result
from graders.results.store import read_result

SHOWN = 8  # characters of a digest that tell a student's files apart


Said = Override | Comment  # a line of the instructor's
_Line = TypeVar("_Line", Override, Comment)


def line_digest(said: Said) -> str:
    """A digest of a line of the instructor's: a line that says something else is another one."""
    line: tuple[object, ...] = (said.id.casefold(), said.exercise, said.points)
    line += (said.comment,) if isinstance(said, Override) else (said.line, said.text)
    return hashlib.sha256(repr(line).encode()).hexdigest()[:32]


def with_judged(lines: Iterable[_Line], class_record: ClassRecord) -> list[_Line]:
    """The lines with the files that they judged, where that is known."""
    known = {judged.override: judged.sha256 for judged in class_record.judged}
    return [
        said if said.judged is not None else replace(said, judged=known.get(line_digest(said)))
        for said in lines
    ]


def note_new(lines: Sequence[Said], class_record: ClassRecord, out: Path, *, is_graded: bool) -> ClassRecord:
    """The record of the class with the files that new lines judged, and without those that are gone.

    Args:
        lines: all that are in force.
        class_record: the class.
        out: the folder of the results.
        is_graded: whether the class has been graded, so that who has no hand-in has none; before that, files
            may be judged whose result is there.
    """
    known = {judged.override: judged for judged in class_record.judged}
    names = Names(mark_holders({}, class_record)) if lines else None
    judged = []
    for said in lines:
        digest = line_digest(said)
        files = known[digest].sha256 if digest in known else None
        if files is None and names is not None:
            files = _files_of(said, names, out, is_graded=is_graded)
        if files is not None:
            judged.append(Judged(digest, files))
    return replace(class_record, judged=tuple(dict.fromkeys(judged)))


def _files_of(said: Said, names: Names, out: Path, *, is_graded: bool) -> str | None:
    """The digest of the files that a line is about: empty for none, None where it is not known yet."""
    for holder, _ in names.find(said.id):
        if holder.hand_in is None:
            return "" if is_graded else None
        result = read_result(out, holder.id)
        return result.submission.sha256 if result else None
    return None


def tell_stale(marks: Iterable[Mark], results: Iterable[Result]) -> list[str]:
    """A sentence for each override or comment that was made for other files than those that count now."""
    files = {result.submission.id: result.submission.sha256 for result in results}
    sentences: dict[Said, str] = {}
    for mark in chain.from_iterable((mark, *mark.members) for mark in marks):
        for override in mark.overrides:
            now = files.get(mark.id, "")
            if now and not override.judges(now):
                sentences[override] = _describe(override, now)
        for comment in mark.comments:
            now = files.get(mark.id, "")
            if now and comment.judged and not now.startswith(comment.judged):
                sentences[comment] = _describe_comment(comment, now)
    return list(sentences.values())


def _describe(override: Override, now: str) -> str:
    message = translatable(
        "overrides.csv, {id}: {points} points were set for other files than those that count now, and are in "
        "force. Look at them again: if they still hold, write {files} in a column `files` of that line; "
        "otherwise change or remove it."
    )
    if override.judged == "":
        message = translatable(
            "overrides.csv, {id}: {points} points were set when nothing was handed in, and are in force. "
            "Look at what there is now: if they still hold, write {files} in a column `files` of that line; "
            "otherwise change or remove it."
        )
    whose = f"{override.id!r}{f', {override.exercise}' if override.exercise else ''}"
    return tr(message, id=whose, points=number(override.points, "g"), files=now[:SHOWN])


def _describe_comment(comment: Comment, now: str) -> str:
    message = translatable(
        "it is about other files than those that count now, and is shown. Look at it again, since its line "
        "may be another: if it still holds, write {files} in a column `files` of that row; otherwise change "
        "or remove it"
    )
    return tell(comment, tr(message, files=now[:SHOWN]))
