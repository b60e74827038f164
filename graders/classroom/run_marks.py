"""The marks of a run, from what lies in OUT: results, `class.json`, `overrides.csv`, and the late rule."""

from collections.abc import Sequence
from pathlib import Path

from graders.classroom import class_record, overrides
from graders.classroom.class_record import ClassRecord
from graders.classroom.marks import Mark, Marker, marks_of, notes_on
from graders.course.course_file import late_policy
from graders.course.late_policy import BadRule, LatePolicy
from graders.language import tr, translatable, trn
from graders.results.atomic_write import write_atomically
from graders.results.result import Result

CLASS = "class.json"
SHOWN = 20  # names in one sentence


def mark_run(out: Path, results: Sequence[Result]) -> tuple[list[Mark], list[str]]:
    """The marks of all submissions and students, and sentences for the instructor."""
    marker, notes = marker_of(out, results)
    klass, given = marker.klass, marker.overrides
    marks = marks_of(results, klass, given, marker.rule)
    about = [*_about(klass), *_timeless(klass, marker.rule), *_absent(marks)]
    return marks, [*notes, *notes_on(results, klass, given), *about]


def marker_of(out: Path, results: Sequence[Result] = ()) -> tuple[Marker, list[str]]:
    """What marks the submissions of a run one by one, and what of its files could not be understood."""
    klass, notes = class_of(out, results)
    given, unread = overrides.read(out / overrides.NAME)
    rule, unruly = _rule(klass.assignment)
    return Marker(klass, tuple(given), rule), [*notes, *unread, *unruly]


def class_of(out: Path, results: Sequence[Result]) -> tuple[ClassRecord, list[str]]:
    """The class of a run; where `class.json` is missing or broken, one made of the results alone."""
    path = out / CLASS
    notes: list[str] = []
    try:
        return class_record.from_json(path.read_text(encoding="utf-8")), notes
    except FileNotFoundError:
        pass
    except (OSError, ValueError, RecursionError) as error:
        reason = " ".join(str(error).split())[:200]
        message = tr(
            "{file} cannot be read ({reason}): names and times are missing.", file=CLASS, reason=reason
        )
        notes.append(message)
    first = next(iter(results), None)
    most = max((result.max_points for result in results), default=0.0)
    return ClassRecord(first.assignment if first else "", most), notes


def save(out: Path, klass: ClassRecord) -> None:
    """Write `OUT/class.json`, whole."""
    out.mkdir(parents=True, exist_ok=True)
    write_atomically(out / CLASS, class_record.to_json(klass).encode())


def _rule(assignment: str) -> tuple[LatePolicy | None, list[str]]:
    try:
        return late_policy(assignment), []
    except BadRule as error:
        return None, [_unruly(assignment, error)]


def _unruly(assignment: str, error: BadRule) -> str:
    message = translatable("course.toml, [{assignment}]: {error} No late rule is in force.")
    return tr(message, assignment=assignment, error=error)


def _about(klass: ClassRecord) -> list[str]:
    notes = [tr("{what}: {why}.", what=one.what, why=one.why) for one in klass.unmatched]
    for one in klass.earlier:
        message = translatable("{source}: a hand-in that does not count, since {instead} came after it.")
        if one.at:
            message = translatable(
                "{source}: a hand-in of {at} that does not count, since {instead} came after it."
            )
        at = f"{one.at:%Y-%m-%d %H:%M %z}" if one.at else ""
        notes.append(tr(message, source=one.source, at=at, instead=one.instead))
    return notes


def _timeless(klass: ClassRecord, rule: LatePolicy | None) -> list[str]:
    if rule is None:
        return []
    notes = [tr("Times that name no time zone were read as {zone}.", zone=klass.zone)] if klass.zone else []
    unknown = [hand_in.id for hand_in in klass.hand_ins if hand_in.at is None]
    if unknown:
        message = translatable(
            "There is a late rule, and no time is known of {names}: they are taken as in time."
        )
        notes.append(tr(message, names=_names(unknown)))
    return notes


def _absent(marks: Sequence[Mark]) -> list[str]:
    absent = [m.student.name or m.id for m in marks if m.machine is None and m.student and not m.waiting]
    waiting = [mark.id for mark in marks if mark.waiting]
    notes = [tr("Nothing was handed in by {names}.", names=_names(absent))] if absent else []
    return [*notes, tr("Not graded yet: {names}.", names=_names(waiting))] if waiting else notes


def _names(names: Sequence[str]) -> str:
    shown, left = ", ".join(names[:SHOWN]), len(names) - SHOWN
    return trn("{names} and {n} more", "{names} and {n} more", left, names=shown) if left > 0 else shown
