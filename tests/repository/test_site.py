"""The site of the documents: its links are those of the documents, and its French is whole."""

import re
from pathlib import Path

import pytest

from tests.maintenance.site.exercise_pages import exercise_pages
from tests.maintenance.site.french import extract_paragraphs, read_french
from tests.maintenance.site.stage import (
    IN_ENGLISH_ALONE,
    IN_FRENCH,
    ROOT,
    SHOWN_IN_ENGLISH,
    place_of,
    sections,
    stage_pages,
    with_links,
    with_names_of_files,
)


@pytest.mark.programs
def test_every_paragraph_of_the_french_pages_is_translated_and_no_other_is_kept():
    due = {message.id for message in extract_paragraphs() if message.id}
    french = {message.id: message.string for message in read_french() if message.id}
    assert due == french.keys(), "make messages"
    assert [paragraph for paragraph, text in french.items() if not text] == []
    # Sphinx leaves a heading in English whose translation reads as a list.
    assert [text for text in french.values() if re.match(r"\d+[.)] |[-*+>] ", str(text))] == []


@pytest.mark.programs
def test_a_page_is_french_or_says_that_it_is_not(tmp_path: Path) -> None:
    stage_pages(tmp_path, names := ("commands", "students", "first-class", "SECURITY"), "fr")
    commands, students, tutorial, security = ((tmp_path / f"{name}.md").read_text("utf-8") for name in names)
    assert "# Commandes\n" in commands and "Corriger une classe" in commands
    assert "les colonnes h*D à (h+1)*D contiennent la tête h" in students  # what a French student sees
    assert SHOWN_IN_ENGLISH in tutorial
    assert [IN_ENGLISH_ALONE in page for page in (commands, students, security)] == [False, False, True]


def test_links_between_documents_hold_on_the_site_and_code_keeps_what_it_has():
    page = ROOT / "docs/ci.md"
    text = "[a](../README.md) [b](design/box.md#limits) [c](https://x.org) `[d](../README.md)` [e](#marks)"
    assert with_links(page, text) == (
        "[a](overview.md) [b](design/box.md#limits) [c](https://x.org) `[d](../README.md)` [e](#marks)"
    )
    assert (
        with_links(ROOT / "README.md", "[a](docs/README.md) [b](docs/how-to/README.md)")
        == "[a](index.md) [b](how-to/index.md)"
    )


def test_a_block_that_is_a_file_shows_its_name_on_the_site():
    page = "```python a/b.py\nx = 1\n```\n\n```console first\n$ ls\n```\n\n```python\nx\n```\n"
    named = page.replace("```python a/b.py\n", "```{code-block} python\n:caption: a/b.py\n\n")
    assert with_names_of_files(page) == named


def test_every_document_is_in_the_navigation():
    index = ROOT / "docs/README.md"
    pages = {page for _, names in sections(with_links(index, index.read_text("utf-8"))) for page in names}
    documents = {place_of(path).removesuffix(".md") for path in (ROOT / "docs").glob("*.md")} - {"index"}
    assert documents <= pages
    places = {name if "/" not in name else f"{name.rpartition('/')[0]}/index" for name in IN_FRENCH}
    assert places - {"index"} <= pages


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
