"""The class page: what it says to whom, with scripts off. What its script does is in test_class_script.py."""

import html
import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from graders.classroom.marks import Mark, Override, Student
from graders.course.late_policy import Late
from graders.language import Language, speaking
from graders.results.compact import compact
from graders.results.limit import Limit
from graders.results.result import Mistake, Outcome, Result
from reports.class_statistics import limits_met
from reports.class_statistics.rows import MAX_NAMES
from reports.pages import class_page
from tests.reports import class_of_many, class_of_twelve, sample
from tests.reports.markup import Page, assert_sound
from tests.reports.test_page import HOSTILE

AT = datetime(2026, 11, 20, 22, 5, tzinfo=UTC)
FAILED = sample.exercise(sample.finding(Outcome.FAILED, mistake=None))


MIXED = "reshape alone mixes the heads: transpose first"  # the hint of `sample.MISTAKE`


def read(results, notes=(), marks=()) -> Page:
    """The page, which is sound, with its one script where there is a table to sort."""
    page = assert_sound(class_page.render(results, notes, marks))
    assert bool(page.scripts) == bool(results or marks)
    return page


def said(page: str, section: str) -> str:
    """The words of a section, without its tags."""
    part = page.split(f'<h2 id="{section}">')[1].split("</main>")[0].split("<h2")[0]
    return " ".join(html.unescape(re.sub("<[^>]*>", " ", part)).split()).replace(" ,", ",")


def rows(page: str) -> dict[str, str]:
    """The words of each row of the table of submissions, by its first ones."""
    table = re.split('<table class="class(?: many)?"', page)[1].split("<tbody")[1].split("</table>")[0]
    cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in table.split("<tr")[1:]]
    words = [[" ".join(html.unescape(re.sub("<[^>]*>", " ", cell)).split()) for cell in row] for row in cells]
    return {row[0]: " | ".join(row[1:]) for row in words}


def mark(id: str, points: float | None = None, **changes: object) -> Mark:  # noqa: A002
    values = {"student": None, "handed_in": AT, "machine": points, "points": points, "max_points": 20}
    return Mark(id, **(values | changes))


@pytest.mark.parametrize(("language", "many"), [("en", "1,100"), ("fr", "1\u202f100")])
def test_a_thousand_students_and_more_are_counted_as_the_language_writes_numbers(
    language: Language, many: str
) -> None:
    wrong = sample.exercise(sample.finding(Outcome.FAILED))
    away = sample.exercise(outcome=Outcome.NOT_ATTEMPTED, name="mask", title="Mask")
    with speaking(language):
        text = class_page.render([sample.result(wrong, away, id=f"s{number}") for number in range(1_100)])
    assert "1100" not in " ".join(assert_sound(text).pieces)
    # The submissions, who is stuck, who makes the mistake, whose check fails, who attempts nothing, the bins.
    assert text.count(many) > 8


def test_a_class_is_sound_html() -> None:
    page = read(class_of_twelve.results(), ["the zip of mallory is damaged"])
    assert "the zip of mallory is damaged" in page.words


@pytest.mark.parametrize("results", [[], [sample.result()], [sample.result(max_points=0, points=0)]])
def test_a_class_of_zero_or_one_is_sound_html(results) -> None:
    read(results)


def test_a_compact_result_gives_the_same_page() -> None:
    results = class_of_twelve.results()
    assert class_page.render([compact(result) for result in results]) == class_page.render(results)


def test_rows_link_to_the_pages_of_the_submissions() -> None:
    ids = ["a b", "x/../y", "50%", "#1", "Đặng", 'q"uote', "javascript:alert(1)"]
    hrefs = read([sample.result(id=i) for i in ids]).values("href")
    for href in (
        "a%20b/index.html",
        "x%2F..%2Fy/index.html",
        "50%25/index.html",
        "%231/index.html",
        "%C4%90%E1%BA%B7ng/index.html",
        "q%22uote/index.html",
        "javascript%3Aalert%281%29/index.html",
    ):
        assert href in hrefs


def test_a_class_has_its_mean_and_median() -> None:
    results = [sample.result(id=str(points), points=points) for points in (2, 4, 12)]
    assert "Submissions 3 Points undecided 3 Mean 6 Median 4 Range 2 to 12" in " ".join(read(results).pieces)


