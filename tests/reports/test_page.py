from dataclasses import replace
from itertools import pairwise

import pytest

from graders.language import LANGUAGES, Language
from graders.results.case import Case, TensorView
from graders.results.result import Definition, Mistake, Outcome, Place, Remark
from reports.pages import student_page
from tests.reports import class_of_twelve, sample
from tests.reports.markup import assert_sound

HOSTILE = (
    "<script>alert(1)</script>{{7*7}}{% raw %}\"'><img src=x onerror=alert(1)>&amp; مرحبا " + "w" * 3_000
)


def test_a_page_with_every_outcome_is_sound_html() -> None:
    assert_sound(student_page.render(sample.result()))


@pytest.mark.parametrize("result", class_of_twelve.results(), ids=lambda result: result.submission.id)
def test_the_pages_of_a_class_are_sound_html(result) -> None:
    assert_sound(student_page.render(result))


def test_every_outcome_is_also_a_word() -> None:
    words = assert_sound(student_page.render(sample.result())).words
    for word in ("passed", "failed", "raised an error", "ran out of time", "ran out of memory"):
        assert word in words
    assert "to be decided" in words and "softmark's fault" in words and "not attempted" in words


def test_the_same_result_gives_the_same_bytes() -> None:
    assert student_page.render(sample.result()) == student_page.render(sample.result())


def test_a_failure_has_the_case_the_message_both_tensors_and_the_hint() -> None:
    read = assert_sound(student_page.render(sample.result(sample.exercise(sample.finding(Outcome.FAILED)))))
    shown = [
        "x (2, 3) float32",
        "1 of 6 values of the output differ",
        "reshape alone mixes the heads: transpose first",
        "they differ most at [0, 1]: expected 1, yours 0.67",
        "debug: torch.Size([2, 3])",
    ]
    below = read.words.split("Joining the heads")[-1]  # the overview names the mistake too
    positions = [below.index(text) for text in shown]
    assert positions == sorted(positions)
    assert len(read.named("svg")) == 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_hint_is_shown_once_in_the_language_of_the_result_alone(language: Language) -> None:
    wrong = [sample.finding(Outcome.FAILED) for _ in range(3)]
    read = assert_sound(student_page.render(sample.result(sample.exercise(*wrong), language=language)))
    words = read.words.split("Joining the heads")[-1]  # below the overview, which names the cause too
    shown = [words.count(hint) for hint in (sample.MISTAKE.hint, sample.MISTAKE.hint_fr)]
    assert shown == ([1, 0] if language == "en" else [0, 1])
    assert sample.MISTAKE.name not in read.words


def test_each_exercise_has_its_hint() -> None:
    one = sample.exercise(sample.finding(Outcome.FAILED))
    read = assert_sound(student_page.render(sample.result(one, replace(one, name="again"))))
    assert read.words.count(sample.MISTAKE.hint) == 4  # in two lines of the overview, and below it


def test_a_hint_without_french_is_shown_in_english() -> None:
    alone = sample.finding(Outcome.FAILED, mistake=replace(sample.MISTAKE, hint_fr=""))
    read = assert_sound(student_page.render(sample.result(sample.exercise(alone), language="fr")))
    assert sample.MISTAKE.hint in read.words


def test_the_remark_of_a_passed_check_is_shown_once() -> None:
    passed = [sample.finding(message=sample.COUNTED) for _ in range(3)]
    read = assert_sound(student_page.render(sample.result(sample.exercise(*passed))))
    assert read.words.count(sample.COUNTED) == 1
    assert [p["class"] for p in read.named("p") if "message" in (p.get("class") or "")] == ["message quiet"]


def test_why_checks_are_undecided_is_shown_whole_and_once() -> None:
    skipped = [sample.finding(Outcome.SKIPPED, message=sample.UNMATCHED) for _ in range(2)]
    read = assert_sound(student_page.render(sample.result(sample.exercise(*skipped))))
    assert read.words.count(sample.UNMATCHED) == 1 and "the same in 1 further check" in read.words


def test_the_inputs_of_the_smallest_case_can_be_pasted() -> None:
    read = assert_sound(student_page.render(sample.result(sample.exercise(sample.finding(Outcome.FAILED)))))
    assert "x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.5]], dtype=torch.float32)" in read.words


