"""The commands, as users type them: what they print, and how they exit."""

import json
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from graders.batch import prepare_run
from graders.cli import tried_levels
from graders.cli.main import main
from graders.course import outline
from graders.locations import CACHE_VARIABLE, SHIPPED, SOLUTIONS_VARIABLE
from graders.sandbox.box import Box
from graders.sandbox.interpreter import Interpreter
from graders.sandbox.isolation import choose_level
from graders.sandbox.isolation.causes import Cause
from graders.sandbox.isolation.choose_level import Step
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.limits import Limits
from tests.conftest import HANDED_IN

pytestmark = pytest.mark.programs

NO_WALL = Step(
    IsolationLevel.NESTED,
    "cannot start the box: [Errno 2] No such file or directory: 'bwrap'",
    Cause.NO_BUBBLEWRAP,
)


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(a) for a in arguments], catch_exceptions=False)


@pytest.fixture
def right(tmp_path: Path) -> Path:
    path = tmp_path / "rendu.py"
    path.write_text("def concat_heads(x):\n    return x.transpose(1, 2).flatten(2)\n", encoding="utf-8")
    return path


def test_right_work_exits_with_0(right: Path):
    done = run("check", right, "--exercise", "concat_heads")
    assert done.exit_code == 0, done.output
    assert "2 / 2" in done.output


def test_incomplete_work_exits_with_1(right: Path):
    done = run("check", right)
    assert done.exit_code == 1
    assert "not attempted" in done.output


def test_wrong_work_shows_the_smallest_case(tmp_path: Path):
    path = tmp_path / "rendu.py"
    path.write_text(
        "def concat_heads(x):\n    b, h, s, d = x.shape\n    return x.view(b, s, h * d)\n", encoding="utf-8"
    )
    done = run("check", path, "--exercise", "concat_heads")
    assert done.exit_code == 1
    assert "x (1, 2, 3, 4) float32" in done.output
    assert "they differ most at [0, 0, 4]: expected 12, yours 4" in done.output


def test_without_the_solutions_points_stay_to_be_decided(tmp_path: Path, monkeypatch):
    path = tmp_path / "rendu.py"
    path.write_bytes((HANDED_IN / "benoit.py").read_bytes())
    monkeypatch.setenv(SOLUTIONS_VARIABLE, str(tmp_path / "nowhere"))
    softmark = Path(sys.executable).with_name("softmark")
    words = [softmark, "check", str(path), "--exercise", "feed_forward"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "to be decided" in done.stdout
    assert "decided at hand-in: it needs the reference" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--assignment", "atention"], "did you mean attention?"),
        (["--exercise", "concat_head"], "did you mean concat_heads?"),
    ],
)
def test_a_misspelt_name_is_wrong_usage_with_a_proposal(right: Path, arguments: list[str], message: str):
    done = run("check", right, *arguments)
    assert done.exit_code == 2
    assert message in done.output


def test_a_file_without_any_exercise_is_wrong_usage(tmp_path: Path):
    path = tmp_path / "autre.py"
    path.write_text("x = 1\n", encoding="utf-8")
    done = run("check", path)
    assert done.exit_code == 2
    assert "defines nothing that an assignment asks for" in done.output


def test_a_broken_notebook_is_reported():
    done = run("check", HANDED_IN / "karim.ipynb")
    assert done.exit_code == 2
    assert "not a notebook" in done.output


def test_an_empty_folder_is_wrong_usage(tmp_path: Path):
    done = run("grade", tmp_path, "--assignment", "attention", "--out", f"{tmp_path}-out")
    assert done.exit_code == 2
    assert "there is no submission" in done.output


def test_without_a_box_a_class_is_graded_only_with_unsafe(tmp_path: Path, right: Path, monkeypatch):
    monkeypatch.setattr(prepare_run, "best", lambda limits, *_: (Box(IsolationLevel.OPEN, limits), [NO_WALL]))
    load = prepare_run.load_assignment
    monkeypatch.setattr(prepare_run, "load_assignment", lambda name: load(name).only(["concat_heads"]))
    out = Path(f"{tmp_path}-out")
    refused = run("grade", right.parent, "--assignment", "attention", "--out", out)
    assert refused.exit_code == 2
    assert "--unsafe" in refused.output
    assert not out.exists()
    unsafe_run = run("grade", right.parent, "--assignment", "attention", "--out", out, "--unsafe")
    assert unsafe_run.exit_code == 0
    assert json.loads((out / "rendu/result.json").read_text(encoding="utf-8"))["sandbox"] == "open"


