"""count_parameters(embed_dim, num_heads, ff_dim): an int, 4(E*E+E) + (E*F+F) + (F*E+E) + 2*2E."""

from dataclasses import dataclass, replace
from typing import Any

from hypothesis import strategies as st
from torch import Tensor

from graders.check_api.check import Candidate, check, kind, require
from graders.check_api.options import Options
from graders.check_api.strategies.tensors import sizes
from graders.language import tr


@dataclass(frozen=True)
class Widths:
    """The sizes of a block."""

    embed_dim: int
    num_heads: int
    ff_dim: int

    @property
    def arguments(self) -> list[int]:
        """The arguments of a call."""
        return [self.embed_dim, self.num_heads, self.ff_dim]


@st.composite
def widths(draw: st.DrawFn) -> Widths:
    """A block that could be built: H divides E."""
    heads = draw(sizes(2, 8))
    return Widths(heads * draw(sizes(2, 16)), heads, draw(sizes(2, 64)))


def count(candidate: Candidate, sizes: Widths) -> int:
    """The student's answer, which is required to be a whole number."""
    answer = candidate(sizes.embed_dim, sizes.num_heads, sizes.ff_dim)
    if isinstance(answer, Tensor) and answer.dim() == 0:
        answer = answer.item()
    if type(answer) is float and answer.is_integer():
        return int(answer)  # only the check of the type judges this
    require(type(answer) is int, tr("the answer should be an int, but is {kind}", kind=kind(answer)))
    return int(answer)


def count_built(draw: Widths, reference: Any) -> int:
    """The parameters of a real block."""
    return int(reference(draw.embed_dim, draw.num_heads, draw.ff_dim))


@check(points=1, given=widths(), shape_only=True)
def is_an_int(count_parameters: Candidate, draw: Widths) -> None:
    """the answer is an int, and positive

    fr: la réponse est un int, et positive
    """
    answer = count_parameters(draw.embed_dim, draw.num_heads, draw.ff_dim)
    require(type(answer) is int, tr("the answer should be an int, but is {kind}", kind=kind(answer)))
    require(answer > 0, tr("a block has parameters, but the answer is {found}", found=answer))


@check(
    points=4,
    given=widths(),
    answer=count_built,
    core=True,
    fixed=[lambda _: Widths(9, 9, 9), lambda _: Widths(4, 2, 4), lambda _: Widths(1_034, 2, 3_001)],
)
def counts_a_real_block(count_parameters: Candidate, draw: Widths, expected: int) -> None:
    """the answer is the number of parameters of a block that is really built

    fr: la réponse est le nombre de paramètres d'un bloc réellement construit
    """
    answer = count(count_parameters, draw)
    require(
        answer == expected,
        tr(
            "a block of these sizes has {expected} parameters, the answer is {found}",
            expected=expected,
            found=answer,
        ),
    )


@check(points=2, given=widths())
def counts_the_feed_forward_network(count_parameters: Candidate, draw: Widths) -> None:
    """one more inner unit costs E weights in, one bias, and E weights out

    fr: une unité intérieure de plus coûte E poids en entrée, un biais et E poids en sortie
    """
    more = count(count_parameters, replace(draw, ff_dim=draw.ff_dim + 1)) - count(count_parameters, draw)
    expected = 2 * draw.embed_dim + 1
    require(
        more == expected,
        tr(
            "one unit more in ff_dim adds {more} parameters; it should add {expected}",
            more=more,
            expected=expected,
        ),
    )


@check(points=2, given=widths())
def counts_the_rest(count_parameters: Candidate, draw: Widths) -> None:
    """without inner units, four layers with bias, one bias and two norms are left

    fr: sans unités intérieures, il reste quatre couches avec biais, un biais et deux normes
    """
    width, answer = draw.embed_dim, count(count_parameters, draw)
    # What a unit costs is taken from the code's own answers: another check is about it.
    unit = count(count_parameters, replace(draw, ff_dim=draw.ff_dim + 1)) - answer
    rest = answer - draw.ff_dim * unit
    expected = 4 * (width * width + width) + width + 4 * width
    require(
        rest == expected,
        tr(
            "apart from the inner units there should be {expected} parameters, not {rest}",
            expected=expected,
            rest=rest,
        ),
    )


@check(points=1, given=widths())
def does_not_depend_on_the_heads(count_parameters: Candidate, draw: Widths) -> None:
    """the number of heads changes nothing, both widths do

    fr: le nombre de têtes ne change rien, les deux largeurs oui
    """
    with_one_head = count(count_parameters, replace(draw, num_heads=1))
    answer = count(count_parameters, draw)
    require(
        answer == with_one_head,
        tr(
            "with {num_heads} heads the answer is {found}, with one head {one}",
            num_heads=draw.num_heads,
            found=answer,
            one=with_one_head,
        ),
    )
    wider = count(count_parameters, replace(draw, embed_dim=draw.embed_dim * 2))
    require(
        wider > answer,
        tr("twice the width gives {wider} parameters, not more than {found}", wider=wider, found=answer),
    )
    deeper = count(count_parameters, replace(draw, ff_dim=draw.ff_dim * 2))
    require(
        deeper > answer,
        tr("twice ff_dim gives {deeper} parameters, not more than {found}", deeper=deeper, found=answer),
    )


def diagnostic_draws(seed: int) -> list[Widths]:
    """Sizes that tell the known mistakes apart; nothing else is drawn."""
    sizes = [(12, 3, 20), (8, 2, 32), (10, 5, 7), (6, 1, 9), (16, 4, 16), (24, 6, 5)]
    return [Widths(*row) for row in sizes]


options = Options(diagnostic_draws=diagnostic_draws)
