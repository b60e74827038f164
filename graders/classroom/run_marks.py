"""Compute the marks of a run from its results, `class.json`, the instructor's tables and the late policy."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timezone
from pathlib import Path

from graders.classroom import comments, extensions, overrides
from graders.classroom.check_comments import check_comments, check_questions
from graders.classroom.class_record import FILE, LIMIT, Attempt, ClassRecord, from_json, to_json
from graders.classroom.count_attempts import CountedClass, carry_over, count_class, settle_attempts
from graders.classroom.current_points import has_other_exercises
from graders.classroom.due_dates import check_extensions
from graders.classroom.extensions import Extension
from graders.classroom.judged_files import note_new, tell_stale, with_judged
from graders.classroom.mark_holders import mark_holders
from graders.classroom.marks import Mark, Marker, Override, check_holds, check_overrides, compute_marks
from graders.classroom.questions import with_given_points, with_questions
from graders.classroom.rubric import read as read_rubric
from graders.course.assignment_points import assignment_points
from graders.course.attempt_policy import AttemptPolicy
from graders.course.course_file import attempt_policy, course_table, late_policy, read_course
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
        attempt: which of several hand-ins counts; None is what the course's file says.
        extensions: who has more time; None is what `extensions.csv` says, in `OUT` or beside it.
    """

    late: LatePolicy | None = None
    overrides: Sequence[Override] | None = None
    attempt: AttemptPolicy | None = None
    extensions: Sequence[Extension] | None = None

    def late_policy(self, assignment: str) -> LatePolicy | None:
        """The late policy that is in force.

        Raises:
            BadRule: that of the course's file is wrong.
        """
        return self.late or late_policy(assignment)

    def attempt_policy(self, assignment: str) -> AttemptPolicy:
        """Which of several hand-ins counts.

        Raises:
            BadRule: what the course's file says is wrong.
        """
        return self.attempt or attempt_policy(assignment)

    def read_extensions(self, out: Path, assignment: str) -> tuple[Sequence[Extension], list[str]]:
        """Who has more time; also returns a sentence for each line that gives nothing.

        Raises:
            BadRule: the late policy of the course's file is wrong.
        """
        if self.extensions is not None:
            return self.extensions, []
        return extensions.read(out, assignment, self.late_policy(assignment), list(read_course()))


OF_RUN = MarkRules()


@dataclass(frozen=True)
class RunMarks:
    """The marks of a run.

    Attributes:
        results: of the hand-ins that count, one for each submission.
        marks: of all submissions and students.
        notes: sentences for the instructor.
        attempts: the hand-ins that count, by id, where they are not the latest.
    """

    results: list[Result]
    marks: list[Mark]
    notes: list[str]
    attempts: Mapping[str, Attempt]


def compute_run_marks(out: Path, latest: Sequence[Result], rules: MarkRules = OF_RUN) -> RunMarks:
    """Compute the marks of all submissions and students.

    Args:
        out: the folder of the run.
        latest: the results of what was handed in last, one for each submission.
        rules: what marks are made with.
    """
    marker, notes = make_marker(out, latest, rules)
    class_record, given = marker.class_record, marker.overrides
    there = [result for result in latest if marker.is_handed_in(result.submission.id)]
    counted = count_class(out, there, marker.attempt_rules)
    results = [with_questions(result, marker.questions) for result in counted.results]
    marks = compute_marks(
        results,
        class_record,
        given,
        marker.rule,
        counted.attempts,
        extensions=marker.extensions,
        holds=marker.holds,
        comments=marker.comments,
    )
    by_id = {mark.id: mark for mark in marks}
    results = [with_given_points(result, by_id[result.submission.id]) for result in results]
    about = [
        *tell_stale(marks, results),
        *_note_gone(latest, there),
        *_note_outdated(there, marker),
        *_note_attempts(counted, marker.attempt_policy),
        *_describe_leftovers(class_record),
        *_note_shared_students(class_record),
        *_note_missing_times(class_record, marker.rule),
        *_note_absent(marks),
    ]
    holders = mark_holders({result.submission.id: result for result in results}, class_record)
    notes += [
        *_note_changed(results),
        *check_overrides(results, class_record, given),
        *check_holds(results, class_record, marker.holds),
        *check_extensions(marker.extensions, holders),
        *about,
        *check_comments(out, results, class_record, marker),
        *check_questions(results, marker.questions),
    ]
    return RunMarks(results, marks, notes, counted.attempts)


def make_marker(
    out: Path, results: Sequence[Result] = (), rules: MarkRules = OF_RUN
) -> tuple[Marker, list[str]]:
    """Make the marker of a run; also returns sentences about files that could not be read.

    Raises:
        BadRule: the late policy cannot be read; without it, the marks would be wrong.
    """
    class_record, notes = read_class(out, results)
    class_record = replace(class_record, link_to=class_record.link_to or course_table().link_to)
    worth = assignment_points(class_record.assignment)
    if worth is not None:
        class_record = replace(class_record, max_points=worth.points)
    read = overrides.read(out / overrides.NAME) if rules.overrides is None else overrides.Given()
    given = with_judged(read.overrides, class_record) if rules.overrides is None else rules.overrides
    assignment = class_record.assignment
    more_time, left_out = rules.read_extensions(out, assignment)
    rubric, wrong = read_rubric(out)
    said, not_said = comments.read(out / comments.NAME, rubric.bank)
    marker = Marker(
        replace(class_record, max_points=class_record.max_points + rubric.points),
        overrides=tuple(given),
        rule=rules.late_policy(assignment),
        attempt_policy=rules.attempt_policy(assignment),
        extensions=tuple(more_time),
        holds=read.holds,
        comments=tuple(with_judged(said, class_record)),
        questions=rubric.questions,
        assignment=worth,
    )
    return marker, [*notes, *read.notes, *left_out, *wrong, *not_said]


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


