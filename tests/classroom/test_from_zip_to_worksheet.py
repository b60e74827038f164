"""From a platform's zip to its worksheet with the real commands, twice: grading again keeps the overrides."""

import csv
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from graders.batch import prepare_run
from graders.classroom import run_marks
from graders.cli.main import main
from graders.course.exercise import Assignment, load_assignment
from graders.course.late_policy import LatePolicy
from tests.support.downloads import MOODLE, WORKSHEET, packed, table

pytestmark = pytest.mark.programs

DUE = LatePolicy(
    datetime(2026, 11, 20, 23, 59, tzinfo=timezone(timedelta(hours=1))), per_day=0.025, of="maximum"
)
OVERRIDES = "id,exercise,points,comment\nAlice@uni.example,concat_heads,1.5,oral\nzoe@uni.example,,8,ill\n"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(a) for a in arguments], catch_exceptions=False)


@pytest.fixture(autouse=True)
def rule(monkeypatch) -> None:
    monkeypatch.setattr(run_marks, "late_policy", lambda name: DUE)


@pytest.fixture(autouse=True)
def few_checks(monkeypatch) -> None:
    """One check of what nobody hands in: the draws of all checks take seconds."""

    def load(name: str) -> Assignment:
        whole = load_assignment(name)
        return replace(
            whole,
            exercises=tuple(
                e if e.name == "concat_heads" else replace(e, checks=e.checks[:1]) for e in whole.exercises
            ),
        )

    monkeypatch.setattr(prepare_run, "load_assignment", load)


@pytest.mark.slow
def test_a_zip_becomes_a_filled_worksheet_and_a_regrade_the_same(tmp_path: Path):
    out, sheet = tmp_path / "out", tmp_path / "sheet.csv"
    sheet.write_bytes(WORKSHEET.encode())
    grade = ["grade", packed(tmp_path / "in.zip", MOODLE), "--assignment", "attention", "--out", out]
    options = ["--roster", sheet, "--jobs", "1"]
    first = run(*grade, *options)
    assert first.exit_code == 1, first.output
    assert "Nothing was handed in by =Zoé Absente." in first.output
    assert "Times that name no time zone were read as UTC+01:00." in first.output
    assert grades(out) == {"a": "2", "b": "1", "e": "2", "z": ""}
    (out / "overrides.csv").write_text(OVERRIDES, encoding="utf-8")
    run("report", out)
    assert grades(out) == {"a": "1.5", "b": "1", "e": "2", "z": "8"}
    before = (out / "class.json").read_bytes()
    again = run(*grade, *options, "--force")
    assert again.exit_code == 1
    assert grades(out) == {"a": "1.5", "b": "1", "e": "2", "z": "8"}
    assert (out / "class.json").read_bytes() == before
    assert (out / "overrides.csv").read_text(encoding="utf-8") == OVERRIDES
    assert "Set by your instructor" in (out / "Alice Martin_11/index.html").read_text(encoding="utf-8")
    assert "2 days late" in (out / "Bob Roy_12/index.html").read_text(encoding="utf-8")
    assert sorted(path.name for path in out.iterdir() if path.is_file() or path.name.startswith(".")) == [
        "class.json",
        "grades.csv",
        "index.html",
        "overrides.csv",
        "seed.txt",
    ]
    exported = run("export", out, "moodle", "--template", sheet)
    assert exported.exit_code == 0, exported.output
    rows = list(csv.reader(table((out / "moodle.csv").read_bytes())))
    assert [row[4] for row in rows[1:]] == ["1.5", "1", "2", "8"]
    cached = run(*grade, *options)
    assert "cached: 3" in cached.output


def grades(out: Path) -> dict[str, str]:
    rows = csv.DictReader(table((out / "grades.csv").read_bytes()))
    return {row["email"][0]: row["points"] for row in rows}