def test_the_distribution_is_also_a_table() -> None:
    results = [sample.result(id=str(n), points=n, max_points=20) for n in (3, 20, 19)]
    words = " ".join(read(results).pieces)
    assert "2 to under 4 1" in words and "18 to 20 2" in words


def test_the_distribution_counts_points_above_the_maximum() -> None:
    page = class_page.render([sample.result(FAILED, points=3)], (), [mark("alice", 24.0)])
    assert "21 to 24 1" in said(page, "distribution")


def test_cells_say_points_and_outcome_to_a_screen_reader() -> None:
    results = [sample.result(sample.exercise(sample.finding(), sample.finding(Outcome.RAISED)))]
    assert rows(class_page.render(results))["alice"] == "1 | raised an error 1"


@pytest.mark.slow
def test_cells_link_to_the_exercise_unless_there_are_too_many() -> None:
    few, many = (
        class_page.render([sample.result(id=f"s{i}", points=1) for i in range(count)]) for count in (3, 900)
    )
    assert '<a href="s2/index.html#exercise-absent"><i>not attempted </i>0</a>' in few
    assert "<i>not attempted </i>0</td>" in many


def test_missing_and_late_submissions_are_in_the_table_and_above_it() -> None:
    marks = [
        mark("alice", 8.5, machine=10.5, late=Late(2, 2.0, "handed in 2 days late")),
        mark("bob", 10.5),
        mark("s7", None, student=Student("s7", "Chloé Roux", group="B"), handed_in=None),
    ]
    results = [sample.result(FAILED, id=who, points=10.5) for who in ("alice", "bob")]
    page = class_page.render(results, (), marks)
    assert rows(page) == {
        "alice": " | 8.5 machine: 10.5 | 2026-11-20 22:05 | 2 days, −2 | failed 0",
        "bob": " | 10.5 | 2026-11-20 22:05 |  | failed 0",
        "Chloé Roux s7": "B | – |  |  | nothing handed in",
    }
    assert said(page, "submissions").startswith("Submissions Nothing handed in: 1 Chloé Roux Late: 1 alice")
    assert "Submissions 2 Nothing handed in 1 Late 1 Mean 9.5" in " ".join(read(results, (), marks).pieces)
    assert "s7/index.html" not in page  # there is no such page


def test_a_team_is_named_by_its_students() -> None:
    team = (Student("a", "Ana"), Student("b"))
    page = class_page.render([], (), [mark("group 7", 3.0, student=Student("group 7"), team=team)])
    assert "group 7 Ana, b" in rows(page)


def test_points_of_one_member_of_a_team_are_shown_with_their_name() -> None:
    ana, team = Student("a", "Ana"), Student("group 7")
    own = mark("group 7", 1.0, student=ana, overrides=(Override("a", None, 1.0, "was away"),))
    page = class_page.render([], (), [mark("group 7", 3.0, student=team, team=(ana,), members=(own,))])
    assert rows(page)["group 7 Ana"].startswith("3 other points for some members")
    assert said(page, "set").endswith("group 7 only Ana the whole – 1 was away")


def test_an_override_is_shown_with_softmarks_points_and_the_comment() -> None:
    whole = Override("alice", None, 18.0, "we talked")
    part = Override("bob", "concat_heads", 1.5, "a typo in the handout")
    absent = Override("carla", None, 5.0, "")
    marks = [
        mark("alice", 18.0, machine=4.0, overrides=(whole,)),
        mark("bob", 5.5, machine=4.0, overrides=(part,)),
        mark("carla", 5.0, machine=None, overrides=(absent,), handed_in=None),
    ]
    results = [sample.result(FAILED, id=who, points=4) for who in ("alice", "bob")]
    page = class_page.render(results, (), marks)
    assert rows(page) == {
        "alice": "18 set by the instructor, machine: 4 | 2026-11-20 22:05 | failed 0",
        "bob": "5.5 set by the instructor, machine: 4 | 2026-11-20 22:05 | failed 1.5 set, was 0",
        "carla": "5 set by the instructor |  | nothing handed in",
    }
    assert said(page, "set").endswith(
        "alice the whole 4 18 we talked bob Joining the heads 0 1.5 a typo in the handout carla the whole – 5"
    )


def test_failing_checks_are_listed_with_their_share_and_submissions() -> None:
    good = sample.exercise(sample.finding())
    undecided = sample.exercise(sample.finding(Outcome.SKIPPED))
    results = [sample.result(e, id=f"s{i}") for i, e in enumerate((good, FAILED, good, FAILED, undecided))]
    assert "50% 2 of 4" in said(class_page.render(results), "failing")
    assert "s1/index.html#exercise-concat_heads" in read(results).values("href")


