"""How a cost grows, on a student's page: what was measured and what is due; else nothing."""

import re

from graders.language import speaking
from graders.results.compact import compact
from graders.results.measurements import CostCurve
from graders.results.result import ExerciseResult, Finding, Outcome, Result
from reports.pages import student_page
from tests.reports import sample
from tests.reports.markup import assert_sound

TIME = CostCurve("time", ((256, 0.001), (1024, 0.004), (4096, 0.017)), 1, 1.5, 1.04, 64)
SQUARE = CostCurve("memory", ((256, 1e6), (1024, 16e6), (4096, 27e7)), 1, 1.5, 2.04, 16, 2e7)
SMALL = CostCurve("memory", ((256, 0), (1024, 3e5), (4096, 25e5)), 1, 1.5, 1.53, 16, 2e7)


def judged(*costs: CostCurve, outcome: Outcome = Outcome.PASSED) -> ExerciseResult:
    """An exercise with a check of cost after another."""
    found: Finding = sample.finding(outcome, check="costs", costs=costs)
    return sample.exercise(sample.finding(), found, name="local_attention", title="Local attention")


def drawn(*costs: CostCurve, outcome: Outcome = Outcome.PASSED) -> str:
    """The figures of a page, as they are written."""
    text = student_page.render(sample.result(judged(*costs, outcome=outcome)))
    assert_sound(text)
    return "".join(re.findall(r'<figure class="time">.*?</figure>', text, re.DOTALL))


def labels(svg: str) -> list[str]:
    return re.findall(r'aria-label="([^"]*)"', svg)


def test_time_and_memory_are_drawn_with_what_is_due_and_what_is_wrong() -> None:
    figures = drawn(TIME, SQUARE, outcome=Outcome.FAILED)
    assert labels(figures) == [
        "CPU time against length, on logarithmic axes: it grows as S^1.0, and S is due; "
        "the table has the same numbers",
        "peak memory against length, on logarithmic axes: it grows as S^2.0, and S is due: too fast; "
        "the table has the same numbers",
    ]
    for name in ("yours", "due: S", "bound", "wrong: S²"):
        assert figures.count(f">{name}</text>") == 2


def test_a_peak_that_is_not_judged_is_drawn_below_the_least_that_is() -> None:
    figures = drawn(SMALL)
    assert "2.5 MB with 4096 positions; below 20 MB it is not judged" in figures
    assert ">20 MB</text>" in figures
    assert "due: S" not in figures and "too fast" not in figures


def test_the_table_has_every_number() -> None:
    words = assert_sound(student_page.render(sample.result(judged(TIME, SQUARE)))).words
    row = words.split("1024")[-1]
    assert row.index("4 ms") < row.index("16 MB") < row.index("4096") < row.index("270 MB")
    assert "CPU time, 64 columns" in words and "peak memory, 16 columns" in words


def test_one_length_alone_is_a_number_and_no_plot() -> None:
    figures = drawn(CostCurve("time", ((16, 2.5),), 1, 1.5, None, 16))
    assert "it should grow as S" in figures and "<svg" not in figures


def test_where_nothing_was_measured_nothing_is_said_of_costs() -> None:
    text = student_page.render(sample.result(judged()))
    assert "How its cost grows" not in text
    assert "How its cost grows" in student_page.render(sample.result(judged(TIME)))


def test_a_class_keeps_no_curves() -> None:
    whole: Result = sample.result(judged(TIME))
    assert not any(finding.costs for e in compact(whole).exercises for finding in e.findings)


def test_in_french_numbers_are_french() -> None:
    with speaking("fr"):
        text = student_page.render(sample.result(judged(TIME, SQUARE), language="fr"))
    assert "S^2,0" in text and "S^1,0" in text
