"""Compute the mark of a submission from the graded points, the instructor's word and the late policy."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from graders.classroom.class_record import Attempt, ClassRecord, HandIn, Student
from graders.classroom.comments import Comment, points_of
from graders.classroom.count_attempts import AttemptRules, count_one
from graders.classroom.due_dates import DueDates, due_dates_of
from graders.classroom.extensions import Extension
from graders.classroom.mark_holders import MarkHolder, Names, mark_holders
from graders.classroom.questions import with_given_points, with_questions
from graders.classroom.regrade import Regrade, find_regrade
from graders.classroom.rubric import Question
from graders.course.assignment_points import AssignmentPoints
from graders.course.attempt_policy import LATEST, AttemptPolicy
from graders.course.late_policy import Late, LatePolicy, lateness
from graders.language import current_language, number, speaking, tr, translatable
from graders.results.result import ExerciseResult, Result

__all__ = ["Hold", "Late", "Mark", "Override", "Student", "check_overrides", "compute_marks"]


@dataclass(frozen=True, slots=True)
class Override:
    """Points that the instructor set for an exercise, or for the whole submission if `exercise` is None.

    `judged` is the digest of the files that they are about, or its beginning; empty where nothing had been
    handed in, and None where that is not known. `comment` is for the student, `staff_note` for the staff.
    """

    id: str
    exercise: str | None
    points: float
    comment: str = ""
    judged: str | None = field(default=None, compare=False)
    staff_note: str = field(default="", compare=False, repr=False)  # no page of a student depends on it

    def judges(self, files: str) -> bool:
        """Whether it was set for the files of this digest, as far as that is known."""
        return self.judged is None or (bool(self.judged) and files.startswith(self.judged))


@dataclass(frozen=True, slots=True)
class Hold:
    """Whose mark and page the instructor holds back; `staff_note` is for the staff alone."""

    id: str
    staff_note: str = ""


@dataclass(frozen=True, slots=True)
class Mark:
    """The mark of one submission, or of a student who handed in nothing.

    Attributes:
        id: the id of the submission; without one, an id made from the student's.
        student: for a team, the team; None if the roster does not say whose the submission is.
        machine: the graded points, before overrides and lateness; None if nothing was graded.
        points: the points that count; None if nothing was graded and nothing was set.
        overrides: the overrides in force: the last one for each exercise.
        team: the students of a team, in the order of the roster.
        members: the marks of those members of the team for whom alone the instructor set points, who alone
            have more time, or whose mark alone is held back.
        undecided: points that neither the machine nor the instructor has decided.
        waiting: whether something was handed in that is not graded yet.
        counts: a sentence on the hand-in that counts, where it is an earlier one than the latest.
        held: the line that holds the mark and the page back: no export and no release has them.
        extension: the extension that holds, where there was more time than for the others.
        regrade: what changed since the earlier grading that the run was compared with.
        raised: the points that count beyond the machine's, since that grading gave them.
        comments: what people say of it; their points are in `overrides`.
        link_to: the site to whose pages of known mistakes the hints on its page lead; empty for none.
    """

    id: str
    student: Student | None
    handed_in: datetime | None
    machine: float | None
    points: float | None
    max_points: float
    overrides: tuple[Override, ...] = ()
    late: Late | None = None
    team: tuple[Student, ...] = ()
    undecided: float = 0
    waiting: bool = False
    members: tuple["Mark", ...] = ()
    counts: str = ""
    held: Hold | None = None
    extension: Extension | None = None
    regrade: Regrade | None = None
    raised: float = 0
    comments: tuple[Comment, ...] = ()
    link_to: str = ""

    def of(self, student: Student | None) -> "Mark":
        """The mark of one of the students: that of the team, unless points were set for them alone."""
        return next((mark for mark in self.members if mark.student == student), self)

    @property
    def differs_for_members(self) -> bool:
        """Whether a member of the team has other points than the others."""
        return any(member.points != self.points for member in self.members)

    @property
    def whole(self) -> Override | None:
        """The override of the whole submission, which replaces all other points."""
        return next((o for o in self.overrides if o.exercise is None), None)

    def set_by_hand(self, result: Result | None) -> tuple[Override, ...]:
        """The overrides of what softmark had judged: a question has no other points than a person's."""
        questions = {e.name for e in result.exercises if e.answer is not None} if result else set()
        return tuple(o for o in self.overrides if o.exercise not in questions)

    def override(self, exercise: str) -> Override | None:
        """The override of an exercise, if there is one."""
        return next((o for o in self.overrides if o.exercise == exercise), None)


