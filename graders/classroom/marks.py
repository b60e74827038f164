"""What a submission is worth in the end: the machine's points, what the instructor set, and lateness."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from graders.classroom.class_record import ClassRecord, HandIn, Student
from graders.course.late_policy import Late, LatePolicy, lateness
from graders.language import number, speaking, spoken, tr, translatable
from graders.results.result import Result
from graders.safe_text import safe_id

__all__ = ["Late", "Mark", "Override", "Student", "marks_of", "notes_on"]


@dataclass(frozen=True, slots=True)
class Override:
    """Points that the instructor set for an exercise, or for the whole where `exercise` is None."""

    id: str
    exercise: str | None
    points: float
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Mark:
    """What counts for one submission, or for a student who handed in nothing.

    Attributes:
        id: the submission's id; of a student without one, an id made of the student's.
        student: None where the roster does not know whose it is. For a team, the team.
        machine: what grading found, before overrides and lateness; None where nothing was graded.
        points: what counts; None where nothing was graded and nothing was set.
        overrides: those in force, the last one for each exercise.
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
        """The override of the whole, which wins over everything."""
        return next((o for o in self.overrides if o.exercise is None), None)

    def override(self, exercise: str) -> Override | None:
        """The override of an exercise."""
        return next((o for o in self.overrides if o.exercise == exercise), None)


@dataclass(frozen=True, slots=True)
class _Who:
    """Somebody to be marked: a submission, a student, or both."""

    id: str
    students: tuple[Student, ...]
    hand_in: HandIn | None
    result: Result | None

    def names(self) -> set[str]:
        """All by which an override may call them, without regard to capitals."""
        known = [self.id, *(n for s in self.students for n in (s.id, s.email, s.username))]
        return {name.casefold() for name in known if name}


@dataclass(frozen=True)
class Marker:
    """Marks submissions one by one, as `marks_of` does, without having the results of all."""

    klass: ClassRecord
    overrides: tuple[Override, ...] = ()
    rule: LatePolicy | None = None
    _who: dict[str, _Who] = field(default_factory=dict, init=False, repr=False)
    _given: dict[str, list[Override]] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        who = _everybody([], self.klass)
        names = _names(who)
        self._who.update((one.id, one) for one in who if one.hand_in)
        for one in self.overrides:
            whose = names.get(one.id.casefold())
            self._given.setdefault(whose.id.casefold() if whose else one.id.casefold(), []).append(one)

    def mark(self, result: Result) -> Mark:
        """The mark of one submission."""
        id = result.submission.id  # noqa: A001
        who = replace(self._who.get(id) or _Who(id, (), None, None), result=result)
        return _mark(who, self._given.get(id.casefold(), []), self.klass, self.rule)


def marks_of(
    results: Sequence[Result], klass: ClassRecord, overrides: Iterable[Override], rule: LatePolicy | None
) -> list[Mark]:
    """The marks of all submissions and of all students without one, in the order of their ids."""
    given, who = list(overrides), _everybody(results, klass)
    names = _names(who)
    return [_mark(one, [o for o in given if names.get(o.id.casefold()) is one], klass, rule) for one in who]


def notes_on(results: Sequence[Result], klass: ClassRecord, overrides: Iterable[Override]) -> list[str]:
    """A sentence for each override that is in force for nobody, or is unusual."""
    who = _everybody(results, klass)
    names = _names(who)
    notes, seen = [], set[tuple[str, str | None]]()
    for one in overrides:
        whose = names.get(one.id.casefold())
        about = f"overrides.csv, {one.id!r}{f', {one.exercise}' if one.exercise else ''}"
        most = _most(one, whose, results, klass)
        if whose is None:
            message = translatable("{about}: nobody has this id.")
            if one.id.casefold() in names:
                message = translatable("{about}: more than one has this id.")
            notes.append(tr(message, about=about))
        elif most is None:
            notes.append(tr("{about}: the assignment has no such exercise.", about=about))
        elif one.points > most:
            notes.append(_more(about, one.points, most))
        if whose and (whose.id, one.exercise) in seen:
            notes.append(tr("{about}: there are several; the last one counts.", about=about))
        if whose:
            seen.add((whose.id, one.exercise))
    return notes


def _more(about: str, points: float, most: float) -> str:
    return tr(
        "{about}: {points} points are more than the {most} there are; they count.",
        about=about,
        points=number(points, "g"),
        most=number(most, "g"),
    )


