import csv
import io

import pytest

from graders.result import Outcome
from reports.gradebook import grades_csv
from tests.reports import sample


def test_a_row_has_points_and_outcome_of_each_exercise() -> None:
    exercise = sample.exercise(sample.finding(), sample.finding(Outcome.SKIPPED), undecided_points=1)
    assert grades_csv([sample.result(exercise)]).split("\r\n") == [
        "id,points,max_points,undecided_points,concat_heads,concat_heads_outcome",
        "alice,1,2,1,1,skipped",
        "",
    ]


def test_numbers_stay_numbers() -> None:
    row = _rows(points=17.5, max_points=20.0, undecided_points=1 / 3)[1]
    assert row[:4] == ["alice", "17.5", "20", "0.3333"]


@pytest.mark.parametrize("id", ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx"])
def test_an_id_is_never_a_formula(id: str) -> None:  # noqa: A002
    assert _rows(id=id)[1][0] == f"'{id}"


@pytest.mark.parametrize("id", ["o'neil", 'say "hi"', "a,b", "two\nlines", "Đặng", "1=1"])
def test_other_ids_come_through_as_they_are(id: str) -> None:  # noqa: A002
    assert _rows(id=id)[1][0] == id


def test_an_exercise_that_a_result_does_not_have_is_empty() -> None:
    one, two = sample.exercise(sample.finding()), sample.exercise(sample.finding(), name="split_heads")
    rows = list(csv.reader(io.StringIO(grades_csv([sample.result(one), sample.result(two)]), newline="")))
    assert rows[1][4:] == ["1", "passed", "", ""]
    assert rows[2][4:] == ["", "", "1", "passed"]


def test_a_class_of_none_has_a_header() -> None:
    assert grades_csv([]) == "id,points,max_points,undecided_points\r\n"


def _rows(**changes: object) -> list[list[str]]:
    return list(csv.reader(io.StringIO(grades_csv([sample.result(**changes)]), newline="")))