Said = Override | Hold | Comment


class _Given(NamedTuple):
    """A line of the instructor's, and for a member of a team alone the member's id."""

    said: Said
    member: str | None


@dataclass(frozen=True)
class Marker:
    """Computes the same marks as `compute_marks`, one by one, without the results of the whole class."""

    class_record: ClassRecord
    overrides: tuple[Override, ...] = ()
    rule: LatePolicy | None = None
    attempt_policy: AttemptPolicy = LATEST
    extensions: tuple[Extension, ...] = ()
    holds: tuple[Hold, ...] = ()
    comments: tuple[Comment, ...] = ()
    questions: tuple[Question, ...] = ()
    assignment: AssignmentPoints | None = None
    _holders: dict[str, MarkHolder] = field(default_factory=dict, init=False, repr=False)
    _given: dict[str, list[_Given]] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        holders = mark_holders({}, self.class_record)
        self._holders.update((holder.id, holder) for holder in holders if holder.hand_in)
        lines: tuple[Said, ...] = (*self.overrides, *self.holds, *self.comments)
        self._given.update(_assign(lines, Names(holders)))

    @cached_property
    def due_dates(self) -> DueDates:
        """When each submission is due."""
        return due_dates_of(self.class_record, self.rule, self.extensions)

    @cached_property
    def attempt_rules(self) -> AttemptRules:
        """What decides which hand-in counts."""
        return AttemptRules.of(self.class_record, self.attempt_policy, self.due_dates, self.assignment)

    def is_handed_in(self, id: str) -> bool:  # noqa: A002 - the field's name everywhere
        """Whether a submission is one of the class; each is where nobody knows the class."""
        return not self.class_record.hand_ins or id in self._holders

    def count(self, out: Path, latest: Result) -> tuple[Result, Mark]:
        """The result of a submission that counts, and its mark.

        Args:
            out: the folder of the results.
            latest: the result of the files that came last.
        """
        counted = count_one(out, latest, self.attempt_rules)
        result = with_questions(counted.result, self.questions)
        mark = self.mark(result, counted.attempt)
        return with_given_points(result, mark), mark

    def mark(self, result: Result, attempt: Attempt | None = None) -> Mark:
        """The mark of one submission; an `attempt` is the hand-in that counts, if not the latest."""
        id = result.submission.id  # noqa: A001
        holder = replace(self._holders.get(id) or MarkHolder(id, (), None, None), result=result)
        holder = replace(holder, hand_in=_hand_in_of(holder.hand_in, attempt), attempt=attempt)
        return _mark_all(holder, self._given.get(id.casefold(), []), self.class_record, self.due_dates)

    def mark_others(self, graded: Collection[str]) -> Iterator[Mark]:
        """Yield the marks of all who have no result, beside the submissions of these ids, which have one."""
        for holder in mark_holders(dict.fromkeys(graded), self.class_record):
            if holder.id not in graded:
                given = self._given.get(holder.id.casefold(), [])
                yield _mark_all(holder, given, self.class_record, self.due_dates)


def compute_marks(
    results: Sequence[Result],
    class_record: ClassRecord,
    overrides: Iterable[Override],
    rule: LatePolicy | None,
    attempts: Mapping[str, Attempt] = MappingProxyType({}),
    *,
    extensions: Sequence[Extension] = (),
    holds: Sequence[Hold] = (),
    comments: Sequence[Comment] = (),
) -> list[Mark]:
    """The marks of all submissions and of all students without one, in the order of their ids.

    Args:
        results: those that count.
        class_record: the class.
        overrides: points that the instructor set.
        rule: what lateness costs.
        attempts: the hand-ins that count, by id, where they are not the latest.
        extensions: who has more time.
        holds: whose mark is held back.
        comments: what people say, with points or none.
    """
    holders = [
        replace(
            holder,
            hand_in=_hand_in_of(holder.hand_in, attempts.get(holder.id)),
            attempt=attempts.get(holder.id),
        )
        for holder in mark_holders(_by_id(results), class_record)
    ]
    given = _assign((*overrides, *holds, *comments), Names(holders))
    due = DueDates.of_class(rule, extensions, holders)
    return [_mark_all(holder, given.get(holder.id.casefold(), []), class_record, due) for holder in holders]