def save_next_class(out: Path, class_record: ClassRecord) -> None:
    """Write `OUT/class.json` of a new run, with what the last one knew of hand-ins and overrides."""
    try:
        before = from_json(read_below(out, LIMIT, FILE).text)
    except (OSError, ValueError, RecursionError):  # the first run into this folder, or a damaged file
        save_class(out, class_record)
        return
    save_class(out, carry_over(before, class_record, out))
    settle_class(out, None)


def settle_class(out: Path, results: Sequence[Result] | None, run: str = "") -> None:
    """Write into `OUT/class.json` when files came, and which of them new overrides judged.

    Args:
        out: the folder of the run.
        results: those of the class; None before it is graded.
        run: the digest of what the results of this run depend on; empty where nothing was graded.
    """
    try:
        class_record = from_json(read_below(out, LIMIT, FILE).text)
    except (OSError, ValueError, RecursionError):
        return
    given = overrides.read(out / overrides.NAME)
    said, left_out = comments.read(out / comments.NAME, read_rubric(out)[0].bank)
    if (given.notes and not given.overrides) or (left_out and not said):  # a file may be mended
        return
    noted = note_new([*given.overrides, *said], class_record, out, is_graded=results is not None)
    noted = settle_attempts(noted, results or (), out)
    noted = replace(noted, run=run or noted.run)
    if noted != class_record:
        save_class(out, noted)


def _describe_leftovers(class_record: ClassRecord) -> list[str]:
    notes = [tr("{what}: {why}.", what=item.what, why=item.why) for item in class_record.unmatched]
    for earlier in class_record.earlier:
        message = translatable("{source}: a hand-in that does not count, since {instead} does.")
        if earlier.at:
            message = translatable("{source}: a hand-in of {at} that does not count, since {instead} does.")
        at = f"{earlier.at:%Y-%m-%d %H:%M %z}" if earlier.at else ""
        notes.append(tr(message, source=earlier.source, at=at, instead=earlier.instead))
    return notes


def _note_attempts(counted: CountedClass, policy: AttemptPolicy) -> list[str]:
    notes = []
    if counted.attempts:
        message = translatable(
            'An earlier hand-in counts of {names}, and not the latest (attempt = "{policy}" in course.toml).'
        )
        notes.append(tr(message, names=list_names(sorted(counted.attempts)), policy=policy))
    if counted.better:
        message = translatable(
            "Another hand-in than the one that counts would give more points to {names} "
            '(attempt = "{policy}"; "best" in course.toml takes it).'
        )
        notes.append(tr(message, names=list_names(counted.better), policy=policy))
    if counted.not_compared:
        message = translatable(
            "Earlier hand-ins of {names} were graded with other exercises or points, and count no more."
        )
        notes.append(tr(message, names=list_names(counted.not_compared)))
    return notes


def _note_gone(latest: Sequence[Result], there: Sequence[Result]) -> list[str]:
    gone = {result.submission.id for result in latest} - {result.submission.id for result in there}
    message = translatable(
        "Not handed in any more, and left out of marks, mean and count: {names}. Their results stay in their "
        "folders until you remove them."
    )
    return [tr(message, names=list_names(sorted(gone)))] if gone else []


def _note_outdated(latest: Sequence[Result], marker: Marker) -> list[str]:
    """Sentences about results that a new grading would change, or may change."""
    other = [r.submission.id for r in latest if has_other_exercises(r, marker.assignment)]
    run = marker.class_record.run
    before = [
        r.submission.id for r in latest if run and r.run and r.run != run and r.submission.id not in other
    ]
    notes = []
    if other:
        message = translatable(
            "The assignment has other exercises now than when these were graded: {count} ({names}). "
            "Exercises that came later are undecided; softmark grade grades them."
        )
        notes.append(tr(message, count=len(other), names=list_names(other)))
    if before:
        message = translatable(
            "Graded by an earlier run with other checks, settings or packages than the last one: {count} "
            "({names}). softmark grade without --only and --only-failed grades them again."
        )
        notes.append(tr(message, count=len(before), names=list_names(before)))
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
    notes = []
    if class_record.zone:
        message = translatable("Times that name no time zone were read as {zone}.")
        if isinstance(rule.due.tzinfo, timezone):
            message = translatable(
                "Times that name no time zone were read as {zone}. Where clocks change, that is wrong for "
                'half of the year: write zone = "Europe/Paris", or another, into the late rule.'
            )
        notes.append(tr(message, zone=class_record.zone))
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
