"""How much text a model is measured on: it depends on the model's size alone, not on the machine's speed.

So the same model always gets the same mark. Work is counted in multiplications: two for each parameter and
token, what a logit costs to send and to read, and a fixed cost for each call.
"""

import random
from dataclasses import dataclass

CALL = 6e7  # fixed cost of a call
LOGIT = 500.0  # of each logit: twelve million take a tenth of a second
HELD_OUT, TRAIN, PREFIXES, SAMPLE = 2e11, 3e10, 2e10, 3e10  # work for each of the measurements
MAX_CHARACTERS = 24_000  # of held-out text; the loss is then exact to a few hundredths of a bit
PASSAGES = 8
SHORT_CONTEXT_PLACES = 240  # predictions that are also made from one token of context
MAX_SAMPLED_TOKENS = 300  # of the text that the model writes


@dataclass(frozen=True)
class SampleSizes:
    """Windows of held-out text and of training text, places predicted from their prefix, sampled tokens."""

    held_out: int
    train: int
    prefixes: int
    sample: int


def choose_sample_sizes(parameters: int, block_size: int, vocab_size: int) -> SampleSizes:
    """The sizes for a model of so many parameters whose windows have `block_size` tokens."""
    token = 2.0 * parameters + LOGIT * vocab_size
    window = CALL + token * block_size
    prefix = CALL + token * block_size / 2
    max_windows = max(1, MAX_CHARACTERS // block_size)
    return SampleSizes(
        held_out=_clamp(PASSAGES, HELD_OUT / window, max_windows),
        train=_clamp(PASSAGES // 2, TRAIN / window, max(PASSAGES // 2, max_windows // 4)),
        prefixes=_clamp(16, PREFIXES / prefix, 64),
        sample=_sample_length(token, block_size),
    )


def choose_passages(text: str, windows: int, block_size: int, seed: int) -> list[str]:
    """Passages spread over a text, in its order: `windows` windows in all, if the text is long enough."""
    count = max(1, min(PASSAGES, windows, len(text) // (block_size + 1)))
    part = len(text) // count
    size = min(part, block_size * max(1, windows // count) + 1)
    # Not for security: the run's seed determines the passages.
    generator = random.Random(seed)  # noqa: S311
    starts = [n * part + generator.randint(0, part - size) for n in range(count)]
    return [text[start : start + size] for start in starts]


def _clamp(smallest: int, value: float, largest: int) -> int:
    return int(max(min(value, largest), min(smallest, largest)))


def _sample_length(token: float, block_size: int) -> int:
    left, count = SAMPLE, 0
    while left > 0 and count < MAX_SAMPLED_TOKENS:
        count += 1
        left -= CALL + token * min(count, block_size)
    return count
