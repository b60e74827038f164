"""What the class page's script does, in headless Chromium; skipped where there is none."""

from dataclasses import replace

import pytest

from graders.classroom.marks import Mark, Student
from graders.language import Language, speaking
from graders.results.result import Outcome, Result, SubmissionInfo
from reports.pages import class_page
from tests.reports import sample
from tests.reports.test_page import HOSTILE
from tests.support import browser, devtools

pytestmark = [
    pytest.mark.programs,
    pytest.mark.skipif(devtools.CHROMIUM is None, reason="there is no chromium here"),
]

WORDS = """
  const names = () => Array.from(document.querySelectorAll("table.class tbody tr"))
    .filter((row) => !row.hidden).map((row) => row.cells[0].textContent.trim());
  const head = (words) => Array.from(document.querySelectorAll("table.class thead button"))
    .find((button) => button.textContent.includes(words));
  const [text, exercise, outcome, who] = document.querySelectorAll(".tools input, .tools select");
  const put = (field, value) => { field.value = value; field.dispatchEvent(new Event("input")); };
  const options = (field) => Array.from((field.list || field).querySelectorAll("option"));
  const option = (field, words) =>
    options(field).find((each) => (field.list ? each.value : each.text).includes(words)).value;
  const status = () => document.querySelector("[role=status]").textContent;
  const clear = () => document.querySelector(".tools button").click();
"""


def class_of_five() -> tuple[list[Result], list[str], list[Mark]]:
    """Five students and one without a submission."""
    ended = {
        "s10": (9, Outcome.FAILED, Outcome.PASSED),
        "s2": (9.5, Outcome.PASSED, Outcome.PASSED),
        "Élodie": (0, Outcome.NOT_ATTEMPTED, Outcome.RAISED),
        "zoe": (9, Outcome.FAILED, Outcome.FAILED),
        "<b>bob": (-1, Outcome.PASSED, Outcome.PASSED),
    }
    results = [
        sample.result(
            sample.exercise(sample.finding(first), name="one", title="One"),
            sample.exercise(sample.finding(second), name="two", title="Two"),
            id=who,
            points=points,
            max_points=20,
        )
        for who, (points, first, second) in ended.items()
    ]
    marks = [Mark(r.submission.id, None, None, r.points, r.points, 20) for r in results]
    marks.append(Mark("away", Student("away"), None, None, None, 20))
    return results, [], marks


@pytest.mark.parametrize(
    ("language", "said"), [("en", "1,001 of 1,001 shown"), ("fr", "1\u202f001 sur 1\u202f001")]
)
def test_a_thousand_rows_and_more_are_counted_as_the_language_writes_numbers(
    language: Language, said: str
) -> None:
    one = sample.result(sample.exercise(sample.finding()))
    results = [replace(one, submission=SubmissionInfo(f"s{n}", (), "")) for n in range(1_001)]
    with speaking(language):
        many = class_page.render(results)
    assert said in browser.asked(many, f"{WORDS} return status();")


@pytest.fixture(scope="module")
def page() -> str:
    return class_page.render(*class_of_five())


def test_points_sort_as_numbers_names_as_text_and_missing_values_last(page: str) -> None:
    question = """
      const found = {};
      const heads = () => Array.from(document.querySelectorAll("table.class th[aria-sort]"))
        .map((each) => each.textContent.trim() + " " + each.getAttribute("aria-sort"));
      head("Points").click(); found.up = names(); found.said = status(); found.heads = heads();
      head("Points").click(); found.down = names(); found.again = heads();
      head("Submission").click(); found.named = names();
      head("One").click(); head("Submission").parentElement.removeAttribute("aria-sort"); found.one = names();
      return found;
    """
    found = browser.asked(page, WORDS + question)
    assert found["up"] == ["<b>bob", "Élodie", "s10", "zoe", "s2", "away"]
    assert found["said"] == "6 of 6 shown, sorted by Points / 20, lowest first"
    assert found["heads"] == ["Points / 20 ascending"] and found["again"] == ["Points / 20 descending"]
    assert found["down"] == ["s2", "s10", "zoe", "Élodie", "<b>bob", "away"]
    assert found["named"] == ["<b>bob", "away", "Élodie", "s2", "s10", "zoe"]
    # Rows that are alike keep their order.
    assert found["one"] == ["Élodie", "s10", "zoe", "<b>bob", "s2", "away"]


def test_rows_are_filtered_by_name_outcome_and_list(page: str) -> None:
    question = """
      const found = {};
      put(text, "elo"); found.text = names(); found.said = status(); clear();
      put(outcome, "failed"); found.any = names();
      put(exercise, option(exercise, "Two")); found.two = names(); clear();
      put(outcome, "missing"); found.missing = names(); clear();
      put(who, option(who, "One: reshape alone mixes the heads: transpose first")); found.mistake = names();
      head("Submission").click(); head("Submission").click(); found.sorted = names(); clear();
      found.all = [names().length, status()];
      return found;
    """
    found = browser.asked(page, WORDS + question)
    assert found["text"] == ["Élodie"] and found["said"] == "1 of 6 shown"
    assert found["any"] == ["s10", "zoe"] and found["two"] == ["zoe"]
    assert found["missing"] == ["away"]
    assert found["mistake"] == ["s10", "zoe"] and found["sorted"] == ["zoe", "s10"]
    assert found["all"] == [6, "6 of 6 shown"]


