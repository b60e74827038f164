"""The site of the documents: its links are those of the documents, and its French is whole."""

import pytest

from tests.maintenance.site.exercise_pages import exercise_pages
from tests.maintenance.site.french import extract_paragraphs, read_french
from tests.maintenance.site.stage import IN_FRENCH, ROOT, place_of, sections, with_links


@pytest.mark.programs
def test_every_paragraph_of_the_french_pages_is_translated_and_no_other_is_kept():
    due = {message.id for message in extract_paragraphs() if message.id}
    french = {message.id: message.string for message in read_french() if message.id}
    assert due == french.keys(), "make messages"
    assert [paragraph for paragraph, text in french.items() if not text] == []


def test_links_between_documents_hold_on_the_site_and_code_keeps_what_it_has():
    page = ROOT / "docs/class.md"
    text = "[a](../README.md) [b](design/box.md#limits) [c](https://x.org) `[d](../README.md)` [e](#marks)"
    assert with_links(page, text) == (
        "[a](overview.md) [b](design/box.md#limits) [c](https://x.org) `[d](../README.md)` [e](#marks)"
    )
    assert (
        with_links(ROOT / "README.md", "[a](docs/README.md) [b](docs/class.md)")
        == "[a](index.md) [b](class.md)"
    )


def test_every_document_is_in_the_navigation():
    index = ROOT / "docs/README.md"
    pages = {page for _, names in sections(with_links(index, index.read_text("utf-8"))) for page in names}
    documents = {place_of(path).removesuffix(".md") for path in (ROOT / "docs").glob("*.md")} - {"index"}
    assert documents <= pages
    assert {name for name in IN_FRENCH if name != "index"} <= pages


def test_each_exercise_has_a_page_with_its_checks_and_mistakes():
    pages = dict(exercise_pages())
    page = pages["exercises/concat_heads.md"]
    for text in (
        "the columns h\\*D up to (h+1)\\*D hold head h",
        "(concat_heads--without_transpose)=",
        "<details>",
    ):
        assert text in page
    assert "return" not in page.replace("Returns", "")  # no line of a solution
