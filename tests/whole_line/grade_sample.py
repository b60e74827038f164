"""Grades a sample class as the command does, and says which known mistakes its pages name.

At night it is the whole class. At each push it is some of it: then the audit shows that every right answer in
another style passes, and that every known mistake is named.
"""

import json
from collections.abc import Iterable
from pathlib import Path

from click.testing import CliRunner

from graders.cli.main import main
from tests.conftest import NIGHTLY

HANDED_IN = Path(__file__).parents[1] / "handed_in"


def grade_sample(
    assignment: str, out: Path, at_each_push: Iterable[str] = (), *options: str
) -> dict[str, dict]:
    """The results of an assignment's sample class, by the student's name; somebody has a wrong answer."""
    command = ["grade", str(HANDED_IN / assignment), "--assignment", assignment, "--out", str(out), *options]
    command += [] if NIGHTLY else [f"--only={name}" for name in at_each_push]
    done = CliRunner().invoke(
        main, [*command, "--seed", "1", "--unsafe", "--jobs", "1"], catch_exceptions=False
    )
    assert done.exit_code == 1, done.output
    files = out.glob("*/result.json")
    return {path.parent.name: json.loads(path.read_text(encoding="utf-8")) for path in files}


def mistakes_in(result: dict) -> dict[str, set[str]]:
    """The names of the mistakes in each exercise that was not passed."""
    return {
        exercise["name"]: {f["mistake"]["name"] for f in exercise["findings"] if f["mistake"]}
        for exercise in result["exercises"]
        if exercise["outcome"] != "passed"
    }
