"""sinusoidal_positions(seq_len, d_model) -> (S, D), sines in even columns and cosines in odd ones.

The formula is that of Vaswani et al., Attention Is All You Need, section 3.5.
"""

import math
from dataclasses import dataclass
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api.check import (
    Candidate,
    Stretched,
    Target,
    agree,
    alike,
    check,
    require,
    same,
    shaped,
    targets,
    tensor,
)
from graders.check_api.options import Options
from graders.check_api.strategies.tensors import sizes
from graders.language import tr, translatable

LEADING = translatable(
    "remark: the table has a leading axis of size 1, which was not asked for and is accepted"
)
SLOWEST = 10_000
LONG_TABLE, MOST = 600, 6_000  # rows: longer than a usual table; from MOST on, numbers in code do not count


@dataclass(frozen=True)
class Table:
    """The number of positions and the width of the table."""

    seq_len: int
    d_model: int

    @property
    def arguments(self) -> list[int]:
        """The arguments of a call."""
        return [self.seq_len, self.d_model]

    def normalise(self, answer: Any) -> Any:
        """An answer in the usual form: float32, without a leading axis of size 1."""
        if not isinstance(answer, Tensor) or not answer.is_floating_point():
            return answer
        return _bare(answer).float()


def tables(least: int = 2, narrowest: int = 1) -> st.SearchStrategy[Table]:
    """Small tables of an even width, and some of usual sizes; `least` is the minimum of both."""
    lengths = sizes(least, 12) | st.sampled_from([50, 128])
    return st.builds(Table, lengths, (sizes(narrowest, 8) | st.just(32)).map(lambda pairs: 2 * pairs))


def table_of(positions: Candidate, draw: Table) -> Tensor:
    """The table (S, D), without a leading axis of size 1."""
    table = _bare(tensor(positions(*draw.arguments), tr("the table")))
    shaped(table, (draw.seq_len, draw.d_model), tr("the table"))
    message = tr("the table should hold floating-point numbers, but is of dtype {dtype}", dtype=table.dtype)
    require(table.is_floating_point(), message)
    return table


def angles(positions: Tensor, width: int) -> Tensor:
    """(S, D / 2): each position's angle for each pair of columns."""
    # By a logarithm, as many students do: of the usual formulas this one has the largest rounding errors.
    exponents = torch.arange(0, width, 2, dtype=positions.dtype) * (-math.log(SLOWEST) / width)
    return positions[:, None] * exponents.exp()


def formula(draw: Table) -> Target:
    """The table by the formula, with the tolerance for rounding."""

    def compute(positions: Tensor) -> list[Tensor]:
        angle = angles(positions, draw.d_model)
        return [torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)]

    [target] = targets(compute, [torch.arange(draw.seq_len, dtype=torch.float32)])
    return target


@check(points=1, given=[tables(), st.just(Table(1, 8))], shape_only=True)
def has_a_row_per_position(positions: Candidate, draw: Table) -> str | None:
    """the table has shape (S, D): a row of floating-point numbers for each position

    fr: la table est de forme (S, D) : une ligne de nombres à virgule flottante par position
    """
    table_of(positions, draw)
    return tr(LEADING) if tensor(positions(*draw.arguments)).dim() == 3 else None


@check(
    points=4,
    given=tables(),
    answer=lambda draw: formula(draw),
    core=True,
    at_length=lambda n: st.just(Table(n, 16)),
    fixed=[lambda _: Table(8, 8)],
    stretched=[
        Stretched(lambda n, _: Table(n, 4), least=LONG_TABLE, most=MOST),
        Stretched(lambda n, _: Table(3, 2 * n)),
    ],
)
def follows_the_formula(positions: Candidate, draw: Table, table: Target) -> None:
    """column 2i is sin(pos / 10000^(2i/D)), column 2i + 1 the cosine of the same angle

    fr: la colonne 2i vaut sin(pos / 10000^(2i/D)), la colonne 2i + 1 le cosinus du même angle
    """
    agree(table_of(positions, draw), table, value_name=tr("the table"))


