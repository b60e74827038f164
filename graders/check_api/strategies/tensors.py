"""Hypothesis strategies for sizes, values, masks and weights.

A draw is a frozen dataclass. A report shows its fields as the smallest failing case, except those marked
`hidden`. Hypothesis draws sizes and seeds and shrinks these; values are computed from the seed.
B batch, S sequence, E model width, H heads, D = E / H.
"""

import contextlib
import functools
import math
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api.strategies.drawn import Drawn
from graders.check_api.values_of_run import LARGEST_SEED, seed_in_run

hidden = {"hidden": True}
MILD = 0.7  # a gain so small that no attention weight's effect is lost in rounding
ALIVE = 5  # hidden units, of which not all are dead at once
# Corners: what a draw has one of alone, and as many positions as there are embeddings of them.
BATCH, LENGTH, FULL = "batch", "length", "full"
LEADING = (BATCH, "heads", "")  # the leading axes of attention
FLOATS = (torch.float32, torch.float64)
CACHED_SIZE = 10_000  # weights of modules with at most this many parameters are cached
CACHED_MODULES = 2_048  # the checks of an assignment use some hundreds
# Values that are easy to follow. -1 is not one of them: checks compare with the answer to 2 x + 1.
PLAIN = (1.0, 2.0, -2.0, 0.5, -0.5, 1.5, -1.5, -2.5, 3.0, -3.0, 2.5, -3.5)
FEW = 6  # numbers, for which the first eight of these are enough
ALL_DIFFER = 8  # numbers of a tensor, or of a row, that are all different
LARGE_SIZE = 60_000  # the same for whole models, of which fewer are cached: at most 61 MB in float64
CACHED_LARGE = 128  # the facts about a free model use some thirty, again for each known mistake


def sizes(low: int = 2, high: int = 4) -> st.SearchStrategy[int]:
    """A small size, so that reports stay readable; of two and more, since checks of their own are about 1."""
    return st.integers(low, high)


def seeds() -> st.SearchStrategy[int]:
    """A seed for values. Those of a check's draws are others under each seed of a run."""
    return patterns().map(seed_in_run)


def patterns() -> st.SearchStrategy[int]:
    """A seed for what decides which mistakes show: what a mask hides, where padding begins.

    As the sizes of a check's draws, it is the same under every seed of a run.
    """
    return st.integers(0, LARGEST_SEED)


def floats() -> st.SearchStrategy[torch.dtype]:
    """float32 or float64."""
    return st.sampled_from(FLOATS)


def normal(*shape: int, seed: int, scale: float = 1.0, dtype: torch.dtype = torch.float32) -> Tensor:
    """Normally distributed values from a seed; the global random state is neither used nor changed."""
    generator = torch.Generator().manual_seed(seed)
    return (torch.randn(shape, generator=generator, dtype=torch.float64) * scale).to(dtype)


_plain = [False]  # whether `input_values` gives plain values


@contextlib.contextmanager
def plain_inputs() -> Iterator[None]:
    """Until the end of the block, `input_values` gives small integers and halves."""
    before, _plain[0] = _plain[0], True
    try:
        yield
    finally:
        _plain[0] = before


@st.composite
def several(draw: st.DrawFn, most: int = 3, alone: bool = False) -> int:
    """How many sequences or heads there are: two and more; one as well where a case to be shown is drawn.

    So no verdict hangs on what code does for one alone, which checks of their own are about (`alone`), and a
    case is shown with one where it can be.
    """
    return 1 if alone else draw(sizes(1 if _plain[0] else 2, most))


@st.composite
def units(draw: st.DrawFn, most: int = 12) -> int:
    """How many hidden units there are: so many that not all are dead at once, whatever the weights are.

    Then the output would depend on none of them. A case is shown with fewer.
    """
    return draw(sizes(2 if _plain[0] else ALIVE, most))


@st.composite
def lengths(draw: st.DrawFn, least: int, most: int, corner: str = "") -> int:
    """A number of positions, or one where that is the corner."""
    return 1 if corner == LENGTH else draw(sizes(least, most))


