"""What is still to be decided is neither passed nor failed, in any report."""

import json
from dataclasses import replace

import pytest

from graders.classroom.marks import Mark
from graders.results.result import Outcome
from reports import words
from reports.gradebook.gradescope import results_json
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
