"""What is wrong in a part is counted there, and not again in the whole that is made of it."""

from functools import cache
from pathlib import Path

import pytest

from graders.audit.try_answer import FEW
from graders.course.exercise import Assignment, load_assignment
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.results.result import ExerciseResult, Outcome
from graders.sandbox.box import Box
from tests.conftest import NIGHTLY
from tests.support.at_night import some_at_night

SOLUTIONS = Path(__file__).parents[2] / "solutions/right"
ATTENTION = """
import math
import torch
from torch import nn

class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        assert embed_dim % num_heads == 0
        self.h = num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(embed_dim, embed_dim) for _ in range(4))

    def forward(self, x, mask=None):
        q, k, v = (w(x).unflatten(-1, (self.h, -1)).transpose(1, 2) for w in (self.W_q, self.W_k, self.W_v))
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(mask, float("-inf"))
        p = scores.softmax(-1)
        return self.W_o((p @ v).transpose(1, 2).flatten(2)), p
"""
BLOCK = """
class FeedForward(nn.Module):
    def __init__(self, embed_dim, ff_dim=None, dropout=0.1):
        super().__init__()
        self.linear1 = nn.Linear(embed_dim, ff_dim or 4 * embed_dim)
        self.linear2 = nn.Linear(ff_dim or 4 * embed_dim, embed_dim)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.dropout(nn.functional.gelu(self.linear1(x))))

class TransformerBlock(nn.Module):
    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
        super().__init__()
        self.attention = MultiHeadAttention(embed_dim, num_heads)
        self.feed_forward = FeedForward(embed_dim, ff_dim, dropout)
        self.norm1, self.norm2 = nn.LayerNorm(embed_dim), nn.LayerNorm(embed_dim)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        x = x + self.dropout(self.attention(self.norm1(x), mask)[0])
        return x + self.dropout(self.feed_forward(self.norm2(x)))
"""
UNSCALED = (" / math.sqrt(q.shape[-1])", "")
RESIDUAL_OF_THE_NORM = ("x = x + self.dropout(self.att", "x = self.norm1(x) + self.dropout(self.att")
COUNTED = "judged with a right MultiHeadAttention in place of yours"


@pytest.fixture(scope="session")
def brief(draws: Draws) -> Draws:
    return draws.without_search().only(FEW)


@pytest.fixture(scope="module")
def grade(brief: Draws, box: Box, tmp_path_factory: pytest.TempPathFactory):
    path = tmp_path_factory.mktemp("handed_in") / "rendu.py"

    @cache  # several tests look at the same code
    def graded(assignment: Assignment, code: str, names: bool = True) -> dict[str, ExerciseResult]:
        path.write_text(code, encoding="utf-8")
        grader = Grader(assignment, brief, box, names_mistakes=names)
        return {e.name: e for e in grader.grade(path, "rendu").exercises}

    return graded


@pytest.fixture(scope="module")
def blocks(grade, assignment: Assignment):
    """Grades the attention and the block, each of whose texts may be changed before."""
    two = assignment.only(["multi_head_attention", "transformer_block"])

    def graded(*changes: tuple[str, str], names: bool = True) -> tuple[ExerciseResult, ExerciseResult]:
        code = ATTENTION + BLOCK
        for old, new in changes:
            assert old in code
            code = code.replace(old, new)
        found = grade(two, code, names)
        return found["multi_head_attention"], found["transformer_block"]

    return graded


def test_where_both_are_right_nothing_is_remarked(blocks):
    attention, block = blocks()
    assert (attention.points, block.points) == (attention.max_points, block.max_points)
    assert [f.message for f in block.findings if f.message] == []


def test_a_right_block_around_a_wrong_attention_loses_nothing(blocks):
    attention, block = blocks(UNSCALED)
    assert attention.outcome is Outcome.FAILED
    assert attention.points < attention.max_points
    assert (block.outcome, block.points) == (Outcome.PASSED, block.max_points)


def test_the_block_says_where_it_is_counted(blocks):
    _, block = blocks(UNSCALED)
    assert COUNTED in [f.message for f in block.findings]
    assert {f.message for f in block.findings} <= {COUNTED, None}


def test_a_wrong_attention_and_a_wrong_block_both_lose(blocks):
    attention, block = blocks(UNSCALED, RESIDUAL_OF_THE_NORM)
    assert attention.points < attention.max_points
    assert block.outcome is Outcome.FAILED
    assert block.points < block.max_points


def test_the_mistake_of_a_block_is_named_around_a_wrong_attention(blocks):
    _, alone = blocks(RESIDUAL_OF_THE_NORM)
    _, both = blocks(UNSCALED, RESIDUAL_OF_THE_NORM)
    named = {f.mistake.name for f in alone.findings if f.mistake}
    assert len(named) == 1
    assert {f.mistake.name for f in both.findings if f.mistake} == named


def test_a_wrong_block_around_a_right_attention_loses_by_itself(blocks):
    attention, block = blocks(RESIDUAL_OF_THE_NORM)
    assert attention.points == attention.max_points
    assert block.outcome is Outcome.FAILED
    assert COUNTED not in [f.message for f in block.findings]


def test_a_wrong_block_is_not_worse_off_for_its_wrong_attention(blocks):
    _, alone = blocks(RESIDUAL_OF_THE_NORM)
    _, both = blocks(UNSCALED, RESIDUAL_OF_THE_NORM)
    assert both.points <= alone.points


