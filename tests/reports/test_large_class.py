"""A class that is too large for one table: its pages, the search over all of it, and what it costs."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from graders.batch.publish_class import begin_beside
from graders.classroom.marks import Mark, Student
from reports import publish
from reports.class_statistics import similar
from reports.pages import class_page, table_pages
from tests.reports import class_of_many, sample
from tests.reports.markup import assert_sound
from tests.reports.test_class_page import rows
from tests.reports.test_page import HOSTILE
from tests.support import browser, devtools


@pytest.fixture
def small_pages(monkeypatch) -> None:
    """Pages of four rows, for more than six."""
    for module in (table_pages, class_page):
        monkeypatch.setattr(module, "MAX_ROWS", 6)
    monkeypatch.setattr(table_pages, "ROWS", 4)


def render(count: int) -> dict[str, str]:
    results = class_of_many.results(count)
    return class_of_many.pages(results, ["a note"])


def test_a_class_of_some_hundred_has_one_page() -> None:
    assert list(render(300)) == ["index.html"]


def test_each_submission_of_a_large_class_is_on_one_page_of_the_table(small_pages) -> None:
    pages = render(9)
    tables = [pages[f"submissions-00{number}.html"] for number in (1, 2, 3)]
    assert list(pages) == ["index.html", "submissions.html", *(f"submissions-00{n}.html" for n in (1, 2, 3))]
    names = [name for page in tables for name in rows(page)]
    results = class_of_many.results(9)
    whole = rows(class_page.render(results, ["a note"], class_of_many.marks(results)))
    assert names == list(whole)
    assert {name: row for page in tables for name, row in rows(page).items()} == whole


def test_all_pages_of_a_large_class_are_sound_and_lead_to_one_another(small_pages) -> None:
    pages = render(9)
    for name, text in pages.items():
        page = assert_sound(text)
        links = {link for link in page.values("href") if link.startswith(("submissions", "index"))}
        assert links - {"index.html"} <= set(pages), name
    assert "submissions.html" in assert_sound(pages["index.html"]).values("href")
    assert assert_sound(pages["submissions-002.html"]).words.count("Previous page") == 1
    assert "Next page" not in assert_sound(pages["submissions-003.html"]).words


def test_the_first_page_of_a_large_class_has_no_table_of_all_and_no_list_of_rows(small_pages) -> None:
    first = render(9)["index.html"]
    assert "data-who" not in first
    assert '<table class="class' not in first
    assert len(render(9)["index.html"]) < 1.3 * len(render(7)["index.html"])


def test_pages_of_a_class_that_was_larger_are_removed_and_a_students_folder_stays(
    small_pages, tmp_path: Path
) -> None:
    (tmp_path / "submissions").mkdir()
    for count, expected in ((9, 3), (7, 2), (3, 0)):
        results = class_of_many.results(count)
        publish.publish_class(tmp_path, results, class_of_many.marks(results))
        assert len(list(tmp_path.glob("submissions-*.html"))) == expected
        assert (tmp_path / "submissions.html").exists() == bool(expected)
    assert (tmp_path / "submissions").is_dir()


@pytest.mark.programs
@pytest.mark.parametrize("end", ["as it should", "killed"])
def test_the_tables_pages_are_made_beside_the_first_one_and_are_there_in_any_case(
    small_pages, tmp_path: Path, monkeypatch, end: str
) -> None:
    results = class_of_many.results(9)
    expected = class_of_many.pages(results)
    here, render_table = os.getpid(), class_page.ClassPages.render_table
    made_by: list[int] = []

    def render(pages: class_page.ClassPages) -> Iterator[tuple[str, str]]:
        made_by.append(os.getpid())
        if end == "killed" and os.getpid() != here:
            os.kill(os.getpid(), signal.SIGKILL)
        return render_table(pages)

    monkeypatch.setattr(class_page.ClassPages, "render_table", render)
    monkeypatch.setattr("graders.batch.publish_class.default_jobs", lambda: 2)
    publish.publish_class(tmp_path, results, class_of_many.marks(results), beside=begin_beside)
    assert {name: (tmp_path / name).read_text(encoding="utf-8") for name in expected} == expected
    assert made_by == ([here] if end == "killed" else [])


def test_hostile_names_are_text_in_the_search(small_pages) -> None:
    results = [sample.result(id=f"s{number}") for number in range(7)]
    marks = [
        Mark(result.submission.id, Student(result.submission.id, HOSTILE + "\t\n</div>"), None, 1, 1, 20)
        for result in results
    ]
    class_pages = class_page.ClassPages(results, (), marks)
    pages = dict([class_pages.render_index(), *class_pages.render_table()])
    for text in pages.values():
        assert_sound(text)
    lines = pages["submissions.html"].split('data-rows="4">')[1].split("</div>")[0].splitlines()
    assert [line.count("\t") for line in lines] == [4] * 7


@pytest.mark.programs
@pytest.mark.skipif(devtools.CHROMIUM is None, reason="there is no chromium here")
def test_the_search_finds_by_name_without_accents_by_id_and_by_group(small_pages) -> None:
    question = """
      const input = document.querySelector(".tools input");
      const find = (words) => {
        input.value = words;
        input.dispatchEvent(new Event("input"));
        const rows = Array.from(document.querySelectorAll("table.found tbody tr"));
        return rows.map((row) => Array.from(row.cells).map((cell) => cell.textContent.trim()).join("|"));
      };
      const status = () => document.querySelector("[role=status]").textContent;
      const found = [find("gaelle"), find("student-0008"), find("GROUP 3"), find("nobody")];
      const link = (find("student-0008"), document.querySelector("table.found a").getAttribute("href"));
      return [...found, status(), link];
    """
    named, numbered, grouped, nobody, status, link = browser.asked(render(9)["submissions.html"], question)
    assert [row.split("|")[0].split()[0] for row in named] == ["Gaëlle"]
    assert len(numbered) == 1
    assert numbered[0].endswith("|3")
    assert "group 3" in {row.split("|")[1] for row in grouped}
    assert nobody == []
    assert status == "1 of 9 found"
    assert link == "student-0008/index.html"


def test_few_outliers_are_the_first_of_many() -> None:
    results = class_of_many.results(150)
    many = similar.find_outliers(results, most=100)
    assert len(many) > 5
    assert similar.find_outliers(results, most=5) == many[:5]
    assert similar.find_outliers(results, most=1) == many[:1]