def test_every_list_of_names_can_be_shown_in_the_table(page: str) -> None:
    question = """
      return Array.from(document.querySelectorAll("[data-who]")).map((list) => {
        put(text, "nobody");
        list.querySelector("button").click();
        const named = Array.from(list.querySelectorAll("bdi")).map((each) => each.textContent);
        return [named.sort().join(), names().sort().join(), document.activeElement === who, text.value];
      });
    """
    found = browser.asked(page, WORDS + question)
    assert len(found) > 5
    for named, shown, focused, text in found:
        assert named == shown and focused and text == ""


def test_a_view_is_kept_in_the_address_and_found_there_again(page: str) -> None:
    question = """
      put(exercise, option(exercise, "Two")); put(outcome, "failed"); head("Points").click();
      const kept = location.hash;
      clear(); const cleared = location.hash;
      location.hash = kept; await frame(); await frame();
      const again = [names(), exercise.selectedOptions[0].text, location.hash === kept];
      location.hash = "#view?" + new URLSearchParams({ text: "<b>", exercise: "gone", who: "nobody" });
      await frame(); await frame();
      return [kept, cleared, again, names()];
    """
    kept, cleared, again, odd = browser.asked(page, WORDS + question)
    assert kept == "#view?exercise=Two&outcome=failed&ascending=Points+%2F+20" and cleared != kept
    assert again == [["zoe"], "Two", True] and odd == ["<b>bob"]


def test_in_french_the_status_is_french_and_decimal_commas_sort() -> None:
    question = """
      const found = {};
      head("Points").click(); found.up = names(); found.said = status();
      put(text, "elo"); found.text = status();
      found.button = document.querySelector("[data-who] button").textContent;
      return found;
    """
    with speaking("fr"):
        french = class_page.render(*class_of_five())
    found = browser.asked(french, WORDS + question)
    assert found["up"] == ["<b>bob", "Élodie", "s10", "zoe", "s2", "away"]
    assert found["said"] == "Affichage\u00a0: 6 sur 6, tri par Points / 20, croissant"
    assert found["text"] == "Affichage\u00a0: 1 sur 6" and found["button"] == "voir dans le tableau"


def test_without_scripts_no_button_is_shown(page: str) -> None:
    assert page.count("<button") == 1 and '<div class="tools no-print"' in page
    tools = page[page.index('<div class="tools') :].partition(">")[0]
    assert tools.endswith(" hidden")


def test_the_page_of_an_empty_class_has_no_script() -> None:
    assert "<script" not in class_page.render([]) and "script-src" not in class_page.render([])


def test_hostile_names_stay_text_in_elements_made_by_the_script() -> None:
    exercise = sample.exercise(sample.finding(Outcome.FAILED), name=HOSTILE, title=HOSTILE)
    hostile = class_page.render([sample.result(exercise, id=f"{i}{HOSTILE}") for i in "12"], [HOSTILE])
    question = """
      head("Points").click();
      const scripts = document.querySelectorAll("script").length;
      return [document.images.length, scripts, options(who).length, names()];
    """
    images, scripts, options, names = browser.asked(hostile, WORDS + question)
    assert (images, scripts) == (0, 2) and options > 2  # the second script is what asks
    assert all("<script>alert(1)</script>" in name for name in names)


def test_no_other_script_may_run() -> None:
    page = class_page.render([sample.result()]).replace(
        "</main>", "<script>document.title = 'x'</script></main>"
    )
    assert browser.asked(page, "return document.title").endswith("1 submission")


def test_a_name_opens_the_page_over_the_class_and_leads_to_the_next_that_is_shown(page: str) -> None:
    question = """
      const found = {};
      const view = document.querySelector("dialog.walk");
      const [previous, next, close] = view.querySelectorAll("button");
      const seen = () => [
        view.querySelector("h2").textContent, view.querySelector("[role=status]").textContent,
        view.querySelector("iframe").getAttribute("src"), previous.disabled, next.disabled,
      ];
      put(outcome, "failed");
      document.querySelector("table.class tr:not([hidden]) td a").click(); found.first = seen();
      next.click(); found.second = seen();
      close.click(); await frame(); found.closed = [view.open, view.querySelector("iframe"), names().length];
      return found;
    """
    found = browser.asked(page, WORDS + question)
    assert found["first"] == ["s10", "1 of 2", "s10/index.html#exercise-one", True, False]
    assert found["second"] == ["zoe", "2 of 2", "zoe/index.html#exercise-one", False, True]
    assert found["closed"] == [False, None, 2]