def test_the_exercise_with_the_greatest_share_of_failures_comes_first() -> None:
    good, bad = Outcome.PASSED, Outcome.FAILED

    def exercise(name: str, *outcomes: Outcome):
        checks = [sample.finding(o, check=f"c{i}", says=f"{name} {i}") for i, o in enumerate(outcomes)]
        return sample.exercise(
            *checks, name=name, title=name.title(), outcome=max(outcomes, key=(good, bad).index)
        )

    absent = sample.exercise(name="hard", title="Hard", outcome=Outcome.NOT_ATTEMPTED)
    results = [
        sample.result(exercise("easy", good, good), absent, id="s0"),
        sample.result(exercise("easy", good, good), absent, id="s1"),
        sample.result(exercise("easy", good, bad), exercise("hard", bad, good), id="s2"),
        sample.result(exercise("easy", bad, bad), exercise("hard", good, bad), id="s3"),
        sample.result(exercise("easy", good, bad), exercise("hard", bad, bad), id="s4"),
    ]
    page = class_page.render(results)
    table = said(page, "teach")
    assert f"Hard not attempted: 2 100% 3 of 3 fails most often: hard 0 67% known mistake: {MIXED}" in table
    assert table.index("Hard") < table.index("Easy 60% 3 of 5 fails most often: easy 1 60%")
    assert re.findall(r"(?:easy|hard) \d \d+% \d of \d", said(page, "failing")) == [
        "hard 0 67% 2 of 3",
        "hard 1 67% 2 of 3",
        "easy 1 60% 3 of 5",
        "easy 0 20% 1 of 5",
    ]
    assert "Not attempted: 2 s0, s1" in said(page, "failing")


def test_code_that_does_not_load_counts_as_a_failing_check() -> None:
    loaded = sample.exercise(sample.finding())
    broken = sample.exercise(outcome=Outcome.RAISED, message="SyntaxError: invalid syntax")
    page = class_page.render([sample.result(loaded), sample.result(broken, id="bob")])
    says = (
        "the code can be loaded and called, so that its checks can be tried 50% 1 of 2 1 raised an error bob"
    )
    assert says in said(page, "failing")


def test_known_mistakes_are_counted_once_per_submission_most_frequent_first() -> None:
    a, b, d = (Mistake(f"concat_heads__{name}", f"mend {name}.", "fr") for name in ("a", "b_c", "d"))
    made = {"s0": ((a, b), (d,)), "s1": ((sample.MISTAKE,),), "s2": (), "s3": ((sample.MISTAKE,),)}
    wrong = sample.finding(Outcome.FAILED, mistake=None)
    results = [
        sample.result(sample.exercise(*[replace(wrong, mistakes=mistakes)] * 3), id=who)
        for who, mistakes in made.items()
    ]
    words = said(class_page.render(results), "mistakes")
    first = f"{MIXED} Joining the heads 2 s1, s3"
    assert f"{first} mend a. And: mend b_c. Or: mend d. Joining the heads 1 s0" in words


def test_two_mistakes_made_at_once_are_both_counted() -> None:
    half = Mistake("concat_heads__half", "no half.", "rien à moitié.")
    made = {"s0": ((sample.MISTAKE, half),), "s1": ((sample.MISTAKE,),)}
    results = [
        sample.result(sample.exercise(sample.finding(Outcome.FAILED, mistakes=mistakes)), id=who)
        for who, mistakes in made.items()
    ]
    words = said(class_page.render(results), "mistakes")
    first = f"{MIXED} Joining the heads 2 s0, s1"
    assert f"{first} no half. Joining the heads 1 s0" in words


def test_without_known_mistakes_there_is_no_table_of_them() -> None:
    assert '<h2 id="mistakes">' not in class_page.render([sample.result(FAILED)])


