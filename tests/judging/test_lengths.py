"""A mask or a crop of a fixed length is found, whatever the length is, and right code loses nothing."""

from collections.abc import Callable
from pathlib import Path

import pytest
from torch import Tensor

from graders.course.exercise import Exercise, assignment_names, load_assignment
from graders.grade import Grader
from graders.judging.drawing import LONG, LONGEST_DUE
from graders.judging.draws import Draws
from graders.results.result import ExerciseResult
from graders.sandbox.box import Box
from tests.support.at_night import some_at_night

# A new exercise has to be added to no list: its author decides whether it takes a sequence.
TAKE_A_SEQUENCE = {
    *("scaled_dot_product_attention", "split_heads", "concat_heads", "multi_head_attention", "feed_forward"),
    *("causal_mask", "transformer_block"),
    *("bert_embeddings", "bert_attention", "bert_feed_forward", "bert_layer", "bert_encoder", "bert_model"),
    *("gpt_embeddings", "gpt_attention", "gpt_feed_forward", "gpt_block", "gpt_model"),
    *("bigram_model", "sinusoidal_positions", "causal_head", "generate", "minigpt_model"),
}
ATTENTION = """
import math
import torch
from torch import nn

class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, hidden_size, num_heads):
        super().__init__()
        if hidden_size % num_heads:
            raise ValueError
        self.num_heads = num_heads
        self.query, self.key, self.value, self.out = (nn.Linear(hidden_size, hidden_size) for _ in range(4))
        self.register_buffer("mask", torch.tril(torch.ones(LENGTH, LONGER)), persistent=False)

    def forward(self, x, attention_mask=None):
        B, S, E = x.shape
        x = x[:, :CROP]
        q, k, v = (
            layer(x).view(B, -1, self.num_heads, E // self.num_heads).transpose(1, 2)
            for layer in (self.query, self.key, self.value)
        )
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(self.mask[:S, :S] == 0, -1e9)
        if attention_mask is not None:
            scores = scores.masked_fill(attention_mask == 0, -1e9)
        return self.out((scores.softmax(-1) @ v).transpose(1, 2).reshape(B, -1, E))
"""
SPLIT = """
def split_heads(x, num_heads):
    B, S, E = x.shape
    return x[:, :CROP].reshape(B, -1, num_heads, E // num_heads).transpose(1, 2)
"""
GENERATE = """
import torch

def generate(model, idx, max_new_tokens, block_size):
    for _ in range(max_new_tokens):
        logits = model(idx[:, -min(block_size, CROP):])
        logits = logits[0] if isinstance(logits, tuple) else logits
        idx = torch.cat([idx, torch.multinomial(logits[:, -1].softmax(-1), 1)], 1)
    return idx
"""
Judge = Callable[..., ExerciseResult]


@pytest.fixture(scope="module")
def exercises() -> dict[str, Exercise]:
    return {e.name: e for name in assignment_names() for e in load_assignment(name).exercises}


@pytest.fixture
def judge(box: Box, draws: Draws, tmp_path: Path) -> Judge:
    def judge(assignment: str, exercise: str, code: str, **values: int) -> ExerciseResult:
        for name, value in values.items():
            code = code.replace(name, str(value))
        (tmp_path / "answer.py").write_text(code, encoding="utf-8")
        chosen = load_assignment(assignment).only([exercise])
        [result] = Grader(chosen, draws, box, names_mistakes=False).grade(tmp_path, "student").exercises
        return result

    return judge


def failed(result: ExerciseResult) -> list[str]:
    return [f.check for f in result.findings if f.outcome.value != "passed"]


def longest(draw: object) -> int:
    sizes = [size for v in vars(draw).values() if isinstance(v, Tensor) for size in v.shape]
    return max([*sizes, getattr(draw, "seq_len", 0)])


def test_every_exercise_that_takes_a_sequence_tries_a_long_one(exercises: dict[str, Exercise]) -> None:
    trying = {name for name, e in exercises.items() if any(check.at_length for check in e.checks)}
    assert exercises.keys() & TAKE_A_SEQUENCE == TAKE_A_SEQUENCE
    assert trying >= TAKE_A_SEQUENCE
    assert all(sum(check.at_length is not None for check in e.checks) <= 1 for e in exercises.values())


def test_a_check_that_tries_lengths_has_one_long_draw(exercises: dict[str, Exercise], draws: Draws) -> None:
    for exercise in exercises.values():
        for check in exercise.checks:
            if check.at_length is not None:
                assert longest(draws.for_check(exercise, check)[-1].draw) in range(LONG, LONG + 4)


@pytest.mark.parametrize(
    ("constants", "length"),
    [((), LONG), ((8, 64, LONG - 1), LONG), ((2, LONG), LONG + 1), ((200, 300), 301), ((200, 4_000), 201)],
)
def test_the_longest_draw_is_longer_than_each_number_in_the_code(
    exercises: dict[str, Exercise], draws: Draws, constants: tuple[int, ...], length: int
) -> None:
    exercise = exercises["gpt_attention"]
    check = next(check for check in exercise.checks if check.at_length)
    usual, tried = draws.for_check(exercise, check), draws.for_check(exercise, check, constants)
    assert tried[: len(usual)] == usual
    assert (len(tried) > len(usual)) == (length > LONG)  # other sizes than the length are stretched too
    assert longest(tried[-1].draw) == length


def test_no_draw_is_longer_than_the_models_of_the_course(
    exercises: dict[str, Exercise], draws: Draws
) -> None:
    exercise = exercises["gpt_attention"]
    check = next(check for check in exercise.checks if check.at_length)
    usual = draws.for_check(exercise, check)
    assert draws.for_check(exercise, check, (LONGEST_DUE, LONGEST_DUE + 1)) == usual
    assert longest(draws.for_check(exercise, check, (LONGEST_DUE - 1,))[-1].draw) == LONGEST_DUE


@pytest.mark.parametrize("length", some_at_night([8, 64, 100, 128, 200, 256], (100, 200)))
def test_a_mask_of_fixed_length_costs_one_check(judge: Judge, length: int) -> None:
    result = judge("gpt", "gpt_attention", ATTENTION, LENGTH=length, LONGER=length, CROP=1000)
    assert failed(result) == ["answers_long_sequences"]


def test_a_crop_costs_one_check_and_the_case_shows_its_length(judge: Judge) -> None:
    result = judge("gpt", "gpt_attention", ATTENTION, LENGTH=512, LONGER=512, CROP=200)
    assert failed(result) == ["answers_long_sequences"]
    result = judge("attention", "split_heads", SPLIT, CROP=300)
    [finding] = [f for f in result.findings if f.outcome.value != "passed"]
    assert finding.check == "splits_extreme_sizes"
    assert finding.message is not None and "301" in finding.message and "300" in finding.message


@pytest.mark.parametrize("length", some_at_night([16, 64, 127, 200], (127, 200)))
def test_a_crop_of_the_prompt_costs_one_check(judge: Judge, length: int) -> None:
    result = judge("minigpt", "generate", GENERATE, CROP=length)
    [finding] = [f for f in result.findings if f.outcome.value != "passed"]
    assert finding.check == "gives_the_model_the_last_ids_alone"
    assert finding.message is not None and f"up to {length} ids" in finding.message


@pytest.mark.parametrize("length", [512, 1024, pytest.param(2048, marks=pytest.mark.nightly)])
def test_a_mask_as_long_as_the_models_of_the_course_is_right(judge: Judge, length: int) -> None:
    assert failed(judge("gpt", "gpt_attention", ATTENTION, LENGTH=length, LONGER=length, CROP=2000)) == []
