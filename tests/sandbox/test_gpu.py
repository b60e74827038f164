"""Grading on a GPU: the same verdicts, and of the driver only what is needed. Skipped where there is none."""

import pytest
import torch
from click.testing import CliRunner

from graders.cli.main import main
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.results.result import Outcome
from graders.sandbox.box import Box
from graders.sandbox.isolation import gpu
from graders.sandbox.isolation.bubblewrap import wrap_command
from graders.sandbox.isolation.choose_level import NoIsolation, best, try_level
from graders.sandbox.isolation.command import environment
from graders.sandbox.isolation.gpu import Gpu
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.limits import Limits
from graders.sandbox.session import BoxSession
from tests.conftest import HANDED_IN
from tests.support.submissions import source_of

on_gpu = pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU here")
NODES = Gpu(("/dev/nvidia0", "/dev/nvidiactl", "/dev/nvidia-uvm"), ("/usr/local/nvidia/lib64",))


def test_the_box_gets_the_drivers_nodes_and_libraries_and_nothing_else_more():
    without = wrap_command(environment(None), 1 << 20, None)
    added = [word for word in wrap_command(environment(NODES), 1 << 20, NODES) if word not in without]
    named = {word for word in added if word.startswith("/")}
    assert named == {*NODES.devices, *NODES.libraries, "/sys"}


@pytest.mark.programs
def test_without_a_driver_the_device_is_refused_with_a_sentence(monkeypatch):
    monkeypatch.setattr("graders.sandbox.interpreter.find_gpu", lambda: None)
    box, step = try_level(IsolationLevel.NESTED, Limits(), "cuda")
    assert box is None
    assert "no GPU driver" in step.problem
    assert "NVIDIA" in step.advice
    with pytest.raises(NoIsolation, match="no GPU driver"):
        best(Limits(), "cuda")


def test_a_process_that_met_a_cuda_error_is_thrown_away(level, assignment, tmp_path):
    code = """
        asked = []
        def concat_heads(x):
            asked.append(x)
            if len(asked) == 2:
                raise RuntimeError("CUDA error: device-side assert triggered")
            return len(asked)
    """
    [exercise] = assignment.only(["concat_heads"]).exercises
    with Box(level) as box, BoxSession(box) as session:
        session.open(source_of(tmp_path, code, exercise))
        box.device = "cuda"  # the host's side alone: the process itself is on the CPU
        answers = [session.ask("call", [None, [1], {}], 5.0) for _ in range(3)]
    assert [answer.ok for answer in answers] == [True, False, True]
    assert answers[2].value == 1


@pytest.mark.gpu
@on_gpu
def test_the_host_and_the_warm_interpreter_never_start_cuda():
    with best(Limits(), "cuda")[0] as box, BoxSession(box) as session:
        session.ask("nothing", [], 60.0)
        assert not torch.cuda.is_initialized()


@pytest.mark.gpu
@on_gpu
def test_an_isolation_level_holds_on_the_gpu():
    box, steps = best(Limits(), "cuda")
    box.close()
    assert box.level is not IsolationLevel.OPEN, steps
    assert gpu.find_gpu() is not None


@pytest.mark.gpu
@on_gpu
@pytest.mark.parametrize("name", ["alice.ipynb", "benoit.py", "chloe"])
def test_right_work_is_right_on_the_gpu(assignment, name):
    with best(Limits(call_s=60.0, submission_s=600.0), "cuda")[0] as box:
        result = Grader(assignment, Draws(1), box).grade(HANDED_IN / name, name)
    assert {e.outcome for e in result.exercises} == {Outcome.PASSED}
    assert result.device == "cuda"


@pytest.mark.gpu
@on_gpu
@pytest.mark.parametrize("name", ["attention", "bert", "gpt"])
def test_the_audit_has_no_gap_on_the_gpu(name):
    done = CliRunner().invoke(main, ["audit", name, "--device", "cuda", "--limit", "call=60s"])
    assert done.exit_code == 0, done.output
