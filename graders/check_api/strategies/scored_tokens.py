"""Draws for measures of a language model: logits for the tokens of a batch, and the tokens that came.

B sequences, T tokens, V words. V is larger than B and T, so that code that takes another axis for the classes
raises or answers otherwise.
"""

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api.strategies.drawn import Drawn
from graders.check_api.strategies.tensors import (
    hidden,
    ids,
    input_values,
    lengths,
    normal,
    seeds,
    several,
    sizes,
)

USUAL = -100
CALM = 0.5  # the scale of logits whose softmax is nowhere small


@dataclass(frozen=True, eq=False)
class ScoredTokens(Drawn):
    """Logits (B, T, V), targets (B, T), and the target that is no token."""

    alive_at: ClassVar[tuple[int, ...]] = (0,)

    logits: Tensor
    targets: Tensor
    ignore_index: int = USUAL
    seed: int = field(default=0, metadata=hidden)

    def padded(self, ignore_index: int) -> Self:
        """The same with padding: each sequence has two tokens less than the one before, but two at least."""
        batch, length, words = self.logits.shape
        ends = (length - 2 * torch.arange(batch)).clamp(min=2)
        apart = torch.where(self.targets == ignore_index, (self.targets + 1) % words, self.targets)
        targets = torch.where(torch.arange(length) < ends[:, None], apart, ignore_index)
        return replace(self, targets=targets, ignore_index=ignore_index)

    @property
    def less_probable(self) -> Self:
        """The same with tokens that are less probable, by an amount that alternates along the sequence.

        A softmax over positions that share a target would not see the same amount everywhere.
        """
        words = self.logits.shape[-1]
        steps = 1 + torch.arange(self.logits.shape[-2])[:, None] % 2
        lower = steps * torch.nn.functional.one_hot(self.targets % words, words)
        return replace(self, logits=self.logits - lower.to(self.logits.dtype))

    @property
    def arguments(self) -> list[Any]:
        """The arguments of a call; without the last where it is the default."""
        return [self.logits, self.targets, *([] if self.ignore_index == USUAL else [self.ignore_index])]

    @property
    def counted(self) -> Tensor:
        """Where there is a token, (B, T) bool."""
        return self.targets != self.ignore_index

    @property
    def tokens_alone(self) -> Self:
        """The tokens of all sequences in one, without those that do not count."""
        logits, targets = self.logits[self.counted], self.targets[self.counted]
        return replace(self, logits=logits[None], targets=targets[None], ignore_index=USUAL)

    @property
    def flat(self) -> Self:
        """The same with the axes of the batch and the sequence in one, (B * T, V) and (B * T,)."""
        return replace(self, logits=self.logits.flatten(0, -2), targets=self.targets.flatten())


@st.composite
def scored_tokens(
    draw: st.DrawFn,
    /,
    padded: bool = False,
    dtype: torch.dtype = torch.float32,
    corner: str = "",
    calm: bool = False,
) -> ScoredTokens:
    """Tokens of several sequences, of which some have padding, if so asked.

    `corner` names what there is one of alone: "batch" or "length". With `calm`, no token is improbable.
    """
    batch = draw(several(4, alone=corner == "batch"))
    length = draw(lengths(4 if padded else 2, 6, corner))
    words, seed = draw(sizes(7, 9)), draw(seeds())
    logits = input_values(batch, length, words, seed=seed, scale=CALM if calm else 1.5, dtype=dtype)
    tokens = ScoredTokens(logits, ids(batch, length, vocabulary=words, seed=seed), seed=seed)
    return tokens.padded(draw(st.sampled_from([USUAL, -1, 0, words - 1]))) if padded else tokens


def sized_tokens(
    batch: int,
    length: int,
    words: int,
    seed: int,
    scale: float = 1.5,
    dtype: torch.dtype = torch.float32,
) -> ScoredTokens:
    """Tokens of these sizes, all of which count."""
    logits = normal(batch, length, words, seed=seed, scale=scale, dtype=dtype)
    return ScoredTokens(logits, ids(batch, length, vocabulary=words, seed=seed), seed=seed)


def surprises(logits: Tensor, targets: Tensor) -> Tensor:
    """Minus the natural logarithm of each target's probability; targets below 0 are taken for 0."""
    return -logits.log_softmax(-1).gather(-1, targets.clamp(min=0)[..., None])[..., 0]
