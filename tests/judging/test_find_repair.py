"""The line that is wrong is found by an edit of the student's own code, in a grading as students get it."""

import textwrap
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from graders.course.exercise import load_assignment
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.language import speaking
from graders.results.result import ExerciseResult, Outcome, Repair
from graders.sandbox.box import Box
from graders.sandbox.process import Answer
from graders.sandbox.process_lost import ProcessLost
from graders.sandbox.session import BoxSession
from reports import words
from tests.support.open_box import OpenBox

ATTENTION = """
import math
import torch
from torch import nn

class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        if embed_dim % num_heads:
            raise ValueError("embed_dim")
        self.num_heads, self.d_k = num_heads, embed_dim // num_heads
        self.W_q = nn.Linear(embed_dim, embed_dim)
        self.W_k = nn.Linear(embed_dim, embed_dim)
        self.W_v = nn.Linear(embed_dim, embed_dim)
        self.W_o = nn.Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        B, S, E = x.shape
        q = self.W_q(x).view(B, S, self.num_heads, self.d_k).transpose(1, 2)
        k = self.W_k(x).view(B, S, self.num_heads, self.d_k).transpose(1, 2)
        v = self.W_v(x).view(B, S, self.num_heads, self.d_k).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_k)
        if mask is not None:
            scores = scores.masked_fill(mask, float("-inf"))
        weights = scores.softmax(dim=-1)
        out = (weights @ v).transpose(1, 2).reshape(B, S, E)
        return self.W_o(out), weights
"""


@pytest.fixture
def grade(open_box: OpenBox, draws: Draws, tmp_path: Path):
    def graded(code: str, exercise: str, assignment: str = "attention", **how: bool) -> ExerciseResult:
        path = tmp_path / "answer.py"
        path.write_text(textwrap.dedent(code), encoding="utf-8")
        chosen = load_assignment(assignment).only([exercise])
        grader = Grader(chosen, draws.without_search(), open_box, finds_places=True, for_staff=True)
        [result] = replace(grader, **how).grade(path, "student").exercises
        return result

    return graded


def repairs_of(result: ExerciseResult) -> list[Repair]:
    return list(dict.fromkeys(repair for finding in result.findings for repair in finding.repairs))


@pytest.mark.parametrize(
    ("right", "wrong", "line", "kind"),
    [
        ("scores.softmax(dim=-1)", "scores.softmax(dim=2)", "weights = ", "axis"),
        ("scores = scores.masked_fill(mask", "scores.masked_fill(mask", "scores.masked_fill", "lost_result"),
        ("masked_fill(mask, ", "masked_fill(~mask, ", "scores = scores.masked_fill", "condition"),
        ("self.W_o(out), weights", "out, weights", "out = ", "layer"),
        ("W_q = nn.Linear(embed_dim, embed_dim)", "W_q = nn.Linear(embed_dim, 1)", "self.W_q = ", "value"),
    ],
)
def test_one_wrong_line_is_found_with_what_is_wrong_there(grade, right, wrong, line, kind) -> None:
    code = ATTENTION.replace(right, wrong)
    [repair] = repairs_of(grade(code, "multi_head_attention"))
    assert (repair.kind, repair.place.code[: len(line)]) == (kind, line)
    assert code.split("\n")[repair.place.line - 1].strip() == repair.place.code


def test_each_of_three_mistakes_has_its_own_line(grade) -> None:
    code = ATTENTION.replace("v = self.W_v(x)", "v = self.W_k(x)").replace("sqrt(self.d_k)", "sqrt(E)")
    code = code.replace("scores = scores.masked_fill(mask", "scores.masked_fill(mask")
    found = {
        repair.mistake.partition("__")[2]: repair
        for repair in repairs_of(grade(code, "multi_head_attention"))
    }
    assert {name: repair.place.code[:14] for name, repair in found.items()} == {
        "values_from_keys": "v = self.W_k(x",
        "scaled_by_embed_dim": "scores = q @ k",
        "mask_ignored": "scores.masked_",
    }