def _hand_in_of(hand_in: HandIn | None, attempt: Attempt | None) -> HandIn | None:
    """The hand-in at the time of the attempt that counts."""
    if hand_in is None or attempt is None:
        return hand_in
    return replace(hand_in, at=attempt.at, clock=attempt.clock, late=attempt.late)


def _assign(lines: Iterable[Said], names: Names) -> dict[str, list[_Given]]:
    """The lines about each submission by its id in lower case; its own, where nobody has the id."""
    given: dict[str, list[_Given]] = {}
    for said in lines:
        meant = names.find(said.id)
        for holder, member in meant:
            given.setdefault(holder.id.casefold(), []).append(_Given(said, member.id if member else None))
        if not meant and not names.is_unclear(said.id):  # a submission that the class does not name
            given.setdefault(said.id.casefold(), []).append(_Given(said, None))
    return given


def check_overrides(
    results: Sequence[Result], class_record: ClassRecord, overrides: Iterable[Override]
) -> list[str]:
    """Return a sentence for each override that applies to nobody, or is unusual."""
    names = Names(mark_holders(_by_id(results), class_record))
    notes, seen = [], set[tuple[object, ...]]()
    for override in overrides:
        meant = names.find(override.id)
        about = f"overrides.csv, {override.id!r}{f', {override.exercise}' if override.exercise else ''}"
        most = _available_points(override, meant[0].holder if meant else None, results, class_record)
        if not meant:
            message = translatable("{about}: nobody has this id.")
            if names.is_unclear(override.id):
                message = translatable("{about}: several students have this id.")
            notes.append(tr(message, about=about))
        elif most is None:
            notes.append(tr("{about}: the assignment has no such exercise.", about=about))
        elif override.points > most:
            notes.append(_exceeds_maximum(about, override.points, most))
        again = {(holder.id, member and member.id, override.exercise) for holder, member in meant}
        if again & seen:
            notes.append(tr("{about}: there are several; the last one counts.", about=about))
        seen |= again
    return notes


def check_holds(results: Sequence[Result], class_record: ClassRecord, holds: Iterable[Hold]) -> list[str]:
    """Return a sentence for each line that should hold back somebody whom nobody knows."""
    names = Names(mark_holders(_by_id(results), class_record))
    message = translatable("overrides.csv, {id}: nobody has this id, or several do, and nobody is held back.")
    return [tr(message, id=repr(hold.id)) for hold in holds if not names.find(hold.id)]


def _exceeds_maximum(about: str, points: float, most: float) -> str:
    return tr(
        "{about}: {points} points are more than the {most} there are; they count.",
        about=about,
        points=number(points, "g"),
        most=number(most, "g"),
    )


def _by_id(results: Sequence[Result]) -> dict[str, Result]:
    return {result.submission.id: result for result in results}


def _available_points(
    override: Override, owner: MarkHolder | None, results: Sequence[Result], class_record: ClassRecord
) -> float | None:
    """The maximum of what an override sets; None if there is no such exercise."""
    if override.exercise is None:
        return _max_points(owner, class_record)
    exercises = [owner.result] if owner and owner.result else results
    max_points = {e.name: e.max_points for result in exercises for e in result.exercises}
    return max_points.get(override.exercise)


def _max_points(holder: MarkHolder | None, class_record: ClassRecord) -> float:
    return holder.result.max_points if holder and holder.result else class_record.max_points


def _mark_all(holder: MarkHolder, given: Sequence[_Given], class_record: ClassRecord, due: DueDates) -> Mark:
    """The mark of a submission; for a team, with the marks of members whom alone something was said about."""
    of_all = [said for said, member in given if member is None]
    mark = _mark(holder, of_all, class_record, due)
    members = []
    for student in holder.students if len(holder.students) > 1 else ():
        own = [said for said, member in given if member == student.id]
        if own or due.extension(holder.id, student.id) != due.extension(holder.id):
            alone = _mark(holder, [*of_all, *own], class_record, due, student.id)
            members.append(replace(alone, student=student, team=()))
    return replace(mark, members=tuple(members)) if members else mark


