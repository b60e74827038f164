"""Draws for functions that generate text with a model of ours, a `TableModel`, and what they should generate.

B batch, T length, V vocabulary.
"""

from dataclasses import dataclass, field
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api import lent_models
from graders.check_api.candidate import RecordingModel
from graders.check_api.compare import require, same, tensor
from graders.check_api.strategies.tensors import hidden, ids, normal, seeds, several, sizes
from graders.language import tr

SURE = 60.0  # the next id's logit minus the others: another id is drawn once in 10^25 times
STATES = 23  # rows of a model's table
SHORT = 5  # the most ids of a prompt where its length does not matter
CROWD = 24  # prompts, and words: of so many, wrong code answers at least one wrongly
MANY = 4_000  # sequences in a batch that is large enough to estimate probabilities


@dataclass(frozen=True, eq=False)
class Prompt:
    """Prompts (B, T), the number of ids to generate, and the table of the model (`TableModel`)."""

    idx: Tensor
    max_new_tokens: int
    block_size: int
    table: Tensor = field(metadata=hidden)
    seed: int = field(default=0, metadata=hidden)

    @property
    def shape(self) -> tuple[int, int]:
        """The shape of the answer: (B, T + max_new_tokens)."""
        return self.idx.shape[0], self.idx.shape[1] + self.max_new_tokens


def sure(words: int, seed: int) -> Tensor:
    """The table (STATES, V) of a model that gives a single next id a probability of nearly 1."""
    return SURE * torch.nn.functional.one_hot(ids(STATES, vocabulary=words, seed=seed), words).float()


@st.composite
def prompts(draw: st.DrawFn, cropped: bool = False, block: int | None = None, corner: str = "") -> Prompt:
    """Prompts for a model that is sure of the next id; with `cropped`, ids come to exceed block_size.

    With `block`, the prompts have that many ids and it is their block_size: the new ids exceed it. `corner`
    names what is 1, of "batch", "length", "new" (ids) and "block": nothing else is.
    """
    drawn = {"batch": draw(several())} | {
        name: draw(sizes(*bounds)) for name, bounds in (("length", (2, SHORT)), ("new", (2, 6)))
    }
    batch, length, new = ({**drawn, corner: 1}[name] for name in ("batch", "length", "new"))
    words, seed = draw(sizes(3, 8)), draw(seeds())
    length = block or length
    most = length + new - 1  # the most ids that the model could get, at the last step
    if cropped or block:
        block = block or (1 if corner == "block" else draw(sizes(2, 4)))
        new += max(0, block + 1 - most)
    else:
        block = most + draw(sizes(1, 3))
    idx = ids(batch, length, vocabulary=words, seed=seed)
    return Prompt(idx, new, block, sure(words, seed + 1), seed)


def continue_prompts(draw: Prompt) -> Tensor:
    """The prompts with the new ids that a model which is sure of the next id gives."""
    idx = draw.idx
    for _ in range(draw.max_new_tokens):
        logits = lent_models.logits(draw.table, idx[:, -draw.block_size :])
        idx = torch.cat([idx, logits[:, -1:].argmax(-1)], 1)
    return idx


