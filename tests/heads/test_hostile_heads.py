"""Whatever code answers, a sentence stands in its drawing's place, and others are drawn all the same."""

from pathlib import Path

import pytest

from graders.course.exercise import load_assignment
from graders.heads import draw_exercise
from graders.heads.draw_heads import Drawer
from graders.heads.request import ask_for
from graders.judging.draws import Draws
from graders.sandbox.box import Box
from tests.heads.conftest import Draw
from tests.heads.test_draw_exercise import OWN, maps

RIGHT = """
def scaled_dot_product_attention(Q, K, V, mask=None):
    w = (Q @ K.mT).softmax(-1)
    return w @ V, w
"""


@pytest.mark.parametrize(
    ("end", "says"),
    [
        ("raise ValueError('no <b>')", "ValueError: no <b>"),
        ("return output, weights * float('nan')", "NaN"),
        ("return output, weights * float('inf')", "NaN"),
        ("return output, weights * 1e30", "no shares"),
        ("return output, 'weights'", "does not return attention weights"),
        ("return output, weights[..., :-1]", "(1, 4, 10, 9)"),
        ("return output, weights.expand(3, -1, -1, -1)", "(3, 4, 10, 10)"),
        ("return output, weights[:, :0]", "(1, 0, 10, 10)"),
        ("return output, weights.expand(1, 4, 10, 10).repeat(1, 60_000, 1, 1)", "MB"),
        ("import os; os._exit(3)", "ended"),
        ("import os; os.write(3, b'x' * 99); return output", "channel"),
    ],
)
def test_an_answer_that_cannot_be_drawn_is_told_in_its_place(end: str, says: str, draw: Draw):
    drawings = draw(OWN.format(end=end), "multi_head_attention")
    assert len(drawings) == 2
    for drawing in drawings:
        assert drawing.layers == ()
        assert drawing.problem is not None
        assert says in drawing.problem, drawing.problem


@pytest.mark.parametrize(
    "answer",
    [
        "'weights'",
        "[{'weights': torch.ones(4, 10, 10), 'path': 'x'}]",
        "[{'weights': torch.ones(4, 10, 9), 'path': []}]",
        "[{'weights': torch.full((4, 10, 10), float('nan')), 'path': []}]",
        "[{'weights': torch.ones(4, 10, 10), 'path': [-1]}]",
        "[7] * 100_000",
        "[]",
    ],
)
def test_code_that_changes_who_watches_it_draws_nothing(answer: str, draw: Draw):
    end = f"from softmark_worker import watch_attention as w; w.watch = lambda *a: {answer}; return output"
    free, _ = draw(OWN.format(end=end), "multi_head_attention")
    assert free.layers == ()
    assert free.problem is not None


def test_more_heads_than_a_page_should_have_are_cut_and_told(draw: Draw):
    end = "return output, weights.repeat(1, 5, 1, 1)"
    free, _ = draw(OWN.format(end=end), "multi_head_attention")
    assert maps(free).shape == (16, 10, 10)
    assert "The first 16 of 20 heads are drawn." in free.notes


def test_scores_in_the_place_of_weights_are_drawn_and_told(draw: Draw):
    free, _ = draw(OWN.format(end="return output, q @ k.mT"), "multi_head_attention")
    assert maps(free).min() < 0
    assert "Some weights are below zero." in free.notes


def test_what_hangs_costs_its_time_once_and_leaves_the_next_exercise_its_own(
    box: Box, draws: Draws, tmp_path: Path, monkeypatch
):
    monkeypatch.setattr(draw_exercise, "DRAWING_S", 1.0)
    file = tmp_path / "both.py"
    file.write_text(OWN.format(end="while True: pass") + RIGHT, encoding="utf-8")
    names = ["scaled_dot_product_attention", "multi_head_attention"]
    drawer = Drawer(load_assignment("attention").only(names), draws, box, ask_for("un chat dort"))
    drawings = drawer.draw(file, "both")
    drawn = {d.exercise: d.problem is None for d in drawings}
    assert drawn == {"scaled_dot_product_attention": True, "multi_head_attention": False}
    hung = [d for d in drawings if d.exercise == "multi_head_attention"]
    assert [d.layers for d in hung] == [(), ()]
    assert hung[0].problem == hung[1].problem
    assert "the time for drawings (1 s) was used up" in str(hung[0].problem)