def test_the_line_that_raised_is_marked_also_with_a_word() -> None:
    text = student_page.render(sample.result(sample.exercise(sample.finding(Outcome.RAISED))))
    read = assert_sound(text)
    assert [a["data-line"] for a in read.named("span") if a.get("class") == "line marked"] == ["6"]
    assert "← here" in read.words


def test_places_link_into_the_notebook() -> None:
    result = sample.result(sample.exercise(sample.finding(Outcome.RAISED)))
    assert student_page.render(result, "notebook.html").count('href="notebook.html#cell-9"') == 2
    assert "#cell-" not in student_page.render(result)


def test_places_do_not_link_into_one_of_several_notebooks() -> None:
    two = sample.result(sample.exercise(sample.finding(Outcome.RAISED)))
    submission = type(two.submission)("alice", ("a.ipynb", "b.ipynb"), "00")
    result = sample.result(*two.exercises, submission=submission)
    assert "#cell-" not in student_page.render(result, "notebook.html")


def test_a_fault_of_softmark_costs_nothing_and_its_details_are_hidden() -> None:
    read = assert_sound(student_page.render(sample.result(sample.exercise(sample.finding(Outcome.BROKEN)))))
    assert "softmark itself failed here" in read.words
    assert "KeyError" not in read.words
    assert "1 undecided" in read.words


def test_staff_text_is_not_on_a_students_page() -> None:
    secret = sample.finding(Outcome.FAILED, staff="the reference gave 42")
    text = student_page.render(sample.result(sample.exercise(secret, staff="the box was slow")))
    assert "the reference gave 42" not in text and "the box was slow" not in text


def test_a_run_without_a_box_says_so_on_top() -> None:
    assert "Without a box." in assert_sound(student_page.render(sample.result(sandbox="open"))).words
    assert "Without a box." not in student_page.render(sample.result())


def test_undecided_points_are_announced() -> None:
    assert "2 points still to be decided" in assert_sound(student_page.render(sample.result())).words


def test_hostile_text_is_escaped() -> None:
    evil = sample.finding(
        Outcome.FAILED,
        check=HOSTILE,
        says=HOSTILE,
        message=HOSTILE,
        case=Case(HOSTILE, (), sample.tensor([1.0], 1, dtype=HOSTILE), None, (0,)),
        mistake=Mistake(HOSTILE, HOSTILE, HOSTILE),
        place=Place(HOSTILE, 9, 3),
        output=HOSTILE,
        staff=HOSTILE,
    )
    exercise = sample.exercise(
        evil,
        name=HOSTILE,
        title=HOSTILE,
        message=HOSTILE,
        definitions=(Definition(HOSTILE, 9, 3, HOSTILE),),
    )
    result = sample.result(exercise, id=HOSTILE, title=HOSTILE, remarks=(Remark(HOSTILE, HOSTILE, 1, 1),))
    read = assert_sound(student_page.render(result))
    assert "<script>alert(1)</script>{{7*7}}" in read.words
    assert "49" not in read.words
    assert not read.named("img")


def test_long_text_is_cut_with_a_note() -> None:
    long = sample.finding(Outcome.FAILED, message="m" * 1_000_000, case=Case("c" * 1_000_000))
    code = Definition("rendu.ipynb", 9, 1, "\n".join(["x = 1"] * 5_000))
    text = student_page.render(sample.result(sample.exercise(long, definitions=(code,))))
    assert len(text) < 100_000
    assert "more characters]" in text and "4,700 more lines not shown" in text


@pytest.mark.slow
def test_a_tensor_of_any_kind_does_not_break_the_page() -> None:
    odd = [
        TensorView((), "float32", (1.5,)),
        TensorView((0, 4), "float32", ()),
        TensorView((3,), "int64", (1, 2, 3)),
        TensorView((2, 2), "float32", ("nan", "inf", "-inf", 1e308)),
        TensorView((40, 40), "float32", tuple(float(i) for i in range(1024)), clipped=True),
        TensorView((2, 3, 4, 5), "bool", tuple(float(i % 2) for i in range(120))),
    ]
    pairs = [*zip(odd, odd, strict=True), *pairwise([*odd, odd[0]]), *((None, one) for one in odd)]
    findings = [
        sample.finding(Outcome.FAILED, case=Case("odd", (), a, b, (0, 1) if number % 2 else None))
        for number, (a, b) in enumerate(pairs)
    ]
    assert_sound(student_page.render(sample.result(sample.exercise(*findings))))
