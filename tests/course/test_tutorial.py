"""Follow the tutorial as it stands: write its files into a copy of the tree, and audit them."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.support.course_copies import ROOT, copy_course, softmark

pytestmark = pytest.mark.programs

TUTORIAL = (ROOT / "docs/tutorial-exercise.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+) (\S+)\n(.*?)^```$", TUTORIAL, re.MULTILINE | re.DOTALL)
FILES = {name: text for kind, name, text in BLOCKS if kind == "python"}
[NEW] = re.findall(r"^\$ softmark new (.*)$", TUTORIAL, re.MULTILINE)
NO_GAP = re.search(r"^\$ softmark audit gpt_norm\n(.*?)^```$", TUTORIAL, re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what a checkout needs, in which the tutorial was followed."""
    folder = tmp_path_factory.mktemp("checkout")
    copy_course(folder)
    course = folder / "assignments/course.toml"
    [change] = [text for kind, name, text in BLOCKS if (kind, name) == ("diff", "assignments/course.toml")]
    removed, added = ([c[1:] for c in change.split("\n") if c[:1] == sign] for sign in "-+")
    _undo(folder, course, removed, added)
    process = softmark(folder, "new", *NEW.split())
    assert process.returncode == 0, process.stderr
    [removed_files] = re.findall(r"^\$ rm (.*)$", TUTORIAL, re.MULTILINE)
    for path in folder.glob(removed_files):
        path.unlink()
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    lines = course.read_text(encoding="utf-8").split("\n")
    assert set(added) <= set(lines)
    new, giver = added
    lines.remove(new)
    lines.insert(lines.index(giver), new)
    course.write_text("\n".join(lines), encoding="utf-8")
    return folder


def _undo(folder: Path, course: Path, removed: list[str], added: list[str]) -> None:
    """Take the exercise out of the copy again, where somebody has followed the page in this checkout."""
    for name in FILES:
        (folder / name).unlink(missing_ok=True)
    text = course.read_text(encoding="utf-8")
    course.write_text(text.replace("\n".join(added), "\n".join(removed)), encoding="utf-8")


@pytest.fixture(scope="module")
def audited(checkout: Path) -> subprocess.CompletedProcess[str]:
    return softmark(checkout, "audit", "gpt_norm", "--sandbox", "open", "--jobs", "1")


def test_the_audit_says_what_the_tutorial_says(audited):
    assert audited.returncode == 0, audited.stdout + audited.stderr
    assert NO_GAP is not None
    assert [line.split() for line in audited.stdout.split("\n") if line] == [
        line.split() for line in NO_GAP.group(1).split("\n") if line
    ]


def test_there_are_enough_of_all():
    assert FILES["solutions/gpt_norm.py"].count("\nclass RMSNorm__") >= 8
    assert FILES["graders/checks/gpt_norm.py"].count("points=") >= 5
    assert FILES["graders/checks/gpt_norm.py"].count("\n") <= 45
    assert sum(name.startswith("solutions/right/") for name in FILES) >= 6


def test_a_wrong_answer_gets_the_hint_that_the_tutorial_promises(checkout: Path):
    [hint] = re.findall(r'^Its hint: "(.*)"$', TUTORIAL, re.MULTILINE)
    process = softmark(checkout, "check", "rendu.py", "--exercise", "gpt_norm", "--sandbox", "open")
    assert process.returncode == 1, process.stdout + process.stderr
    assert hint in process.stdout
