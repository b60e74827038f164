"""The places at which a model is asked again: from the beginning of a window alone, or with another id in it.

Which places are drawn follows from the run's seed. What a token stands for is the student's choice: a window
may hold its text in a few tokens and padding in the others. So places of all kinds are drawn.
"""

import math
import random
from collections import Counter
from collections.abc import Sequence

from torch import Tensor

from graders.trained.loss import Loss, Place, all_places, context_length


def inner_places(numbers: Sequence[Tensor], block_size: int) -> list[Place]:
    """All places whose window has later tokens, which a model without a causal mask would use."""
    return [
        place
        for place in all_places(numbers)
        if context_length(place, block_size) < block_size and place.at < len(numbers[place.passage]) - 1
    ]


def distant_places(numbers: Sequence[Tensor], block_size: int) -> list[Place]:
    """All places with at least a quarter of the longest context; a passage may be shorter than a window."""
    lengths = {place: context_length(place, block_size) for place in all_places(numbers)}
    longest = max(lengths.values(), default=0)
    return [place for place, length in lengths.items() if 4 * length >= longest]


def draw(places: Sequence[Place], count: int, seed: int) -> list[Place]:
    """`count` of the places, or all, in their order."""
    # Not for security: the run's seed determines the places.
    generator = random.Random(seed)  # noqa: S311
    return sorted(generator.sample(places, min(count, len(places))))


def draw_of_each_context(numbers: Sequence[Tensor], block_size: int, count: int, seed: int) -> list[Place]:
    """`count` places, or all, in their order: each length of context has its share of them."""
    places = sorted(all_places(numbers), key=lambda place: (context_length(place, block_size), place))
    count = min(count, len(places))
    start = random.Random(seed).random()  # noqa: S311 - as in `draw`
    return sorted(places[int((number + start) * len(places) / count)] for number in range(count))


def draw_by_gain(
    numbers: Sequence[Tensor], whole: Loss, places: Sequence[Place], count: int, seed: int
) -> list[Place]:
    """At most `count` of the places, in their order, each as likely as the bits that the model saves there.

    It saves them against counting how often each token occurs. What it gains by later tokens, it gains there.

    Args:
        numbers: the token ids of all passages.
        whole: the model's loss on them, from whole windows.
        places: from which some are drawn.
        count: how often a place is drawn, perhaps the same one.
        seed: of the run.
    """
    counts = Counter(number for ids in numbers for number in ids.tolist())
    tokens = counts.total()

    def gain(place: Place) -> float:
        share = counts[int(numbers[place.passage][place.at])] / tokens
        return max(0.0, -math.log2(share) - whole.bits[place])

    gains = [gain(place) for place in places]
    if not any(gains):
        return []
    generator = random.Random(seed)  # noqa: S311 - as in `draw`
    return sorted(set(generator.choices(places, gains, k=count)))
