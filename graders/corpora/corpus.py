"""A text in two parts: one to train on, one to be judged on."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Corpus:
    """A text that models are trained and judged on.

    `held_out` has no character that `train` does not have, which nobody could have learned; `entropy` is
    the best possible loss in bits per character, where it is known.
    """

    name: str
    train: str
    held_out: str
    entropy: float | None = None