def test_submissions_that_answer_alike_form_a_group() -> None:
    def failing(answers: str):
        unknown = {"mistake": None, "mistakes": (), "answers": answers}
        return sample.exercise(
            *(sample.finding(Outcome.FAILED, check=c, says=f"says {c}", **unknown) for c in "ab")
        )

    digests = {"s0": "1f", "s1": "2e", "s2": "1f", "s3": "1f", "s4": "3d", "s5": "2e"}
    results = [sample.result(failing(answers), id=who) for who, answers in digests.items()]
    words = said(class_page.render(results), "stuck")
    unknown = "they answer alike, and no known mistake explains it"
    assert f"Joining the heads group 1 says a says b {unknown} 3 s0, s2, s3" in words
    assert words.endswith(f"Joining the heads group 2 says a says b {unknown} 2 s1, s5")
    assert "s4" not in words


def test_a_fault_of_softmark_comes_first_once_with_all_its_submissions() -> None:
    broken = [sample.finding(Outcome.BROKEN, check=str(i), says=f"says {i}") for i in range(4)]
    page = class_page.render([sample.result(sample.exercise(*broken), id=f"s{i}") for i in range(3)])
    words = said(page, "faults")
    assert words.endswith("Joining the heads KeyError: <script> says 0 says 1 and 2 more 3 s0, s1, s2")
    assert (
        page.index('<h2 id="faults">') < page.index('<h2 id="teach">') < page.index('<h2 id="submissions">')
    )


def test_what_an_instructor_should_look_at_comes_before_what_to_teach() -> None:
    asks = sample.exercise(sample.finding(Outcome.RAISED, message="no flash_attn", limit=Limit.PACKAGES))
    waits = sample.exercise(sample.finding(Outcome.SKIPPED), undecided_points=1)
    marks = [mark("asks", 1.0), mark("open", 1.0, undecided=1), mark("new", None, waiting=True)]
    results = [sample.result(asks, id="asks"), sample.result(waits, id="open")]
    page = class_page.render(results, ["zip: it could not be read"], marks)
    assert said(page, "look") == (
        "To look at first zip: it could not be read Not graded yet: 1 new Points undecided: 1 open "
        "Asks for what the box lacks, packages: 1 asks"
    )
    assert rows(page)["new"].endswith("not graded yet")
    assert page.index('<h2 id="look">') < page.index('<h2 id="teach">')
    assert page.index('<h2 id="teach">') < page.index('<h2 id="run">')
    assert "Box nested" in said(page, "run")
    assert '<h2 id="look">' not in class_page.render([sample.result(FAILED)])


def test_limits_that_were_met_are_named_with_an_example() -> None:
    words = said(class_page.render([sample.result(), sample.result(id="bob")]), "run")
    assert "time 2 Exercise that ends timed out 2 the code was still running after 10 s alice, bob" in words
    assert "memory 2 Exercise that ends out of memory 2 the code asked for more than 2 GB" in words


def test_notes_for_staff_are_on_the_class_page() -> None:
    results = [
        sample.result(sample.exercise(staff="the box was slow")),
        sample.result(id="bob", sandbox="open"),
    ]
    words = read(results).words
    assert "the box was slow" in words and "Without a box." in words and "nested: 1, open: 1" in words


def test_the_slowest_come_first() -> None:
    seconds = {"a": 1.0, "b": 30.25, "c": 2.0}
    page = class_page.render([sample.result(FAILED, id=who, seconds=s) for who, s in seconds.items()])
    assert "in 2.0 s or less. The submissions that took longest" in said(page, "run")
    assert "Seconds b 30.2 c 2.0 a 1.0" in said(page, "run")
    assert rows(page)["b"] == "0 | failed 0 | 30.2"


def test_identical_files_are_reported_as_a_fact() -> None:
    other = sample.SubmissionInfo("z", ("a.py",), "0" * 64)
    empty = [sample.SubmissionInfo(who, (), "1" * 64) for who in ("x", "y")]
    results = [sample.result(FAILED, id=who) for who in ("a", "b", "c")]
    results += [sample.result(FAILED, submission=info) for info in (other, *empty)]
    words = said(class_page.render(results), "odd")
    assert "equal byte for byte. That is a fact, and says nothing of why. 3 submissions a, b, c" in words


def test_submissions_that_attempt_nothing_or_always_raise_are_named() -> None:
    raised = [sample.exercise(sample.finding(Outcome.RAISED), name=name) for name in ("x", "y")]
    absent = [sample.exercise(name=name) for name in ("x", "y")]
    results = [
        sample.result(*raised, id="raises"),
        sample.result(raised[0], absent[1], id="raises once"),
        sample.result(*absent, id="attempts nothing"),
    ]
    page = class_page.render(results)
    assert "An error in every exercise that they attempted raises" in said(page, "odd")
    assert "raises once" not in said(page, "odd").split("An error in every")[1]
    assert "Nothing attempted: 1 attempts nothing" in said(page, "look")


