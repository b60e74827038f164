"""Styles of parts keep what a whole computes, whichever way its own parts are written."""

import ast

import pytest
import torch
from torch import nn

from graders.audit.styles.answer_code import AnswerCode
from graders.audit.styles.style import Step
from tests.audit.styles.both_forms import both_forms, find_exercise, find_style, rewrite

BLOCK = """
import math
import torch
from torch import nn

class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.heads = num_heads
        self.q = nn.Linear(embed_dim, embed_dim)
        self.k = nn.Linear(embed_dim, embed_dim)
        self.v = nn.Linear(embed_dim, embed_dim)
        self.o = nn.Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        q, k, v = (f(x).unflatten(-1, (self.heads, -1)).transpose(1, 2) for f in (self.q, self.k, self.v))
        weights = (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1)
        return self.o((weights @ v).transpose(1, 2).flatten(2)), weights

class Network(nn.Module):
    def __init__(self, width, inner, rate):
        super().__init__()
        self.up, self.down, self.drop = nn.Linear(width, inner), nn.Linear(inner, width), nn.Dropout(rate)

    def forward(self, x):
        return self.drop(self.down(torch.relu(self.up(x))))

class TransformerBlock(nn.Module):
    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
        super().__init__()
        self.attention = MultiHeadAttention(embed_dim, num_heads)
        self.network = Network(embed_dim, ff_dim or 4 * embed_dim, rate=dropout)
        self.norm1, self.norm2 = nn.LayerNorm(embed_dim), nn.LayerNorm(embed_dim)

    def forward(self, x, mask=None):
        x = x + self.attention(self.norm1(x), mask)[0]
        return x + self.network(self.norm2(x))
"""
EXERCISE = find_exercise("transformer_block", "attention")


def answer(block: type, *more: type) -> torch.Tensor:
    """What a block answers with the weights of a seed."""
    torch.manual_seed(1)
    made: nn.Module = block(6, 2, None, *more)
    output: torch.Tensor = made.eval()(torch.linspace(-1, 1, 36).reshape(2, 3, 6))
    return output


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize(
    "style",
    [
        "constructor",
        "order",
        "by_keyword",
        "by_place",
        "kwargs",
        "dataclass",
        "dict",
        "namespace",
        "base_class",
    ],
)
def test_a_whole_answers_alike_where_a_part_is_made_otherwise(style: str, number: int) -> None:
    if rewrite(f"parts.{style}", EXERCISE, BLOCK, number) is None:
        pytest.skip("this choice does not apply")
    before, after = (
        answer(names["TransformerBlock"]) for names in both_forms(f"parts.{style}", EXERCISE, BLOCK, number)
    )
    assert torch.equal(before, after)


def test_the_exercises_own_class_stays_as_it_is() -> None:
    changed = [rewrite("parts.dict", EXERCISE, BLOCK, number) for number in range(4)]
    whole = ast.unparse(ast.parse(BLOCK).body[-1].body[0].args)  # type: ignore[attr-defined]
    for code in filter(None, changed):
        assert code.constructor is not None
        assert ast.unparse(code.constructor.args) == whole
        assert "dict(" in code.texts()["answer.py"]


def test_a_class_that_must_be_given_is_used_in_its_place() -> None:
    before, after = both_forms("parts.class_given", EXERCISE, BLOCK)
    assert torch.equal(answer(before["TransformerBlock"]), answer_with_class(after["TransformerBlock"]))


def answer_with_class(block: type) -> torch.Tensor:
    """What a block answers that is given the class of its norms as its third argument."""
    torch.manual_seed(1)
    made: nn.Module = block(6, 2, nn.LayerNorm)
    output: torch.Tensor = made.eval()(torch.linspace(-1, 1, 36).reshape(2, 3, 6))
    return output


def test_another_right_answer_takes_a_parts_place_in_right_code_alone() -> None:
    style = find_style("parts.another_answer")
    right = AnswerCode(EXERCISE, ast.parse(BLOCK), is_right=True)
    assert Step(style, 0).apply(AnswerCode(EXERCISE, ast.parse(BLOCK))) is None
    found = {code.texts()["answer.py"] for n in range(8) if (code := Step(style, n).apply(right))}
    assert len(found) > 2
    for text in found:
        names: dict[str, type] = {"__name__": "answer"}  # type: ignore[dict-item]
        exec(compile(text, "answer.py", "exec"), names)
        block = names["TransformerBlock"](6, 2)
        assert block(torch.ones(2, 3, 6)).shape == (2, 3, 6)
        assert "Network" in text
