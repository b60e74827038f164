"""A text in two parts: one to train on, one to be judged on."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Corpus:
    """A text that models are trained and judged on.

    `held_out` is never shown to a student where it can be made anew; `entropy` is the best possible loss
    in bits per character, where it is known.
    """

    name: str
    train: str
    held_out: str
    entropy: float | None = None
