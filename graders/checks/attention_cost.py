"""attention_cost(seq_len, embed_dim, num_heads): (4 * S * S * E, 4 * H * S * S) as ints."""

from dataclasses import dataclass, replace
from typing import Any

from hypothesis import strategies as st
from torch import Tensor

from graders.check_api.check import Candidate, check, kind, require
from graders.check_api.options import Options
from graders.check_api.strategies.tensors import sizes
from graders.language import tr

OPERATIONS, BYTES = 0, 1


@dataclass(frozen=True)
class Size:
    """The length of a sequence, the width of all heads together, and their number."""

    seq_len: int
    embed_dim: int
    num_heads: int

    @property
    def arguments(self) -> list[int]:
        """The arguments of a call."""
        return [self.seq_len, self.embed_dim, self.num_heads]

    @property
    def operations(self) -> int:
        """Of Q K^T and of the weights times V, of all heads."""
        head_width = self.embed_dim // self.num_heads
        scores = 2 * self.seq_len * head_width * self.seq_len
        values = 2 * self.seq_len * self.seq_len * head_width
        return self.num_heads * (scores + values)

    @property
    def bytes(self) -> int:
        """Of the scores of all heads, in float32."""
        return 4 * self.num_heads * self.seq_len * self.seq_len


@st.composite
def attentions(draw: st.DrawFn) -> Size:
    """Sizes of an attention that could be built: H divides E."""
    heads = draw(sizes(2, 8))
    return Size(draw(sizes(2, 64)), heads * draw(sizes(2, 16)), heads)


def pair(attention_cost: Candidate, draw: Size) -> Any:
    """The answer, which is required to be a pair."""
    answer = attention_cost(*draw.arguments)
    message = tr("the answer should be the pair (flops, bytes), but is {kind}", kind=kind(answer))
    require(isinstance(answer, tuple | list) and len(answer) == 2, message)
    return answer


def counts_operations_alone(attention_cost: Candidate, draw: Size) -> bool:
    """Whether the answer is one number, which stands for the operations: other checks are about the bytes."""
    return isinstance(attention_cost(*draw.arguments), int | float)


def cost(attention_cost: Candidate, draw: Size, place: int) -> int:
    """One of both numbers, which is required to be whole."""
    if place == OPERATIONS and counts_operations_alone(attention_cost, draw):
        value = attention_cost(*draw.arguments)
    else:
        value = pair(attention_cost, draw)[place]
    if isinstance(value, Tensor) and value.numel() == 1:
        value = value.item()
    if type(value) is float and value.is_integer():
        return int(value)  # only the check of the type judges this
    message = tr("{what} should be an int, but is {kind}", what=_names()[place], kind=kind(value))
    require(type(value) is int, message)
    return int(value)


def _names() -> tuple[str, str]:
    return tr("the number of operations"), tr("the number of bytes")


def grows(attention_cost: Candidate, draw: Size, larger: Size, place: int, times: int) -> None:
    """Require so many times the cost for other sizes."""
    before, after = cost(attention_cost, draw, place), cost(attention_cost, larger, place)
    message = tr(
        "from {before_sizes} to {after_sizes}, {what} should grow {times} times, "
        "but goes from {before} to {after}",
        before_sizes=tuple(draw.arguments),
        after_sizes=tuple(larger.arguments),
        what=_names()[place],
        times=times,
        before=before,
        after=after,
    )
    require(after == times * before and before > 0, message)


@check(points=1, given=attentions(), shape_only=True)
def is_two_ints(attention_cost: Candidate, draw: Size) -> None:
    """the answer is a pair of ints, both positive

    fr: la réponse est une paire d'int, tous deux positifs
    """
    for what, value in zip(_names(), pair(attention_cost, draw), strict=True):
        message = tr("{what} should be an int, but is {kind}", what=what, kind=kind(value))
        require(type(value) is int, message)
        require(value > 0, tr("{what} is {found}, but nothing is free", what=what, found=value))


# Beyond 2**24, where floats of 32 bits leave out whole numbers. Code may loop over the queries.
large = [lambda _: Size(9, 9, 9), lambda _: Size(4_097, 11_111, 271)]


@check(points=2.5, given=attentions(), core=True, fixed=large)
def counts_both_products(attention_cost: Candidate, draw: Size) -> None:
    """the operations are those of Q K^T and of the weights times V, of all heads

    fr: les opérations sont celles de Q K^T et des poids fois V, de toutes les têtes
    """
    counted, expected = cost(attention_cost, draw, OPERATIONS), draw.operations
    message = tr(
        "an attention of these sizes takes {expected} operations, the answer is {found}",
        expected=expected,
        found=counted,
    )
    require(counted == expected, message)


@check(points=2.5, given=attentions(), core=True, fixed=large)
def counts_the_scores(attention_cost: Candidate, draw: Size) -> None:
    """the bytes are those of the scores of all heads, in float32

    fr: les octets sont ceux des scores de toutes les têtes, en float32
    """
    counted, expected = cost(attention_cost, draw, BYTES), draw.bytes
    message = tr(
        "the scores of these sizes take {expected} bytes, the answer is {found}",
        expected=expected,
        found=counted,
    )
    require(counted == expected, message)


@check(points=2, given=attentions())
def is_square_in_the_length(attention_cost: Candidate, draw: Size) -> None:
    """twice the length costs four times the operations and four times the memory

    fr: une longueur double coûte quatre fois les opérations et quatre fois la mémoire
    """
    longer = replace(draw, seq_len=2 * draw.seq_len)
    alone = counts_operations_alone(attention_cost, draw)
    for place in (OPERATIONS,) if alone else (OPERATIONS, BYTES):
        grows(attention_cost, draw, longer, place, 4)


@check(points=2, given=attentions())
def computes_no_more_with_more_heads(attention_cost: Candidate, draw: Size) -> None:
    """more heads of the same width together take as many operations; twice the width takes twice as many

    fr: davantage de têtes de même largeur totale demandent autant d'opérations ; une largeur double en
    demande le double
    """
    divided = replace(draw, embed_dim=2 * draw.embed_dim)
    grows(attention_cost, draw, divided, OPERATIONS, 2)
    grows(attention_cost, divided, replace(divided, num_heads=2 * draw.num_heads), OPERATIONS, 1)


@check(points=2, given=attentions())
def keeps_scores_for_each_head(attention_cost: Candidate, draw: Size) -> None:
    """twice the heads have twice the scores; the width changes nothing there

    fr: deux fois plus de têtes ont deux fois plus de scores ; la largeur n'y change rien
    """
    divided = replace(draw, embed_dim=2 * draw.embed_dim)
    grows(attention_cost, draw, divided, BYTES, 1)
    grows(attention_cost, divided, replace(divided, num_heads=2 * draw.num_heads), BYTES, 2)


def diagnostic_draws(seed: int) -> list[Size]:
    """Sizes that tell the known mistakes apart; nothing else is drawn."""
    rows = [(7, 12, 3), (10, 8, 2), (5, 20, 4), (16, 6, 6), (9, 10, 1), (512, 768, 12), (4_097, 11_111, 41)]
    return [Size(*row) for row in rows]


options = Options(diagnostic_draws=diagnostic_draws)