def test_versions_of_which_nothing_says_which_is_the_last_are_looked_at_first() -> None:
    doubtful = replace(FAILED, versions=("a.py", "b.py"))
    page = class_page.render([sample.result(FAILED, id="one"), sample.result(doubtful, id="two")])
    assert "Version in doubt: 1 two" in said(page, "look")


def test_a_submission_with_unique_failures_is_an_outlier() -> None:
    def failing(checks: str) -> Result:
        found = [sample.finding(Outcome.FAILED if c in checks else Outcome.PASSED, check=c) for c in "abcdef"]
        who = checks or "right"
        return sample.result(sample.exercise(*found), submission=sample.SubmissionInfo(who, ("a.py",), who))

    words = said(class_page.render([failing(c) for c in ("", "a", "ab", "cdef")]), "odd")
    assert words.endswith("Submission Differs in Nearest cdef 4 checks right")


def test_a_list_of_names_is_bounded_and_counts_the_others() -> None:
    results = [sample.result(FAILED, id=f"s{i:03}") for i in range(300)]
    words = said(class_page.render(results), "failing")
    assert f"s{MAX_NAMES - 1:03} and {300 - MAX_NAMES} more" in words and f"s{MAX_NAMES:03}" not in words


def test_hostile_text_is_escaped() -> None:
    evil = Mistake(HOSTILE, HOSTILE, HOSTILE)
    exercise = sample.exercise(
        sample.finding(Outcome.FAILED, check=HOSTILE, says=HOSTILE, message=HOSTILE, mistake=evil),
        sample.finding(Outcome.BROKEN, staff=HOSTILE),
        name=HOSTILE,
        title=HOSTILE,
        staff=HOSTILE,
    )
    results = [sample.result(exercise, id=f"{i}{HOSTILE}", title=HOSTILE, sandbox="open") for i in "12"]
    who = Student(HOSTILE, HOSTILE, HOSTILE, HOSTILE)
    marks = [
        mark(
            f"{i}{HOSTILE}",
            1.0,
            student=who,
            overrides=(Override("", None, 1.0, HOSTILE),),
            late=Late(1, 1.0, HOSTILE),
        )
        for i in "123"
    ]
    page = read(results, [HOSTILE], marks)
    assert "{{7*7}}" in page.words and "49" not in page.words and not page.named("img")


@pytest.mark.slow
@pytest.mark.nightly  # at each push, test_large_class.py has a class of some hundred
def test_a_thousand_students_with_long_names_fit_on_a_page() -> None:
    results = class_of_many.results(1_000)
    marks = class_of_many.marks(results)
    names = {one.id: f"Đặng Thị Hoà Nguyễn_{i:07}_assignsubmission_file" for i, one in enumerate(marks)}
    marks = [replace(one, id=names[one.id]) for one in marks]
    results = [
        replace(one, submission=replace(one.submission, id=names[one.submission.id])) for one in results
    ]
    page = class_page.render(results, (), marks)
    assert len(page.encode()) < 2_000_000
    assert len(rows(page)) == 1_050


@pytest.mark.parametrize("limit", Limit)
def test_every_limit_is_counted_under_a_name_of_its_own(limit: Limit) -> None:
    reached = sample.finding(Outcome.RAISED, message="OSError: no", limit=limit)
    results = [
        sample.result(sample.exercise(reached, reached), id="a"),
        sample.result(sample.exercise(outcome=Outcome.RAISED, message="not loaded", limit=limit), id="b"),
        sample.result(sample.exercise(sample.finding(Outcome.RAISED, message="OSError: no")), id="c"),
    ]
    [met] = limits_met.count_limits(results)
    assert (met.what, met.example, met.ids) == (limits_met.NAMES[limit], "OSError: no", ["a", "b"])
    assert len(set(limits_met.NAMES.values())) == len(Limit)


def test_a_result_that_was_written_without_limits_has_those_of_its_outcomes() -> None:
    ends = (Outcome.TIMED_OUT, Outcome.OUT_OF_MEMORY, Outcome.RAISED)
    exercise = sample.exercise(*(sample.finding(outcome, message="m") for outcome in ends))
    assert list(limits_met.limits_of(exercise)) == [Limit.TIME, Limit.MEMORY]
