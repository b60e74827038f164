"""Points and titles are arithmetic: results that exist follow the course's file, all on one scale."""

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from click.testing import Result as Done
from hypothesis import given
from hypothesis import strategies as st

from graders.classroom.class_record import ClassRecord, HandIn, Student
from graders.classroom.current_points import with_current_points
from graders.classroom.run_marks import save_class
from graders.cli.main import main
from graders.course.assignment_points import AssignmentPoints, ExercisePoints, assignment_points
from graders.course.check_points import IMPORTS, points_for_imports
from graders.course.outline import FOR_TIME, outline
from graders.results.result import ExerciseResult, Finding, Outcome, Result
from graders.results.store import write_result
from tests.reports import sample

ENTRY = {"title": "Joining", "title_fr": "Réunir"}
SPEED = {"full": 2, "none": 10}


def worth(points: float, for_speed: float = 0, *further: str) -> AssignmentPoints:
    """An assignment of one exercise, whose checks the course has, and of further ones for a point each."""
    row = {"name": "concat_heads", "points": points, **ENTRY}
    row |= {"timing": {"points": for_speed, **SPEED}} if for_speed else {}
    titles = {"en": "Joining", "fr": "Réunir"}
    exercises = {"concat_heads": ExercisePoints(titles, points, for_speed)}
    exercises |= {name: ExercisePoints({"en": name, "fr": name}, 1) for name in further}
    return AssignmentPoints("a made one", titles, exercises, {"exercises": [row], **ENTRY})


def graded(points: float, for_speed: float, outcomes: Sequence[Outcome], imports: bool = False) -> Result:
    """A result as a grading on this scale makes it."""
    [row] = worth(points, for_speed).entry["exercises"]
    charge = points_for_imports(points) if imports else 0.0
    findings = list(_findings(outline(row, {}).checks, outcomes, 1 - charge / points))
    findings += (
        [sample.finding(Outcome.FAILED, check=IMPORTS, points=0, max_points=charge)] if imports else []
    )
    exercise = ExerciseResult(
        "concat_heads",
        "Joining",
        Outcome.FAILED,
        round(sum(f.points for f in findings), 2),
        points,
        tuple(findings),
        undecided_points=round(sum(f.max_points for f in findings if f.outcome.undecided), 2),
    )
    return sample.result(exercise, title="Joining")


def _findings(checks, outcomes: Sequence[Outcome], left: float) -> Iterator[Finding]:
    for check, outcome in zip(checks, outcomes, strict=False):
        most = round(check.points * left, 4)
        reached = most if outcome is Outcome.PASSED else 0
        yield sample.finding(outcome, check=check.name, points=reached, max_points=most)


POINTS = st.integers(4, 80).map(lambda quarters: quarters / 4)
SPEEDS = st.sampled_from([0, 0.5])
OUTCOMES = st.lists(
    st.sampled_from([Outcome.PASSED, Outcome.FAILED, Outcome.SKIPPED]), min_size=30, max_size=30
)


@given(POINTS, POINTS, SPEEDS, OUTCOMES, st.booleans())
def test_a_result_on_another_scale_is_that_of_a_grading_on_it(before, now, for_speed, outcomes, imports):
    old, new = graded(before, for_speed, outcomes, imports), graded(now, for_speed, outcomes, imports)
    moved = with_current_points(old, worth(now, for_speed))
    [exercise] = moved.exercises
    assert [(f.check, f.points, f.max_points) for f in exercise.findings] == [
        (f.check, pytest.approx(f.points, abs=2e-4), pytest.approx(f.max_points, abs=2e-4))
        for f in new.exercises[0].findings
    ]
    assert moved.points == pytest.approx(new.exercises[0].points, abs=0.0101)
    assert moved.undecided_points == pytest.approx(new.exercises[0].undecided_points, abs=0.0101)
    assert with_current_points(moved, worth(now, for_speed)) is moved


@given(st.lists(POINTS, min_size=1, max_size=4), OUTCOMES)
def test_sums_hold_on_every_scale_and_the_last_one_alone_decides(scales, outcomes):
    moved = graded(2, 0, outcomes)
    for points in scales:
        moved = with_current_points(moved, worth(points, 0, "further"))
    assert moved.max_points == scales[-1] + 1
    assert moved.points == round(sum(e.points for e in moved.exercises), 2)
    assert moved.undecided_points == round(sum(e.undecided_points for e in moved.exercises), 2)
    assert moved.points + moved.undecided_points <= moved.max_points + 0.011
    once = with_current_points(graded(2, 0, outcomes), worth(scales[-1], 0, "further"))
    assert moved.points == pytest.approx(once.points, abs=0.0101)


def test_all_that_passed_has_all_points_on_every_scale():
    for points in (1, 3, 7.25, 13, 20):
        moved = with_current_points(graded(2, 0, [Outcome.PASSED] * 30), worth(points))
        assert (moved.points, moved.max_points) == (points, points)


def test_an_exercise_that_came_later_is_undecided_and_one_that_was_taken_out_is_gone():
    [old] = graded(2, 0, [Outcome.PASSED] * 30).exercises
    result = sample.result(old, replace(old, name="split_heads"), title="Joining")
    moved = with_current_points(result, worth(2, 0, "further"))
    assert [(e.name, e.points, e.undecided_points) for e in moved.exercises] == [
        ("concat_heads", 2, 0),
        ("further", 0, 1),
    ]