@st.composite
def uncertain(draw: st.DrawFn) -> Prompt:
    """Two different prompts, each MANY / 2 times, for a model from which three random ids are drawn.

    They are short, so that a reply holds them as lists, too.
    """
    length, words, seed = draw(sizes(2, 3)), draw(sizes(3, 4)), draw(seeds())
    two = ids(2, length, vocabulary=words, seed=seed)
    two[1, -1] = (two[0, -1] + 1) % words
    table = normal(STATES, words, seed=seed + 1)
    return Prompt(two.repeat_interleave(MANY // 2, 0), 3, length + 3, table, seed)


def expected_probabilities(draw: Prompt) -> tuple[Tensor, Tensor]:
    """For the two prompts: the probabilities of the first new id (2, V), and of both new ids (2, V, V)."""
    two, words = draw.idx[[0, -1]], draw.table.shape[1]
    first = lent_models.logits(draw.table.double(), two)[:, -1].softmax(-1)
    longer = torch.cat([two.repeat_interleave(words, 0), torch.arange(words).repeat(2)[:, None]], 1)
    second = lent_models.logits(draw.table.double(), longer)[:, -1].softmax(-1).view(2, words, words)
    return first, first[..., None] * second


@st.composite
def open_ended(draw: st.DrawFn) -> Prompt:
    """Prompts after which so many ids are drawn that two calls draw the same once in 10^11 times."""
    batch, length, words, seed = draw(sizes(2, 3)), draw(sizes(2, 3)), 8, draw(seeds())
    table = normal(STATES, words, seed=seed, scale=0.3)
    return Prompt(ids(batch, length, vocabulary=words, seed=seed), 9, length + 9, table, seed)


def cropped_and_whole(draw: Prompt) -> tuple[Tensor, Tensor]:
    """The text that should be generated, and that of short prompts of which the model gets all ids."""
    return continue_prompts(draw), continue_prompts(widen_block(draw))


def widen_block(draw: Prompt) -> Prompt:
    """Short prompts that never fill the block; so many, of many words, that no wrong code is right by luck.

    Code that crops at a fixed length of its own gives such prompts to the model whole.
    """
    idx = ids(CROWD, 2, vocabulary=CROWD, seed=draw.seed + 2)
    return Prompt(idx, 3, 5, sure(CROWD, draw.seed + 3), draw.seed)


def graded(seed: int) -> Prompt:
    """Two prompts; the logits are 0, 0.7 .. 2.8, in a different order at every position of both."""
    orders = torch.cartesian_prod(*[torch.arange(5)] * 5)
    orders = orders[(orders.sort(1).values == torch.arange(5)).all(1)]
    orders = orders[torch.randperm(len(orders), generator=torch.Generator().manual_seed(seed))[:STATES]]
    table = 0.7 * orders.float()
    for attempt in range(1_000):
        two = ids(2, 3, vocabulary=5, seed=seed + attempt)
        if len(lent_models.logits(table, two).flatten(0, 1).unique(dim=0)) == two.numel():
            break
    return Prompt(two.repeat_interleave(MANY // 2, 0), 1, 8, table, seed)


def generated_text(answer: Any, draw: Prompt) -> Tensor:
    """The prompts with the new ids in an answer, as far as they go: its form has a check of its own.

    A list of lists is read as a tensor, new ids alone follow the prompts, and ids too many are cut off.

    Raises:
        Violation: the answer holds no new ids, or has others in the place of the prompts.
    """
    ids_given = torch.tensor(answer) if _rows_of_ints(answer) else answer
    generated = tensor(ids_given, tr("the answer")).detach()
    (batch, length), new = draw.idx.shape, draw.max_new_tokens
    rows = generated.dim() == 2 and len(generated) == batch and generated.shape[1] > 0
    whole_numbers = not generated.is_floating_point() and generated.dtype != torch.bool
    require(rows and whole_numbers, tr("there should be {batch} rows of ids", batch=batch))
    beginning = generated[:, :length]
    if generated.shape[1] == new and not (new > length and torch.equal(beginning, draw.idx)):
        return torch.cat([draw.idx, generated], 1)
    same(beginning, draw.idx, tr("the beginning of the answer"))
    require(generated.shape[1] > length, tr("no id is added"))
    return generated[:, : length + new]


def text_of_model(answer: Any, model: RecordingModel, draw: Prompt) -> Tensor:
    """The prompts with the new ids in an answer, for which the model is required to have been called.

    Raises:
        Violation: it was never called, or the answer holds no new ids.
    """
    require(model.calls > 0, tr("the model is never called"))
    return generated_text(answer, draw)


def _rows_of_ints(answer: Any) -> bool:
    if not isinstance(answer, list) or not all(isinstance(row, list) and row for row in answer):
        return False
    same_length = len({len(row) for row in answer}) == 1
    return same_length and all(type(value) is int for row in answer for value in row)
