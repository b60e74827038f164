"""What comes first on a page, and the cause of each exercise in a line."""

from dataclasses import replace

from graders.classroom.marks import Mark, Student
from graders.results.result import Mistake, Outcome
from reports.pages import student_page
from reports.pages.what_is_wrong import MAX_CAUSE, describe_cause, sort_exercises, sort_findings
from tests.reports import sample
from tests.reports.markup import assert_sound

OTHER = Mistake("concat_heads__other", "The last axis is lost. Look there.", "Le dernier axe est perdu.")


def test_exercises_that_are_wrong_come_first_and_those_that_passed_last() -> None:
    ends = (Outcome.PASSED, Outcome.NOT_ATTEMPTED, Outcome.SKIPPED, Outcome.FAILED, Outcome.RAISED)
    exercises = [sample.exercise(name=end, outcome=end) for end in ends]
    assert [exercise.name for exercise in sort_exercises(exercises)] == [
        "failed",
        "raised",
        "skipped",
        "not_attempted",
        "passed",
    ]


def test_findings_are_sorted_by_how_much_they_explain() -> None:
    plain = sample.finding(Outcome.FAILED, check="plain", mistake=None)
    known, again = (sample.finding(Outcome.FAILED, check=name) for name in ("known", "again"))
    other = sample.finding(Outcome.FAILED, check="other", mistake=OTHER)
    holds, open_one = sample.finding(check="holds"), sample.finding(Outcome.SKIPPED, check="open")
    groups = sort_findings(sample.exercise(holds, plain, open_one, known, again, other))
    assert [[[f.check for f in cause.all] for cause in group] for group in (groups.open, groups.alike)] == [
        [["known", "again"], ["other"]],
        [["plain"]],
    ]
    assert [groups.undecided[0].finding.check, groups.passed[0].check] == ["open", "holds"]


def test_without_a_known_mistake_the_check_comes_first_that_ended_as_the_exercise_did() -> None:
    wrong = sample.finding(Outcome.FAILED, check="wrong", mistake=None)
    stopped = sample.finding(Outcome.TIMED_OUT, check="stopped")
    exercise = sample.exercise(wrong, stopped, outcome=Outcome.TIMED_OUT)
    assert [cause.finding.check for cause in sort_findings(exercise).open] == ["stopped"]
    assert describe_cause(exercise) == "the code was still running after 10 s"


def test_a_cause_is_a_line_of_bounded_length() -> None:
    long = sample.finding(Outcome.FAILED, message="\n  first line\nsecond", mistake=None)
    assert describe_cause(sample.exercise(long)) == "first line"
    longer = describe_cause(sample.exercise(replace(long, message="m" * 1_000)))
    assert longer is not None and len(longer) == MAX_CAUSE
    assert describe_cause(sample.exercise(message="there is no concat_heads")) == "there is no concat_heads"
    assert describe_cause(sample.exercise(sample.finding())) is None
    undecided = sample.finding(Outcome.SKIPPED)
    assert describe_cause(sample.exercise(undecided)) == "decided at hand-in: it needs the reference"


def test_the_overview_names_the_cause_and_what_is_wrong_comes_before_what_passed() -> None:
    wrong = sample.exercise(sample.finding(), sample.finding(Outcome.RAISED), name="b", title="The second")
    text = student_page.render(
        sample.result(sample.exercise(sample.finding(), name="a", title="The first"), wrong)
    )
    words = " ".join(assert_sound(text).words.split())
    overview, rest = words.split("Total", 1)
    assert overview.index("The second") < overview.index("RuntimeError: shape") < overview.index("The first")
    assert rest.index("The second") < rest.index("Your code") < rest.index("1 check holds")
    assert rest.index("1 check holds") < rest.index("What passed") < rest.index("The first")


def test_an_address_inside_what_is_folded_opens_it() -> None:
    text = student_page.render(sample.result(sample.exercise(sample.finding(), name="a")))
    assert text.index('<details class="done">') < text.index('id="exercise-a"') < text.index("</details>")


def test_a_page_has_the_name_of_the_roster_and_the_id_below_it() -> None:
    mark = Mark("s7", Student("7", "Chloé Roux"), None, 1, 1, 1)
    read = assert_sound(student_page.render(sample.result(id="s7"), mark=mark))
    assert "Chloé Roux: Multi-head attention" in read.words and read.words.count("s7") == 1
    team = (Student("a", "Ana"), Student("b"))
    mark = Mark("g", Student("g", "Group G"), None, 1, 1, 1, team=team)
    words = " ".join(assert_sound(student_page.render(sample.result(id="g"), mark=mark)).words.split())
    assert "Group G Ana, b" in words
