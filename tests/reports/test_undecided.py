"""What is still to be decided is neither passed nor failed, in any report."""

import io
import json
from dataclasses import replace

import pytest
from rich.console import Console

from graders.classroom.marks import Mark
from graders.results.result import Outcome, Result
from reports import terminal, words
from reports.ci import classroom, github, summary
from reports.gradebook.grades import grades_csv
from reports.gradebook.gradescope import results_json
from reports.gradebook.junit import junit_xml
from reports.pages import class_page, student_page
from tests.reports import sample

SKIPPED = sample.finding(Outcome.SKIPPED, points=0, max_points=1.1)
PASSED = sample.finding(points=0.9, max_points=0.9)
OPEN = replace(
    sample.exercise(PASSED, SKIPPED, outcome=Outcome.SKIPPED), points=0.9, max_points=2, undecided_points=1.1
)


def test_an_exercise_of_which_nothing_is_wrong_yet_says_how_much_is_left():
    assert words.exercise_word(OPEN) == "nothing wrong so far, 1.1 of 2 to be decided"


def test_an_exercise_of_which_nothing_is_decided_says_so():
    assert words.exercise_word(replace(OPEN, undecided_points=2)) == "to be decided"


def gradescope_tests(*exercises):
    result = sample.result(*exercises)
    mark = Mark(result.submission.id, None, None, result.points, result.points, result.max_points)
    return json.loads(results_json(result, mark))["tests"]


def test_gradescope_calls_no_test_failed_that_is_not_decided():
    passed, skipped = gradescope_tests(OPEN)
    assert (passed["status"], passed["score"]) == ("passed", 0.9)
    assert "status" not in skipped and "score" not in skipped
    assert skipped["max_score"] == 1.1


@pytest.mark.parametrize("checks", [3, 7, 11, 12])
def test_gradescopes_maxima_sum_to_the_points_of_the_assignment(checks):
    findings = [replace(PASSED, points=5 / checks, max_points=5 / checks)] * checks
    tests = gradescope_tests(*[replace(sample.exercise(*findings), points=5, max_points=5)] * 4)
    assert round(sum(test["max_score"] for test in tests), 6) == 20
    assert all(test["score"] == test["max_score"] for test in tests)


DOUBTED = sample.finding(
    Outcome.SKIPPED,
    points=0,
    max_points=4,
    message="0.2 bits per character: hardly possible. Your instructor decides",
    staff="the model probably knows the held-out text by heart",
)
MODEL = replace(
    sample.exercise(PASSED, DOUBTED, name="minigpt", outcome=Outcome.SKIPPED),
    points=0.9,
    max_points=4.9,
    undecided_points=4,
)


GRADED = replace(sample.result(MODEL), points=0.9, max_points=4.9, undecided_points=4)
MARK = Mark(GRADED.submission.id, None, None, 0.9, 0.9, 4.9, undecided=4)


def shown_in_terminal(result: Result) -> str:
    out = io.StringIO()
    terminal.show(Console(file=out, width=100), result)
    return " ".join(out.getvalue().split())


@pytest.mark.parametrize(
    "show",
    [
        shown_in_terminal,
        student_page.render,
        summary.markdown,
        lambda result: github.annotations(result, lambda place: None),
        lambda result: results_json(result, MARK),
        lambda result: junit_xml([(result, MARK)]),
    ],
    ids=["terminal", "student_page", "summary", "github", "gradescope", "junit"],
)
def test_a_doubt_is_told_to_the_student_without_the_note_for_staff(show):
    text = show(GRADED)
    assert "hardly possible. Your instructor decides" in text
    assert "by heart" not in text


def test_classroom_is_told_how_much_a_doubt_leaves_open():
    text = classroom.results_json(GRADED, lambda place: None)
    assert "4 points still to be decided" in text
    assert "by heart" not in text


def test_the_class_page_has_the_note_for_staff_on_a_doubt():
    page = class_page.render([GRADED], marks=[MARK])
    assert "probably knows the held-out text by heart" in page
    assert "Points undecided" in page


def test_grades_csv_has_the_points_that_a_doubt_leaves_open():
    header, line = (row.split(",") for row in grades_csv([GRADED], [MARK]).splitlines()[:2])
    shown = dict(zip(header, line, strict=False))
    assert (shown["points"], shown["undecided_points"]) == ("0.9", "4")
