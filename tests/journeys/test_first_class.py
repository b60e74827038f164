"""Follow the tutorial "Your first class in 20 minutes" as it stands."""

import json
from pathlib import Path

import pytest

from tests.support.followed_page import Done, follow, require_as_shown, require_status

pytestmark = pytest.mark.programs
BY_HAND = [
    "python3 -m venv .venv",
    "source .venv/bin/activate",
    "pip install -c constraints.txt .",
    "export SOFTMARK_SOLUTIONS=$PWD/solutions",
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("teacher")


@pytest.fixture(scope="module")
def followed(folder: Path) -> list[Done]:
    return follow("first-class.md", folder, {"grade": "--jobs 1"}, by_hand=BY_HAND)


def test_every_command_ends_as_the_page_says(followed: list[Done]):
    assert [done.command.split()[0] for done in followed] == [
        "handout",
        "grade",
        "why",
        "report",
        "release",
        "export",
        "grade",
        "release",
    ]
    for done in followed:
        require_status(done, 1 if done.command.startswith("grade") else 0)


def test_everything_prints_what_the_page_shows(followed: list[Done]):
    require_as_shown(followed)


def test_what_the_page_says_of_each_student_is_so(followed: list[Done], folder: Path):
    said = [done.printed for done in followed]
    assert "Nothing was handed in by Dan Morel." in said[1]
    assert "The memory is only read in another shape" in said[2]
    assert "ben.py, line 3" in said[2] and "all checks hold" in said[2]
    assert "2 to grade" not in said[6] and "graded: 1 (cleo)" in said[6]
    assert "cleo" in said[7] and "ada" not in said[7]
    points = {name: sum(e["points"] for e in _result(folder, name)["exercises"]) for name in ("ada", "cleo")}
    assert points == {"ada": 4, "cleo": 2}
    assert "ben,Ben Roy,ben@example.org,1.5,20," in (folder / "results/release.csv").read_text("utf-8-sig")
    assert len([*(folder / "given-back").glob("*/index.html")]) == 3


def _result(folder: Path, name: str) -> dict:
    return json.loads((folder / "results" / name / "result.json").read_text(encoding="utf-8"))
