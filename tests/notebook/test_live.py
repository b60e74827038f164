"""In a notebook: live objects are judged as in the box, and the notebook stays as it was."""

import builtins
import linecache
import random
import sys
import textwrap
import types
import warnings
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import matplotlib
import numpy
import pytest
import torch
from torch import nn

from graders.course.exercise import Assignment, load_assignment
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.language import speaking
from graders.notebook.check_live import NotebookChecker, Target, _ExerciseCheck
from graders.notebook.find_exercise import NotCheckable, find_by_name
from graders.notebook.kept_verdicts import KeptVerdicts
from graders.notebook.restore_state import restore_state
from graders.notebook.source_places import Places
from graders.results.result import ExerciseResult, Outcome
from graders.sandbox.box import Box
from tests.conftest import HANDED_IN

CELL = "In[3]"


class Notebook:
    """What `checker` sees of a notebook: a namespace, and cells by their files."""

    def __init__(self) -> None:
        self.names: dict[str, Any] = {"torch": torch, "nn": nn}
        self.checker = NotebookChecker(Places(lambda file: ("Cell", CELL) if file == "<cell 3>" else None))

    def run(self, code: str) -> None:
        """Run a cell."""
        code = textwrap.dedent(code)
        linecache.cache["<cell 3>"] = (len(code), None, code.splitlines(keepends=True), "<cell 3>")
        exec(compile(code, "<cell 3>", "exec"), self.names)

    def check(self, name: str = "concat_heads", assignment: str | None = None) -> ExerciseResult:
        """What `%check NAME` finds."""
        with restore_state(self.names):
            target = self.checker.find_by_name(name, self.names, assignment)
            return self.checker.check([target])[0].exercises[0]


@pytest.fixture(scope="module")
def _notebook() -> Notebook:
    return Notebook()


@pytest.fixture
def notebook(_notebook: Notebook) -> Notebook:
    """A notebook whose draws are made already."""
    made = Notebook()
    made.checker = _notebook.checker
    return made


RIGHT = "def concat_heads(x):\n    return x.transpose(1, 2).flatten(2)\n"


def test_what_is_right_passes(notebook: Notebook):
    notebook.run(RIGHT)
    found = notebook.check()
    assert found.outcome is Outcome.PASSED
    assert found.points == found.max_points


@pytest.mark.parametrize("name", ["lucas.py", "benoit.py"])
def test_findings_are_those_of_the_box(
    notebook: Notebook, name: str, box: Box, assignment: Assignment, draws: Draws
):
    asked = assignment.only(["split_heads", "concat_heads", "multi_head_attention", "count_parameters"])
    boxed = Grader(asked, draws, box).grade(HANDED_IN / name, "someone")
    notebook.run((HANDED_IN / name).read_text(encoding="utf-8"))
    judged = [exercise for exercise in boxed.exercises if exercise.findings]
    assert judged
    for there in judged:
        here = notebook.check(there.name)
        assert here.outcome is there.outcome
        for mine, theirs in zip(here.findings, there.findings, strict=True):
            assert (mine.check, mine.outcome, mine.message) == (theirs.check, theirs.outcome, theirs.message)
            assert mine.case == theirs.case
            assert mine.mistake == theirs.mistake


def test_an_error_is_placed_in_its_cell(notebook: Notebook):
    notebook.run("""
        def inner(x):
            return x.heads()

        def concat_heads(x):
            return inner(x)
    """)
    finding = notebook.check().findings[0]
    assert finding.outcome is Outcome.RAISED
    assert finding.message == "AttributeError: 'Tensor' object has no attribute 'heads'"
    assert (finding.place.file, finding.place.line) == (CELL, 3)


def test_an_error_of_a_missing_package_is_not_the_fault_of_a_box(notebook: Notebook):
    notebook.run("def concat_heads(x):\n    import no_such_package\n")
    assert notebook.check().findings[0].message == "ModuleNotFoundError: No module named 'no_such_package'"


