"""The parts of an answer whose values have names, in the order of the tuples that are due."""

from dataclasses import dataclass
from types import SimpleNamespace

import pytest
import torch

from softmark_worker.answer_parts import parts_of, with_names, without_long_parts


@dataclass
class Answer:
    attention_weights: int
    output: int


@pytest.mark.parametrize(
    "answer",
    [
        {"attention_weights": 2, "output": 1},
        {"sortie": 1, "poids": 2},
        {"last_hidden_state": 1, "attentions": 2},
        Answer(2, 1),
        SimpleNamespace(attn=2, logits=1),
        (1, 2),
        [1, 2],
    ],
)
def test_the_output_comes_first_and_the_weights_after_it(answer):
    assert parts_of(with_names(answer)) == [1, 2]


def test_a_loss_comes_behind_the_logits():
    assert parts_of({"loss": 2, "logits": 1}) == [1, 2]


def test_what_has_no_parts_is_the_only_one():
    assert parts_of(with_names(7)) == [7]
    assert parts_of(with_names(Answer)) == [Answer]


def test_lists_too_long_to_be_sent_are_left_out_beside_the_output_alone():
    long, output = [[0.5] * 100] * 100, torch.zeros(2)
    assert without_long_parts((output, {"maps": long})) == (output, [])
    assert without_long_parts({"output": output, "maps": long}) == {"output": output, "maps": []}
    for short in ((output, [1, 2]), (long, output), long, output):
        assert without_long_parts(short) is short
