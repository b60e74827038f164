import pytest

from graders.result import Mistake, Outcome
from reports import class_page
from tests.reports import class_of_twelve, sample
from tests.reports.markup import assert_sound
from tests.reports.test_page import HOSTILE


def test_a_class_is_sound_html() -> None:
    read = assert_sound(class_page.render(class_of_twelve.results(), ["the zip of mallory is damaged"]))
    assert "the zip of mallory is damaged" in read.words


@pytest.mark.parametrize("results", [[], [sample.result()], [sample.result(max_points=0, points=0)]])
def test_a_class_of_none_or_one_is_sound_html(results) -> None:
    assert_sound(class_page.render(results))


def test_rows_lead_to_the_pages_of_the_submissions() -> None:
    ids = ["a b", "x/../y", "50%", "#1", "Đặng", 'q"uote', "javascript:alert(1)"]
    hrefs = assert_sound(class_page.render([sample.result(id=i) for i in ids])).values("href")
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
    words = " ".join(assert_sound(class_page.render(results)).pieces)
    assert "Submissions 3 Mean 6 Median 4 Range 2 to 12" in words


def test_the_distribution_is_a_table_too() -> None:
    results = [sample.result(id=str(n), points=n, max_points=20) for n in (3, 20, 19)]
    words = " ".join(assert_sound(class_page.render(results)).pieces)
    assert "2 to under 4 1" in words and "18 to 20 2" in words


def test_cells_say_points_and_outcome_to_a_screen_reader() -> None:
    results = [sample.result(sample.exercise(sample.finding(), sample.finding(Outcome.RAISED)))]
    assert "1 of 2, raised an error" in assert_sound(class_page.render(results)).words


def test_checks_that_fail_are_listed_with_their_share_and_whose() -> None:
    good = sample.exercise(sample.finding())
    bad = sample.exercise(sample.finding(Outcome.FAILED))
    undecided = sample.exercise(sample.finding(Outcome.SKIPPED))
    results = [sample.result(e, id=f"s{i}") for i, e in enumerate((good, bad, good, bad, undecided))]
    read = assert_sound(class_page.render(results))
    words = " ".join(read.pieces)
    assert "50% 2 of 4" in words
    assert "s1/index.html#exercise-concat_heads" in read.values("href")


def test_known_mistakes_are_counted_once_per_submission_the_most_frequent_first() -> None:
    rare = Mistake("concat_heads__a + concat_heads__b_c | concat_heads__d", "mend a. And: b. Or: d.", "fr")
    made = {"s0": rare, "s1": sample.MISTAKE, "s2": None, "s3": sample.MISTAKE}
    results = [
        sample.result(sample.exercise(*[sample.finding(Outcome.FAILED, mistake=mistake)] * 3), id=who)
        for who, mistake in made.items()
    ]
    read = assert_sound(class_page.render(results))
    words = " ".join(read.pieces)
    assert "unmoved reshape alone mixes the heads: transpose first 2 s1 s3 a and b c or d mend a." in words
    assert "And: b. Or: d. 1 s0" in words


def test_where_no_mistake_is_known_there_is_no_table_of_them() -> None:
    unknown = sample.exercise(sample.finding(Outcome.FAILED, mistake=None))
    assert "Known mistake" not in class_page.render([sample.result(unknown)])


def test_what_ended_badly_is_worth_a_look() -> None:
    words = assert_sound(class_page.render([sample.result()])).words
    look = words[words.index("Worth a look") :]
    assert "KeyError: <script>" in look
    assert "still running after 10 s" in look and "more than 2 GB" in look


def test_what_the_staff_should_know_stands_on_the_class_page() -> None:
    results = [
        sample.result(sample.exercise(staff="the box was slow")),
        sample.result(id="bob", sandbox="open"),
    ]
    words = assert_sound(class_page.render(results)).words
    assert "the box was slow" in words and "Without a box." in words


def test_hostile_text_is_shown_and_does_nothing() -> None:
    evil = Mistake(HOSTILE, HOSTILE, HOSTILE)
    exercise = sample.exercise(
        sample.finding(Outcome.FAILED, check=HOSTILE, says=HOSTILE, message=HOSTILE, mistake=evil),
        sample.finding(Outcome.BROKEN, staff=HOSTILE),
        name=HOSTILE,
        title=HOSTILE,
        staff=HOSTILE,
    )
    result = sample.result(exercise, id=HOSTILE, title=HOSTILE, sandbox="open")
    read = assert_sound(class_page.render([result], [HOSTILE]))
    assert "{{7*7}}" in read.words and "49" not in read.words


def test_three_hundred_students_fit_on_a_page() -> None:
    results = [
        sample.result(*result.exercises, id=f"student-{i}-{result.submission.id}")
        for i in range(25)
        for result in class_of_twelve.results()
    ]
    assert len(class_page.render(results)) < 1_500_000