def test_what_was_handed_out_is_not_attempted(notebook: Notebook):
    notebook.run("def concat_heads(x):\n    '''mine'''\n    raise NotImplementedError")
    found = notebook.check()
    assert found.outcome is Outcome.NOT_ATTEMPTED
    assert found.definitions[0].line == 1


def test_what_cannot_answer_yet_is_unfinished(notebook: Notebook):
    notebook.run("def concat_heads(x):\n    joined = x.transpose(1, 2)\n    raise NotImplementedError")
    found = notebook.check()
    assert (found.outcome, found.findings) == (Outcome.UNFINISHED, ())
    assert found.message == "`concat_heads` still raises NotImplementedError"


def test_a_change_in_place_is_found_and_spoils_no_draw(notebook: Notebook):
    notebook.run("def concat_heads(x):\n    return x.mul_(2).transpose(1, 2).flatten(2).div(2)\n")
    changed = {f.check: f.outcome for f in notebook.check().findings}
    assert changed["leaves_its_input_alone"] is Outcome.FAILED
    notebook.run(RIGHT)
    assert notebook.check().outcome is Outcome.PASSED


def test_a_subclass_of_a_tensor_can_tell_nothing_about_itself(notebook: Notebook):
    notebook.run("""
        class Liar(torch.Tensor):
            def __eq__(self, other):
                return True

        def concat_heads(x):
            return x.transpose(1, 2).flatten(2).as_subclass(Liar)
    """)
    finding = notebook.check().findings[0]
    assert finding.outcome is Outcome.FAILED
    assert "Liar, which is a subclass of torch.Tensor" in finding.message


def test_code_of_a_file_that_no_system_can_have_is_judged(notebook: Notebook):
    notebook.run(
        """
        def concat_heads(x):
            return x.flatten(2)

        concat_heads.__code__ = concat_heads.__code__.replace(co_filename="\\ud800.py")
        """
    )
    assert notebook.check().outcome is Outcome.FAILED


def test_exit_ends_the_call_and_not_the_kernel(notebook: Notebook):
    notebook.run("def concat_heads(x):\n    exit(3)\n")
    assert notebook.check().findings[0].message == "SystemExit: 3"


def test_an_interruption_ends_the_check_and_says_where(notebook: Notebook):
    notebook.run("""
        def concat_heads(x):
            while True:
                raise KeyboardInterrupt  # as the kernel raises it where it is
    """)
    with restore_state(notebook.names):
        target = notebook.checker.find_by_name("concat_heads", notebook.names, None)
        result, stopped = notebook.checker.check([target])
    assert isinstance(stopped, KeyboardInterrupt)
    [finding] = result.exercises[0].findings
    assert finding.outcome is Outcome.SKIPPED
    assert finding.message == (
        "you stopped it at `raise KeyboardInterrupt  # as the kernel raises it where it is` in concat_heads, "
        "In[3], line 4; what follows was not tried"
    )


