"""The loss of a model on a text, as bits that the text would cost; and on prefixes alone.

A passage is cut into windows one after another, each of `block_size` numbers and the same shifted by one, as
in training. So every number of a passage is paid for once; the first, which nothing precedes, costs
log2(vocab_size). Windows are asked one at a time and in their order: what a model has already been asked is
the past of what it must predict, so that remembering it is no peeking.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from torch import Tensor

from graders.trained.next_token import Model


@dataclass(frozen=True, order=True)
class Place:
    """A prediction: `at` is the number of a passage that is predicted, from 1 on."""

    passage: int
    at: int


@dataclass
class Loss:
    """What passages cost: `bits` of each prediction, and `rows` of all tokens at the places asked for."""

    bits: dict[Place, float] = field(default_factory=dict)
    rows: dict[Place, Tensor] = field(default_factory=dict)

    def per_character(self, numbers: Sequence[Tensor], characters: int, vocab_size: int) -> float:
        """The loss in bits per character of the text that these numbers stand for."""
        return (sum(self.bits.values()) + len(numbers) * math.log2(vocab_size)) / characters

    def mean(self, places: Sequence[Place]) -> float:
        """The mean of some of the predictions, in bits per token."""
        return sum(self.bits[place] for place in places) / len(places)


def context(place: Place, block_size: int) -> int:
    """How many tokens the model gets for a prediction."""
    return (place.at - 1) % block_size + 1


def places(numbers: Sequence[Tensor]) -> Iterator[Place]:
    """All predictions, in their order."""
    for passage, ids in enumerate(numbers):
        yield from (Place(passage, at) for at in range(1, len(ids)))


def measure_loss(
    model: Model, numbers: Sequence[Tensor], block_size: int, keep: Sequence[Place] = ()
) -> Loss:
    """The loss over all windows; `keep` are places whose rows are kept."""
    loss, kept = Loss(), set(keep)
    for passage, ids in enumerate(numbers):
        for start in range(0, len(ids) - 1, block_size):
            due = ids[start + 1 : start + 1 + block_size]
            rows = model.bits(ids[start : start + len(due)])
            costs = rows.gather(1, due[:, None])[:, 0].tolist()
            for at, cost in enumerate(costs, start + 1):
                place = Place(passage, at)
                loss.bits[place] = cost
                if place in kept:
                    loss.rows[place] = rows[at - start - 1].clone()
    return loss


def alone(model: Model, numbers: Sequence[Tensor], wanted: Sequence[Place], block_size: int | None) -> Loss:
    """The predictions at `wanted` where the model gets what lies before them in their window, and no more.

    Args:
        model: in a process that has not seen these numbers.
        numbers: of all passages.
        wanted: the places, in their order.
        block_size: of the windows; with None it gets one token alone.
    """
    loss = Loss()
    for place in wanted:
        ids = numbers[place.passage]
        length = 1 if block_size is None else context(place, block_size)
        row = model.bits(ids[place.at - length : place.at])[-1]
        loss.rows[place] = row
        loss.bits[place] = float(row[ids[place.at]])
    return loss
