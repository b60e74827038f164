"""Draws for attention within buckets: queries that are keys, values, and the buckets of several rounds.

S positions, D width of a query, Dv width of a value, R rounds; "..." stands for any leading axes.
"""

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api.strategies.drawn import Drawn
from graders.check_api.strategies.tensors import FLOATS, hidden, ids, input_values, seeds, several, sizes

# How positions are put into buckets.
ANY, ALONE, PAIRED, MOSTLY_PAIRED = "any", "alone", "paired", "mostly paired"


@dataclass(frozen=True, eq=False)
class Hashed(Drawn):
    """Queries that are keys (..., S, D), values (..., S, Dv), and buckets (..., R, S)."""

    alive_at: ClassVar[tuple[int, ...]] = (1,)

    qk: Tensor
    v: Tensor
    buckets: Tensor
    causal: bool = False
    seed: int = field(default=0, metadata=hidden)

    @property
    def arguments(self) -> list[Any]:
        """The arguments of a call; without the last where it is the default."""
        return [self.qk, self.v, self.buckets, *([True] if self.causal else [])]

    @property
    def times_seen(self) -> Tensor:
        """In how many rounds each query sees each other key, (..., S, S)."""
        shared = self.buckets[..., :, None] == self.buckets[..., None, :]
        others = ~torch.eye(self.qk.shape[-2], dtype=torch.bool)
        return (shared & (others.tril() if self.causal else others)).sum(-3)

    @property
    def alone(self) -> Tensor:
        """Which queries see no other key in any round, (..., S)."""
        return self.times_seen.sum(-1) == 0

    @property
    def one_bucket(self) -> "Hashed":
        """The same positions in one bucket, in a single round."""
        return replace(self, buckets=torch.zeros_like(self.buckets[..., :1, :]))

    @property
    def first(self) -> "Hashed":
        """The first entry of the leading axes."""
        place = (0,) * (self.qk.dim() - 2)
        return replace(self, qk=self.qk[place], v=self.v[place], buckets=self.buckets[place])

    def until(self, position: int) -> "Hashed":
        """The positions up to this one."""
        first = slice(position + 1)
        qk, v = self.qk[..., first, :].contiguous(), self.v[..., first, :].contiguous()
        return replace(self, qk=qk, v=v, buckets=self.buckets[..., first].contiguous())


def hashed_of(
    lead: tuple[int, ...],
    length: int,
    rounds: int,
    seed: int,
    put: str = ANY,
    widths: tuple[int, int] = (4, 3),
    dtype: torch.dtype = torch.float64,
) -> Hashed:
    """Random vectors in random buckets of a seed.

    Where `put` is ALONE, the last position shares no bucket in any round. Where it is PAIRED, each position
    shares its bucket with another in every round; where it is MOSTLY_PAIRED, the first position shares none
    in the first round. `widths` are D and Dv. Under some seeds, buckets of different rounds have the same
    numbers.
    """
    buckets = ids(*lead, rounds, length, vocabulary=2 + seed % 2, seed=seed + 2)
    if put == ALONE:
        buckets[..., -1] = 3
    if put in (PAIRED, MOSTLY_PAIRED):
        half = buckets[..., : (length + 1) // 2]
        buckets = torch.cat([half, half], -1)[..., :length]
        buckets[..., length // 2] = buckets[..., 0]  # the middle of an odd number has no pair yet
    if put == MOSTLY_PAIRED:
        buckets[..., 0, 0] = 3
    numbers = 5 * torch.arange(rounds)[:, None] if seed % 3 else 0
    qk = input_values(*lead, length, widths[0], seed=seed, dtype=dtype)
    v = input_values(*lead, length, widths[1], seed=seed + 1, dtype=dtype)
    return Hashed(qk, v, buckets + numbers, seed=seed)


@st.composite
def hashed(
    draw: st.DrawFn,
    rounds: tuple[int, int] = (2, 3),
    put: str = ANY,
    causal: bool | None = False,
    any_leading: bool = False,
    length: int | None = None,
    dtypes: tuple[torch.dtype, ...] = FLOATS,
    corner: str = "",
) -> Hashed:
    """One or two leading axes, or none to three; `corner` names what is 1, of "lead", "width" and "length".

    `rounds` is the least and the greatest number of rounds; `put` is that of `hashed_of`; `causal` is drawn
    where it is None; `length` is S, if given.
    """
    least, most = (0, 3) if any_leading else (1, 2)
    lead = (2,) if length else tuple(draw(st.lists(several(), min_size=least, max_size=most)))
    lead = (1,) * len(lead) if corner == "lead" else lead
    length = 1 if corner == "length" else length
    count, seed, dtype = draw(sizes(*rounds)), draw(seeds()), draw(st.sampled_from(dtypes))
    widths, length = (
        (draw(sizes(2, 5)), 1 if corner == "width" else draw(sizes(2, 4))),
        length or draw(sizes(4, 7)),
    )
    drawn = hashed_of(lead, length, count, seed, put, widths, dtype)
    return replace(drawn, causal=draw(st.booleans()) if causal is None else causal)
