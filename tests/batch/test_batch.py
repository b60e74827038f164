"""A class is graded to its end, whatever one submission or one process does."""

import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from graders import grade
from graders.batch.grade_all import ClassPlan, WarmBox, grade_all
from graders.classroom.intake.download import Entry
from graders.course.exercise import Assignment, Exercise
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.results.result import Outcome, Result
from graders.sandbox.box import Box
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.limits import Limits
from graders.submission.read import Submission
from tests.support.processes import alive, below
from tests.support.submissions import ONE_EXERCISE, entries

CODE = "def concat_heads(x):\n    return x.transpose(1, 2).flatten(2)\n"


@pytest.fixture
def plan(assignment: Assignment, level: IsolationLevel) -> ClassPlan:
    return ClassPlan(
        assignment=assignment.only(["concat_heads"]),
        draws=Draws(1),
        level=level,
        limits=Limits(),
        device="cpu",
        keep=lambda entry, result: None,
    )


def handed_in(folder: Path, *names: str) -> list[Entry]:
    for name in names:
        (folder / name).write_text(CODE, encoding="utf-8")
    return entries(folder)


def results_of(todo: list[Entry], plan: ClassPlan, jobs: int) -> list[Result]:
    return [kept.result for kept in grade_all(todo, plan, jobs)]


def with_figures(exercise: Exercise) -> Exercise:
    return replace(exercise, options=replace(exercise.options, libraries=("matplotlib.pyplot",)))


def test_every_folder_and_file_is_a_submission_with_an_id_of_its_own(tmp_path: Path):
    for name in ("alice.py", "alice.ipynb", "Alice.zip", "notes.txt", ".hidden.py"):
        (tmp_path / name).touch()
    (tmp_path / "alice").mkdir()
    found = entries(tmp_path)
    assert sorted(e.path.name for e in found) == ["Alice.zip", "alice", "alice.ipynb", "alice.py"]
    assert len({e.id.casefold() for e in found}) == 4


@pytest.mark.parametrize("name", ["a..py", "a b.py", "é ç.py", "x" * 150 + ".py", "con*.py", "-rf.py"])
def test_an_id_can_be_a_folder(tmp_path: Path, name: str):
    [entry] = handed_in(tmp_path, name)
    assert entry.id
    assert not {"/", "\\", "*"} & set(entry.id)
    assert not entry.id.startswith(".")
    (tmp_path / "out" / entry.id).mkdir(parents=True)


def test_several_processes_give_every_result_once(tmp_path: Path, plan: ClassPlan):
    todo = handed_in(tmp_path, *(f"s{number}.py" for number in range(5)))
    results = results_of(todo, plan, 2)
    assert sorted(r.submission.id for r in results) == [e.id for e in todo]
    assert {r.points for r in results} == {2}


def test_the_first_process_uses_the_box_that_is_warm_and_leaves_it_open(
    tmp_path: Path, plan: ClassPlan, box: Box, monkeypatch
):
    todo = handed_in(tmp_path, "s0.py", "s1.py")
    with monkeypatch.context() as patch:
        patch.setattr(Box, "start", None)  # to start another would raise
        results = results_of(todo, replace(plan, warm_box=WarmBox(box)), 1)
    assert {r.points for r in results} == {2}
    box.fork().close()


def test_what_most_code_imports_is_imported_before_it_runs(tmp_path: Path, plan: ClassPlan, box: Box):
    asserts = CODE.replace("return", "import sys; assert 'matplotlib.pyplot' in sys.modules; return")
    (tmp_path / "s0.py").write_text(asserts, encoding="utf-8")
    [exercise] = plan.assignment.exercises
    drawing = with_figures(exercise)
    warm = replace(plan, warm_box=WarmBox(box))
    for told, points in ((exercise, 0), (drawing, 2)):
        assignment = replace(plan.assignment, exercises=(told,))
        [result] = results_of(entries(tmp_path), replace(warm, assignment=assignment), 1)
        assert result.points == points


