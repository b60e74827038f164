"""Follow the page "A course of your own" as it stands, from an empty folder to a class."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from graders.locations import ROOT, SOLUTIONS_VARIABLE

pytestmark = pytest.mark.programs

PAGE = (ROOT / "docs/own-course.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"^```\w+ (\S+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
COMMANDS = [line.split(" ", 2)[2] for line in PAGE.split("\n") if line.startswith("$ softmark ")]
HANDED_IN = {
    "ada": "import torch\n\n\ndef softmax_rows(x):\n    return x.softmax(-1)\n\n\n"
    "def concat_heads(x):\n    return x.transpose(1, 2).flatten(2)\n",
    "ben": "def softmax_rows(x):\n    return x.exp() / x.exp().sum(-1, keepdim=True)\n\n\n"
    "def concat_heads(x):\n    return x.transpose(1, 2).flatten(2).cumsum(-1)\n",
    "cy": "print('not done')\n",
}
BY_COMMAND = {"audit": ("--quick", "--jobs", "1"), "handout": ("--key", "none"), "grade": ("--jobs", "1")}


Finished = subprocess.CompletedProcess[str]


def run(folder: Path, command: str) -> Finished:
    """Run a command of the page in a folder."""
    words = [word.strip('"') for word in re.findall(r'"[^"]*"|\S+', command)]
    boxed = () if words[0] in ("new", "course", "handout", "report") else ("--sandbox", "open")
    unsafe = ("--unsafe",) if words[0] == "grade" else ()
    arguments = [*words, *BY_COMMAND.get(words[0], ()), *boxed, *unsafe, "--lang", "en"]
    program = [sys.executable, "-c", "from graders.cli.start import run; run()", *arguments]
    # Another test's process may name solutions that are planted.
    inherited = {name: value for name, value in os.environ.items() if name != SOLUTIONS_VARIABLE}
    return subprocess.run(
        program, cwd=folder, env=inherited, capture_output=True, text=True, timeout=600, check=False
    )


@pytest.fixture(scope="module")
def teacher(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("teacher")


@pytest.fixture(scope="module")
def walked(teacher: Path) -> dict[str, Finished]:
    """What each command of the page said, by its first word."""
    (teacher / "handed-in").mkdir()
    for who, text in HANDED_IN.items():
        (teacher / f"handed-in/{who}.py").write_text(text, encoding="utf-8")
    begun, new, *others = COMMANDS
    said = {"course": run(teacher, begun), "new": run(teacher / "my-course", new)}
    for path in (teacher / "my-course/solutions/right/softmax_rows").iterdir():
        path.unlink()
    for name, text in FILES.items():
        (teacher / "my-course" / name).write_text(text, encoding="utf-8")
    said |= {command.split(" ")[0]: run(teacher / "my-course", command) for command in others}
    return said


def test_every_command_of_the_page_ends_well(walked: dict[str, Finished]):
    assert [*walked] == ["course", "new", "audit", "handout", "grade", "report"]
    for command, process in walked.items():
        assert process.returncode == (1 if command == "grade" else 0), process.stdout + process.stderr
    assert "no gap" in walked["audit"].stdout


def test_own_and_shipped_exercises_are_graded_with_own_points_and_mistakes(
    walked: dict[str, Finished], teacher: Path
):
    out = teacher / "results"
    results = {who: json.loads((out / who / "result.json").read_text(encoding="utf-8")) for who in HANDED_IN}
    points = {who: [e["points"] for e in result["exercises"]] for who, result in results.items()}
    assert points["ada"] == [4, 2], results["ada"]
    assert points["cy"] == [0, 0]
    assert 0 < points["ben"][0] < 4
    named = {f["mistake"]["name"] for e in results["ben"]["exercises"] for f in e["findings"] if f["mistake"]}
    assert named == {"softmax_rows__overflows", "concat_heads__sums_up"}


def test_the_handout_has_both_exercises_and_no_solution(walked: dict[str, Finished], teacher: Path):
    [module] = (teacher / "handed-out").rglob("tp1.py")
    text = module.read_text(encoding="utf-8")
    assert "def softmax_rows(x):" in text
    assert "def concat_heads(x):" in text
    assert "amax" not in text and "sum(-1" not in text
