"""A text in two parts: one to train on, one to measure the loss on."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Corpus:
    """A text to train models on, and a held-out text to measure them on.

    `held_out` has only characters of `train`, since no model can learn others; `entropy` is the best possible
    loss in bits per character, where it is known.
    """

    name: str
    train: str
    held_out: str
    entropy: float | None = None