def test_points_for_speed_that_no_run_has_measured_are_undecided():
    moved = with_current_points(graded(2, 0, [Outcome.PASSED] * 30), worth(2, 0.5))
    assert (moved.points, moved.undecided_points) == (1.5, 0.5)
    back = with_current_points(graded(2, 0.5, [Outcome.PASSED] * 30), worth(2))
    assert FOR_TIME in {f.check for f in back.exercises[0].findings}
    assert (back.points, back.undecided_points) == (2, 0)


COURSE = """
[tiny]
title = "Tiny"
title_fr = "Petit"
exercises = [
    {{ name = "concat_heads", title = "{title}", title_fr = "Réunir", points = {points} }},
]
"""


@pytest.fixture
def out(tmp_path: Path) -> Path:
    folder, students = (
        tmp_path / "out",
        tuple(Student(who, who.capitalize()) for who in ("ada", "ben", "eve")),
    )
    for who, outcome in (("ada", Outcome.PASSED), ("ben", Outcome.FAILED)):
        result = graded(2, 0, [Outcome.PASSED] * 3 + [outcome] * 27)
        info = replace(result.submission, id=who)
        write_result(folder, replace(result, assignment="tiny", submission=info, run="first"))
    hand_ins = tuple(HandIn(who, f"{who}.py", students=(who,)) for who in ("ada", "ben"))
    save_class(folder, ClassRecord("tiny", 2, students=students, hand_ins=hand_ins, run="first"))
    return folder


def run(command: str, out: Path, *arguments: str | Path) -> Done:
    asked = [command, str(out), *map(str, arguments), "--lang", "en"]
    return CliRunner().invoke(main, asked, catch_exceptions=False)


def write_course(out: Path, points: float, title: str = "Joining") -> Path:
    path = out.parent / "course.toml"
    path.write_text(COURSE.format(points=points, title=title), encoding="utf-8")
    return path


def grades(out: Path) -> list[tuple[str, float, float]]:
    rows = csv.DictReader(io.StringIO((out / "grades.csv").read_text("utf-8")))
    return [(row["id"], float(row["points"] or -1), float(row["max_points"])) for row in rows]


def test_report_applies_points_and_titles_to_results_that_exist(out: Path):
    run("report", out, "--course", write_course(out, 2))
    before = grades(out)
    run("report", out, "--course", write_course(out, 20, "Heads, joined"))
    after = grades(out)
    assert [most for _, _, most in after] == [20, 20, 20]
    assert after[0][1] == 20
    assert after[1][1] == pytest.approx(10 * before[1][1], abs=0.06)
    page = (out / "ben/index.html").read_text("utf-8")
    assert "Heads, joined" in page and "/ 20" in page
    assert "/ 20" in run("why", out, "ben").output
    run("report", out, "--course", write_course(out, 2))
    assert grades(out) == before


def test_a_hand_in_that_is_gone_leaves_mean_and_count(out: Path):
    course = write_course(out, 2)
    students = tuple(Student(who, who.capitalize()) for who in ("ada", "ben", "eve"))
    ada = (HandIn("ada", "ada.py", students=("ada",)),)
    save_class(out, ClassRecord("tiny", 2, students=students, hand_ins=ada))
    told = " ".join(run("report", out, "--course", course).output.split())
    assert "left out of marks, mean and count: ben" in told
    assert grades(out) == [("ada", 2, 2), ("ben", -1, 2), ("eve", -1, 2)]
    assert "ben" not in run("export", out, "junit", "--to", out / "j.xml").output
    assert "ben" not in (out / "j.xml").read_text("utf-8")


def test_what_is_outdated_is_counted_on_the_class_page(out: Path):
    course = write_course(out, 2)
    ben = replace(graded(2, 0, [Outcome.PASSED] * 30), assignment="tiny", run="second")
    write_result(out, replace(ben, submission=replace(ben.submission, id="ben")))
    students = (Student("ada"), Student("ben"))
    hand_ins = tuple(HandIn(who, f"{who}.py", students=(who,)) for who in ("ada", "ben"))
    save_class(out, ClassRecord("tiny", 2, students=students, hand_ins=hand_ins, run="second"))
    run("report", out, "--course", course)
    assert "than the last one: 1 (ada)" in (out / "index.html").read_text("utf-8")
    further = '    { name = "split_heads", title = "Split", points = 3 },\n]'
    course.write_text(
        COURSE.format(points=2, title="Joining").rstrip()[:-1] + further + "\n", encoding="utf-8"
    )
    run("report", out, "--course", course)
    assert "when these were graded: 2 (ada, ben)" in (out / "index.html").read_text("utf-8")
    assert [most for _, _, most in grades(out)] == [5, 5]


def test_the_course_that_is_shipped_says_what_it_is_worth():
    attention = assignment_points("attention")
    assert attention is not None
    assert (attention.points, assignment_points("no such assignment")) == (20, None)
    [check, *_] = attention.points_of_checks("concat_heads")
    assert attention.points_of_checks("concat_heads")[check] > 0