def test_an_interruption_while_a_mistake_is_looked_for_loses_no_finding(
    notebook: Notebook, monkeypatch: pytest.MonkeyPatch
):
    def interrupt(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("graders.judging.judge_exercise.explain", interrupt)
    notebook.run("def concat_heads(x):\n    return x\n")
    with restore_state(notebook.names):
        target = notebook.checker.find_by_name("concat_heads", notebook.names, None)
        result, stopped = notebook.checker.check([target])
    assert isinstance(stopped, KeyboardInterrupt)
    checks = [check.name for check in target.exercise.value_checks]
    assert [finding.check for finding in result.exercises[0].findings] == checks


def test_what_it_prints_is_kept_and_not_shown(notebook: Notebook, capsys):
    notebook.run("def concat_heads(x):\n    print('here', x.shape)\n    return x\n")
    [first, *_] = notebook.check().findings
    assert first.output.startswith("here torch.Size([1, 1, 2, 3])\n")
    assert capsys.readouterr().out == ""


DISTURBING = """
    import os, random, sys, warnings, builtins
    import numpy, matplotlib, matplotlib.pyplot
    seen = 0
    def concat_heads(x):
        global seen, new
        seen, new = seen + 1, 1
        torch.manual_seed(5), random.seed(5), numpy.random.seed(5)
        torch.set_default_dtype(torch.float64)
        torch.set_grad_enabled(False)
        torch.set_num_threads(3)
        torch.set_float32_matmul_precision("medium")
        torch.use_deterministic_algorithms(True)
        torch.backends.cudnn.benchmark = True
        torch.set_default_device("meta")
        torch.autograd.set_detect_anomaly(True)
        numpy.seterr(all="raise")
        warnings.simplefilter("error")
        matplotlib.rcParams["font.size"] = 77
        matplotlib.pyplot.figure()
        sys.path.insert(0, "/elsewhere")
        sys.setrecursionlimit(3000)
        os.chdir("/")
        return x.transpose(1, 2).flatten(2)
"""


def flags() -> dict[str, Any]:
    """The state of the process that no check may change."""
    return {
        "torch's randomness": torch.get_rng_state().tolist(),
        "random's": random.getstate(),
        "NumPy's": numpy.random.get_state()[1].tolist(),
        "the seed for CUDA": dict(vars(torch.cuda._lazy_seed_tracker)),
        "dtype": torch.get_default_dtype(),
        "device": torch.get_default_device(),
        "gradients": torch.is_grad_enabled(),
        "threads": torch.get_num_threads(),
        "precision": torch.get_float32_matmul_precision(),
        "deterministic": torch.are_deterministic_algorithms_enabled(),
        "cudnn": torch.backends.cudnn.benchmark,
        "anomalies": torch.is_anomaly_enabled(),
        "numpy's errors": numpy.geterr(),
        "warnings": list(warnings.filters),
        "matplotlib": dict(matplotlib.rcParams),
        "figures": sys.modules["matplotlib.pyplot"].get_fignums(),
        "path": list(sys.path),
        "recursion": sys.getrecursionlimit(),
        "folder": str(Path.cwd()),
        "input": builtins.input,
        "stdout": (sys.stdout, sys.stderr, sys.displayhook),
    }


@pytest.fixture
def unusual() -> Iterator[None]:
    """Settings as a person may have them, none of which is the usual one."""
    import matplotlib.pyplot as plt

    plt.switch_backend("agg")
    before = torch.get_num_threads()
    with warnings.catch_warnings(), matplotlib.rc_context({"font.size": 5}):
        warnings.simplefilter("always")
        torch.set_default_dtype(torch.float64)
        torch.set_num_threads(2)
        torch.set_grad_enabled(False)
        torch.manual_seed(12)
        plt.figure()
        yield
        plt.close("all")
        torch.set_grad_enabled(True)
        torch.set_num_threads(before)
        torch.set_default_dtype(torch.float32)


@pytest.mark.parametrize("code", [RIGHT, DISTURBING], ids=["a quiet function", "one that changes all it can"])
def test_the_notebook_stays_as_it_was(notebook: Notebook, unusual: None, code: str):
    notebook.run(code)
    names, before = dict(notebook.names), flags()
    found = notebook.check()
    assert flags() == before
    assert notebook.names == names
    values = {f.check: f.outcome for f in found.findings}
    assert values["puts_each_head_in_its_columns"] is Outcome.PASSED  # whatever was set around it


def test_under_a_default_device_and_in_inference_mode_draws_stay_plain(notebook: Notebook):
    notebook.run(RIGHT)
    notebook.checker._draws = None
    with torch.inference_mode(), torch.device("meta"):
        assert notebook.check().outcome is Outcome.PASSED
        assert torch.get_default_device() == torch.device("meta")
    assert notebook.check().outcome is Outcome.PASSED


def test_no_module_of_the_students_is_shadowed_by_ours(notebook: Notebook):
    notebook.run(RIGHT)
    mine = sys.modules["weights"] = types.ModuleType("weights")
    try:
        notebook.check()
        assert sys.modules["weights"] is mine
        assert "wire" not in sys.modules
    finally:
        del sys.modules["weights"]


def test_an_instance_is_refused_and_left_alone(notebook: Notebook):
    notebook.run("class MultiHeadAttention(nn.Module):\n    pass\n")
    made = notebook.names["MultiHeadAttention"]().train()
    with pytest.raises(NotCheckable, match="give its class, MultiHeadAttention"):
        notebook.checker.find_by_object(made, None, notebook.names, None)
    assert made.training


@pytest.mark.parametrize(
    ("typed", "names", "assignment", "meant"),
    [
        ("concat_heads", [], None, ("attention", "concat_heads")),
        ("multi_head_attention", [], None, ("attention", "multi_head_attention")),
        ("MultiHeadAttention", [], None, ("attention", "multi_head_attention")),
        ("PositionwiseFeedForward", ["GPTBlock"], None, ("gpt", "gpt_feed_forward")),
        ("PositionwiseFeedForward", ["BertLayer", "BertEncoder"], None, ("bert", "bert_feed_forward")),
        ("PositionwiseFeedForward", ["BertLayer"], "gpt", ("gpt", "gpt_feed_forward")),
    ],
)
def test_a_name_means_an_exercise(
    typed: str, names: list[str], assignment: str | None, meant: tuple[str, str]
):
    assert find_by_name(typed, names, assignment) == meant


def test_a_name_that_several_exercises_have_asks_for_the_assignment():
    with pytest.raises(NotCheckable, match="asked for in gpt, bert"):
        find_by_name("PositionwiseFeedForward", [])


def test_an_object_under_another_name_is_found_by_the_name_it_is_bound_to(notebook: Notebook):
    notebook.run("def mine(x):\n    return x.transpose(1, 2).flatten(2)\nconcat_heads = mine\n")
    with restore_state(notebook.names):
        target = notebook.checker.find_by_object(notebook.names["mine"], None, notebook.names, None)
    assert target.exercise.name == "concat_heads"


def test_all_that_is_defined_is_checked_and_nothing_else(notebook: Notebook):
    notebook.run(RIGHT + "def causal_mask(seq_len):\n    pass\n")
    with restore_state(notebook.names):
        found = notebook.checker.check(notebook.checker.find_defined(notebook.names, None))[0]
    assert [(e.name, e.outcome) for e in found.exercises] == [
        ("concat_heads", Outcome.PASSED),
        ("causal_mask", Outcome.NOT_ATTEMPTED),
    ]


def test_it_speaks_french(notebook: Notebook):
    notebook.run("def concat_heads(x):\n    raise NotImplementedError")
    with speaking("fr"):
        found = notebook.check()
    assert found.title == "Réunir les têtes"
    assert found.message == "concat_heads est encore tel qu'il a été distribué"


def test_what_code_costs_is_left_to_the_command(notebook: Notebook):
    right = Path(__file__).parents[2] / "solutions/right/local_attention/unfold.py"
    notebook.run(right.read_text(encoding="utf-8"))
    found = notebook.check("local_attention")
    *others, cost = found.findings
    assert {finding.outcome for finding in others} == {Outcome.PASSED}
    assert cost.outcome is Outcome.SKIPPED
    assert found.undecided_points == pytest.approx(cost.max_points, abs=0.01)
    assert cost.message == "measured by softmark check and at hand-in, in a process of its own"


def test_an_exercise_with_a_broken_file_is_said_to_be_so():
    attention = load_assignment("attention")
    exercise = replace(attention.exercises[2], fault="checks/gate.py, line 3: invalid syntax", checks=())
    check = _ExerciseCheck(Target("attention", exercise, len), attention, Draws(1), Places(), KeptVerdicts())
    result = check.judge([])
    assert (result.outcome, result.undecided_points) == (Outcome.BROKEN, exercise.points)
    assert result.staff == exercise.fault and "a file of this exercise is broken" in str(result.message)
