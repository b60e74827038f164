"""Follow the tutorial "A course of your own" as it stands, from an empty folder to a class."""

import json
from pathlib import Path

import pytest

from tests.support.followed_page import Done, follow, in_a_fork, require_as_shown, require_status

pytestmark = pytest.mark.programs

OPEN = "--jobs 1 --sandbox open"  # the page's code is ours
ALSO = {"audit": f"--quick {OPEN}", "handout": "--key none", "grade": f"{OPEN} --unsafe"}


@pytest.fixture(scope="module")
def teacher(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("teacher")


@pytest.fixture(scope="module")
def followed(teacher: Path) -> list[Done]:
    return follow("own-course.md", teacher, ALSO, run=in_a_fork)


def test_every_command_of_the_page_ends_well(followed: list[Done]):
    for done in followed:
        require_status(done, 1 if done.command.startswith("grade") else 0)


def test_everything_prints_what_the_page_shows(followed: list[Done]):
    require_as_shown(followed)


def test_own_and_shipped_exercises_are_graded_with_own_points_and_mistakes(
    followed: list[Done], teacher: Path
):
    out = teacher / "results"
    results = {path.parent.name: json.loads(path.read_bytes()) for path in out.glob("*/result.json")}
    points = {who: [e["points"] for e in result["exercises"]] for who, result in results.items()}
    assert points["ada"] == [4, 2], results["ada"]
    assert points["cy"] == [0, 0]
    assert 0 < points["ben"][0] < 4
    named = {f["mistake"]["name"] for e in results["ben"]["exercises"] for f in e["findings"] if f["mistake"]}
    assert named == {"softmax_rows__overflows", "concat_heads__sums_up"}


def test_the_handout_has_both_exercises_and_no_solution(followed: list[Done], teacher: Path):
    [module] = (teacher / "handed-out").rglob("tp1.py")
    text = module.read_text(encoding="utf-8")
    assert "def softmax_rows(x):" in text
    assert "def concat_heads(x):" in text
    assert "amax" not in text and "sum(-1" not in text