def test_without_a_box_check_warns_and_goes_on(right: Path, monkeypatch):
    monkeypatch.setattr(prepare_run, "best", lambda limits, *_: (Box(IsolationLevel.OPEN, limits), [NO_WALL]))
    done = run("check", right, "--exercise", "concat_heads")
    assert done.exit_code == 0
    assert "NOT BOXED" in done.output
    assert done.output.startswith("NOT BOXED") and "not nested" not in done.output, "one line for all boxes"


def test_a_file_as_it_was_handed_out_is_answered_without_a_box(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(Interpreter, "start", lambda _: pytest.fail("nothing is to be run"))
    monkeypatch.setattr(prepare_run, "best", choose_level.best)
    stub = tmp_path / "rendu.py"
    stub.write_text((SHIPPED.assignments / "concat_heads.py").read_text(encoding="utf-8"), encoding="utf-8")
    done = run("check", stub, "--assignment", "attention")
    assert done.exit_code == 1
    assert "still as it was handed out" in done.output


def test_a_box_that_does_not_start_is_our_fault(right: Path, monkeypatch):
    monkeypatch.setattr("graders.sandbox.interpreter.current_template", lambda: None)
    monkeypatch.setattr("graders.sandbox.interpreter.command", lambda *a: ["/bin/false"])
    monkeypatch.setattr(prepare_run, "best", choose_level.best)  # not a box that is warm already
    done = run("check", right, "--exercise", "concat_heads")
    assert done.exit_code == 3
    assert "2 points still to be decided" in done.output


def test_a_fault_in_a_check_is_ours_and_costs_nothing(right: Path, monkeypatch):
    monkeypatch.setattr("graders.checks.concat_heads.shaped", lambda *a: 1 / 0)
    done = run("check", right, "--exercise", "concat_heads")
    assert done.exit_code == 3
    assert "softmark itself failed" in done.output


def test_the_doctor_names_the_box_and_the_torch_build_and_tries_no_level_twice(tmp_path, monkeypatch):
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    first = run("doctor")
    for word in ("Python", "torch", "devices", "bubblewrap", "box"):
        assert word in first.output
    held = {
        IsolationLevel(level)
        for level in json.loads((tmp_path / "levels" / "levels.json").read_text())["held"]
    }

    def try_level(level, limits):
        assert level not in held
        return None, Step(level, "gone")

    monkeypatch.setattr(tried_levels, "try_level", try_level)
    again = run("doctor")
    assert all(re.search(rf"ok {level} .*(in force|{re.escape(level.says)})", again.output) for level in held)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"machine": "another", "held": ["nested"]}', "\xff"])
def test_levels_that_were_kept_for_another_machine_are_tried_again(text, tmp_path, monkeypatch):
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    (tmp_path / "levels").mkdir(mode=0o700)
    (tmp_path / "levels" / "levels.json").write_text(text, encoding="latin-1")
    monkeypatch.setattr(tried_levels, "try_level", lambda level, limits: (None, Step(level, "no")))
    assert [step.problem for step in tried_levels.try_levels(Limits())] == ["no"] * len(IsolationLevel)


def test_without_arguments_the_help_is_printed():
    assert "Grade a class." in CliRunner().invoke(main, []).output


def test_a_file_of_the_course_that_is_no_python_costs_its_exercise_alone(tmp_path, monkeypatch):
    stubs = tmp_path / "assignments"
    shutil.copytree(SHIPPED.assignments, stubs)
    (stubs / "axial_positions.py").write_text("import torch\n\ndef axial_positions(:\n")
    monkeypatch.setattr("graders.locations.SHIPPED", replace(SHIPPED, assignments=stubs))
    assert "concat_heads" in outline.symbols_of("attention")
    assert "lsh_buckets" in outline.symbols_of("efficient")
    answer = tmp_path / "answer.py"
    answer.write_text("def axial_positions(): pass\n")
    done = CliRunner().invoke(main, ["check", str(answer), "--assignment", "efficient", "--lang", "en"])
    assert done.exit_code == 3
    assert (
        "assignments/axial_positions.py, line 3: invalid syntax. The exercise axial_positions" in done.output
    )
    assert "3 points still to be decided" in done.output