@pytest.mark.parametrize(
    ("right", "wrong", "line"),
    [
        ("softmax(dim=-1)", "softmax(dim=1)", "weights = "),
        (".transpose(1, 2).reshape(", ".reshape(", "out = "),
    ],
)
def test_of_two_wrong_lines_one_is_found_with_the_edit_of_the_other(grade, right, wrong, line) -> None:
    code = ATTENTION.replace(right, wrong).replace("sqrt(self.d_k)", "sqrt(self.d_k + 3)")
    result = grade(code, "multi_head_attention")
    first, second = sorted(repairs_of(result), key=lambda repair: repair.beside is not None)
    assert (first.place.code[: len(line)], first.beside) == (line, None)
    assert (second.place.code[:8], second.beside, second.completes) == ("scores =", first.place, True)
    [core] = [finding for finding in result.findings if second in finding.repairs]
    [says] = words.repairs(core, ())
    assert says.endswith("all checks hold")
    assert f"With one change there and one at `{line}" in says


def test_what_masks_do_wrong_has_a_place_beside_that_of_the_core_check(grade) -> None:
    code = ATTENTION.replace("scores = scores.masked_fill(mask", "scores.masked_fill(mask")
    result = grade(code.replace("sqrt(self.d_k)", "sqrt(self.d_k + 3)"), "multi_head_attention")
    assert [repair.place.code[:14] for repair in repairs_of(result)] == ["scores = q @ k", "scores.masked_"]


def test_the_edit_is_for_the_staff_and_the_line_for_the_student(grade) -> None:
    code = "def concat_heads(x):\n    B, H, S, D = x.shape\n    return x.reshape(B, S, H * D)\n"
    result = grade(code, "concat_heads")
    [repair] = repairs_of(result)
    assert repair.completes
    assert "transpose(1, 2)" in repair.edit
    wrong = next(finding for finding in result.findings if finding.repairs)
    [says] = words.repairs(wrong, ())
    assert "return x.reshape(B, S, H * D)" in says
    assert "With one change there, all checks hold" in says
    with speaking("fr"):
        assert "l'ordre des axes" in words.repairs(wrong, ())[0]
    assert "transpose" not in says
    [shown] = repairs_of(grade(code, "concat_heads", for_staff=False))
    assert shown == replace(repair, edit="")


def test_a_line_that_raises_is_not_wrong_because_some_checks_hold_without_it(grade) -> None:
    code = """
        import math
        from torch import *

        def scaled_dot_product_attention(Q, K, V, mask=None):
            scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
            if mask is not None:
                scores = scores.masked_fill(mask, float("-inf"))
            weights = softmax(scores, dim=-1)
            return weights @ V, weights
        """
    for repair in repairs_of(grade(code, "scaled_dot_product_attention")):
        assert "masked_fill" in repair.place.code
        assert repair.kind != "statement"


def test_code_that_no_small_edit_repairs_has_no_place(grade) -> None:
    code = "def concat_heads(x):\n    import torch\n    return torch.zeros(x.shape[0], x.shape[2], 1)\n"
    assert repairs_of(grade(code, "concat_heads")) == []


@pytest.mark.parametrize("fault", [ValueError("ours"), ProcessLost(Outcome.TIMED_OUT, "late")])
def test_a_search_that_fails_leaves_points_and_findings_as_they_were(grade, monkeypatch, fault) -> None:
    def fail(*_: object) -> None:
        raise fault

    code = "def concat_heads(x):\n    B, H, S, D = x.shape\n    return x.reshape(B, S, H * D)\n"
    expected = grade(code, "concat_heads", finds_places=False)
    monkeypatch.setattr("graders.grade.find_repairs", fail)
    result = grade(code, "concat_heads")
    assert (result.points, result.outcome) == (expected.points, expected.outcome)
    told = [finding for finding in result.findings if finding.staff]
    assert bool(told) is isinstance(fault, ValueError)