@pytest.mark.slow
def test_a_wrong_attention_in_bert_costs_neither_layer_encoder_nor_model(grade):
    code = (SOLUTIONS / "bert_model/course.py").read_text(encoding="utf-8")
    old = "F.scaled_dot_product_attention(q, k, v, attn_mask=attention_mask)"
    assert old in code
    wrong = code.replace(old, old.replace(")", ", scale=1.0)"))
    between = ["bert_layer", "bert_encoder"] if NIGHTLY else []
    names = ["bert_attention", *between, "bert_model"]
    found = grade(load_assignment("bert").only(names), wrong, names=False)
    assert found["bert_attention"].outcome is Outcome.FAILED
    lost = {
        n: [(f.check, f.message) for f in e.findings if f.points < f.max_points] for n, e in found.items()
    }
    assert lost.pop("bert_attention")
    assert lost == {name: [] for name in names[1:]}
    for name in lost:
        assert found[name].points == found[name].max_points


OTHER_NAMES = (
    (
        "(self, embed_dim, num_heads):\n        super().__init__()\n        assert",
        "(self, d_model, n_heads):\n        super().__init__()\n"
        "        embed_dim, num_heads = d_model, n_heads\n        assert",
    ),
    (
        "def forward(self, x, mask=None):\n        q, k, v =",
        "def forward(self, q, k, v, attn_mask=None):\n        x, mask = q, attn_mask\n        q, k, v =",
    ),
    ("MultiHeadAttention(embed_dim, num_heads)", "MultiHeadAttention(n_heads=num_heads, d_model=embed_dim)"),
    ("self.attention(self.norm1(x), mask)", "self.attention(*[self.norm1(x)] * 3, attn_mask=mask)"),
)


def test_a_right_part_takes_the_arguments_that_the_students_own_takes(blocks):
    attention, block = blocks(UNSCALED, *OTHER_NAMES)
    assert attention.outcome is Outcome.FAILED
    assert block.points == block.max_points
    assert COUNTED in [f.message for f in block.findings]


FUNCTIONS = """
import math
import torch
from torch import nn

def concat_heads(x):
    B, H, S, D = x.shape
    return x.reshape(B, S, H * D)

def split_heads(x, heads):
    return x.unflatten(-1, (heads, -1)).transpose(1, 2)

def scaled_dot_product_attention(q, k, v, m=None):
    scores = q @ k.transpose(-2, -1)
    if m is not None:
        scores = scores.masked_fill(m, float("-inf"))
    p = scores.softmax(-1)
    return p @ v, p

class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        assert embed_dim % num_heads == 0
        self.h = num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(embed_dim, embed_dim) for _ in range(4))

    def forward(self, x, mask=None):
        q, k, v = (split_heads(w(x), heads=self.h) for w in (self.W_q, self.W_k, self.W_v))
        answer, p = scaled_dot_product_attention(q, k, m=mask, v=v)
        return self.W_o(concat_heads(answer)), p
"""


def test_parts_that_are_functions_cost_the_whole_nothing(grade, assignment: Assignment):
    names = ["scaled_dot_product_attention", "split_heads", "concat_heads", "multi_head_attention"]
    found = grade(assignment.only(names), FUNCTIONS)
    outcomes = [found[name].outcome for name in names]
    assert outcomes == [Outcome.FAILED, Outcome.PASSED, Outcome.FAILED, Outcome.PASSED]
    whole = found["multi_head_attention"]
    assert whole.points == whole.max_points
    messages = {f.message for f in whole.findings if f.message}
    assert messages == {"judged with a right concat_heads, scaled_dot_product_attention in place of yours"}


SEES_NOTHING = (
    BLOCK[BLOCK.index("        x = x + self") :],
    "        self.attention(x), self.feed_forward(x)\n        return x\n",
)


ATTACKS = {
    "claims": "return room.ask('forward', {'part': 'TransformerBlock', 'points': 3}, [x], [])",
    "guesses": "return room.ask('construct', 'TransformerBlock', {'embed_dim': 4}, 1)['values']",
    "asks for much": "return [room.ask('construct', 'MultiHeadAttention', {'embed_dim': 512, 'num_heads': 1},"
    " n) for n in range(1, 1000)]",
    "asks without end": "while True:\n            try:\n                room.ask('', x)\n"
    "            except Exception:\n                pass",
    "asks and does not listen": "import os\n        os.write(3, bytes(12))\n        return x",
    "sends nonsense": "return room._ask('forward', [[[x] * 99] * 20])",
}


@pytest.mark.parametrize(
    "attack",  # at each push those that would gain the most
    some_at_night(ATTACKS, ("claims", "guesses")),
)
def test_a_whole_that_attacks_the_questions_has_its_plain_points(blocks, attack: str):
    hostile = (
        BLOCK[BLOCK.index("        x = x + self") :],
        "        import gc\n"
        "        rooms = [o for o in gc.get_objects() if type(o).__name__ == 'StandIns']\n"
        "        if not rooms:\n            return x\n"
        f"        room = rooms[0]\n        self.attention(x)\n        {ATTACKS[attack]}\n",
    )
    _, alone = blocks(SEES_NOTHING, names=False)
    _, block = blocks(UNSCALED, hostile, names=False)
    assert block.points <= alone.points
    assert all(f.outcome is not Outcome.BROKEN for f in block.findings)