def input_values(*shape: int, seed: int, scale: float = 1.0, dtype: torch.dtype = torch.float32) -> Tensor:
    """Values of an argument that a report shows: as `normal`, and plain where a case to be shown is drawn.

    Plain values are no zeros, and all different in a small tensor, or in each row that is short: equal ones
    would hide what is wrong. Where ties matter, a strategy calls `normal`.
    """
    if not _plain[0]:
        return normal(*shape, seed=seed, scale=scale, dtype=dtype)
    generator, count = torch.Generator().manual_seed(seed), math.prod(shape)
    together = count if count <= ALL_DIFFER else shape[-1]
    pool = torch.tensor(PLAIN[:8] if together <= FEW else PLAIN, dtype=torch.float64)
    if together <= ALL_DIFFER:
        rows = torch.rand(count // max(together, 1), len(pool), generator=generator)
        chosen = rows.argsort(-1)[:, :together]
    else:
        chosen = torch.randint(len(pool), shape, generator=generator)
    return (pool[chosen].reshape(shape) * scale).to(dtype)


def ids(*shape: int, vocabulary: int, seed: int) -> Tensor:
    """Random ids below `vocabulary`, from a seed."""
    return torch.randint(vocabulary, shape, generator=torch.Generator().manual_seed(seed))


def counting(*shape: int, dtype: torch.dtype = torch.float32) -> Tensor:
    """0, 1, 2, ... in row-major order, so that each value shows its original position."""
    return torch.arange(torch.Size(shape).numel(), dtype=dtype).reshape(shape)


def weights(
    shapes: Mapping[str, tuple[int, ...]], seed: int, gain: float = 1.5, dtype: torch.dtype = torch.float32
) -> dict[str, Tensor]:
    """Random parameters from a seed; with the default gain so large that a wrong scale or missing bias shows.

    Entries of matrices have standard deviation gain / sqrt(fan in), biases 0.5; the gains of a norm are
    1 + 0.5 z. The values depend only on the parameter's name and the seed. They are cached: never change them
    in place.
    """
    size = sum(map(math.prod, shapes.values()))
    cached = _cached_weights if size <= CACHED_SIZE else _cached_large
    return dict((cached if size <= LARGE_SIZE else _weights)(tuple(shapes.items()), seed, gain, dtype))


def _weights(
    shapes: tuple[tuple[str, tuple[int, ...]], ...], seed: int, gain: float, dtype: torch.dtype
) -> dict[str, Tensor]:
    parameters = {}
    for name, shape in shapes:
        values = normal(
            *shape, seed=(seed * 1_000_003 + zlib.crc32(name.encode(errors="surrogatepass"))) % 2**63
        )
        if len(shape) > 1:
            values = values * gain / max(shape[-1], 1) ** 0.5
        elif name.endswith(("weight", "gamma")):
            values = 1 + 0.5 * values
        else:
            values = 0.5 * values
        parameters[name] = values.to(dtype)
    return parameters


_cached_weights = functools.lru_cache(CACHED_MODULES)(_weights)
_cached_large = functools.lru_cache(CACHED_LARGE)(_weights)


@dataclass(frozen=True, eq=False)
class Joined(Drawn):
    """Joined heads (B, S, E), and the number of heads."""

    alive_at: ClassVar[tuple[int, ...]] = (0,)

    x: Tensor
    num_heads: int


@dataclass(frozen=True, eq=False)
class Heads(Drawn):
    """Separate heads (B, H, S, D)."""

    alive_at: ClassVar[tuple[int, ...]] = (0,)

    x: Tensor


@dataclass(frozen=True, eq=False)
class Attention(Drawn):
    """Queries (..., Sq, D), keys (..., Sk, D), values (..., Sk, Dv); True in the mask = masked."""

    alive_at: ClassVar[tuple[int, ...]] = (2,)

    Q: Tensor
    K: Tensor
    V: Tensor
    mask: Tensor | None = None
    seed: int = field(default=0, metadata=hidden)

    def without_leading_axes(self) -> "Attention":
        """The same for one head of one sequence, where the leading axes are of size 1."""
        Q, K, V = (value.reshape(value.shape[-2:]) for value in (self.Q, self.K, self.V))
        mask = None if self.mask is None else self.mask.reshape(self.mask.shape[-2:])
        return Attention(Q, K, V, mask, self.seed)


@st.composite
def heads(draw: st.DrawFn, length: int | None = None, corner: str = "") -> Heads:
    """(B, H, S, D), values counting up or normally distributed; half of the draws have S = H.

    `length` is S, if given. The axes in `corner`, "B" or "HS" say, have the size 1; no other has it.
    """
    batch, count = draw(several(4)), draw(several(4))
    length = length or _length(draw, count)
    shape = dict(zip("BHSD", (batch, count, length, draw(sizes())), strict=True)) | dict.fromkeys(corner, 1)
    return Heads(_content(draw, tuple(shape.values())))


@st.composite
def joined(draw: st.DrawFn, length: int | None = None, corner: str = "") -> Joined:
    """(B, S, H * D) and H, values counting up or normally distributed; half of the draws have S = H.

    `length` is S, if given. What stands in `corner`, "B" or "HS" say, is 1; nothing else is.
    """
    batch, count = draw(several(4)), draw(several(4))
    length = length or _length(draw, count)
    size = dict(zip("BHSD", (batch, count, length, draw(sizes())), strict=True)) | dict.fromkeys(corner, 1)
    return Joined(_content(draw, (size["B"], size["S"], size["H"] * size["D"])), size["H"])


@st.composite
def attention(
    draw: st.DrawFn,
    masked: bool | None = None,
    scales: tuple[float, ...] = (1.0, 3.0, 0.01),
    dtypes: tuple[torch.dtype, ...] = FLOATS,
    least: int = 2,
    any_leading: bool = False,
    length: int | None = None,
    corner: str = "",
) -> Attention:
    """Queries, keys and values with two leading axes, (B, H); with `any_leading`, with zero to three.

    `masked`: whether there is a mask: always (True), never (False) or sometimes (None). `least` is the
    minimum number of queries and of keys, `length` is the number of both, if given. `corner` names what is
    1: "batch", "heads", "queries", "keys", "width" or "value_width"; nothing else is.
    """
    fewest, most = (0, 3) if any_leading else (2, 2)
    lead = tuple(draw(st.lists(several(), min_size=fewest, max_size=most)))
    lead = tuple(1 if corner == name else n for name, n in zip(LEADING, lead, strict=False))
    keys = length or draw(sizes(max(least, 3) if masked else least, 5))
    queries = length or draw(sizes(least, 5))
    width, value_width = draw(sizes(2, 6)), draw(sizes(2, 5))
    queries, keys, width, value_width = (
        1 if corner == name else n
        for name, n in zip(
            ("queries", "keys", "width", "value_width"), (queries, keys, width, value_width), strict=True
        )
    )
    scale, dtype, seed = draw(st.sampled_from(scales)), draw(st.sampled_from(dtypes)), draw(seeds())
    mask = None
    if masked or (masked is None and draw(st.booleans())):
        mask = draw(masks(lead, queries, keys))
    return Attention(
        input_values(*lead, queries, width, seed=seed, scale=scale, dtype=dtype),
        input_values(*lead, keys, width, seed=seed + 1, scale=scale, dtype=dtype),
        input_values(*lead, keys, value_width, seed=seed + 2, dtype=dtype),
        mask,
        seed,
    )


@st.composite
def masks(draw: st.DrawFn, lead: tuple[int, ...], queries: int, keys: int) -> Tensor:
    """A bool mask that broadcasts to (*lead, queries, keys), True = masked.

    Of three keys and more, each row sees two, and of one no row is masked. It has one of four shapes:
    (Sq, Sk); all axes; leading axes of size 1; one row for all queries (padding).
    """
    kind = draw(st.sampled_from(["square", "full", "ones", "padding"]))
    rows = 1 if kind == "padding" else queries
    front = {"square": (), "full": lead, "ones": (1,) * len(lead), "padding": lead}[kind]
    mask = normal(*front, rows, keys, seed=draw(patterns())) > 0
    kept = draw(st.integers(0, keys - 1))
    # Where a query sees one key alone, no weight of queries or keys has an effect.
    mask[..., [kept, (kept + 2) % keys]] = False
    if keys > 1:
        mask[..., (kept + 1) % keys] = True  # under a mask that masks nothing, wrong code would pass
    return mask


def _length(draw: st.DrawFn, count: int) -> int:
    # Both are always drawn: Hypothesis regards the case with the fewest draws as the smallest.
    length, square = draw(sizes(2, 6)), draw(st.booleans())
    return count if square else length


def _content(draw: st.DrawFn, shape: tuple[int, ...]) -> Tensor:
    if draw(st.booleans()):
        return input_values(*shape, seed=draw(seeds()), dtype=draw(floats()))
    return counting(*shape)
