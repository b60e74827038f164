"""count_model(vocab_size, dim, layers, ff_dim, positions, types=0, tied=True): an int."""

from dataclasses import dataclass, replace
from typing import Any

from hypothesis import strategies as st
from torch import Tensor

from graders.check_api.check import Candidate, check, kind, require
from graders.check_api.options import Options
from graders.check_api.strategies.tensors import sizes
from graders.language import tr


@dataclass(frozen=True)
class Whole:
    """The sizes of a model."""

    vocab_size: int
    dim: int
    layers: int
    ff_dim: int
    positions: int
    types: int = 0
    tied: bool = True

    @property
    def arguments(self) -> list[Any]:
        """The arguments of a call."""
        return [self.vocab_size, self.dim, self.layers, self.ff_dim, self.positions, self.types, self.tied]

    @property
    def of_a_layer(self) -> int:
        """The parameters of one layer."""
        return 4 * (self.dim * self.dim + self.dim) + 2 * self.dim * self.ff_dim + self.ff_dim + 5 * self.dim

    @property
    def of_the_rest(self) -> int:
        """The parameters without any layer."""
        rows = self.vocab_size * (1 if self.tied else 2) + self.positions + self.types
        return rows * self.dim + 2 * self.dim


def wholes() -> st.SearchStrategy[Whole]:
    """Models that could be built."""
    tables = sizes(2, 40), sizes(2, 24), sizes(2, 6), sizes(2, 64), sizes(2, 32), sizes(2, 4)
    return st.builds(Whole, *tables, st.booleans())


def count(count_model: Candidate, draw: Whole) -> int:
    """The student's answer, which is required to be a whole number."""
    answer = count_model(*draw.arguments)
    if isinstance(answer, Tensor) and answer.dim() == 0:
        answer = answer.item()
    if type(answer) is float and answer.is_integer():
        return int(answer)  # only the check of the type judges this
    require(type(answer) is int, tr("the answer should be an int, but is {kind}", kind=kind(answer)))
    return int(answer)


def differs_by(count_model: Candidate, draw: Whole, expected: int, what: str, **changes: Any) -> None:
    """Require so many parameters more for a model with these changes."""
    more = count(count_model, replace(draw, **changes)) - count(count_model, draw)
    message = tr(
        "{what} adds {more} parameters; it should add {expected}", what=what, more=more, expected=expected
    )
    require(more == expected, message)


@check(points=1, given=wholes(), shape_only=True)
def is_an_int(count_model: Candidate, draw: Whole) -> None:
    """the answer is an int, and positive

    fr: la réponse est un int, et positive
    """
    answer = count_model(*draw.arguments)
    require(type(answer) is int, tr("the answer should be an int, but is {kind}", kind=kind(answer)))
    require(answer > 0, tr("a model has parameters, but the answer is {found}", found=answer))


@check(
    points=5,
    given=wholes(),
    core=True,
    fixed=[
        lambda _: Whole(7, 7, 7, 7, 7, 7, tied=False),
        lambda _: Whole(50_257, 345, 2, 1_025, 1_031, 131),
    ],
)
def counts_a_whole_model(count_model: Candidate, draw: Whole) -> None:
    """the answer is the number of parameters of such a model

    fr: la réponse est le nombre de paramètres d'un tel modèle
    """
    answer, expected = count(count_model, draw), draw.layers * draw.of_a_layer + draw.of_the_rest
    message = tr(
        "a model of these sizes has {expected} parameters, the answer is {found}",
        expected=expected,
        found=answer,
    )
    require(answer == expected, message)


@check(points=1, given=wholes())
def counts_the_tables(count_model: Candidate, draw: Whole) -> None:
    """one more position or segment type costs E

    fr: une position ou un type de segment de plus coûte E
    """
    differs_by(count_model, draw, draw.dim, tr("one position more"), positions=draw.positions + 1)
    differs_by(count_model, draw, draw.dim, tr("one segment type more"), types=draw.types + 1)


@check(points=2, given=wholes())
def counts_each_layer(count_model: Candidate, draw: Whole) -> None:
    """one more layer costs what one layer has, whatever else the model has

    fr: une couche de plus coûte ce qu'a une couche, quoi qu'ait le modèle par ailleurs
    """
    differs_by(count_model, draw, draw.of_a_layer, tr("one layer more"), layers=draw.layers + 1)


@check(points=2, given=wholes())
def counts_the_rest(count_model: Candidate, draw: Whole) -> None:
    """apart from the layers there are tables, one norm and perhaps a last layer

    fr: en dehors des couches, il y a des tables, une norme et peut-être une dernière couche
    """
    answer = count(count_model, draw)
    # What a layer costs is taken from the code's own answers: another check is about it.
    layer = count(count_model, replace(draw, layers=draw.layers + 1)) - answer
    rest, expected = answer - draw.layers * layer, draw.of_the_rest
    # Whether the last layer counts is another check's.
    either = {replace(draw, tied=tied).of_the_rest for tied in (True, False)}
    message = tr(
        "apart from the layers there should be {expected} parameters, not {rest}",
        expected=expected,
        rest=rest,
    )
    require(rest in either, message)


@check(points=1, given=wholes())
def counts_shared_weights_once(count_model: Candidate, draw: Whole) -> None:
    """a last layer of its own costs V * E more than one that shares the words' table

    fr: une dernière couche à elle coûte V * E de plus qu'une qui partage la table des mots
    """
    what, expected = tr("a last layer of its own"), draw.vocab_size * draw.dim
    differs_by(count_model, replace(draw, tied=True), expected, what, tied=False)


@check(points=1, given=wholes(), draws=1, shape_only=True)
def takes_the_defaults(count_model: Candidate, draw: Whole) -> None:
    """without types and tied, there are no segment types and the table is shared

    fr: sans types ni tied, il n'y a pas de types de segment et la table est partagée
    """
    answer = count_model(*draw.arguments[:5])
    expected = count(count_model, replace(draw, types=0, tied=True))
    if isinstance(answer, Tensor) and answer.dim() == 0:
        answer = answer.item()
    message = tr(
        "without types and tied the answer is {found}, with 0 and True {expected}",
        found=answer,
        expected=expected,
    )
    require(answer == expected, message)


def diagnostic_draws(seed: int) -> list[Whole]:
    """Sizes that tell the known mistakes apart; nothing else is drawn."""
    rows: list[tuple[Any, ...]] = [
        (23, 12, 3, 20, 9, 2, True),
        (23, 12, 3, 20, 9, 2, False),
        (31, 10, 2, 7, 13, 0, False),
        (17, 6, 1, 9, 5, 3, True),
        (40, 16, 4, 64, 8, 1, False),
    ]
    return [Whole(*row) for row in rows]


options = Options(diagnostic_draws=diagnostic_draws)
