"""How much of a text a model is measured on: by its size alone, so that the same model gets the same mark.

Work is counted in multiplications: two for each parameter and token, and what a call costs in any case.
"""

import random
from dataclasses import dataclass

CALL = 6e7  # what a call costs however small the model is
HELD_OUT, TRAIN, ALONE, SAMPLE = 2e11, 3e10, 2e10, 3e10  # work for each of the measures
CHARACTERS = 24_000  # scored at most: then a loss is known to some hundredths of a bit
PASSAGES = 8
PLACES = 240  # predictions with one token of context
SAMPLED = 300  # tokens of the model's own text


@dataclass(frozen=True)
class SampleSizes:
    """So many windows of held-out text and of training text, places looked at alone, tokens of a sample."""

    held_out: int
    train: int
    alone: int
    sample: int


def choose_sample_sizes(parameters: int, block_size: int) -> SampleSizes:
    """The plan for a model."""
    window = CALL + 2.0 * parameters * block_size
    prefix = CALL + 1.0 * parameters * block_size
    most = max(1, CHARACTERS // block_size)
    return SampleSizes(
        held_out=_between(PASSAGES, HELD_OUT / window, most),
        train=_between(PASSAGES // 2, TRAIN / window, max(PASSAGES // 2, most // 4)),
        alone=_between(16, ALONE / prefix, 64),
        sample=_tokens(parameters, block_size),
    )


def passages(text: str, windows: int, block_size: int, seed: int) -> list[str]:
    """Passages of a text spread over it, in their order, of so many windows in all if the text has them."""
    count = max(1, min(PASSAGES, windows, len(text) // (block_size + 1)))
    part = len(text) // count
    size = min(part, block_size * max(1, windows // count) + 1)
    # Not a secret and no key: which passages they are follows from the run's seed.
    drawn = random.Random(seed)  # noqa: S311
    starts = [at * part + drawn.randint(0, part - size) for at in range(count)]
    return [text[start : start + size] for start in starts]


def _between(least: int, wanted: float, most: int) -> int:
    return int(max(min(wanted, most), min(least, most)))


def _tokens(parameters: int, block_size: int) -> int:
    left, count = SAMPLE, 0
    while left > 0 and count < SAMPLED:
        count += 1
        left -= CALL + 2.0 * parameters * min(count, block_size)
    return count
