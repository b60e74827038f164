"""A mark is put into the one row of a table that is about its student; into none where that is in doubt."""

from dataclasses import replace

import pytest

from graders.classroom.class_record import ClassRecord, HandIn, Student
from graders.classroom.csv_table import parse
from graders.classroom.marks import Mark, Override
from graders.classroom.match_rows import assign_rows
from tests.reports import sample

RECORD = ClassRecord("attention", 20, hand_ins=(HandIn("bob_2", "bob.py", name="Bob Roy", number="2"),))
TABLE = b"id,name,grade\nalice,Alice Leroy,\nbob,Bob Roy,\neve,,\ncarl,Carl Un,\ncarl,Carl Un,\n"


def mark(
    name: str, student: Student | None = None, team: tuple[Student, ...] = (), points: float | None = 9
) -> Mark:
    return Mark(name, student, None, points, points, 20, team=team)


ALICE, EVE = Student("alice", "Alice Leroy"), Student("eve")


@pytest.mark.parametrize(
    ("marks", "filled", "notes"),
    [
        ([mark("a1", ALICE)], {1: "a1"}, []),
        ([mark("bob_2")], {2: "bob_2"}, []),
        ([mark("team", None, (ALICE, EVE))], {1: "team", 3: "team"}, []),
        ([mark("a1", ALICE, points=None)], {}, []),
        ([mark("x")], {}, ["x: nobody in sheet.csv is x. Its grade is not in the file."]),
        (
            [mark("c", Student("carl"))],
            {},
            [
                "c: carl may be any of several students in sheet.csv: carl, carl."
                " Its grade is not in the file."
            ],
        ),
        (
            [mark("c", Student("", "Un, Carl"))],
            {},
            ["c: it stands in several rows of sheet.csv. Its grade is not in the file."],
        ),
        (
            [mark("a1", ALICE), mark("a2", ALICE), mark("bob_2")],
            {2: "bob_2"},
            ["a1, a2: all belong to Alice Leroy. None was filled in."],
        ),
        ([mark("e1", EVE), mark("e2", EVE)], {}, ["e1, e2: all belong to eve. None was filled in."]),
    ],
)
def test_a_mark_has_the_row_of_its_student_or_a_note(
    marks: list[Mark], filled: dict[int, str], notes: list[str]
):
    result = sample.result(id="a1")
    rows, said = assign_rows(parse(TABLE), "sheet.csv", marks, RECORD, [result])
    assert {row: one.id for row, (one, _) in rows.items()} == filled
    assert all(found == (result if one.id == "a1" else None) for one, found in rows.values())
    assert said == notes


def test_each_member_of_a_team_gets_the_points_that_were_set_for_them():
    own = replace(mark("team", ALICE, points=5), overrides=(Override("alice", None, 5),))
    team = replace(mark("team", None, (ALICE, EVE)), members=(own,))
    rows, said = assign_rows(parse(TABLE), "sheet.csv", [team], RECORD, [])
    assert ({row: one.points for row, (one, _) in rows.items()}, said) == ({1: 5, 3: 9}, [])


def test_a_student_of_two_submissions_gets_the_points_that_the_instructor_set_in_both():
    set_by_hand = [
        replace(mark(name, ALICE, points=5), overrides=(Override("alice", None, 5),)) for name in ("a1", "a2")
    ]
    rows, said = assign_rows(parse(TABLE), "sheet.csv", set_by_hand, RECORD, [])
    assert ({row: one.points for row, (one, _) in rows.items()}, said) == ({1: 5}, [])