@check(points=1, given=tables())
def begins_with_zeros_and_ones(positions: Candidate, draw: Table) -> None:
    """position 0 is 0, 1, 0, 1, ...: the sines and cosines of the angle 0

    fr: la position 0 vaut 0, 1, 0, 1, ... : les sinus et les cosinus de l'angle 0
    """
    table = table_of(positions, draw)
    alike(table[0], torch.tensor([0.0, 1.0]).repeat(draw.d_model // 2).to(table.dtype), tr("the first row"))


@check(points=1, given=tables())
def turns_one_radian_per_position_first(positions: Candidate, draw: Table) -> None:
    """the first pair of columns is sin(pos), cos(pos)

    fr: la première paire de colonnes vaut sin(pos), cos(pos)
    """
    table = table_of(positions, draw)
    steps = torch.arange(draw.seq_len, dtype=torch.float64)
    expected = torch.stack([steps.sin(), steps.cos()], dim=-1).to(table.dtype)
    alike(table[:, :2], expected, tr("the first two columns"))


@check(points=1, given=tables())
def pairs_lie_on_a_circle(positions: Candidate, draw: Table) -> None:
    """neighbouring columns are the sine and the cosine of one angle: their squares sum to 1

    fr: deux colonnes voisines sont le sinus et le cosinus d'un même angle : la somme de leurs carrés vaut 1
    """
    squares = table_of(positions, draw) ** 2
    sums = squares[:, 0::2] + squares[:, 1::2]
    alike(sums, torch.ones_like(sums), tr("the sum of the squares of each pair of columns"))


@check(points=1, given=tables(least=3))
def tells_distances(positions: Candidate, draw: Table) -> None:
    """rows that are equally far apart are equally alike: their product depends on the distance alone

    fr: des lignes également éloignées se ressemblent autant : leur produit ne dépend que de la distance
    """
    table = table_of(positions, draw).double()
    products = (table @ table.T).float()
    for distance in range(draw.seq_len):
        line = products.diagonal(distance)
        value_name = tr("the product of rows {distance} apart", distance=distance)
        alike(line, line[:1].expand(line.shape), value_name)
    alike(products[0, 0], torch.tensor(draw.d_model / 2), tr("the product of a row with itself"))


@check(points=1, given=tables())
def a_position_is_the_same_in_any_table(positions: Candidate, draw: Table) -> None:
    """a position's row does not depend on how many others there are

    fr: la ligne d'une position ne dépend pas du nombre des autres
    """
    table = table_of(positions, draw)
    for length in (2, draw.seq_len + 3):
        other = table_of(positions, Table(length, draw.d_model))
        shared = min(length, draw.seq_len)
        alike(
            other[:shared],
            table[:shared],
            tr("the first {shared} rows of a table of {length}", shared=shared, length=length),
        )
    require(not torch.equal(table[0], table[1]), tr("the rows of the positions 0 and 1 are the same"))


@check(points=1, given=tables())
def has_nothing_random(positions: Candidate, draw: Table) -> None:
    """every call gives the same table: there is nothing to be learned or drawn

    fr: chaque appel donne la même table : rien n'est appris ni tiré au hasard
    """
    table, again = (tensor(positions(*draw.arguments), tr("the table")) for _ in range(2))
    same(again, table, tr("the table of the second call"))
    require(len(table.flatten().unique()) > 1, tr("all numbers of the table are the same"))


def _bare(table: Tensor) -> Tensor:
    return table[0] if table.dim() == 3 and table.shape[0] == 1 else table


def diagnostic_draws(seed: int) -> list[Table]:
    """Tables that tell the known mistakes apart; nothing else is drawn.

    They are small: the large angles of some mistakes would have few correct digits in float32.
    """
    return [Table(*pair) for pair in ((5, 6), (3, 4), (4, 6), (2, 6), (1, 4), (5, 2), (12, 2), (515, 2))]


options = Options(diagnostic_draws=diagnostic_draws)