def _everybody(results: Sequence[Result], klass: ClassRecord) -> list[_Who]:
    students = {student.id: student for student in klass.students}
    hand_ins = {hand_in.id: hand_in for hand_in in klass.hand_ins}
    graded = {result.submission.id: result for result in results}
    who = []
    for id in {**graded, **hand_ins}:  # noqa: A001 - the field's name everywhere
        hand_in = hand_ins.get(id)
        whose = tuple(students[s] for s in (hand_in.students if hand_in else ()) if s in students)
        who.append(_Who(id, whose, hand_in, graded.get(id)))
    there = {student.id for one in who for student in one.students}
    taken = {one.id.casefold() for one in who}
    for student in klass.students:
        if student.id not in there:
            who.append(_Who(_free(safe_id(student.id), taken), (student,), None, None))
    return sorted(who, key=lambda one: one.id)


def _free(name: str, taken: set[str]) -> str:
    id, number = name, 2  # noqa: A001
    while id.casefold() in taken:
        id, number = f"{name} ({number})", number + 1  # noqa: A001
    taken.add(id.casefold())
    return id


def _names(who: Iterable[_Who]) -> dict[str, _Who | None]:
    """Whom each name means; None where it means several."""
    owners: dict[str, _Who | None] = {}
    ids = {}
    for one in who:
        ids[one.id.casefold()] = one
        for name in one.names():
            owners[name] = None if name in owners else one
    return owners | ids  # a submission's own id means no other


def _most(one: Override, whose: _Who | None, results: Sequence[Result], klass: ClassRecord) -> float | None:
    """The points there are for what an override sets; None where there is no such exercise."""
    if one.exercise is None:
        return _max_points(whose, klass)
    exercises = [whose.result] if whose and whose.result else results
    known = {e.name: e.max_points for result in exercises for e in result.exercises}
    return known.get(one.exercise)


def _max_points(who: _Who | None, klass: ClassRecord) -> float:
    return who.result.max_points if who and who.result else klass.max_points


def _mark(who: _Who, given: Sequence[Override], klass: ClassRecord, rule: LatePolicy | None) -> Mark:
    most = _max_points(who, klass)
    in_force = {o.exercise: o for o in given if o.exercise is None or _is_exercise(o.exercise, who)}
    reached, undecided = _reached(who, in_force)
    with speaking(who.result.language if who.result else spoken()):  # it stands beside the result's sentences
        late = None if None in in_force else _late(who, rule, reached, most)
    points = in_force[None].points if None in in_force else reached
    if points is not None and late:
        points = max(points - late.lost, 0.0)
    return Mark(
        id=who.id,
        student=_whose(who),
        handed_in=who.hand_in.at if who.hand_in else None,
        machine=float(who.result.points) if who.result else None,
        points=None if points is None else round(float(points), 4),
        max_points=most,
        overrides=tuple(in_force.values()),
        late=late,
        team=who.students if len(who.students) > 1 else (),
        undecided=undecided,
        waiting=who.hand_in is not None and who.result is None,
    )


def _is_exercise(name: str, who: _Who) -> bool:
    return who.result is None or any(e.name == name for e in who.result.exercises)


def _whose(who: _Who) -> Student | None:
    if len(who.students) > 1:
        return Student(who.id, name=who.hand_in.name if who.hand_in else "")
    return who.students[0] if who.students else None


def _reached(who: _Who, in_force: Mapping[str | None, Override]) -> tuple[float | None, float]:
    """Points before lateness, and the points still undecided."""
    if None in in_force:
        return in_force[None].points, 0.0
    if who.result is None:
        return (sum(o.points for o in in_force.values()) if in_force else None), 0.0
    points, undecided = who.result.points, who.result.undecided_points
    for exercise in who.result.exercises:
        if exercise.name in in_force:
            points += in_force[exercise.name].points - exercise.points
            undecided -= exercise.undecided_points
    return points, round(max(float(undecided), 0.0), 4)


def _late(who: _Who, rule: LatePolicy | None, reached: float | None, most: float) -> Late | None:
    hand_in = who.hand_in
    if hand_in is None or reached is None:
        return None
    if rule and hand_in.at:
        return lateness(rule, hand_in.at, reached, most)
    if hand_in.late:
        return Late(0, 0.0, tr("handed in late, as the learning platform says; no days are counted"))
    return None
