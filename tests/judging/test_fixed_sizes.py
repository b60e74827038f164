"""Code that fixes sizes which have no usual value is judged at the values that it has, which are found."""

from collections.abc import Callable
from dataclasses import make_dataclass
from pathlib import Path
from typing import Any

import pytest
import torch

from graders.check_api.strategies.attention_masks import hiding
from graders.check_api.strategies.module_inputs import Model, modelled
from graders.check_api.usual_sizes import (
    at_usual_sizes,
    heads_and_width,
    inner_width,
    number_of_parts,
    number_of_positions,
)
from graders.course.exercise import load_assignment
from graders.course.reference import reference
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.judging.found_sizes import possible_values
from graders.results.result import ExerciseResult
from tests.support.open_box import OpenBox

HEADS, WIDTH = heads_and_width("num_heads", "embed_dim", "has_layers", "x")
ATTENTION = """
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, {arguments}):
        super().__init__()
        {body}
        self.first, self.second, self.third, self.last = (nn.Linear(width, width) for _ in range(4))

    def forward(self, x, mask=None):
        q, k, v = (
            layer(x).unflatten(-1, (self.count, -1)).transpose(1, 2)
            for layer in (self.first, self.second, self.third)
        )
        scores = q @ k.mT / {divisor}
        if mask is not None:
            scores = scores.masked_fill(mask, float("-inf"))
        weights = scores.softmax(-1)
        return self.last((weights @ v).transpose(1, 2).flatten(2)), weights
"""
ROOT = "q.shape[-1] ** 0.5"
CHECKED = 'if embed_dim % 4: raise ValueError("four heads")'
SHARED = "assert width % num_heads == 0"
FIXED = {
    "the heads, ignored": ("embed_dim, num_heads", f"self.count, width = 4, embed_dim\n        {CHECKED}"),
    "the heads, absent": ("embed_dim", f"self.count, width = 4, embed_dim\n        {CHECKED}"),
    "the width, ignored": ("embed_dim, num_heads", f"self.count, width = num_heads, 24\n        {SHARED}"),
    "everything, absent": ("", "self.count, width = 4, 24"),
}
Judge = Callable[[str], ExerciseResult]


@pytest.fixture
def judge(open_box: OpenBox, draws: Draws, tmp_path: Path) -> Judge:
    grader = Grader(
        load_assignment("attention").only(["multi_head_attention"]), draws.without_search(), open_box
    )

    def judge(code: str) -> ExerciseResult:
        (tmp_path / "answer.py").write_text(code)
        [result] = grader.grade(tmp_path / "answer.py", "student").exercises
        return result

    return judge


def lost(result: ExerciseResult) -> list[str]:
    return [f.check for f in result.findings if f.outcome.value != "passed"]


@pytest.mark.parametrize("fixed", FIXED)
def test_what_is_fixed_costs_the_check_on_the_layers_whether_its_argument_is_ignored_or_absent(
    judge: Judge, fixed: str
) -> None:
    arguments, body = FIXED[fixed]
    result = judge(ATTENTION.format(arguments=arguments, body=body, divisor=ROOT))
    assert set(lost(result)) - {"refuses_a_width_it_cannot_split"} == {"has_four_layers_with_bias"}
    [message] = [f.message or "" for f in result.findings if f.check == "has_four_layers_with_bias"]
    assert ("takes num_heads and does nothing" in message) is (fixed == "the heads, ignored")
    assert ("no argument for num_heads" in message) is ("absent" in fixed)
    assert ("no argument for embed_dim" in message) is (fixed == "everything, absent")


@pytest.mark.parametrize("fixed", ["the heads, absent", "everything, absent"])
def test_what_else_is_wrong_beside_a_fixed_number_of_heads_is_named(judge: Judge, fixed: str) -> None:
    arguments, body = FIXED[fixed]
    result = judge(ATTENTION.format(arguments=arguments, body=body, divisor="1"))
    named = {m.name.partition("__")[2] for f in result.findings for pair in f.mistakes for m in pair}
    assert named == {"unscaled"}
    assert "computes_what_the_reference_computes" in lost(result)


