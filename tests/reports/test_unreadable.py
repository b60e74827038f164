"""How every report tells that something could not be read."""

import csv
import io
import json
from dataclasses import replace
from xml.etree import ElementTree

from rich.console import Console

from graders.classroom.class_record import ClassRecord
from graders.classroom.marks import Mark, Override, compute_marks
from graders.results.result import Outcome, Remark, Result
from reports import terminal
from reports.ci import classroom, classroom50, github, summary
from reports.gradebook import filled, grades, gradescope, junit
from reports.gradebook.feedback import feedback
from reports.pages import class_page, student_page
from tests.reports import sample
from tests.reports.markup import assert_sound

WHY = "rendu.ipynb is not a notebook: its content is not JSON."


def unread(name: str) -> Result:
    exercises = [
        sample.exercise(name=exercise, title=exercise, outcome=Outcome.UNREADABLE, message=WHY)
        for exercise in ("split_heads", "concat_heads")
    ]
    return sample.result(*exercises, id=name, remarks=())


def mark(result: Result, *overrides: Override) -> Mark:
    return compute_marks([result], ClassRecord("attention", 4), overrides, None)[0]


def test_the_students_page_says_it_once_and_nothing_of_remarks_without_cost() -> None:
    words = assert_sound(student_page.render(unread("alice"))).words
    assert "could not be read" in words and words.count(WHY) == 2  # in the overview and below it
    assert "not attempted" not in words and "cost no points" not in words
    partly = sample.result(unread("a").exercises[0], remarks=(Remark(WHY),))
    assert "cost no points" not in assert_sound(student_page.render(partly)).words


def test_the_class_page_lists_it_first_and_under_nothing_else() -> None:
    right = sample.result(*(replace(e, outcome=Outcome.PASSED) for e in unread("bob").exercises), id="bob")
    page = class_page.render([right, unread("alice"), unread("zoe")], ["a note"])
    content = page.split("<main")[1]
    assert content.index(WHY) < content.index("a note")
    words = assert_sound(page).words
    assert "Not attempted" not in words and "Nothing attempted" not in words


def test_the_terminal_says_the_reason_once_and_where_to_read_on() -> None:
    console = Console(file=io.StringIO(), width=200)
    terminal.show(console, unread("alice"))
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert text.count("could not be read") == 2 and text.count(WHY) == 1
    assert "softmark explain unreadable" in text and "0 / 4" in text


def test_no_format_of_ci_passes_it_or_calls_it_undecided() -> None:
    result = unread("alice")
    assert [
        line.startswith("::error") for line in github.annotations(result, lambda _: None).splitlines()
    ] == [
        True,
        False,
    ]
    assert "could not be read" in summary.markdown(result)
    tests = json.loads(classroom.results_json(result, lambda _: None))
    assert (tests["status"], {test["status"] for test in tests["tests"]}) == ("fail", {"fail"})
    assert "status=failure" in classroom50.outputs(result)
    tests = json.loads(gradescope.results_json(result, mark(result)))["tests"]
    assert [(test["status"], test["score"], test["output"]) for test in tests] == [("failed", 0, WHY)] * 2
    suites = ElementTree.fromstring(junit.junit_xml([(result, mark(result))]))
    assert (suites.get("errors"), suites.get("failures"), suites.get("skipped")) == ("2", "0", "0")


def test_grades_have_0_points_and_say_why_and_whose() -> None:
    result = unread("alice")
    row = next(csv.DictReader(io.StringIO(grades.grades_csv([result], [mark(result)]))))
    assert (row["points"], row["undecided_points"], row["concat_heads_outcome"]) == ("0", "0", "unreadable")
    assert "something that was handed in could not be read" in feedback(mark(result), result)
    assert (
        "have no points in these grades: alice."
        in filled.warnings({1: (mark(result), result)}, 4, "Moodle")[0]
    )


def test_points_that_the_instructor_sets_end_the_matter() -> None:
    result = unread("alice")
    whole = mark(result, Override("alice", None, 3))
    assert filled.warnings({1: (whole, result)}, 4, "Moodle") == []
    assert "could not be read" not in feedback(whole, result)
