"""Whoever gets a mark, and whom the ids of overrides mean."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from graders.classroom.class_record import Attempt, Before, ClassRecord, HandIn, Student
from graders.results.result import Result
from graders.safe_text import composed, safe_id


@dataclass(frozen=True, slots=True)
class MarkHolder:
    """Whoever gets a mark: a submission with its students, or a student without a submission.

    `attempt` is the hand-in that counts, where it is not the latest, `before` what an earlier grading gave.
    """

    id: str
    students: tuple[Student, ...]
    hand_in: HandIn | None
    result: Result | None
    attempt: Attempt | None = None
    before: Before | None = None


class Meant(NamedTuple):
    """Whom an override means: all who share a submission, or one student of its team."""

    holder: MarkHolder
    member: Student | None


def _key(name: str) -> str:
    return composed(name).casefold()


def mark_holders(graded: Mapping[str, Result | None], class_record: ClassRecord) -> list[MarkHolder]:
    """All who get a mark, in the order of their ids.

    Args:
        graded: the results by id; None stands for one that is not at hand.
        class_record: the class.
    """
    students = {student.id: student for student in class_record.students}
    hand_ins = {hand_in.id: hand_in for hand_in in class_record.hand_ins}
    before = {each.id: each for each in class_record.before}
    holders = []
    for id in {**graded, **hand_ins}:  # noqa: A001 - the field's name everywhere
        hand_in = hand_ins.get(id)
        its_students = tuple(students[s] for s in (hand_in.students if hand_in else ()) if s in students)
        holders.append(MarkHolder(id, its_students, hand_in, graded.get(id), before=before.get(id)))
    with_submission = {student.id for holder in holders for student in holder.students}
    used_ids = {holder.id.casefold() for holder in holders}
    for student in class_record.students:
        if student.id not in with_submission:
            holders.append(MarkHolder(_unused_id(safe_id(student.id), used_ids), (student,), None, None))
    return sorted(holders, key=lambda holder: holder.id)


def _unused_id(name: str, used_ids: set[str]) -> str:
    id, number = name, 2  # noqa: A001
    while id.casefold() in used_ids:
        id, number = f"{name} ({number})", number + 1  # noqa: A001
    used_ids.add(id.casefold())
    return id


@dataclass(frozen=True)
class Names:
    """Whom each name means: the id of a submission all of its students, that of a student this student."""

    holders: Iterable[MarkHolder]
    _submissions: dict[str, MarkHolder] = field(default_factory=dict, init=False, repr=False)
    _students: dict[str, set[str]] = field(default_factory=dict, init=False, repr=False)
    _of_student: dict[str, list[MarkHolder]] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        for holder in self.holders:
            self._submissions[_key(holder.id)] = holder
            for student in holder.students:
                self._of_student.setdefault(student.id, []).append(holder)
                for name in filter(None, (student.id, student.email, student.username)):
                    self._students.setdefault(_key(name), set()).add(student.id)

    def find(self, name: str) -> list[Meant]:
        """Whom a name means: a submission, or a student in each of their submissions; nobody if unclear."""
        name = _key(name)
        submission = self._submissions.get(name)
        meant = [] if submission is None else [Meant(submission, None)]
        students = self._students.get(name, set())
        if submission is not None:  # which may be named after one of its students, who is in others, too
            students = students & {student.id for student in submission.students}
        if len(students) == 1:
            meant += self._in_each(next(iter(students)), submission)
        return meant

    def is_unclear(self, name: str) -> bool:
        """Whether a name that means nobody is that of several students."""
        return len(self._students.get(_key(name), ())) > 1

    def _in_each(self, student_id: str, besides: MarkHolder | None) -> Iterator[Meant]:
        for holder in self._of_student[student_id]:
            if holder is not besides:
                member = next(student for student in holder.students if student.id == student_id)
                yield Meant(holder, member if len(holder.students) > 1 else None)
