import csv
import io
from datetime import UTC, datetime

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from graders.classroom.class_record import ClassRecord, HandIn, Student
from graders.classroom.marks import Mark, Override, compute_marks
from graders.course.late_policy import LatePolicy
from graders.language import Language, speaking
from graders.results.result import Outcome, Result
from reports.gradebook.cell_text import escape_formula
from reports.gradebook.grades import grades_csv, grades_for_excel
from tests.reports import sample

MORE = "student_id,name,email,group,machine_points,handed_in,days_late,late_points,overrides,held"


def marks(*results: Result) -> list[Mark]:
    return compute_marks(results, ClassRecord("attention", 2), [], None)


def test_a_row_has_points_and_outcome_of_each_exercise() -> None:
    exercise = sample.exercise(sample.finding(), sample.finding(Outcome.SKIPPED), undecided_points=1)
    one = sample.result(exercise)
    assert grades_csv([one], marks(one)).split("\r\n") == [
        f"id,points,max_points,undecided_points,concat_heads,concat_heads_outcome,{MORE}",
        "alice,1,2,1,1,skipped,,,,,1,,,,,",
        "",
    ]


def test_numbers_stay_numbers() -> None:
    row = _rows(points=17.5, max_points=20.0, undecided_points=1 / 3)[1]
    assert row[:4] == ["alice", "17.5", "20", "0.33"]


@pytest.mark.parametrize("id", ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", " =1", "＝1"])
def test_an_id_is_never_a_formula(id: str) -> None:  # noqa: A002
    assert _rows(id=id)[1][0] == f"'{id}"


@pytest.mark.parametrize("id", ["o'neil", 'say "hi"', "a,b", "two\nlines", "Đặng", "1=1"])
def test_other_ids_are_unchanged(id: str) -> None:  # noqa: A002
    assert _rows(id=id)[1][0] == id


def test_a_missing_exercise_has_empty_cells() -> None:
    one = sample.result(sample.exercise(sample.finding()), id="a")
    two = sample.result(sample.exercise(sample.finding(), name="split_heads"), id="b")
    rows = list(csv.reader(io.StringIO(grades_csv([one, two], marks(one, two)), newline="")))
    assert rows[1][4:8] == ["1", "passed", "", ""]
    assert rows[2][4:8] == ["", "", "1", "passed"]


def test_an_empty_class_has_a_header() -> None:
    assert grades_csv([], []) == f"id,points,max_points,undecided_points,{MORE}\r\n"


def test_every_student_has_a_row_with_overrides_and_lateness() -> None:
    one = sample.result(sample.exercise(sample.finding(), sample.finding()), id="team")
    students = tuple(Student(n, f"={n}", f"{n}@x.example") for n in ("a", "b", "c"))
    at = datetime(2026, 11, 22, 12, tzinfo=UTC)
    class_record = ClassRecord(
        "attention", 2, students=students, hand_ins=(HandIn("team", "t", at, students=("a", "b")),)
    )
    given = [Override("team", "concat_heads", 1.5, "copied"), Override("b", None, 0.25)]
    late = LatePolicy(datetime(2026, 11, 22, tzinfo=UTC), per_day=0.25)
    text = grades_csv([one], compute_marks([one], class_record, given, late))
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert [(row["id"], row["points"], row["student_id"], row["name"]) for row in rows] == [
        ("c", "", "c", "'=c"),
        ("team", "1", "a", "'=a"),
        ("team", "0.25", "b", "'=b"),
    ]
    assert {
        "machine_points": "2",
        "concat_heads": "2",
        "days_late": "1",
        "late_points": "0.5",
        "handed_in": "2026-11-22T12:00:00+00:00",
        "overrides": "concat_heads 1.5: copied",
    }.items() <= rows[1].items()


@given(st.text())
@example("\x1f=")
def test_any_name_is_preserved_and_never_a_formula(name: str) -> None:
    text = io.StringIO(newline="")
    csv.writer(text).writerow([escape_formula(name), "x"])
    [[cell, _]] = csv.reader(io.StringIO(text.getvalue(), newline=""))
    assert cell in (name, f"'{name}")
    assert not cell.strip().startswith(("=", "+", "-", "@"))


def _rows(**changes: object) -> list[list[str]]:
    one = sample.result(**changes)
    return list(csv.reader(io.StringIO(grades_csv([one], marks(one)), newline="")))


@pytest.mark.parametrize(("lang", "delimiter", "points"), [("fr", ";", "2,5"), ("en", ",", "2.5")])
def test_excel_gets_the_marks_of_its_own_language(lang: Language, delimiter: str, points: str) -> None:
    result = sample.result(sample.exercise(sample.finding(points=2.5, max_points=3)), id="zoé")
    with speaking(lang):
        data = grades_for_excel([result], [Mark("zoé", None, None, 2.5, 2.5, 3)])
    assert data.startswith(b"\xef\xbb\xbf")
    [row] = csv.DictReader(io.StringIO(data.decode("utf-8-sig")), delimiter=delimiter)
    assert (row["id"], row["points"], row["max_points"]) == ("zoé", points, "3")
