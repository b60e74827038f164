"""lsh_buckets(x, rotations): int64 (..., R, S), the index of the largest of [xR, -xR], + r * n in round r."""

from dataclasses import dataclass, field, replace
from functools import partial

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api import properties
from graders.check_api.check import Candidate, Stretched, Violation, check, require, same, tensor
from graders.check_api.leading_axes import LeadingAxes
from graders.check_api.options import Options
from graders.check_api.strategies.drawn import Drawn
from graders.check_api.strategies.tensors import floats, hidden, input_values, normal, seeds, several, sizes
from graders.language import tr, translatable

CLEAR = 1e-4  # the two largest products are so far apart at least: no rounding takes one for the other
WRONG = translatable(
    "in round {round_number}, position {position} is in bucket {found}; its largest product is in {due}, "
    "counted from the round's first bucket"
)


@dataclass(frozen=True, eq=False)
class Vectors(Drawn):
    """Vectors (..., S, D) and directions (D, R, n / 2); there are more positions than rounds."""

    x: Tensor
    rotations: Tensor
    seed: int = field(default=0, metadata=hidden)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape (..., R, S) of the answer."""
        return *self.x.shape[:-2], self.rotations.shape[1], self.x.shape[-2]

    @property
    def buckets(self) -> int:
        """n, the number of buckets of a round."""
        return 2 * self.rotations.shape[-1]

    @property
    def products(self) -> Tensor:
        """[xR, -xR] of each vector in each round, (..., R, S, n)."""
        products = torch.einsum("...sd,drn->...rsn", self.x.double(), self.rotations.double())
        return torch.cat([products, -products], -1)

    @property
    def first_of_round(self) -> Tensor:
        """The number of the first bucket of each round, (R, 1)."""
        return self.buckets * torch.arange(self.rotations.shape[1])[:, None]


def vectors_of(
    lead: tuple[int, ...],
    length: int,
    width: int,
    rounds: int,
    half: int,
    seed: int,
    dtype: torch.dtype = torch.float64,
) -> Vectors:
    """Vectors whose largest product is clear: of the seeds from this one on, the first that gives such."""
    while True:
        x = input_values(*lead, length, width, seed=seed, dtype=dtype)
        draw = Vectors(x, normal(width, rounds, half, seed=seed + 1, dtype=dtype), seed)
        largest = draw.products.topk(2, -1).values
        if bool((largest[..., 0] - largest[..., 1] > CLEAR).all()):
            return draw
        seed += 7919


@st.composite
def vectors(
    draw: st.DrawFn, any_leading: bool = False, length: int | None = None, corner: str = ""
) -> Vectors:
    """One or two leading axes, or none to three. `corner` names what is 1: "lead", "rounds" or "half"."""
    least, most = (0, 3) if any_leading else (1, 2)
    lead = tuple(draw(st.lists(several(alone=corner == "lead"), min_size=least, max_size=most)))
    width, count, half = draw(sizes(2, 5)), draw(sizes(2, 3)), draw(sizes(2, 4))
    count, half = 1 if corner == "rounds" else count, 1 if corner == "half" else half
    seed, dtype = draw(seeds()), draw(floats())
    return vectors_of(lead, length or draw(sizes(4, 7)), width, count, half, seed, dtype)


def buckets_of(lsh_buckets: Candidate, draw: Vectors) -> Tensor:
    """The buckets (..., R, S), also where the rounds are the last axis, or stand one after the other."""
    buckets = tensor(lsh_buckets(*draw.arguments), tr("the buckets"))
    *lead, rounds, length = draw.shape
    if tuple(buckets.shape) == (*lead, length, rounds):
        buckets = buckets.transpose(-2, -1)
    if tuple(buckets.shape) == (*lead, rounds * length):
        buckets = buckets.unflatten(-1, (rounds, length))
    require(tuple(buckets.shape) == draw.shape, _wrong_shape(buckets, draw))
    return buckets.long().contiguous()


def read_within_round(lsh_buckets: Candidate, draw: Vectors) -> Tensor:
    """The buckets, counted from the first one of each round; another check is about those of other rounds."""
    return buckets_of(lsh_buckets, draw) % draw.buckets


def _wrong_shape(buckets: Tensor, draw: Vectors) -> str:
    due, shape = draw.shape, tuple(buckets.shape)
    return tr("the buckets should have shape {due}, but have {shape}", due=due, shape=shape)


def _tells_vectors_apart(buckets: Tensor, lsh_buckets: Candidate, draw: Vectors) -> None:
    """Require other buckets for other vectors: a constant would pass many checks."""
    others = (replace(draw, x=x) for x in (-draw.x, draw.x.roll(1, -1), draw.x.roll(1, -2)))
    moved = any(not torch.equal(read_within_round(lsh_buckets, other), buckets) for other in others)
    require(moved, tr("the buckets do not depend on x"))


@check(
    points=2.5,
    given=[vectors(), *(vectors(corner=corner) for corner in ("lead", "rounds", "half"))],
    shape_only=True,
)
def answers_with_whole_numbers(lsh_buckets: Candidate, draw: Vectors) -> None:
    """the buckets have shape (..., n_rounds, S) and dtype int64

    fr: les seaux sont de forme (..., n_rounds, S) et de dtype int64
    """
    buckets = tensor(lsh_buckets(*draw.arguments), tr("the buckets"))
    require(tuple(buckets.shape) == draw.shape, _wrong_shape(buckets, draw))
    due = torch.int64
    message = tr("the dtype should be {due}, but is {dtype}", due=due, dtype=buckets.dtype)
    require(buckets.dtype == due, message)


@check(
    points=6,
    given=vectors(),
    core=True,
    at_length=lambda n: vectors(length=n),
    fixed=[
        partial(vectors_of, (3,), 4, 4, 3, 4),
        partial(vectors_of, (2, 4), 4, 2, 3, 2),
        partial(vectors_of, (2,), 8, 8, 2, 4),
    ],
    stretched=[
        Stretched(lambda n, seed: vectors_of((n,), 2, 4, 3, 2, seed)),
        Stretched(lambda n, seed: vectors_of((), 3, n, 2, 3, seed)),
        Stretched(lambda n, seed: vectors_of((), 3, 2, n, 2, seed)),
        Stretched(lambda n, seed: vectors_of((), 2, 5, 3, n, seed)),
    ],
)
def finds_the_largest_product(lsh_buckets: Candidate, draw: Vectors) -> None:
    """within a round, the bucket is the index of the largest entry of [xR, -xR]

    fr: au sein d'un tour, le seau est l'indice du plus grand élément de [xR, -xR]
    """
    buckets, due = read_within_round(lsh_buckets, draw), draw.products.argmax(-1)
    for *lead, round_number, position in (buckets != due).nonzero()[:1].tolist():
        place = (*lead, round_number, position)
        raise Violation(
            tr(
                WRONG,
                round_number=round_number,
                position=position,
                found=int(buckets[place]),
                due=int(due[place]),
            ),
            actual=buckets,
            expected=due,
        )


@check(points=2.5, given=vectors())
def numbers_the_buckets_of_rounds_apart(lsh_buckets: Candidate, draw: Vectors) -> None:
    """in round r, buckets have the numbers r * n up to r * n + n - 1

    fr: au tour r, les seaux portent les numéros r * n à r * n + n - 1
    """
    buckets = buckets_of(lsh_buckets, draw)
    due = draw.first_of_round.expand_as(buckets)
    same(buckets - buckets % draw.buckets, due, tr("the number of each round's first bucket"))
    _tells_vectors_apart(buckets % draw.buckets, lsh_buckets, draw)


@check(points=1, given=vectors())
def looks_at_directions_alone(lsh_buckets: Candidate, draw: Vectors) -> None:
    """a vector that is only longer or shorter stays in its bucket

    fr: un vecteur qui est seulement plus long ou plus court reste dans son seau
    """
    buckets = read_within_round(lsh_buckets, draw)
    lengths = torch.tensor([4.0, 0.5, 1.0, 16.0], dtype=draw.x.dtype).repeat(draw.x.shape[-2])
    other = replace(draw, x=draw.x * lengths[: draw.x.shape[-2], None])
    same(read_within_round(lsh_buckets, other), buckets, tr("the buckets of longer and shorter vectors"))
    _tells_vectors_apart(buckets, lsh_buckets, draw)


@check(points=1.5, given=vectors())
def sends_opposites_apart(lsh_buckets: Candidate, draw: Vectors) -> None:
    """the opposite of a vector is n / 2 buckets away

    fr: l'opposé d'un vecteur est à n / 2 seaux de lui
    """
    buckets = read_within_round(lsh_buckets, draw)
    opposite = read_within_round(lsh_buckets, replace(draw, x=-draw.x))
    due = (buckets + draw.buckets // 2) % draw.buckets
    same(opposite, due, tr("the buckets of the opposite vectors"))
    spread = bool((buckets != buckets.flatten()[0]).any())
    require(spread or buckets.numel() < 16, tr("all vectors are in one bucket"))


@check(points=1, given=vectors())
def hashes_each_round_by_its_own_directions(lsh_buckets: Candidate, draw: Vectors) -> None:
    """a round alone gives the buckets that it gives among others

    fr: un tour seul donne les seaux qu'il donne parmi d'autres
    """
    buckets = read_within_round(lsh_buckets, draw)
    for number in range(draw.rotations.shape[1]):
        alone = replace(draw, rotations=draw.rotations[:, [number, number]])
        value_name = tr("the buckets of round {number} alone", number=number)
        same(read_within_round(lsh_buckets, alone), buckets[..., [number, number], :], value_name)
    _tells_vectors_apart(buckets, lsh_buckets, draw)


@check(points=1, given=vectors(any_leading=True))
def hashes_each_vector_by_itself(lsh_buckets: Candidate, draw: Vectors) -> None:
    """positions in another order have their buckets in that order, and each entry of the leading axes its own

    fr: des positions dans un autre ordre ont leurs seaux dans cet ordre, et chaque élément des premiers axes
    a les siens
    """
    buckets = read_within_round(lsh_buckets, draw)
    turned = read_within_round(lsh_buckets, replace(draw, x=draw.x.flip(-2)))
    same(turned, buckets.flip(-1), tr("the buckets of positions in another order"))
    first = (0,) * (draw.x.dim() - 2)
    alone = read_within_round(lsh_buckets, replace(draw, x=draw.x[first]))
    same(alone, buckets[first], tr("the buckets of the first entry alone"))
    _tells_vectors_apart(buckets, lsh_buckets, draw)


@check(points=1, given=vectors(), shape_only=True, on_its_word=True)
def leaves_its_arguments_alone(lsh_buckets: Candidate, draw: Vectors) -> str | None:
    """x and rotations keep their values, and the second call answers as the first

    fr: x et rotations gardent leurs valeurs, et le deuxième appel répond comme le premier
    """
    _tells_vectors_apart(read_within_round(lsh_buckets, draw), lsh_buckets, draw)
    return properties.leaves_alone(lsh_buckets, draw.arguments, *draw.argument_names)


def diagnostic_draws(seed: int) -> list[Vectors]:
    """Vectors and directions that tell the known mistakes apart."""
    return [
        vectors_of((2,), 7, 5, 3, 4, seed),
        vectors_of((3,), 6, 9, 2, 4, seed + 10),
        vectors_of((2,), 7, 5, 3, 4, seed + 20),
        vectors_of((2, 3), 6, 4, 2, 2, seed + 30),
        vectors_of((), 5, 3, 1, 3, seed + 40),
        vectors_of((3,), 4, 2, 2, 1, seed + 50),
        vectors_of((), 3, 2, 70, 2, seed + 60),
    ]


options = Options(
    diagnostic_draws=diagnostic_draws, leading_axes=LeadingAxes("hashes_each_vector_by_itself", values=1)
)
