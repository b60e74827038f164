"""Compute the mark of a submission from the graded points, the instructor's overrides and the late policy."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from graders.classroom.class_record import ClassRecord, HandIn, Student
from graders.course.late_policy import Late, LatePolicy, lateness
from graders.language import current_language, number, speaking, tr, translatable
from graders.results.result import Result
from graders.safe_text import safe_id

__all__ = ["Late", "Mark", "Override", "Student", "check_overrides", "compute_marks"]


@dataclass(frozen=True, slots=True)
class Override:
    """Points that the instructor set for an exercise, or for the whole submission if `exercise` is None."""

    id: str
    exercise: str | None
    points: float
    comment: str = ""


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
        undecided: points that neither the machine nor the instructor has decided.
        waiting: whether something was handed in that is not graded yet.
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

    @property
    def whole(self) -> Override | None:
        """The override of the whole submission, which replaces all other points."""
        return next((o for o in self.overrides if o.exercise is None), None)

    def override(self, exercise: str) -> Override | None:
        """The override of an exercise, if there is one."""
        return next((o for o in self.overrides if o.exercise == exercise), None)


@dataclass(frozen=True, slots=True)
class _MarkHolder:
    """Whoever gets a mark: a submission with its students, or a student without a submission."""

    id: str
    students: tuple[Student, ...]
    hand_in: HandIn | None
    result: Result | None

    def names(self) -> set[str]:
        """The names by which an override may mean this mark, in lower case."""
        names = [self.id, *(n for s in self.students for n in (s.id, s.email, s.username))]
        return {name.casefold() for name in names if name}


@dataclass(frozen=True)
class Marker:
    """Computes the same marks as `compute_marks`, one by one, without the results of the whole class."""

    class_record: ClassRecord
    overrides: tuple[Override, ...] = ()
    rule: LatePolicy | None = None
    _holders: dict[str, _MarkHolder] = field(default_factory=dict, init=False, repr=False)
    _given: dict[str, list[Override]] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        holders = _mark_holders({}, self.class_record)
        names = _owners_by_name(holders)
        self._holders.update((holder.id, holder) for holder in holders if holder.hand_in)
        for override in self.overrides:
            owner = names.get(override.id.casefold())
            key = (owner or override).id.casefold()
            self._given.setdefault(key, []).append(override)

    def mark(self, result: Result) -> Mark:
        """The mark of one submission."""
        id = result.submission.id  # noqa: A001
        holder = replace(self._holders.get(id) or _MarkHolder(id, (), None, None), result=result)
        return _mark(holder, self._given.get(id.casefold(), []), self.class_record, self.rule)

    def mark_others(self, graded: Collection[str]) -> Iterator[Mark]:
        """Yield the marks of all who have no result, beside the submissions of these ids, which have one."""
        for holder in _mark_holders(dict.fromkeys(graded), self.class_record):
            if holder.id not in graded:
                given = self._given.get(holder.id.casefold(), [])
                yield _mark(holder, given, self.class_record, self.rule)


def compute_marks(
    results: Sequence[Result],
    class_record: ClassRecord,
    overrides: Iterable[Override],
    rule: LatePolicy | None,
) -> list[Mark]:
    """The marks of all submissions and of all students without one, in the order of their ids."""
    holders = _mark_holders(_by_id(results), class_record)
    names = _owners_by_name(holders)
    given: dict[str, list[Override]] = {}
    for override in overrides:
        if owner := names.get(override.id.casefold()):
            given.setdefault(owner.id, []).append(override)
    return [_mark(holder, given.get(holder.id, []), class_record, rule) for holder in holders]


def check_overrides(
    results: Sequence[Result], class_record: ClassRecord, overrides: Iterable[Override]
) -> list[str]:
    """Return a sentence for each override that applies to nobody, or is unusual."""
    holders = _mark_holders(_by_id(results), class_record)
    names = _owners_by_name(holders)
    notes, seen = [], set[tuple[str, str | None]]()
    for override in overrides:
        owner = names.get(override.id.casefold())
        about = f"overrides.csv, {override.id!r}{f', {override.exercise}' if override.exercise else ''}"
        most = _available_points(override, owner, results, class_record)
        if owner is None:
            message = translatable("{about}: nobody has this id.")
            if override.id.casefold() in names:
                message = translatable("{about}: several submissions or students have this id.")
            notes.append(tr(message, about=about))
        elif most is None:
            notes.append(tr("{about}: the assignment has no such exercise.", about=about))
        elif override.points > most:
            notes.append(_exceeds_maximum(about, override.points, most))
        if owner and (owner.id, override.exercise) in seen:
            notes.append(tr("{about}: there are several; the last one counts.", about=about))
        if owner:
            seen.add((owner.id, override.exercise))
    return notes


def _exceeds_maximum(about: str, points: float, most: float) -> str:
    return tr(
        "{about}: {points} points are more than the {most} there are; they count.",
        about=about,
        points=number(points, "g"),
        most=number(most, "g"),
    )


def _by_id(results: Sequence[Result]) -> dict[str, Result]:
    return {result.submission.id: result for result in results}


def _mark_holders(graded: Mapping[str, Result | None], class_record: ClassRecord) -> list[_MarkHolder]:
    students = {student.id: student for student in class_record.students}
    hand_ins = {hand_in.id: hand_in for hand_in in class_record.hand_ins}
    holders = []
    for id in {**graded, **hand_ins}:  # noqa: A001 - the field's name everywhere
        hand_in = hand_ins.get(id)
        its_students = tuple(students[s] for s in (hand_in.students if hand_in else ()) if s in students)
        holders.append(_MarkHolder(id, its_students, hand_in, graded.get(id)))
    with_submission = {student.id for holder in holders for student in holder.students}
    used_ids = {holder.id.casefold() for holder in holders}
    for student in class_record.students:
        if student.id not in with_submission:
            holders.append(_MarkHolder(_unused_id(safe_id(student.id), used_ids), (student,), None, None))
    return sorted(holders, key=lambda holder: holder.id)


def _unused_id(name: str, used_ids: set[str]) -> str:
    id, number = name, 2  # noqa: A001
    while id.casefold() in used_ids:
        id, number = f"{name} ({number})", number + 1  # noqa: A001
    used_ids.add(id.casefold())
    return id


def _owners_by_name(holders: Iterable[_MarkHolder]) -> dict[str, _MarkHolder | None]:
    """The mark holder whom each name means; None if it means several."""
    owners: dict[str, _MarkHolder | None] = {}
    ids = {}
    for holder in holders:
        ids[holder.id.casefold()] = holder
        for name in holder.names():
            owners[name] = None if name in owners else holder
    return owners | ids  # the id of a submission always means that submission


def _available_points(
    override: Override, owner: _MarkHolder | None, results: Sequence[Result], class_record: ClassRecord
) -> float | None:
    """The maximum of what an override sets; None if there is no such exercise."""
    if override.exercise is None:
        return _max_points(owner, class_record)
    exercises = [owner.result] if owner and owner.result else results
    max_points = {e.name: e.max_points for result in exercises for e in result.exercises}
    return max_points.get(override.exercise)


def _max_points(holder: _MarkHolder | None, class_record: ClassRecord) -> float:
    return holder.result.max_points if holder and holder.result else class_record.max_points


def _mark(
    holder: _MarkHolder, given: Sequence[Override], class_record: ClassRecord, rule: LatePolicy | None
) -> Mark:
    most = _max_points(holder, class_record)
    in_force = {o.exercise: o for o in given if o.exercise is None or _is_exercise(o.exercise, holder)}
    reached, undecided = _reached_points(holder, in_force)
    with speaking(
        holder.result.language if holder.result else current_language()
    ):  # the sentence is shown beside those of the result
        late = None if None in in_force else _late(holder, rule, reached, most)
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
    )


def _is_exercise(name: str, holder: _MarkHolder) -> bool:
    return holder.result is None or any(e.name == name for e in holder.result.exercises)


def _student_or_team(holder: _MarkHolder) -> Student | None:
    if len(holder.students) > 1:
        return Student(holder.id, name=holder.hand_in.name if holder.hand_in else "")
    return holder.students[0] if holder.students else None


def _reached_points(
    holder: _MarkHolder, in_force: Mapping[str | None, Override]
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


def _late(holder: _MarkHolder, rule: LatePolicy | None, reached: float | None, most: float) -> Late | None:
    hand_in = holder.hand_in
    if hand_in is None or reached is None:
        return None
    if rule and hand_in.at:
        return lateness(rule, hand_in.at, reached, most)
    if hand_in.late:
        return Late(0, 0.0, tr("handed in late, as the learning platform says; no days are counted"))
    return None
