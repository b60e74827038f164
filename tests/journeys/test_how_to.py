"""Follow each page of `docs/how-to/` as it stands, as one who has graded the class of the tutorial."""

import re
import shutil
from functools import partial
from pathlib import Path

import pytest

from graders.locations import ROOT
from tests.journeys.before_how_to import BEFORE
from tests.support.followed_page import command, follow, follow_steps, in_this_process, not_printed, steps

pytestmark = pytest.mark.programs
PAGES = sorted(path.stem for path in (ROOT / "docs/how-to").glob("*.md"))
GRADE = "grade handed-in/ --assignment attention --roster roster.csv --out results/"
ALSO = {"grade": "--jobs 1 --seed 1"}  # under one seed, what is drawn is drawn once
FILES = 4  # of the tutorial, up to there: three submissions and a roster
WIDE = partial(in_this_process, columns="100")


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of one who has followed the tutorial as far as "Grade"."""
    folder = tmp_path_factory.mktemp("class")
    first = [step for step in steps("first-class.md") if step.kind == "file"][:FILES]
    follow_steps([*first, command(GRADE)], folder, ALSO)
    return folder


@pytest.fixture
def folder(graded: Path, tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A copy of it, with what the reader of a page has before."""
    folder = tmp_path / "work"
    shutil.copytree(graded, folder)
    make = BEFORE.get(request.param)
    if make is not None:
        make(folder)
    return folder


@pytest.mark.parametrize(("folder", "page"), [(p, p) for p in PAGES], ids=PAGES, indirect=["folder"])
def test_what_a_page_says_to_type_prints_what_it_shows(folder: Path, page: str):
    for done in follow(f"how-to/{page}.md", folder, ALSO, run=WIDE):
        assert done.status in (0, 1), done
        assert not_printed(done.shown, done.printed) == [], done


@pytest.mark.parametrize("folder", ["privacy"], indirect=True)
def test_of_a_student_who_is_taken_out_nothing_is_kept(folder: Path):
    shutil.rmtree(folder / "results/ben")
    (folder / "handed-in/ben.py").unlink()
    roster = (folder / "roster.csv").read_text(encoding="utf-8").split("\n")
    (folder / "roster.csv").write_text("\n".join(line for line in roster if "ben" not in line))
    [done] = follow_steps([command(GRADE)], folder, ALSO)
    assert "graded: 0" in done.printed
    texts = [path.read_text("utf-8") for path in (folder / "results").rglob("*") if path.is_file()]
    assert [text for text in texts if "Ben Roy" in text or "ben@example.org" in text] == []


@pytest.mark.parametrize("page", PAGES)
def test_a_page_says_what_to_look_out_for_and_where_the_reference_is(page: str):
    text = (ROOT / f"docs/how-to/{page}.md").read_text(encoding="utf-8")
    assert page == "README" or ("## Look out for" in text and "\nReference: " in text)


def test_the_parts_of_the_class_page_have_the_names_that_the_page_says():
    text = (ROOT / "docs/how-to/teach-again.md").read_text(encoding="utf-8")
    parts = re.findall(r"^\| ([A-Z][a-z ]+) \|", text, re.MULTILINE)
    code = "".join(path.read_text("utf-8") for path in (ROOT / "reports").rglob("*.j2"))
    assert len(parts) == 5
    assert [part for part in parts if part not in code] == []


def test_a_line_that_is_not_printed_or_in_another_order_is_found():
    assert not_printed("a\n...\nc\n", "a\nb\nc\n") == []
    assert not_printed("c\na\n", "a\nb\nc\n") == ["a"]
    assert not_printed("d\n", "a\n") == ["d"]
