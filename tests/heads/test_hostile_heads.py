"""Whatever code answers, a sentence stands in its drawing's place, and others are drawn all the same."""

import pytest

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
        ("while True: pass", "seconds"),
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


def test_code_that_hangs_in_one_drawing_costs_its_time_once(draw: Draw):
    import time

    started = time.monotonic()
    drawings = draw(OWN.format(end="while True: pass"), "multi_head_attention")
    assert drawings[0].problem == drawings[1].problem
    assert time.monotonic() - started < 60


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
    end = f"import sys; sys.modules['watch_attention'].watch = lambda *a: {answer}; return output"
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


def test_what_hangs_in_one_exercise_leaves_the_next_its_own(draw: Draw, box, draws, tmp_path):
    from graders.course.exercise import load_assignment
    from graders.heads.draw_heads import Drawer
    from graders.heads.request import ask_for

    file = tmp_path / "both.py"
    file.write_text(OWN.format(end="while True: pass") + RIGHT, encoding="utf-8")
    drawings = Drawer(load_assignment("attention"), draws, box, ask_for("un chat dort")).draw(file, "both")
    drawn = {d.exercise: d.problem is None for d in drawings}
    assert drawn == {"scaled_dot_product_attention": True, "multi_head_attention": False}
