"""Which files an override judged: an override outlives them, and whoever wrote it has to know.

softmark never writes overrides.csv. It keeps in `class.json` for which files it first met each line, unless
the line has them itself, in a column `files`.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path

from graders.classroom.class_record import ClassRecord, Judged
from graders.classroom.mark_holders import Names, mark_holders
from graders.classroom.marks import Mark, Override
from graders.language import number, tr, translatable
from graders.results.result import Result
from graders.results.store import read_result

SHOWN = 8  # characters of a digest that tell a student's files apart


def line_digest(override: Override) -> str:
    """A digest of a line of overrides.csv: a line that says something else is another one."""
    line = (override.id.casefold(), override.exercise, override.points, override.comment)
    return hashlib.sha256(repr(line).encode()).hexdigest()[:32]


def with_judged(overrides: Iterable[Override], class_record: ClassRecord) -> list[Override]:
    """The overrides with the files that they judged, where that is known."""
    known = {judged.override: judged.sha256 for judged in class_record.judged}
    return [
        override
        if override.judged is not None
        else replace(override, judged=known.get(line_digest(override)))
        for override in overrides
    ]


def note_new(
    overrides: Sequence[Override], class_record: ClassRecord, out: Path, *, is_graded: bool
) -> ClassRecord:
    """The record of the class with the files that new overrides judged, and without those that are gone.

    Args:
        overrides: all that are in force.
        class_record: the class.
        out: the folder of the results.
        is_graded: whether the class has been graded, so that who has no hand-in has none; before that, files
            may be judged whose result is there.
    """
    known = {judged.override: judged for judged in class_record.judged}
    names = Names(mark_holders({}, class_record)) if overrides else None
    judged = []
    for override in overrides:
        digest = line_digest(override)
        files = known[digest].sha256 if digest in known else None
        if files is None and names is not None:
            files = _files_of(override, names, out, is_graded=is_graded)
        if files is not None:
            judged.append(Judged(digest, files))
    return replace(class_record, judged=tuple(dict.fromkeys(judged)))


def _files_of(override: Override, names: Names, out: Path, *, is_graded: bool) -> str | None:
    """The digest of the files that an override is about: empty for none, None where it is not known yet."""
    for holder, _ in names.find(override.id):
        if holder.hand_in is None:
            return "" if is_graded else None
        result = read_result(out, holder.id)
        return result.submission.sha256 if result else None
    return None


def tell_stale(marks: Iterable[Mark], results: Iterable[Result]) -> list[str]:
    """A sentence for each override that was set for other files than those that count now."""
    files = {result.submission.id: result.submission.sha256 for result in results}
    sentences = {}
    for mark in chain.from_iterable((mark, *mark.members) for mark in marks):
        for override in mark.overrides:
            now = files.get(mark.id, "")
            if now and not override.judges(now):
                sentences[override] = _describe(override, now)
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