def test_a_draw_has_as_many_heads_as_the_code_and_a_width_that_they_share() -> None:
    mask = hiding(2, 5, 1)
    draw = modelled({"embed_dim": 12, "num_heads": 3}, 2, 5, 1, mask.expand(2, 3, 5, 5))
    fitting: Model = at_usual_sizes(draw, [HEADS.always(8)])
    assert fitting.config == {"embed_dim": 32, "num_heads": 8}
    assert fitting.x.shape == (2, 5, 32)
    assert fitting.x[..., :12].equal(draw.x)
    assert fitting.mask is not None
    assert fitting.mask.shape == (2, 8, 5, 5)
    narrow: Model = at_usual_sizes(draw, [WIDTH.always(10)])
    assert narrow.config == {"embed_dim": 10, "num_heads": 2}
    both: Model = at_usual_sizes(draw, [HEADS.always(4), WIDTH.always(20)])
    assert both.config == {"embed_dim": 20, "num_heads": 4}


def test_words_are_below_their_number_and_a_draw_of_more_positions_keeps_them() -> None:
    words, positions = number_of_parts("vocab", "a", "ids"), number_of_positions("length", "b")
    kind: Any = make_dataclass("Words", ["config", "ids"])
    draw = kind({"vocab": 9, "length": 6}, torch.arange(6))
    fitting = at_usual_sizes(draw, [words.always(4), positions.always(8)])
    assert fitting.config == {"vocab": 4, "length": 8}
    assert fitting.ids.tolist() == [0, 1, 2, 3, 0, 1]
    assert at_usual_sizes(draw, [positions.always(5)]).config["length"] == 6


def test_the_numbers_of_the_parameters_tell_all_sizes_of_a_model_at_once() -> None:
    make = reference("gpt_model", "SimpleGPTModel")
    config = {
        "vocab_size": 17,
        "hidden_size": 12,
        "num_heads": 3,
        "num_layers": 2,
        "intermediate_size": 20,
        "max_position_embeddings": 9,
    }
    own = {**config, "vocab_size": 50, "hidden_size": 33, "num_layers": 3, "intermediate_size": 96}
    with torch.device("meta"):
        shapes = {
            n: tuple(v.shape)
            for n, v in make(
                **own,
            ).named_parameters()
        }
    unknown = (
        number_of_parts("vocab_size", "c"),
        heads_and_width("num_heads", "hidden_size", "c")[1],
        number_of_parts("num_layers", "c"),
        inner_width("intermediate_size", "hidden_size", "c"),
    )
    found = possible_values(unknown, make, config, shapes, [])
    assert {size.argument: own[size.argument] for size in unknown} in found
    assert possible_values(unknown, make, config, {"a.weight": (8, 8)}, []) == []


def test_numbers_of_the_code_that_divide_its_width_may_be_its_heads() -> None:
    make = reference("multi_head_attention", "MultiHeadAttention")
    config = {"embed_dim": 12, "num_heads": 3}
    shapes = {f"{n}.weight": (24, 24) for n in "abcd"}
    assert possible_values((HEADS, WIDTH), make, config, shapes, [1, 4, 5, 24]) == [
        {"embed_dim": 24, "num_heads": 4},
        {"embed_dim": 24, "num_heads": 24},
    ]


def test_the_width_of_the_heads_makes_that_of_the_model_and_bounds_their_number() -> None:
    draw = modelled({"embed_dim": 12, "num_heads": 3}, 2, 5, 1, hiding(2, 5, 1).expand(2, 3, 5, 5))
    fitting: Model = at_usual_sizes(draw, [WIDTH.per_head(8)])
    assert fitting.config == {"embed_dim": 24, "num_heads": 3}
    wide: Model = at_usual_sizes(draw, [WIDTH.per_head(256)])
    assert wide.config == {"embed_dim": 512, "num_heads": 2}
    assert wide.x.shape == (2, 5, 512)
    assert wide.mask is not None
    assert wide.mask.shape == (2, 2, 5, 5)
