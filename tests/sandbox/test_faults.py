"""Faults of ours: they cost no points, and a class goes on or stops with a sentence."""

import json
import multiprocessing
import shlex
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from graders.batch.grade_all import ClassPlan, grade_all
from graders.grade import Grader
from graders.judging import score
from graders.judging.draws import Draws
from graders.results.result import Outcome
from graders.sandbox.box import Box
from graders.sandbox.interpreter import BoxBroken
from graders.sandbox.interpreter_process import InterpreterProgram
from graders.sandbox.isolation.settings import settings
from graders.sandbox.limits import Limits
from graders.sandbox.template import Template
from tests.support.clusters import grade_words
from tests.support.processes import alive, below
from tests.support.submissions import entries

RIGHT = "def concat_heads(x):\n    return x.transpose(1, 2).flatten(2)\n"


@pytest.fixture
def only(assignment):
    return assignment.only(["concat_heads"])


@pytest.fixture
def handed_in(tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    for number in range(4):
        (tmp_path / f"in/s{number}.py").write_text(RIGHT, encoding="utf-8")
    return tmp_path / "in"


def test_a_box_that_cannot_start_is_broken_and_costs_nothing(only, draws, handed_in, level, monkeypatch):
    monkeypatch.setattr("graders.sandbox.template.hold_command", lambda *a: ["/bin/false"])
    with Box(level) as box:
        [result] = Grader(only, draws, box).grade(handed_in / "s0.py", "s0").exercises
    assert (result.outcome, result.message, result.undecided_points) == (Outcome.BROKEN, score.OURS, 2)
    assert "did not start" in result.staff


def test_an_interpreter_that_cannot_start_without_a_template_is_broken_too(level, monkeypatch):
    monkeypatch.setattr("graders.sandbox.interpreter.current_template", lambda: None)
    monkeypatch.setattr("graders.sandbox.interpreter.command", lambda *a: ["/bin/false"])
    with Box(level) as box, pytest.raises(BoxBroken, match="did not start"):
        box.fork()


def test_where_the_template_was_killed_interpreters_are_programs_again(level, monkeypatch):
    template = Template.spawn()
    monkeypatch.setattr("graders.sandbox.template._template", template)
    template._process.kill()
    template._process.wait()
    with Box(level) as box:
        box.fork().close()
        assert isinstance(box._interpreter._process, InterpreterProgram)
    template.close()


def test_an_interpreter_that_a_template_never_makes_is_a_program_instead(level, monkeypatch):
    ours, silent = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    monkeypatch.setattr("graders.sandbox.template._template", Template(ours))
    monkeypatch.setattr("graders.sandbox.interpreter.FORKED_S", 0.2)
    with silent, ours, Box(level) as box:
        box.fork().close()
        assert isinstance(box._interpreter._process, InterpreterProgram)


def test_a_box_that_cannot_be_locked_down_runs_nothing(only, draws, handed_in, level, monkeypatch):
    monkeypatch.setattr(
        "graders.sandbox.interpreter.settings", lambda *a: settings(*a) | {"filter": "AAAAAAAAAAA="}
    )
    with Box(level) as box:
        [result] = Grader(only, draws, box).grade(handed_in / "s0.py", "s0").exercises
    assert result.outcome is Outcome.BROKEN
    assert result.undecided_points == 2


def test_an_interpreter_killed_between_two_submissions_costs_nobody_a_point(only, draws, handed_in, level):
    with Box(level) as box:
        grader = Grader(only, draws, box)
        assert grader.grade(handed_in / "s0.py", "s0").points == 2
        box._interpreter._process.end()
        assert grader.grade(handed_in / "s1.py", "s1").points == 2


def test_an_interpreter_killed_at_work_costs_nobody_a_point(only, draws, handed_in, level, monkeypatch):
    with Box(level) as box:
        grader = Grader(only, draws, box)
        honest = box.fork

        def fork(*, files=True):
            child = honest(files=files)
            monkeypatch.setattr(box, "fork", honest)
            box._interpreter._process.end()
            return child

        monkeypatch.setattr(box, "fork", fork)
        result = grader.grade(handed_in / "s0.py", "s0")
        assert result.points + result.undecided_points == 2
        assert grader.grade(handed_in / "s1.py", "s1").points == 2


@pytest.mark.programs
def test_results_that_are_written_stay_when_the_disk_is_full(handed_in, tmp_path):
    if shutil.which("bwrap") is None:
        pytest.skip("a small disk is made with bubblewrap")
    out = tmp_path / "out"
    out.mkdir()
    copy = tmp_path / "kept"
    copy.mkdir()
    small = ["bwrap", "--dev-bind", "/", "/", "--size", str(60_000), "--tmpfs", str(out)]
    softmark = [Path(sys.executable).with_name("softmark"), *grade_words(handed_in, out)]
    words = shlex.join(map(str, [*softmark, "--jobs", "1", "--sandbox", "open", "--unsafe"]))
    script = f"{words}; status=$?; cp -r '{out}/.' '{copy}'; exit $status"
    done = subprocess.run([*small, "sh", "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 3, done.stdout + done.stderr
    assert "cannot write results" in done.stderr
    whole = list(copy.glob("*/result.json"))
    assert whole
    for path in whole:
        assert json.loads(path.read_text(encoding="utf-8"))["schema"]
    assert not list(copy.rglob(".*"))
    assert "goes on from there" in done.stderr


def test_a_process_that_is_killed_is_replaced(only, handed_in, level):
    plan = ClassPlan(
        assignment=only,
        draws=Draws(1),
        level=level,
        limits=Limits(),
        device="cpu",
        keep=lambda entry, result: None,
    )
    found = []
    for result in grade_all(entries(handed_in), plan, 1):
        if not found:
            [worker] = multiprocessing.active_children()
            worker.kill()
        found.append(result)
    assert [r.result.points + r.result.undecided_points for r in found] == [2, 2, 2, 2]


def test_nothing_survives_a_host_that_is_killed_at_any_level(any_box, tmp_path):
    forking = multiprocessing.get_context("fork")
    interpreter = forking.Queue()

    def hold_a_box():
        with Box(any_box.level) as box, box.fork():
            interpreter.put(box.pid)
            time.sleep(60)

    host = forking.Process(target=hold_a_box)
    host.start()
    pid = interpreter.get(timeout=60)
    started = below(host.pid) | {pid} | below(pid)
    host.kill()
    host.join()
    deadline = time.monotonic() + 10
    while (left := [process for process in started if alive(process)]) and (time.monotonic() < deadline):
        time.sleep(0.05)
    assert len(started) > 1
    assert left == []


def test_a_fault_of_ours_in_naming_a_mistake_costs_nothing_else(
    tmp_path, box, assignment, draws, monkeypatch
):
    def breaks(*_):
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr("graders.diagnosis.known_mistakes.KnownMistakes.explain", breaks)
    path = tmp_path / "answer.py"
    path.write_text(
        "def concat_heads(x):\n    return x.reshape(x.shape[0], x.shape[2], -1)\n", encoding="utf-8"
    )
    result = Grader(assignment.only(["concat_heads"]), draws, box).grade(path, "answer")
    [exercise] = result.exercises
    failed = [f for f in exercise.findings if f.outcome is Outcome.FAILED]
    assert exercise.outcome is Outcome.FAILED
    assert result.undecided_points == 0
    assert 0 < exercise.points < exercise.max_points
    assert all("a fault of ours" in f.staff for f in failed)
