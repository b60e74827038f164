"""An error that every check runs into is told once; answers that are wrong are shown each time."""

from graders.result import Finding, Outcome, Place
from reports.repeats import AGAIN, told_once
from tests.reports import sample


def raised(check: str, line: int) -> Finding:
    return sample.finding(
        Outcome.RAISED, check=check, message="NameError: no h", place=Place("rendu.ipynb", 9, line)
    )


def test_the_same_error_at_the_same_line_is_told_once() -> None:
    first, second = told_once([raised("a", 1), raised("b", 1)])
    assert first.message == "NameError: no h" and first.place
    assert (second.check, second.message, second.place, second.case) == ("b", AGAIN, None, None)


def test_the_same_error_at_another_line_is_told_again() -> None:
    assert told_once([raised("a", 1), raised("b", 2)])[1].message == "NameError: no h"


def test_wrong_answers_are_shown_each_time() -> None:
    findings = [sample.finding(Outcome.FAILED, check=check) for check in "ab"]
    assert told_once(findings) == findings
