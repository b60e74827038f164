"""Follow the tutorial "Add an exercise" as it stands, in a copy of the tree."""

from pathlib import Path

import pytest

from tests.support.course_copies import ROOT, copy_course, run_in_copy
from tests.support.followed_page import COLUMNS, Done, follow, require_as_shown, steps

pytestmark = pytest.mark.programs

PAGE = "tutorial-exercise.md"
FILES = {step.name: step.text for step in steps(PAGE) if step.kind == "file"}
AT_A_WIDTH = f"""
import os
from graders.cli.main import main
os.environ["COLUMNS"] = "{COLUMNS}"
main()
"""
OPEN = "--sandbox open"  # the page's code is ours


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory) -> list[Done]:
    folder = tmp_path_factory.mktemp("checkout")
    copy_course(folder)
    also = {"audit": f"{OPEN} --jobs 1", "check": OPEN}
    return follow(PAGE, folder, also, run=_in_the_copy)


def _in_the_copy(folder: Path, words: list[str]) -> tuple[int, str]:
    done = run_in_copy(folder, AT_A_WIDTH, *words)
    return done.returncode, done.stdout  # on the other stream stands how far an audit is


def test_every_command_ends_as_the_page_says(followed: list[Done]):
    statuses = {done.command.split()[0]: done.status for done in followed}
    assert statuses == {"new": 0, "audit": 0, "check": 1}, followed


def test_everything_prints_what_the_page_shows(followed: list[Done]):
    require_as_shown(followed)


def test_there_are_enough_of_all():
    assert FILES["solutions/gpt_norm.py"].count("\nclass RMSNorm__") >= 8
    assert FILES["graders/checks/gpt_norm.py"].count("points=") >= 5
    assert FILES["graders/checks/gpt_norm.py"].count("\n") <= 45
    assert sum(name.startswith("solutions/right/") for name in FILES) >= 6


def test_a_wrong_answer_gets_the_hint_of_the_mistake(followed: list[Done]):
    assert "RMSNorm__subtracts_the_mean" in (ROOT / "docs" / PAGE).read_text(encoding="utf-8")
    assert "hint: The mean is subtracted, as in LayerNorm." in followed[-1].printed
