"""Compute the marks of a run from its results, `class.json`, `overrides.csv` and the late policy."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from graders.classroom import overrides
from graders.classroom.class_record import FILE, LIMIT, ClassRecord, from_json, to_json
from graders.classroom.marks import Mark, Marker, Override, check_overrides, compute_marks
from graders.course.course_file import late_policy
from graders.course.late_policy import LatePolicy
from graders.language import list_names, tr, translatable
from graders.results.atomic_write import write_atomically
from graders.results.read_below import read_below
from graders.results.result import CHANGED, Result


@dataclass(frozen=True, kw_only=True)
class MarkRules:
    """What marks are made with, where it is not what the course and the folder of results say.

    Attributes:
        late: when the assignment is due and what lateness costs; None is what the course's file says.
        overrides: points that the instructor set; None are those in `OUT/overrides.csv`.
    """

    late: LatePolicy | None = None
    overrides: Sequence[Override] | None = None

    def late_policy(self, assignment: str) -> LatePolicy | None:
        """The late policy that is in force.

        Raises:
            BadRule: that of the course's file is wrong.
        """
        return self.late or late_policy(assignment)


OF_RUN = MarkRules()


def compute_run_marks(
    out: Path, results: Sequence[Result], rules: MarkRules = OF_RUN
) -> tuple[list[Mark], list[str]]:
    """Compute the marks of all submissions and students; also returns sentences for the instructor."""
    marker, notes = make_marker(out, results, rules)
    class_record, given = marker.class_record, marker.overrides
    marks = compute_marks(results, class_record, given, marker.rule)
    about = [
        *_describe_leftovers(class_record),
        *_note_shared_students(class_record),
        *_note_missing_times(class_record, marker.rule),
        *_note_absent(marks),
    ]
    notes += _note_changed(results)
    return marks, [*notes, *check_overrides(results, class_record, given), *about]


def make_marker(
    out: Path, results: Sequence[Result] = (), rules: MarkRules = OF_RUN
) -> tuple[Marker, list[str]]:
    """Make the marker of a run; also returns sentences about files that could not be read.

    Raises:
        BadRule: the late policy cannot be read; without it, the marks would be wrong.
    """
    class_record, notes = read_class(out, results)
    unread: list[str] = []
    given = rules.overrides
    if given is None:
        given, unread = overrides.read(out / overrides.NAME)
    policy = rules.late_policy(class_record.assignment)
    return Marker(class_record, tuple(given), policy), [*notes, *unread]


def read_class(out: Path, results: Sequence[Result]) -> tuple[ClassRecord, list[str]]:
    """Read the class of a run; if `class.json` is missing or broken, make one from the results alone."""
    notes: list[str] = []
    try:
        return from_json(read_below(out, LIMIT, FILE).text), notes
    except FileNotFoundError:
        pass
    except (OSError, ValueError, RecursionError) as error:
        reason = " ".join(str(error).split())[:200]
        message = tr(
            "{file} cannot be read ({reason}): names and times are missing.", file=FILE, reason=reason
        )
        notes.append(message)
    first = next(iter(results), None)
    most = max((result.max_points for result in results), default=0.0)
    return ClassRecord(first.assignment if first else "", most), notes


def save_class(out: Path, class_record: ClassRecord) -> None:
    """Write `OUT/class.json`."""
    out.mkdir(parents=True, exist_ok=True)
    write_atomically(out / FILE, to_json(class_record).encode())


def _describe_leftovers(class_record: ClassRecord) -> list[str]:
    notes = [tr("{what}: {why}.", what=item.what, why=item.why) for item in class_record.unmatched]
    for earlier in class_record.earlier:
        message = translatable("{source}: a hand-in that does not count, since {instead} came after it.")
        if earlier.at:
            message = translatable(
                "{source}: a hand-in of {at} that does not count, since {instead} came after it."
            )
        at = f"{earlier.at:%Y-%m-%d %H:%M %z}" if earlier.at else ""
        notes.append(tr(message, source=earlier.source, at=at, instead=earlier.instead))
    return notes


def _note_changed(results: Sequence[Result]) -> list[str]:
    changed = [result.submission.id for result in results if result.digest == CHANGED]
    message = translatable(
        "Somebody has changed the results of {names} since softmark wrote them, and the points are those "
        "that stand there now. To give other points, write them into overrides.csv; --force grades again."
    )
    return [tr(message, names=list_names(changed))] if changed else []


def _note_shared_students(class_record: ClassRecord) -> list[str]:
    """A sentence for each student in several submissions, such as a team's and one of their own."""
    submissions: dict[str, list[str]] = {}
    for hand_in in class_record.hand_ins:
        for student in hand_in.students:
            submissions.setdefault(student, []).append(hand_in.id)
    names = {student.id: student.name or student.id for student in class_record.students}
    message = translatable(
        "{name} belongs to several submissions, such as a team's and one of their own: {ids}. Each has its "
        "points, and no platform's table gets any of them until a line of overrides.csv with the student's "
        "id sets those of the whole."
    )
    return [
        tr(message, name=names[student], ids=list_names(ids))
        for student, ids in submissions.items()
        if len(ids) > 1
    ]


def _note_missing_times(class_record: ClassRecord, rule: LatePolicy | None) -> list[str]:
    if rule is None:
        return []
    notes = (
        [tr("Times that name no time zone were read as {zone}.", zone=class_record.zone)]
        if class_record.zone
        else []
    )
    unknown = [hand_in.id for hand_in in class_record.hand_ins if hand_in.at is None]
    if unknown:
        message = translatable(
            "There is a late rule, and no time is known of {names}: they are taken as in time."
        )
        notes.append(tr(message, names=list_names(unknown)))
    return notes


def _note_absent(marks: Sequence[Mark]) -> list[str]:
    absent = [m.student.name or m.id for m in marks if m.machine is None and m.student and not m.waiting]
    waiting = [mark.id for mark in marks if mark.waiting]
    notes = [tr("Nothing was handed in by {names}.", names=list_names(absent))] if absent else []
    return [*notes, tr("Not graded yet: {names}.", names=list_names(waiting))] if waiting else notes
