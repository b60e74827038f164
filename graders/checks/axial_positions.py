"""AxialPositions(l1, l2, d1, d2); a length S -> (S, d1 + d2), row j = [E1[j % l1], E2[j // l1]]."""

from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api import properties
from graders.check_api.check import (
    Candidate,
    Module,
    Raised,
    Stretched,
    Violation,
    alike,
    check,
    require,
    same,
    shaped,
    tensor,
)
from graders.check_api.compare import has_dtype
from graders.check_api.options import Options
from graders.check_api.reference_answer import (
    ReferenceAnswer,
    reference_answer,
    reference_answer_with_gradients,
)
from graders.check_api.reference_gradients import agree_gradients
from graders.check_api.strategies.module_inputs import Given
from graders.check_api.strategies.tensors import FULL, floats, seeds, sizes
from graders.language import tr, translatable

NAMES = ("l1", "l2", "d1", "d2")
LEADING = translatable(
    "remark: the table has a leading axis of size 1, which was not asked for and is accepted"
)


@dataclass(frozen=True, eq=False)
class Grid(Given):
    """The sizes of both tables, and the number of positions."""

    seq_len: int
    dtype: torch.dtype = field(default=torch.float32, kw_only=True)

    def normalise(self, answer: Any) -> Any:
        """An answer without a leading axis of size 1."""
        return _bare(answer) if isinstance(answer, Tensor) else answer

    @property
    def positions(self) -> int:
        """How many positions there are vectors for."""
        return int(self.config["l1"] * self.config["l2"])

    @property
    def shape(self) -> tuple[int, int]:
        """The shape (S, d1 + d2) of the answer."""
        return self.seq_len, self.config["d1"] + self.config["d2"]


def grid(l1: int, l2: int, d1: int, d2: int, seq_len: int, seed: int, dtype: torch.dtype) -> Grid:
    """A grid of these sizes."""
    return Grid({"l1": l1, "l2": l2, "d1": d1, "d2": d2}, seq_len, seed=seed, dtype=dtype)


@st.composite
def grids(draw: st.DrawFn, corner: str = "", most: bool = False) -> Grid:
    """Tables of other sizes than one another, and some of their positions; with `most`, all but one.

    `corner` names what is 1: "l1", "l2", "d1", "d2" or "seq_len"; with "full", it is all positions.
    """
    rows = draw(st.tuples(sizes(2, 5), sizes(2, 5)).filter(lambda pair: pair[0] != pair[1]))
    widths = draw(st.tuples(sizes(2, 4), sizes(2, 4)).filter(lambda pair: pair[0] != pair[1]))
    l1, l2, d1, d2 = (1 if corner == name else n for name, n in zip(NAMES, (*rows, *widths), strict=True))
    whole = l1 * l2
    lengths = {"seq_len": st.just(1), FULL: st.just(whole)}
    length = draw(lengths.get(corner, sizes(whole - 1 if most or whole < 3 else 2, whole - 1)))
    return grid(l1, l2, d1, d2, length, draw(seeds()), draw(floats()))


def _bare(table: Tensor) -> Tensor:
    return table[0] if table.dim() == 3 and table.shape[0] == 1 else table


def vectors_of(module: Module, draw: Grid, seq_len: int | None = None) -> Tensor:
    """The vectors (S, d1 + d2) of a call, without a leading axis of size 1."""
    length = draw.seq_len if seq_len is None else seq_len
    vectors = _bare(tensor(module(length), tr("the vectors")))
    shaped(vectors, (length, draw.shape[1]), tr("the vectors"))
    return vectors


def _with_random_weights(candidate: Candidate, draw: Grid) -> Module:
    return candidate.with_random_weights(draw.seed, **draw.config)


@check(points=1, given=[grids(), *(grids(corner=name) for name in (*NAMES, "seq_len"))], shape_only=True)
def has_a_row_per_position(candidate: Candidate, draw: Grid) -> str | None:
    """a length S gives one tensor (S, d1 + d2), for the smallest sizes too

    fr: une longueur S donne un tenseur (S, d1 + d2), pour les plus petites tailles aussi
    """
    module = candidate.construct(**draw.config)
    vectors_of(module, draw)
    return tr(LEADING) if tensor(module(draw.seq_len)).dim() == 3 else None


@check(points=3, given=grids(), shape_only=True)
def has_two_small_tables(candidate: Candidate, draw: Grid) -> None:
    """its parameters are a table (l1, d1) and a table (l2, d2), and nothing else

    fr: ses paramètres sont une table (l1, d1) et une table (l2, d2), et rien d'autre
    """
    sizes = draw.config
    expected = sizes["l1"] * sizes["d1"] + sizes["l2"] * sizes["d2"]
    properties.has_parameters(candidate.construct(**sizes).parameters(), expected)


def large_grid(name: str) -> Stretched:
    """A grid in which one of the sizes is large; a large table has more than 512 positions."""

    def draw(size: int, seed: int) -> Grid:
        sizes = {"l1": 5, "l2": 6, "d1": 2, "d2": 3, name: size}
        length = sizes["l1"] * sizes["l2"] - 1
        return grid(**sizes, seq_len=length, seed=seed, dtype=torch.float32)

    return Stretched(draw)


