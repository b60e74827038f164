"""A class that is graded again: what changed for the same files, and that nobody need lose by it."""

import csv
import io
import re
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from click.testing import Result as Done
from hypothesis import given
from hypothesis import strategies as st

from graders.batch.earlier_grading import read_earlier
from graders.classroom.class_record import Before, ClassRecord, HandIn, Student, from_json, to_json
from graders.classroom.marks import Mark, Override, compute_marks
from graders.classroom.regrade import before_of, find_regrade
from graders.classroom.run_marks import compute_run_marks, save_class, save_next_class
from graders.cli.main import main
from graders.results.result import ExerciseResult, Outcome, Result
from graders.results.store import write_result
from tests.reports import sample

NAMES = ("one", "two", "three")


def graded(*points: float, most: float = 4, undecided: float = 0, files: str = "ab") -> Result:
    exercises = [
        ExerciseResult(name, name.capitalize(), Outcome.FAILED, got, most, undecided_points=undecided)
        for name, got in zip(NAMES, points, strict=False)
    ]
    result = sample.result(*exercises, id="ann")
    return replace(result, submission=replace(result.submission, sha256=files * 32))


def class_of(before: Before | None, *, never_lower: bool = False) -> ClassRecord:
    return ClassRecord(
        "a made one",
        12,
        students=(Student("a1", "Ann"),),
        hand_ins=(HandIn("ann", "ann.py", students=("a1",)),),
        before=(before,) if before else (),
        never_lower=never_lower,
    )


def mark_of(now: Result, before: Result, *overrides: Override, never_lower: bool = True) -> Mark:
    record = class_of(before_of(before), never_lower=never_lower)
    assert from_json(to_json(record)) == record
    return compute_marks([now], record, overrides, None)[0]


def test_what_changed_is_told_by_exercise_on_the_scale_of_now():
    regrade = find_regrade(graded(3, 1, 8, most=8), before_of(graded(2, 0.5, 3)))
    assert regrade is not None
    assert [(e.title, e.before, e.after) for e in regrade.exercises] == [
        ("One", 4, 3),
        ("Three", 6, 8),
    ]
    assert (regrade.before, regrade.after) == (11, 12)


def test_of_other_files_or_of_the_same_points_nothing_is_told():
    assert find_regrade(graded(3, 1), before_of(graded(4, 1, files="cd"))) is None
    assert find_regrade(graded(3, 1), before_of(graded(3, 1))) is None
    assert find_regrade(graded(3, 1), None) is None


def test_nobody_gets_less_than_before_where_the_instructor_says_so():
    assert (mark_of(graded(1, 1), graded(3, 1)).points, mark_of(graded(1, 1), graded(3, 1)).raised) == (4, 2)
    assert mark_of(graded(1, 1), graded(3, 1), never_lower=False).points == 2
    assert mark_of(graded(1, 1), graded(3, 1, files="cd")).points == 2
    assert mark_of(graded(4, 1), graded(3, 1)).points == 5


def test_what_the_instructor_sets_is_not_raised():
    assert mark_of(graded(1, 1), graded(3, 1), Override("ann", None, 1)).points == 1
    assert mark_of(graded(1, 1), graded(3, 1), Override("ann", "one", 0)).points == 1


def test_points_that_are_undecided_now_are_given_once():
    mark = mark_of(graded(0, 0, undecided=4), graded(3, 1))
    assert (mark.points, mark.undecided) == (4, 4)


POINTS = st.lists(st.integers(0, 16).map(lambda quarters: quarters / 4), min_size=3, max_size=3)


@given(POINTS, POINTS, st.sampled_from([4, 8, 10]))
def test_the_mark_is_the_better_of_both_and_the_sum_holds(before, now, most):
    scaled = [points * most / 4 for points in now]
    mark = mark_of(graded(*scaled, most=most), graded(*before))
    assert mark.points == pytest.approx(max(sum(scaled), sum(before) * most / 4), abs=0.02)
    assert mark.points == pytest.approx((mark.machine or 0) + mark.raised)
    assert mark.points <= mark.max_points


def write_run(out: Path, *results: Result, **changes: object) -> None:
    for result in results:
        write_result(out, result)
    students = tuple(Student(f"id-{r.submission.id}", r.submission.id.capitalize()) for r in results)
    hand_ins = tuple(
        HandIn(r.submission.id, f"{r.submission.id}.py", students=(f"id-{r.submission.id}",)) for r in results
    )
    save_class(out, ClassRecord("a made one", 12, students=students, hand_ins=hand_ins, **changes))


def test_points_that_were_kept_once_are_kept_in_every_later_grading_into_the_same_folder(tmp_path: Path):
    write_run(tmp_path, graded(4, 2))
    for points in (1, 3, 0):
        earlier = read_earlier(tmp_path)
        record = replace(class_of(None), before=earlier.before, never_lower=True)
        save_next_class(tmp_path, record)
        write_result(tmp_path, graded(points, 2))
        [mark] = compute_run_marks(tmp_path, [graded(points, 2)]).marks
        assert mark.points == 6
    save_next_class(tmp_path, class_of(None))  # a run that is compared with none forgets nothing
    assert compute_run_marks(tmp_path, [graded(0, 2)]).marks[0].points == 6


def run(*words: str | Path) -> Done:
    return CliRunner().invoke(main, [*map(str, words)], catch_exceptions=False)


@pytest.mark.parametrize(
    ("lang", "again", "kept"),
    [
        (
            "en",
            "The same files were graded again: 5 points before, 2 now.",
            "is not taken away: 3 points",
        ),
        ("fr", "Les mêmes fichiers ont été corrigés de nouveau", "n'est pas repris"),
    ],
)
def test_the_page_says_what_changed(tmp_path: Path, lang: str, again: str, kept: str):
    now = replace(graded(1, 1), language=lang)
    write_run(tmp_path, now, before=(before_of(graded(4, 1)),), never_lower=True)
    run("report", tmp_path, "--lang", lang)
    page = (tmp_path / "ann/index.html").read_text("utf-8").replace("&#39;", "'")
    assert again in page and kept in page
    assert re.search('<a href="#[^"]*one">One</a>&nbsp;4&nbsp;→&nbsp;1', page)
    [row] = csv.DictReader(io.StringIO((tmp_path / "grades.csv").read_text("utf-8")))
    assert (row["points"], row["machine_points"]) == ("5", "2")
    assert kept in run("why", tmp_path, "ann", "--lang", lang).output


def test_never_lower_needs_what_was_given_before(tmp_path: Path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in/ann.py").write_text("x = 1\n")
    asked = ["grade", tmp_path / "in", "--assignment", "attention", "--out", tmp_path / "out", "--lang", "en"]
    assert "needs --against" in run(*asked, "--never-lower").output
    assert "there are no results" in run(*asked, "--against", tmp_path / "in").output
