"""Follow the tutorial "A cluster in two terminals" as it stands, at a port that is free."""

import json
import socket
from pathlib import Path

import pytest

from tests.support.followed_page import Done, follow, require_as_shown

pytestmark = [pytest.mark.programs, pytest.mark.slow]
BY_HAND = ["pip install -c constraints.txt '.[cluster]'", "export SOFTMARK_SOLUTIONS=$PWD/solutions"]
COURSE = """\
[attention]
title = "Heads"
exercises = [{ name = "concat_heads", title = "Joining the heads", points = 20 }]
"""
PORT = "8786"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cluster")


@pytest.fixture(scope="module")
def followed(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Done]:
    course = tmp_path_factory.mktemp("course") / "course.toml"
    course.write_text(COURSE, encoding="utf-8")  # with one exercise, whose draws alone each process makes
    port = _free_port()
    instead = {
        "cluster scheduler": f"cluster scheduler --address tcp://127.0.0.1:{PORT}",
        "--assignment attention": f"--assignment attention --course {course}",
        "  2.00 / 20": " 20.00 / 20",
        PORT: port,
    }
    return follow("first-cluster.md", folder, {"grade": "--jobs 1"}, by_hand=BY_HAND, instead=instead)


def _free_port() -> str:
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        return str(asked.getsockname()[1])


def test_everything_prints_what_the_page_shows(followed: list[Done]):
    require_as_shown(followed)


def test_the_class_is_complete_although_a_worker_was_killed(followed: list[Done], folder: Path):
    results = [json.loads(path.read_bytes()) for path in folder.glob("results/*/result.json")]
    assert [result["exercises"][0]["outcome"] for result in results] == ["passed"] * 12
