"""Styles of sizes and attributes keep what the code means, or fix the size that they say."""

import torch

from graders.audit.styles.sizes import lose_size
from tests.audit.styles.both_forms import both_forms, find_exercise, rewrite

NETWORK = """
import torch
from torch import nn

def shift(x, by):
    return x + by * 2

class Halves(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.share = nn.Parameter(torch.full((width,), 0.5))

    def forward(self, x):
        return x * self.share

class FeedForward(nn.Module):
    def __init__(self, embed_dim, ff_dim=None, dropout=0.1):
        super().__init__()
        ff_dim = ff_dim or 4 * embed_dim
        self.one = nn.Linear(embed_dim, ff_dim)
        self.two = nn.Linear(ff_dim, embed_dim)
        self.halves = Halves(embed_dim)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        return self.halves(self.two(self.drop(torch.relu(self.one(shift(x, 1))))))
"""
EXERCISE = find_exercise("feed_forward", "attention")


def _answers(style: str, number: int) -> list[torch.Tensor]:
    answers = []
    for names in both_forms(style, EXERCISE, NETWORK, number):
        torch.manual_seed(1)
        answers.append(names["FeedForward"](4, 6).eval()(torch.ones(1, 2, 4)))
    return answers


def test_attributes_and_parts_under_other_names_answer_alike() -> None:
    for style in ("sizes.attributes", "sizes.parts"):
        for number in range(4):
            before, after = _answers(style, number)
            assert torch.equal(before, after)
    renamed = rewrite("sizes.attributes", EXERCISE, NETWORK)
    assert renamed is not None
    [text] = renamed.texts().values()
    assert sum(f"self.{name}" in text for name in ("one", "two", "halves", "drop", "share")) < 5


def test_a_part_written_inline_answers_alike_and_is_gone() -> None:
    before, after = _answers("sizes.inline", 0)
    assert torch.equal(before, after)
    inline = rewrite("sizes.inline", EXERCISE, NETWORK)
    assert inline is not None
    [text] = inline.texts().values()
    assert "shift" not in text
    assert "x + 1 * 2" in text


def test_a_size_that_is_ignored_or_left_out_is_the_usual_one_and_loses_its_checks() -> None:
    ignored, left_out = (
        both_forms(f"sizes.{name}", EXERCISE, NETWORK)[1] for name in ("ignored", "left_out")
    )
    assert ignored["FeedForward"](3, 5).one.out_features == 12
    assert left_out["FeedForward"](3, dropout=0.2).one.out_features == 12
    checks = {"has_two_layers_with_bias", "is_four_times_as_wide_by_default"}
    code = rewrite("sizes.ignored", EXERCISE, NETWORK)
    assert code is not None
    assert set(lose_size(code)) == checks