@check(
    points=7,
    given=grids(),
    answer=reference_answer,
    core=True,
    fixed=[
        partial(grid, 3, 3, 2, 2, 8, dtype=torch.float32),
        partial(grid, 4, 4, 4, 4, 4, dtype=torch.float32),
    ],
    stretched=[large_grid(name) for name in ("l1", "l2", "d1", "d2")],
)
def puts_two_rows_side_by_side(candidate: Candidate, draw: Grid, answer: ReferenceAnswer) -> None:
    """under the same weights, the vector of position j is row j % l1 of E1, then row j // l1 of E2

    fr: avec les mêmes poids, le vecteur de la position j est la ligne j % l1 de E1, puis la ligne j // l1 de
    E2
    """
    output = tensor(candidate.with_reference_weights(answer)(draw.seq_len), tr("the vectors"))
    answer.agree(_bare(output), value_name=tr("the vectors"))


@check(points=3, given=grids(most=True))
def tells_all_positions_apart(candidate: Candidate, draw: Grid) -> None:
    """the vectors of all positions differ, but are made of only l1 first parts and l2 last parts

    fr: les vecteurs de toutes les positions sont différents, mais faits de seulement l1 premières parties
    et l2 dernières
    """
    vectors, width = vectors_of(_with_random_weights(candidate, draw), draw), draw.config["d1"]
    kinds = len(vectors.unique(dim=0))
    message = tr(
        "{positions} positions have only {found} different vectors",
        positions=draw.seq_len,
        found=kinds,
    )
    require(kinds == draw.seq_len, message)
    parts = (vectors[:, :width], "d1", "l1"), (vectors[:, width:], "d2", "l2")
    for part, columns, rows in parts:
        message = tr(
            "among the {columns} columns of one table there are {found} different rows, not {due}",
            columns=columns,
            found=len(part.unique(dim=0)),
            due=rows,
        )
        require(len(part.unique(dim=0)) == draw.config[rows], message)


@check(points=1.5, given=grids(most=True))
def begins_like_that_of_more_positions(candidate: Candidate, draw: Grid) -> None:
    """a position's vector does not depend on how many others there are, and the second call answers the same

    fr: le vecteur d'une position ne dépend pas du nombre des autres, et le deuxième appel répond de même
    """
    module = _with_random_weights(candidate, draw)
    vectors = vectors_of(module, draw)
    for length in (2, draw.seq_len // 2 + 1, draw.seq_len):
        value_name = tr("the first {shared} rows of a table of {length}", shared=length, length=draw.seq_len)
        same(vectors_of(module, draw, length), vectors[:length], value_name)
    require(len(vectors.unique()) > 1, tr("all numbers of the table are the same"))


@check(points=1.5, given=grids(corner=FULL), shape_only=True)
def refuses_more_positions_than_it_has(candidate: Candidate, draw: Grid) -> None:
    """more than l1 * l2 positions are an error, and so many are none

    fr: plus de l1 * l2 positions sont une erreur, et autant n'en sont pas une
    """
    module = candidate.construct(**draw.config)
    vectors_of(module, draw)
    try:
        module(draw.positions + 1)
    except Raised:
        return
    length, positions = draw.positions + 1, draw.positions
    raise Violation(
        tr("{length} positions of {positions} should raise, but do not", length=length, positions=positions)
    )


@check(points=2, given=grids(), answer=reference_answer_with_gradients)
def teaches_both_tables(candidate: Candidate, draw: Grid, answer: ReferenceAnswer) -> None:
    """gradients reach both tables; where the output is right, they are too

    fr: les gradients atteignent les deux tables ; là où la sortie est juste, ils le sont aussi
    """
    module = candidate.with_reference_weights(answer)
    if tensor(module(draw.seq_len), tr("the vectors")).dim() > answer.upstream.dim():
        answer = replace(answer, upstream=answer.upstream[None])  # another check is about a leading axis
    agree_gradients(answer, module)


@check(points=1, given=grids(most=True))
def keeps_the_dtype_of_its_tables(candidate: Candidate, draw: Grid) -> None:
    """with tables in float64 the answer is of float64, and the same as in float32

    fr: avec des tables en float64, la réponse est en float64, et la même qu'en float32
    """
    module = _with_random_weights(candidate, draw)
    single = vectors_of(module, draw).detach()
    double = vectors_of(module.to(torch.float64), draw)
    has_dtype(double, torch.float64)
    alike(double.float(), single.float(), tr("the output in float64"))


def diagnostic_draws(seed: int) -> list[Grid]:
    """Grids in float64 that tell the known mistakes apart; in the last, there are too many positions."""
    rows = [
        (3, 5, 2, 4, 15),
        (3, 5, 2, 4, 11),
        (3, 5, 2, 4, 4),
        (4, 2, 3, 1, 8),
        (2, 7, 1, 5, 9),
        (3, 4, 3, 2, 13),
        (23, 23, 1, 2, 520),
    ]
    return [grid(*row, seed + 10 * number, torch.float64) for number, row in enumerate(rows)]


options = Options(diagnostic_draws=diagnostic_draws)
