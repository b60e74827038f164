"""Checks that hold count for little while nothing is right and no known mistake explains why."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from graders.course.exercise import load_assignment
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.judging.nothing_right import MOST, count_little, is_nothing_right
from graders.language import speaking
from graders.results.result import ExerciseResult, Finding, Mistake, Outcome, Place
from reports import words
from tests.hostile.corpus import HERE
from tests.support.open_box import OpenBox

ATTENTION = "scaled_dot_product_attention"
RIGHT = """
import torch
def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-1, -2) / Q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights
"""


def grade(code: str, exercise: str, draws: Draws, box: OpenBox, folder: Path) -> ExerciseResult:
    path = folder / "answer.py"
    path.write_text(code, encoding="utf-8")
    grader = Grader(load_assignment("attention").only([exercise]), draws.without_search(), box)
    [result] = grader.grade(path, "student").exercises
    return result


def test_equal_weights_for_all_keys_get_a_fifth_and_are_told_why(
    open_box: OpenBox, draws: Draws, tmp_path: Path
) -> None:
    code = (HERE / "forge" / "mean_of_visible_values.py").read_text(encoding="utf-8")
    result = grade(code, ATTENTION, draws, open_box, tmp_path)
    assert result.points == MOST * result.max_points
    assert sum(finding.points for finding in result.findings) == pytest.approx(result.points, abs=1e-3)
    assert result.points + result.not_counted > 0.6 * result.max_points
    assert "count for 0.8 of 4 points" in (words.about_points(result) or "")
    with speaking("fr"):
        assert "comptent 0,8 sur 4" in (words.about_points(result) or "")


@pytest.mark.parametrize(
    ("slip", "instead"),
    [
        ("** 0.5", "** 0.25"),
        ("scores = scores.masked_fill(mask", "scores = scores.masked_fill(mask | (scores > 1)"),
        ("torch.softmax(scores", "torch.softmax(scores if Q.shape[-2] > 3 else scores * 1.1"),
    ],
    ids=["right on no draw", "right without a mask", "right for long sequences"],
)
def test_what_is_right_on_some_draws_keeps_its_points(
    open_box: OpenBox, draws: Draws, tmp_path: Path, slip: str, instead: str
) -> None:
    result = grade(RIGHT.replace(slip, instead), ATTENTION, draws, open_box, tmp_path)
    assert result.outcome is Outcome.FAILED
    assert (result.not_counted > 0) is (slip == "** 0.5")


@pytest.mark.parametrize("mistake", ["", " * Q.shape[-1]"], ids=["unscaled", "multiplied"])
def test_a_mistake_with_a_name_keeps_its_points(
    open_box: OpenBox, draws: Draws, tmp_path: Path, mistake: str
) -> None:
    code = RIGHT.replace(" / Q.shape[-1] ** 0.5", mistake)
    result = grade(code, ATTENTION, draws, open_box, tmp_path)
    named = any(finding.mistakes for finding in result.findings)
    assert (result.not_counted == 0) is named is (mistake == "")


CORE = SimpleNamespace(name="core", core=True, answer=None)
SIDE = SimpleNamespace(name="side", core=False)
EXERCISE: Any = SimpleNamespace(checks=(CORE, SIDE), value_checks=(CORE, SIDE), points=1.0)
WRONG = Finding("core", Outcome.FAILED, 0, 0.4, "core")
HELD = Finding("side", Outcome.PASSED, 0.6, 0.6, "side")


def judge(result: Exception | str | None, explained: tuple[str, ...] = ()) -> Any:
    draws = SimpleNamespace(for_check=lambda *_: [SimpleNamespace(draw=None)] * 2)
    candidate = SimpleNamespace(source=SimpleNamespace(constants=()))
    return SimpleNamespace(
        exercise=EXERCISE,
        draws=draws,
        candidate=candidate,
        explained=set(explained),
        try_on=lambda *_: result,
    )


FAILS = ValueError("wrong")
NAMED = replace(WRONG, mistakes=((Mistake("core__slip", "a slip"),),))


@pytest.mark.parametrize(
    ("core", "side", "asked", "is_nothing"),
    [
        (WRONG, HELD, judge(FAILS), True),
        (replace(WRONG, outcome=Outcome.RAISED, place=Place("a.py", None, 1)), HELD, judge(FAILS), True),
        (replace(WRONG, outcome=Outcome.TIMED_OUT), HELD, judge(FAILS), True),
        (WRONG, HELD, judge(""), True),
        (WRONG, HELD, judge(None), False),
        (WRONG, HELD, judge("a remark"), False),
        (WRONG, replace(HELD, points=0.2), judge(FAILS), False),
        (NAMED, HELD, judge(FAILS), False),
        (WRONG, HELD, judge(FAILS, ("core",)), False),
        (WRONG, HELD, judge(FAILS, ("side",)), True),
        (replace(WRONG, staff="a traceback of ours"), HELD, judge(FAILS), False),
        (replace(WRONG, outcome=Outcome.SKIPPED), HELD, judge(FAILS), False),
        (replace(WRONG, outcome=Outcome.PASSED), HELD, judge(FAILS), False),
    ],
)
def test_nothing_is_right_where_no_core_check_holds_on_a_draw_and_nothing_explains_why(
    core: Finding, side: Finding, asked: Any, is_nothing: bool
) -> None:
    assert is_nothing_right(asked, [core, side], None) is is_nothing


def test_what_is_counted_is_shared_by_the_checks_that_hold() -> None:
    findings = (WRONG, HELD, replace(HELD, check="other", points=0.2, max_points=0.2))
    result = ExerciseResult("x", "X", Outcome.FAILED, 0.8, 1.2, findings)
    counted = count_little(SimpleNamespace(points=1.2), result)  # type: ignore[arg-type]
    assert [f.points for f in counted.findings] == [0, 0.18, 0.06]
    assert (counted.points, counted.not_counted) == (0.24, 0.56)


HALF = SimpleNamespace(name="half", core=True, answer=None)


@pytest.mark.parametrize("agree", [False, True])
def test_a_half_that_has_nothing_to_ask_on_a_draw_is_nothing_right_if_the_other_fails_there(
    agree: bool,
) -> None:
    asked = judge(FAILS)
    asked.exercise = SimpleNamespace(checks=(CORE, HALF), value_checks=(CORE, HALF), points=1.0)
    asked.try_on = lambda check, _: None if agree or check is HALF else FAILS
    findings = [WRONG, replace(WRONG, check="half"), HELD]
    assert is_nothing_right(asked, findings, None) is not agree
