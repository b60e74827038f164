"""How hard exercises are, and whether they tell apart those who are good elsewhere from the others."""

from graders.results.result import Outcome, Result
from reports.class_statistics.item_analysis import FEWEST, analyse_exercises, doubtful_checks
from reports.pages import class_page
from tests.reports import sample

COUNT = 40


def answers(*, of_good: Outcome, of_others: Outcome, count: int = COUNT) -> list[Result]:
    """Of each second student who is good in the last two exercises, and of the others, this in the first."""
    results = []
    for number in range(count):
        good = number % 2 == 0
        first = sample.finding(of_good if good else of_others, says="the order is kept")
        elsewhere = Outcome.PASSED if good else Outcome.FAILED
        others = [sample.exercise(sample.finding(elsewhere, says="all else"), name=name) for name in "bc"]
        results.append(sample.result(sample.exercise(first, name="a"), *others, id=f"s{number}"))
    return results


def test_the_mean_is_the_share_of_the_points_and_discrimination_the_correlation_with_the_rest() -> None:
    first, *_ = analyse_exercises(answers(of_good=Outcome.PASSED, of_others=Outcome.FAILED))
    assert (first.answers, first.mean) == (COUNT, 0.5)
    assert first.discrimination is not None
    assert abs(first.discrimination - 1) < 1e-9


def test_what_all_have_has_no_discrimination() -> None:
    first, *_ = analyse_exercises(answers(of_good=Outcome.PASSED, of_others=Outcome.PASSED))
    assert (first.mean, first.discrimination) == (1, None)


def test_a_check_that_the_good_fail_is_doubtful_and_no_other() -> None:
    wrong = answers(of_good=Outcome.FAILED, of_others=Outcome.PASSED)
    assert [check.says for check in doubtful_checks(wrong)] == ["the order is kept"]
    assert doubtful_checks(answers(of_good=Outcome.PASSED, of_others=Outcome.FAILED)) == []


def test_nothing_is_said_of_few_answers() -> None:
    few = answers(of_good=Outcome.FAILED, of_others=Outcome.PASSED, count=FEWEST - 1)
    assert (analyse_exercises(few), doubtful_checks(few)) == ([], [])
    assert "What the exercises tell apart" not in class_page.render(few)


def test_the_class_page_shows_both_and_what_to_ask() -> None:
    page = class_page.render(answers(of_good=Outcome.FAILED, of_others=Outcome.PASSED))
    assert "What the exercises tell apart" in page
    assert "is the check right, and the exercise clear?" in page
