"""Code that works at its full length alone, or at even widths alone, is judged there, and loses one check."""

from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from graders.check_api.strategies.memories import Crossed
from graders.check_api.strategies.module_inputs import Segments, States
from graders.check_api.strategies.tensors import ids, normal
from graders.check_api.usual_sizes import at_usual_sizes, heads_and_width, length_of, number_of_positions
from graders.course.exercise import load_assignment
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.results.result import ExerciseResult, Outcome
from tests.support.open_box import OpenBox

_, WIDTH = heads_and_width("num_heads", "hidden_size", "has_layers", "hidden_states")
POSITIONS = number_of_positions("max_position_embeddings", "has_layers")
EMBEDDINGS = """
import torch
from torch import nn


class BertEmbeddings(nn.Module):
    def __init__(self, vocab_size, hidden_size, max_position_embeddings, type_vocab_size):
        super().__init__()
        self.word_embeddings = nn.Embedding(vocab_size, hidden_size)
        self.position_embeddings = nn.Embedding(max_position_embeddings, hidden_size)
        self.token_type_embeddings = nn.Embedding(type_vocab_size, hidden_size)
        self.LayerNorm = nn.LayerNorm(hidden_size, eps=1e-12)
        self.dropout = nn.Dropout(0.1)

    def forward(self, input_ids, token_type_ids=None):
        if token_type_ids is None:
            token_type_ids = torch.zeros_like(input_ids)
        words = self.word_embeddings(input_ids) + self.token_type_embeddings(token_type_ids)
        {body}
        return self.dropout(self.LayerNorm(words + places))
"""
FULL = "places = self.position_embeddings.weight"
Judge = Callable[[str], ExerciseResult]


@pytest.fixture
def judge(open_box: OpenBox, draws: Draws, tmp_path: Path) -> Judge:
    grader = Grader(load_assignment("bert").only(["bert_embeddings"]), draws.without_search(), open_box)

    def judge(code: str) -> ExerciseResult:
        (tmp_path / "answer.py").write_text(code)
        [result] = grader.grade(tmp_path / "answer.py", "student").exercises
        return result

    return judge


def test_code_for_the_full_length_alone_is_compared_with_the_reference_there(judge: Judge) -> None:
    result = judge(EMBEDDINGS.format(body=FULL))
    found = {f.check: f for f in result.findings}
    assert found["computes_what_the_reference_computes"].outcome.value == "passed"
    assert "only where the input has as many positions" in (
        found["has_three_tables_and_a_norm"].message or ""
    )
    assert result.points > result.max_points / 2


def test_code_for_one_length_and_even_widths_is_judged_there_though_it_has_no_argument_for_it(
    judge: Judge,
) -> None:
    code = EMBEDDINGS.replace("max_position_embeddings, type", "type")
    code = code.replace("max_position_embeddings", "12")
    code = code.replace("super().__init__()", "super().__init__()\n        assert hidden_size % 2 == 0")
    result = judge(code.format(body=FULL))
    found = {f.check: f for f in result.findings}
    assert found["computes_what_the_reference_computes"].outcome.value == "passed"
    message = found["has_three_tables_and_a_norm"].message or ""
    assert "inputs of 12 positions alone" in message and "an even width" in message
    assert result.points > result.max_points / 2


def test_a_draw_of_one_length_has_so_many_ids_and_segments() -> None:
    draw = Segments({"max_position_embeddings": 9}, ids(2, 5, vocabulary=7, seed=1), torch.zeros(1, 5))
    long = at_usual_sizes(draw, [POSITIONS.of_one_length(7)])
    assert long.config == {"max_position_embeddings": 7}
    assert (long.input_ids.shape, long.token_type_ids.shape) == ((2, 7), (1, 7))
    assert long.input_ids[:, 5:].equal(draw.input_ids[:, :2])


def test_a_draw_has_as_many_positions_as_the_code_at_its_full_length() -> None:
    draw = Segments({"max_position_embeddings": 9}, ids(2, 5, vocabulary=7, seed=1))
    assert at_usual_sizes(draw, [POSITIONS.limited()]).config == {"max_position_embeddings": 5}


@pytest.mark.parametrize(("width", "heads", "even"), [(6, 2, 12), (12, 3, 12), (5, 1, 10)])
def test_a_draw_for_even_widths_has_an_even_part_for_each_head(width: int, heads: int, even: int) -> None:
    draw = States({"hidden_size": width, "num_heads": heads}, normal(2, 4, width, seed=1))
    fitting = at_usual_sizes(draw, [WIDTH.limited()])
    assert fitting.config == {"hidden_size": even, "num_heads": heads}
    assert fitting.hidden_states.shape == (2, 4, even)


def test_a_draw_of_one_length_for_both_has_a_memory_as_long_as_x_and_its_mask() -> None:
    memory, mask = normal(2, 3, 6, seed=2), torch.tensor([[[[False, True, False]]]])
    draw = Crossed({"embed_dim": 4, "num_heads": 2}, normal(2, 5, 4, seed=1), memory, mask)
    same = at_usual_sizes(draw, [length_of("memory", "x", "keeps_the_shape_of_x").limited()])
    assert same.config == draw.config and same.x is draw.x
    assert same.memory.equal(memory[:, [0, 1, 2, 0, 1]])
    assert same.mask.flatten().tolist() == [False, True, False, False, True]


def test_a_block_is_as_long_as_the_input_where_code_needs_it_full() -> None:
    draw = States({"block_size": 9}, normal(2, 4, 6, seed=1))
    size = number_of_positions("block_size", "looks_back_at_any_length", "hidden_states", is_bound=True)
    assert at_usual_sizes(draw, [size.limited()]).config == {"block_size": 4}
    assert at_usual_sizes(draw, [size.of_one_length(7)]).hidden_states.shape == (2, 7, 6)


def test_a_draw_that_leaves_the_width_out_has_no_limit() -> None:
    draw = Segments({"vocab_size": 9}, ids(2, 5, vocabulary=7, seed=1))
    assert at_usual_sizes(draw, [WIDTH.limited(), POSITIONS.limited()]).config == {"vocab_size": 9}


WHOLE_BLOCKS = """
import torch
from torch import nn


class Head(nn.Module):
    def __init__(self, n_embd, head_size, block_size, dropout=0.0):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.key, self.query, self.value = (nn.Linear(n_embd, head_size, bias=False) for _ in range(3))
        self.register_buffer("seen", torch.ones(block_size, block_size, dtype=torch.bool).tril())

    def forward(self, x):
        scores = self.query(x) @ self.key(x).transpose(-2, -1) * self.key(x).shape[-1] ** -0.5
        weights = scores.masked_fill(~self.seen, float("-inf")).softmax(-1)
        return self.dropout(weights) @ self.value(x)
"""


def test_a_known_mistake_that_limits_the_length_is_named_where_the_limit_is_told(open_box, draws, tmp_path):
    (tmp_path / "answer.py").write_text(WHOLE_BLOCKS)
    grader = Grader(load_assignment("minigpt").only(["causal_head"]), draws.without_search(), open_box)
    [result] = grader.grade(tmp_path / "answer.py", "student").exercises
    [failed] = [finding for finding in result.findings if finding.outcome is not Outcome.PASSED]
    assert "only where the input has as many positions as block_size" in failed.message
    assert [m.name for several in failed.mistakes for m in several] == ["Head__whole_blocks_only"]
