"""Assign marks to the rows of a platform's table."""

from collections.abc import Iterator, Mapping, Sequence

from graders.classroom.class_record import ClassRecord, HandIn, Student
from graders.classroom.csv_table import Table
from graders.classroom.find_student import Identity, Roster
from graders.classroom.intake.roster_columns import find_columns, parse_student
from graders.classroom.marks import Mark
from graders.language import tr
from graders.results.result import Result


def assign_rows(
    table: Table, name: str, marks: Sequence[Mark], class_record: ClassRecord, results: Sequence[Result]
) -> tuple[dict[int, tuple[Mark, Result | None]], list[str]]:
    """Find the row of each mark; also returns a sentence for each mark without a row.

    Raises:
        BadRoster: no column of the table identifies students.
    """
    rows_of_text = table.texts()
    columns = find_columns(rows_of_text, name)
    students = {
        i: student for i, row in enumerate(rows_of_text) if i and (student := parse_student(row, columns))
    }
    roster, places = Roster(list(students.values())), _places(students)
    by_id = {result.submission.id: result for result in results}
    hand_ins = {hand_in.id: hand_in for hand_in in class_record.hand_ins}
    claims: dict[int, list[Mark]] = {}
    notes = []
    for mark in marks:
        for who, its_mark in _identities(mark, hand_ins.get(mark.id)):
            if its_mark.points is None or its_mark.held:
                continue
            match = roster.find(who)
            rows = [places[student] for student in match.students]
            if not rows or any(len(row) > 1 for row in rows):
                why = match.why.replace(tr("the roster"), name)
                why = why or tr("it stands in several rows of {file}", file=name)
                notes.append(tr("{id}: {why}. Its grade is not in the file.", id=mark.id, why=why))
                continue
            for [row] in rows:
                claims.setdefault(row, []).append(its_mark)
    for row, several in claims.items():
        if not _agree(several):
            whose, name = ", ".join(mark.id for mark in several), students[row].name or students[row].id
            notes.append(tr("{ids}: all belong to {name}. None was filled in.", ids=whose, name=name))
    filled = {
        row: (claimants[0], by_id.get(claimants[0].id))
        for row, claimants in claims.items()
        if _agree(claimants)
    }
    return filled, notes


def _agree(marks: Sequence[Mark]) -> bool:
    """Whether there is one mark, or the instructor has set the same points for the student in all."""
    set_by_hand = all(mark.whole for mark in marks)
    return len(marks) == 1 or (set_by_hand and len({mark.points for mark in marks}) == 1)


def _places(students: Mapping[int, Student]) -> dict[Student, list[int]]:
    places: dict[Student, list[int]] = {}
    for row, student in students.items():
        places.setdefault(student, []).append(row)
    return places


def _identities(mark: Mark, hand_in: HandIn | None) -> Iterator[tuple[Identity, Mark]]:
    """The people whom a mark is about, with all that is known of them, and the mark of each."""
    if mark.team:
        for member in mark.team:
            names = _non_empty(member.id, member.email, member.username)
            yield Identity(member.number, member.name, names), mark.of(member)
        return
    student = mark.student or Student("")
    number = student.number or (hand_in.number if hand_in else "")
    name = student.name or (hand_in.name if hand_in else "")
    yield Identity(number, name, _non_empty(student.id, student.email, student.username, mark.id)), mark


def _non_empty(*names: str) -> tuple[str, ...]:
    return tuple(name for name in names if name)
