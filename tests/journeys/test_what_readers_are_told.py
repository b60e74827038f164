"""Each tutorial says how long it takes, what one has at its end, and into which file each block goes."""

import re
from pathlib import Path

import pytest

from graders.locations import ROOT
from tests.support.followed_page import steps

TUTORIALS = ("first-check", "first-class", "first-cluster", "own-course", "tutorial-exercise")


@pytest.mark.parametrize("name", TUTORIALS)
def test_the_top_says_how_long_it_takes_and_what_one_has_at_the_end(name: str):
    title, first, *_ = (ROOT / f"docs/{name}.md").read_text(encoding="utf-8").split("\n\n")
    assert re.search(r"\b(\d+ minutes|an hour)\b", f"{title} {first}")
    assert "At the end you have" in first.replace("\n", " ")


@pytest.mark.parametrize("name", TUTORIALS)
def test_each_file_that_a_reader_writes_is_named_in_the_text(name: str):
    text = (ROOT / f"docs/{name}.md").read_text(encoding="utf-8")
    prose = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    for step in steps(f"{name}.md"):
        if step.kind in ("file", "change"):
            path = Path(step.name)
            in_folder = f"`{path.parent}/`" in prose and f"`{path.name}`" in prose
            assert f"`{step.name}`" in prose or in_folder, step.name
