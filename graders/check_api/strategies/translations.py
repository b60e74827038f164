"""Draws for functions that decode with a model of ours, a `TranslationModel`, and what they should decode.

B batch, S length of the source, V vocabulary.
"""

from dataclasses import dataclass, field
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api.compare import require, tensor
from graders.check_api.lent_models import logits_after, memory_of
from graders.check_api.strategies.tensors import BATCH, hidden, ids, lengths, normal, seeds, several, sizes
from graders.language import tr

STATES = 23  # rows of a model's table
WORDS = 4  # the first id that is a word: three of those below are the start, the stop and the padding
NEVER = -9.0  # the logits of ids that never come are below; each state has another that is the least


@dataclass(frozen=True, eq=False)
class Translation:
    """A source (B, S), the ids with a meaning, the most new ids, and the table of the model."""

    src: Tensor
    start_id: int
    stop_id: int
    pad_id: int
    max_len: int
    table: Tensor = field(metadata=hidden)
    seed: int = field(default=0, metadata=hidden)

    @property
    def arguments(self) -> list[Any]:
        """The arguments of a call, without the model."""
        return [self.src, self.start_id, self.stop_id, self.pad_id, self.max_len]


def stopping(words: int, stop_id: int, seed: int, share: float = 0.25) -> Tensor:
    """The table (STATES, V) of a model whose likeliest id is the stop in so many of its states."""
    table = normal(STATES, words, seed=seed)
    table[:, :WORDS] = NEVER - normal(STATES, WORDS, seed=seed + 1).abs()
    table[_order(STATES, seed)[: round(share * STATES)], stop_id] = 4.0
    return table


def translation(batch: int, length: int, most: int, seed: int, share: float = 0.25) -> Translation:
    """A draw in which sequences stop at different steps, if there is one among the next seeds."""
    start_id, stop_id, pad_id = _order(WORDS, seed)[:3].tolist()
    for attempt in range(seed, seed + 100):
        src = ids(batch, length, vocabulary=10, seed=attempt)
        table = stopping(10, stop_id, attempt, share)
        draw = Translation(src, start_id, stop_id, pad_id, most, table, attempt)
        ends = (translate(draw) == stop_id).sum(0).nonzero().flatten().tolist()
        if share == 0 or batch == 1 or most < 3 or len(ends) > 1:
            break
    return draw


@st.composite
def translations(draw: st.DrawFn, endless: bool = False, corner: str = "") -> Translation:
    """Sources of a batch, which stop at different steps.

    With `endless`, the model never stops. `corner` names what there is one of alone: "batch" (sources) or
    "length" (positions of each).
    """
    batch, length = draw(several(4, alone=corner == BATCH)), draw(lengths(2, 5, corner))
    most = draw(sizes(3, 8))
    return translation(batch, length, most, draw(seeds()), share=0.0 if endless else 0.25)


def translate(draw: Translation) -> Tensor:
    """What should be decoded: the start, then the likeliest ids up to each stop, then padding."""
    memory, idx = memory_of(draw.src), torch.full((len(draw.src), 1), draw.start_id)
    stopped = torch.zeros(len(idx), dtype=torch.bool)
    while idx.shape[1] <= draw.max_len and not bool(stopped.all()):
        new = logits_after(draw.table, idx, memory)[:, -1].argmax(-1)
        new[stopped] = draw.pad_id
        idx = torch.cat([idx, new[:, None]], 1)
        stopped |= new == draw.stop_id
    return idx


def decoded_ids(answer: Any, draw: Translation) -> Tensor:
    """The ids of an answer, which begin with the start: its form has a check of its own.

    Where the start is missing, it is put in front.

    Raises:
        Violation: these are no ids of B sequences.
    """
    answer = torch.tensor(answer) if _rows_of_ints(answer) else answer
    sequences = tensor(answer, tr("the answer")).detach()
    rows = sequences.dim() == 2 and len(sequences) == len(draw.src) and sequences.shape[1] > 0
    whole_numbers = not sequences.is_floating_point() and sequences.dtype != torch.bool
    require(rows and whole_numbers, tr("there should be {batch} rows of ids", batch=len(draw.src)))
    if bool((sequences[:, 0] == draw.start_id).all()):
        return sequences.long()
    return torch.cat([torch.full((len(sequences), 1), draw.start_id), sequences.long()], 1)


def _order(count: int, seed: int) -> Tensor:
    return torch.randperm(count, generator=torch.Generator().manual_seed(seed))


def _rows_of_ints(answer: Any) -> bool:
    if not isinstance(answer, list) or not all(isinstance(row, list) and row for row in answer):
        return False
    same_length = len({len(row) for row in answer}) == 1
    return same_length and all(type(i) is int and abs(i) < 1 << 31 for row in answer for i in row)