def _mark(
    holder: MarkHolder,
    given: Sequence[Said],
    class_record: ClassRecord,
    due: DueDates,
    member: str | None = None,
) -> Mark:
    if holder.hand_in and holder.result:
        holder = replace(holder, hand_in=holder.hand_in.of_files(holder.result.submission.sha256))
    rule, overrides = due.policy(holder.id, member), [said for said in given if isinstance(said, Override)]
    most = _max_points(holder, class_record)
    comments = [said for said in given if isinstance(said, Comment) and _reaches(said, holder)]
    in_force = {o.exercise: o for o in overrides if o.exercise is None or _is_exercise(o.exercise, holder)}
    in_force |= _points_of_comments(holder, in_force, comments)
    reached, undecided = _reached_points(holder, in_force)
    regrade, raised = find_regrade(holder.result, holder.before), 0.0
    if regrade and class_record.never_lower and None not in in_force and reached is not None:
        raised = regrade.lost(in_force.keys())
        reached, undecided = reached + raised, min(undecided, max(0.0, round(most - reached - raised, 4)))
    with speaking(
        holder.result.language if holder.result else current_language()
    ):  # the sentence is shown beside those of the result
        late = None if None in in_force else _late(holder, rule, reached, most)
        counts = _describe_attempt(holder.attempt) if holder.attempt else ""
    points = in_force[None].points if None in in_force else reached
    if points is not None and late:
        points = max(points - late.lost, 0.0)
    return Mark(
        id=holder.id,
        student=_student_or_team(holder),
        handed_in=holder.hand_in.at if holder.hand_in else None,
        machine=float(holder.result.points) if holder.result else None,
        points=None if points is None else round(float(points), 4),
        max_points=most,
        overrides=tuple(in_force.values()),
        late=late,
        team=holder.students if len(holder.students) > 1 else (),
        undecided=undecided,
        waiting=holder.hand_in is not None and holder.result is None,
        counts=counts,
        held=next((said for said in reversed(given) if isinstance(said, Hold)), None),
        extension=due.extension(holder.id, member),
        comments=tuple(comments),
        regrade=regrade,
        raised=raised,
        link_to=class_record.link_to,
    )


def _points_of_comments(
    holder: MarkHolder, in_force: Mapping[str | None, Override], comments: Sequence[Comment]
) -> dict[str | None, Override]:
    """What comments make of the points of exercises for which no others were set, as overrides."""
    made = dict[str | None, Override]()
    for exercise in holder.result.exercises if holder.result and None not in in_force else ():
        given = points_of(comments, exercise.name)
        if given is not None and exercise.name not in in_force and is_open_to_comments(exercise):
            points = round(max(0.0, exercise.points + given), 4)
            made[exercise.name] = Override(holder.id, exercise.name, points)
    return made


def is_open_to_comments(exercise: ExerciseResult) -> bool:
    """Whether points of comments count there: not while softmark's own points are to be decided."""
    return exercise.answer is not None or not exercise.undecided_points


def _describe_attempt(attempt: Attempt) -> str:
    if attempt.at is None:
        return tr("files that were handed in earlier count here, and not those that came last")
    at = f"{attempt.at:%Y-%m-%d %H:%M}"
    return tr("the files that were handed in at {at} count here, and not those that came last", at=at)


def _is_exercise(name: str, holder: MarkHolder) -> bool:
    return holder.result is None or any(e.name == name for e in holder.result.exercises)


def _reaches(comment: Comment, holder: MarkHolder) -> bool:
    return comment.exercise is None or _is_exercise(comment.exercise, holder)


def _student_or_team(holder: MarkHolder) -> Student | None:
    if len(holder.students) > 1:
        return Student(holder.id, name=holder.hand_in.name if holder.hand_in else "")
    return holder.students[0] if holder.students else None


def _reached_points(
    holder: MarkHolder, in_force: Mapping[str | None, Override]
) -> tuple[float | None, float]:
    """Points before lateness, and the points still undecided."""
    if None in in_force:
        return in_force[None].points, 0.0
    if holder.result is None:
        return (sum(o.points for o in in_force.values()) if in_force else None), 0.0
    points, undecided = holder.result.points, holder.result.undecided_points
    for exercise in holder.result.exercises:
        if exercise.name in in_force:
            points += in_force[exercise.name].points - exercise.points
            undecided -= exercise.undecided_points
    return points, round(max(float(undecided), 0.0), 4)


def _late(holder: MarkHolder, rule: LatePolicy | None, reached: float | None, most: float) -> Late | None:
    hand_in = holder.hand_in
    if hand_in is None or reached is None:
        return None
    if rule and hand_in.at:
        return lateness(rule, hand_in.at, reached, most)
    if hand_in.late:
        return Late(0, 0.0, tr("handed in late, as the learning platform says; no days are counted"))
    return None