@pytest.mark.nightly
def test_where_each_process_is_an_interpreter_code_imports_what_it_needs(tmp_path: Path, plan: ClassPlan):
    asserts = CODE.replace("return", "import sys; assert 'matplotlib.pyplot' not in sys.modules; return")
    (tmp_path / "s0.py").write_text(asserts, encoding="utf-8")
    [exercise] = plan.assignment.exercises
    drawing = replace(plan.assignment, exercises=(with_figures(exercise),))
    fresh = replace(plan, assignment=drawing, level=IsolationLevel.FRESH)
    [result] = results_of(entries(tmp_path), fresh, 1)
    assert result.points == 2


def test_a_process_that_dies_costs_only_the_submission_that_killed_it(
    tmp_path: Path, plan: ClassPlan, monkeypatch
):
    honest = Grader.grade

    def deadly(self: Grader, path: Path, name: str):
        if name == "s2":
            os._exit(7)
        return honest(self, path, name)

    monkeypatch.setattr(Grader, "grade", deadly)
    todo = handed_in(tmp_path, *(f"s{number}.py" for number in range(4)))
    results = {r.submission.id: r for r in results_of(todo, plan, 2)}
    assert set(results) == {"s0", "s1", "s2", "s3"}
    assert results["s2"].exercises[0].outcome is Outcome.BROKEN
    assert results["s2"].undecided_points == 2
    assert {results[name].points for name in ("s0", "s1", "s3")} == {2}


def test_a_fault_of_ours_on_one_submission_costs_the_others_nothing(
    tmp_path: Path, plan: ClassPlan, monkeypatch
):
    honest = grade.study

    def faulty(submission: Submission, *asked: object):
        if submission.id == "s1":
            raise ZeroDivisionError("a fault of ours")
        return honest(submission, *asked)

    monkeypatch.setattr(grade, "study", faulty)
    todo = handed_in(tmp_path, *(f"s{number}.py" for number in range(3)))
    results = {r.submission.id: r for r in results_of(todo, plan, 1)}
    assert {name: r.points for name, r in results.items()} == {"s0": 2, "s1": 0, "s2": 2}
    assert results["s1"].undecided_points == 2
    assert "a fault of ours" in (results["s1"].exercises[0].staff or "")


@pytest.mark.programs
def test_a_fault_of_ours_that_takes_ever_more_memory_ends_one_submission(
    tmp_path: Path, plan: ClassPlan, monkeypatch
):
    honest = grade.study

    def greedy(submission: Submission, *asked: object):
        taken = [torch.empty(1 << 28, dtype=torch.uint8) for _ in range(99 * (submission.id == "s1"))]
        del taken
        return honest(submission, *asked)

    monkeypatch.setattr(grade, "study", greedy)
    todo = handed_in(tmp_path, *(f"s{number}.py" for number in range(3)))
    results = {r.submission.id: r for r in results_of(todo, plan, 1)}
    assert {name: r.points for name, r in results.items()} == {"s0": 2, "s1": 0, "s2": 2}
    assert results["s1"].undecided_points == 2
    assert "memory" in (results["s1"].exercises[0].staff or "")


@pytest.mark.programs
def test_nothing_survives_when_the_command_is_killed(tmp_path: Path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in/hangs.py").write_text(
        "def concat_heads(x):\n    while True:\n        pass\n", encoding="utf-8"
    )
    arguments = [
        "grade",
        str(tmp_path / "in"),
        "--assignment",
        "attention",
        "--out",
        str(tmp_path / "out"),
        "--unsafe",
    ]
    with subprocess.Popen(
        [sys.executable, "-c", ONE_EXERCISE, *arguments], stderr=subprocess.DEVNULL
    ) as process:
        deadline = time.monotonic() + 60
        while len(started := below(process.pid)) < 3 and time.monotonic() < deadline:
            time.sleep(0.1)
        process.kill()
    assert len(started) >= 3
    deadline = time.monotonic() + 10
    while (left := [pid for pid in started if alive(pid)]) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert left == []