def test_code_that_watches_for_edits_gains_nothing(grade) -> None:
    code = """
        import inspect

        calls = []

        def mine():
            return concat_heads.__code__.co_code, inspect.getsource(concat_heads)

        def concat_heads(x):
            calls.append(1)
            B, H, S, D = x.shape
            wrong = x.reshape(B, S, H * D)
            right = x.transpose(1, 2).reshape(B, S, H * D)
            return right if len(calls) > 900 or mine()[0] != code[0] else wrong

        code = mine()
        """
    honest = "def concat_heads(x):\n    B, H, S, D = x.shape\n    return x.reshape(B, S, H * D)\n"
    expected = grade(honest, "concat_heads", finds_places=False).points
    assert grade(code, "concat_heads").points == expected


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_edit_that_makes_a_loop_endless_costs_only_itself(grade) -> None:
    code = """
        import torch

        def concat_heads(x):
            heads, n = [], 0
            while n < x.shape[1]:
                heads.append(x[:, n])
                n = n + 1
            return torch.cat(heads, dim=1)
        """
    [repair] = repairs_of(grade(code, "concat_heads"))
    assert repair.kind == "axis"


def test_where_no_edit_helps_the_first_other_value_is_told(grade) -> None:
    wrong = ATTENTION.replace(
        "weights = scores.softmax(dim=-1)", "weights = scores.abs().sqrt().cumsum(dim=-1)"
    )
    findings = grade(wrong, "multi_head_attention").findings
    assert not any(finding.repairs for finding in findings)
    [departure] = [finding.departure for finding in findings if finding.departure]
    assert (departure.name, departure.right) == ("weights", ("scores",))
    assert departure.place.code.startswith("weights = scores.abs()")
    finding = next(finding for finding in findings if finding.departure)
    with speaking("en"):
        [look] = words.looks(finding, ())
    assert "the first that no correct solution computes" in look and "`scores`" in look


def test_code_that_follows_its_own_calls_is_judged_as_ever(grade) -> None:
    watching = """
    import sys
    def concat_heads(heads):
        if sys.gettrace() is not None:
            raise SystemExit
        sys.settrace(lambda *_: None)
        return heads.sum(1)
    """
    result = grade(watching, "concat_heads")
    assert result.outcome.failed_or_raised
    assert not any(finding.outcome is Outcome.BROKEN for finding in result.findings)


def test_what_edited_code_has_constructed_does_not_heap_up_in_its_process(grade, monkeypatch) -> None:
    held = Counter[BoxSession]()
    ask = BoxSession.ask

    def count(session: BoxSession, do: str, value: list[Any], seconds: float) -> Answer:
        held[session] += (do == "construct") - (len(value[0]) if do == "forget" else 0)
        if do == "exchange":
            most.append(held[session])
        return ask(session, do, value, seconds)

    most = list[int]()
    monkeypatch.setattr(BoxSession, "ask", count)
    grade(ATTENTION.replace("scores.softmax", "scores.detach().softmax"), "multi_head_attention")
    assert len(most) > 40
    assert max(most) < 20


def test_an_edit_that_ends_the_process_does_not_end_the_search(box: Box, draws: Draws, tmp_path) -> None:
    ends = "B, S, E = x.shape\n        if S < 0:\n            os._exit(1)"
    wrong = ATTENTION.replace("B, S, E = x.shape", ends).replace("import math", "import math, os")
    (tmp_path / "answer.py").write_text(wrong.replace("softmax(dim=-1)", "softmax(dim=2)"), encoding="utf-8")
    chosen = load_assignment("attention").only(["multi_head_attention"])
    grader = Grader(chosen, draws.without_search(), box, finds_places=True)
    [result] = grader.grade(tmp_path / "answer.py", "student").exercises
    [repair] = repairs_of(result)
    assert repair.kind == "axis"
