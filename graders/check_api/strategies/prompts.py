"""Draws for functions that write text with a model of ours, a `TableModel`, and what they should write.

B batch, T length, V vocabulary.
"""

from dataclasses import dataclass, field

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api import recording_models
from graders.check_api.strategies.module_inputs import ids
from graders.check_api.strategies.tensors import hidden, normal, seeds, sizes

SURE = 60.0  # by how much the next id's logit exceeds the others: another comes once in 10^25
STATES = 23  # of a model
MANY = 4_000  # sequences of one batch, by which chances can be counted


@dataclass(frozen=True, eq=False)
class Prompt:
    """Beginnings (B, T), how much is to be added, and the table of the model (`TableModel`)."""

    idx: Tensor
    max_new_tokens: int
    block_size: int
    table: Tensor = field(metadata=hidden)
    seed: int = field(default=0, metadata=hidden)

    @property
    def shape(self) -> tuple[int, int]:
        """Of the answer."""
        return self.idx.shape[0], self.idx.shape[1] + self.max_new_tokens


def sure(words: int, seed: int) -> Tensor:
    """The table of a model that knows what comes next: (STATES, V)."""
    return SURE * torch.nn.functional.one_hot(ids(STATES, vocabulary=words, seed=seed), words).float()


@st.composite
def prompts(draw: st.DrawFn, cropped: bool = False) -> Prompt:
    """Beginnings for a model that is sure; with `cropped` there are more ids than block_size."""
    batch, length, new, words, seed = (
        draw(sizes(*bounds)) for bounds in ((1, 3), (1, 5), (1, 5), (3, 8), (0, 2**16))
    )
    most = length + new - 1  # ids before the last new one
    if cropped:
        block = draw(sizes(1, 4))
        new += max(0, block + 1 - most)
    else:
        block = most + draw(sizes(1, 3))
    beginnings = ids(batch, length, vocabulary=words, seed=seed)
    return Prompt(beginnings, new, block, sure(words, seed + 1), seed)


def continued(draw: Prompt) -> Tensor:
    """What comes where the model is sure."""
    idx = draw.idx
    for _ in range(draw.max_new_tokens):
        logits = recording_models.logits(draw.table, idx[:, -draw.block_size :])
        idx = torch.cat([idx, logits[:, -1:].argmax(-1)], 1)
    return idx


@st.composite
def uncertain(draw: st.DrawFn) -> Prompt:
    """Two different beginnings, each very often, for a model that leaves the next two ids to chance."""
    length, words, seed = draw(sizes(2, 4)), draw(sizes(3, 4)), draw(seeds())
    two = ids(2, length, vocabulary=words, seed=seed)
    two[1, -1] = (two[0, -1] + 1) % words
    table = normal(STATES, words, seed=seed + 1)
    return Prompt(two.repeat_interleave(MANY // 2, 0), 2, length + 2, table, seed)


def chances(draw: Prompt) -> tuple[Tensor, Tensor]:
    """For two beginnings the chances of the first new id (2, V), and of both new ids (2, V, V)."""
    two, words = draw.idx[[0, -1]], draw.table.shape[1]
    first = recording_models.logits(draw.table.double(), two)[:, -1].softmax(-1)
    longer = torch.cat([two.repeat_interleave(words, 0), torch.arange(words).repeat(2)[:, None]], 1)
    second = recording_models.logits(draw.table.double(), longer)[:, -1].softmax(-1).view(2, words, words)
    return first, first[..., None] * second


@st.composite
def open_ended(draw: st.DrawFn) -> Prompt:
    """So many new ids, each left to chance, that the same do not come twice: once in 10^11."""
    batch, length, words, seed = draw(sizes(2, 3)), draw(sizes(1, 3)), 8, draw(seeds())
    table = normal(STATES, words, seed=seed, scale=0.3)
    return Prompt(ids(batch, length, vocabulary=words, seed=seed), 9, 4, table, seed)
