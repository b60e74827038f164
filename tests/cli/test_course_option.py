"""A course's own file, given by `--course`: points, titles and late rules that every command goes by."""

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from graders.cli.main import main
from graders.locations import SHIPPED

pytestmark = pytest.mark.programs

RIGHT = "def concat_heads(x):\n    return x.transpose(1, 2).flatten(2)\n"
EXERCISE = '{ name = "concat_heads", title = "Join", title_fr = "Joindre", points = 3 }'
LATE = "late = { due = 2020-01-01T00:00:00+00:00, per_day = 0.5, most = 0.5 }"


def course(folder: Path, *lines: str, exercise: str = EXERCISE, name: str = "own.toml") -> Path:
    path = folder / name
    own = ["[attention]", 'title = "Week 3"', f"exercises = [{exercise}]", *lines]
    path.write_text("\n".join(own), encoding="utf-8")
    return path


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(a) for a in arguments], catch_exceptions=False)


def hand_in(tmp_path: Path) -> Path:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "alice.py").write_text(RIGHT, encoding="utf-8")
    return folder


def points(out: Path) -> str:
    with (out / "grades.csv").open(encoding="utf-8-sig", newline="") as file:
        return next(csv.DictReader(file))["points"]


def roster(tmp_path: Path) -> Path:
    path = tmp_path / "roster.csv"
    path.write_text("id,name,submitted_at\nalice,Alice,2020-01-02T12:00:00+00:00\n", encoding="utf-8")
    return path


def test_a_class_is_graded_by_the_courses_own_points_and_dates_which_report_keeps(tmp_path: Path):
    out = tmp_path / "out"
    grade = [
        "grade",
        hand_in(tmp_path),
        "--assignment",
        "attention",
        "--out",
        out,
        "--jobs",
        "1",
        "--no-timing",
    ]
    done = run(*grade, "--roster", roster(tmp_path), "--course", course(tmp_path, LATE))
    assert done.exit_code == 0, done.output
    result = json.loads((out / "alice/result.json").read_text(encoding="utf-8"))
    assert (result["title"], result["points"], result["max_points"]) == ("Week 3", 3, 3)
    assert points(out) == "1.5"
    assert run("report", out).exit_code == 0
    assert points(out) == "1.5", "the late rule of the first run is still in force"
    again = run(*grade, "--roster", roster(tmp_path))
    assert "cached: 1" in again.output, "so are its points"
    assert run("report", out, "--course", course(tmp_path, name="mild.toml")).exit_code == 0
    assert points(out) == "3"
    assert run("export", out, "junit").exit_code == 0
    assert 'name="submission_points" value="3"' in (out / "junit.xml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("lines", "exercise", "says"),
    [
        (
            "late = { du = 2020-01-01T00:00:00+00:00 }",
            EXERCISE,
            "late: there is no du; there are closes, due",
        ),
        ("late = { due = 2020-01-01 }", EXERCISE, "late: write due as 2026-11-20T23:59:00, with zone"),
        ("lates = 1", EXERCISE, "there is no lates; there are attempt, exercises, late, title"),
        ("", '{ name = "concat_head", title = "Join", points = 3 }', "there is no exercise 'concat_head'"),
        ("", '{ name = "concat_heads", title = "Join", points = 0 }', "points must be a number above 0"),
        ("", '{ name = "../concat_heads", title = "Join", points = 1 }', "a name, a title and points"),
        ("trained = { targets = 3 }", EXERCISE, "trained: write a corpus"),
        ("late = ", EXERCISE, "own.toml cannot be read"),
    ],
)
def test_a_course_that_cannot_be_read_stops_the_command(tmp_path: Path, lines: str, exercise: str, says: str):
    path = course(tmp_path, lines, exercise=exercise)
    done = run(
        "grade", hand_in(tmp_path), "--assignment", "attention", "--out", tmp_path / "out", "--course", path
    )
    assert (done.exit_code, says in done.output, (tmp_path / "out").exists()) == (2, True, False), done.output


@pytest.mark.parametrize("command", [["report"], ["export", "junit"]])
def test_a_late_rule_that_became_unreadable_is_never_left_out_of_the_marks(
    tmp_path: Path, command: list[str]
):
    course(tmp_path, "late = { due = 3 }", name="course.toml")
    done = run(command[0], tmp_path, *command[1:])
    assert (done.exit_code, "write due as 2026-11-20T23:59:00, with zone" in done.output) == (2, True), (
        done.output
    )


def test_a_student_sees_the_courses_own_points(tmp_path: Path):
    done = run("check", hand_in(tmp_path) / "alice.py", "--course", course(tmp_path), "--no-timing")
    assert "Week 3" in done.output and "3 / 3" in done.output


def test_the_course_that_comes_with_softmark_can_be_read():
    code = "from graders.course.course_file import require_course; require_course()"
    subprocess.run([sys.executable, "-c", code], check=True, env=os.environ, cwd=SHIPPED.assignments.parent)
