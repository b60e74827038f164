"""The loss of a model on a text, in bits, from whole windows or from prefixes.

A passage is cut into consecutive windows of `block_size` tokens with the targets shifted by one, as in
training. So every token of a passage is predicted once; the first, which has no context, costs
log2(vocab_size). Windows are sent one at a time and in their order, so all that a model can remember from
earlier requests lies before what it must predict.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from torch import Tensor

from graders.trained.next_token import Model


@dataclass(frozen=True, order=True)
class Place:
    """A prediction: `at` is the index in its passage of the predicted token, from 1."""

    passage: int
    at: int


@dataclass
class Loss:
    """The `bits` of each prediction; for some places also `rows`: the bits of every token (V,), float32."""

    bits: dict[Place, float] = field(default_factory=dict)
    rows: dict[Place, Tensor] = field(default_factory=dict)

    def per_character(self, numbers: Sequence[Tensor], characters: int, vocab_size: int) -> float:
        """The loss in bits per character of the text that `numbers` encode."""
        return (sum(self.bits.values()) + len(numbers) * math.log2(vocab_size)) / characters

    def mean(self, places: Sequence[Place]) -> float:
        """The mean over some predictions, in bits per token."""
        return sum(self.bits[place] for place in places) / len(places)


def context_length(place: Place, block_size: int) -> int:
    """The number of tokens that the model sees for a prediction."""
    return (place.at - 1) % block_size + 1


def all_places(numbers: Sequence[Tensor]) -> Iterator[Place]:
    """All predictions in their order."""
    for passage, ids in enumerate(numbers):
        yield from (Place(passage, at) for at in range(1, len(ids)))


def measure_loss(
    model: Model, numbers: Sequence[Tensor], block_size: int, keep_rows: Sequence[Place] = ()
) -> Loss:
    """The loss over all windows; `keep_rows` are the places whose rows are kept."""
    loss, kept = Loss(), set(keep_rows)
    for passage, ids in enumerate(numbers):
        for start in range(0, len(ids) - 1, block_size):
            targets = ids[start + 1 : start + 1 + block_size]
            wanted = [at for at in range(len(targets)) if Place(passage, start + 1 + at) in kept]
            costs, rows = model.costs(ids[start : start + len(targets)], targets, wanted)
            loss.bits |= {Place(passage, at): cost for at, cost in enumerate(costs, start + 1)}
            loss.rows |= {Place(passage, start + 1 + at): row for at, row in rows.items()}
    return loss


def predict_from_prefixes(
    model: Model,
    numbers: Sequence[Tensor],
    places: Sequence[Place],
    block_size: int | None,
    keep_rows: bool = False,
) -> Loss:
    """Predict each of `places` from its prefix only: the part of its window that lies before it.

    Args:
        model: in a process that has not seen these passages.
        numbers: the token ids of all passages.
        places: in their order.
        block_size: of the windows; with None, the prefix is a single token.
        keep_rows: whether the bits of every token are kept.
    """
    loss = Loss()
    for place in places:
        ids = numbers[place.passage]
        length = 1 if block_size is None else context_length(place, block_size)
        row = model.last_bits(ids[place.at - length : place.at])
        loss.bits[place] = float(row[ids[place.at]])
        if keep_rows:
            loss.rows[place] = row.float()
    return loss
