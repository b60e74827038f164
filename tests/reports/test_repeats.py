"""An error that every check runs into is told once; answers that are wrong are shown each time."""

from dataclasses import replace

from graders.results.case import Case
from graders.results.result import Finding, Outcome, Place
from reports.pages.repeats import LONG_MESSAGE, SAME_AS_ABOVE, without_repeats
from tests.reports import sample


def raised(check: str, line: int) -> Finding:
    return sample.finding(
        Outcome.RAISED, check=check, message="NameError: no h", place=Place("rendu.ipynb", 9, line)
    )


def test_the_same_error_at_the_same_line_is_shown_once() -> None:
    first, second = without_repeats([raised("a", 1), raised("b", 1)])
    assert first.message == "NameError: no h" and first.place
    assert (second.check, second.message, second.place, second.case) == ("b", None, None, None)


def test_beside_another_error_a_repeated_one_refers_to_the_first() -> None:
    first, other, again = without_repeats([raised("a", 1), raised("b", 2), raised("c", 1)])
    assert (first.message, other.message) == ("NameError: no h", "NameError: no h")
    assert (again.message, again.place) == (SAME_AS_ABOVE, None)


def test_the_same_error_at_another_line_is_shown_again() -> None:
    assert without_repeats([raised("a", 1), raised("b", 2)])[1].message == "NameError: no h"


def test_wrong_answers_are_shown_each_time() -> None:
    findings = [sample.finding(Outcome.FAILED, check=check, mistake=None) for check in "ab"]
    assert without_repeats(findings) == findings


def test_a_mistake_is_shown_at_its_first_finding() -> None:
    wrong = [
        sample.finding(Outcome.FAILED, check="a", mistake=None),
        sample.finding(Outcome.FAILED, check="b"),
        sample.finding(Outcome.FAILED, check="c"),
        sample.finding(Outcome.RAISED, check="d", mistake=sample.MISTAKE),
    ]
    shown = without_repeats(wrong)
    assert [f.mistake for f in shown] == [None, sample.MISTAKE, None, None]
    assert [f.message for f in shown] == [f.message for f in wrong]


def test_another_mistake_is_also_shown() -> None:
    other = replace(sample.MISTAKE, name="concat_heads__other")
    wrong = [sample.finding(Outcome.FAILED), sample.finding(Outcome.FAILED, mistake=other)]
    assert without_repeats(wrong) == wrong


def test_the_remark_of_a_passed_check_is_shown_once() -> None:
    passed = [
        sample.finding(message=text, output="x") for text in (sample.COUNTED, sample.COUNTED, "remark: y")
    ]
    shown = without_repeats(passed)
    assert [f.message for f in shown] == [sample.COUNTED, None, "remark: y"]
    assert [f.output for f in shown] == ["x", None, "x"]


def test_the_reason_for_undecided_checks_is_shown_once() -> None:
    skipped = [sample.finding(Outcome.SKIPPED, message=sample.UNMATCHED) for _ in "ab"]
    assert [f.message for f in without_repeats(skipped)] == [sample.UNMATCHED, SAME_AS_ABOVE]


def test_a_long_message_is_shown_once_and_each_case_stays() -> None:
    wrong = [sample.finding(Outcome.FAILED, message="m" * LONG_MESSAGE, case=Case(text)) for text in "ab"]
    first, second = without_repeats(wrong)
    assert first.message == "m" * LONG_MESSAGE
    assert second.message == SAME_AS_ABOVE and second.case == Case("b")
