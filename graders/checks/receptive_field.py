"""receptive_field(layers, window): an int, the positions of the input that a position depends on."""

from dataclasses import dataclass, replace

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api.check import Candidate, Stretched, check, kind, require
from graders.check_api.compare import require_reach
from graders.check_api.options import Options
from graders.check_api.strategies.tensors import sizes
from graders.language import tr


@dataclass(frozen=True)
class Stack:
    """The number of layers, and how many positions each sees on each side."""

    layers: int
    window: int

    @property
    def arguments(self) -> list[int]:
        """The arguments of a call."""
        return [self.layers, self.window]


def stacks(least: int = 0) -> st.SearchStrategy[Stack]:
    """Small stacks; `least` is the minimum of both."""
    return st.builds(Stack, sizes(least, 6), sizes(least, 5))


def unseen(number: int) -> Stack:
    """A larger stack of the run's own: a table of the small ones does not hold it."""
    return Stack(7 + number % 12, 6 + number // 12 % 12)


def count_seen(draw: Stack) -> tuple[int, ...]:
    """What is seen in the middle of a sequence that is long enough, from the last layer down to the input."""
    length = 2 * draw.layers * draw.window + 3
    place = torch.arange(length)
    window = (place[:, None] - place).abs() <= draw.window
    reached = [place == length // 2]
    for _ in range(draw.layers):
        reached.append(window[reached[-1]].any(0))
    return tuple(int(positions.sum()) for positions in reached)


def count(receptive_field: Candidate, draw: Stack) -> int:
    """The student's answer, which is required to be a whole number."""
    answer = receptive_field(*draw.arguments)
    if isinstance(answer, Tensor) and answer.numel() == 1:
        answer = answer.item()
    if type(answer) is float and answer.is_integer():
        return int(answer)  # only the check of the type judges this
    require(type(answer) is int, tr("the answer should be an int, but is {kind}", kind=kind(answer)))
    return int(answer)


def widens_by(receptive_field: Candidate, draw: Stack, wider: Stack, expected: int, what: str) -> None:
    """Require so many positions more for another stack."""
    more = count(receptive_field, wider) - count(receptive_field, draw)
    message = tr(
        "{what} shows {more} positions more; it should be {expected}", what=what, more=more, expected=expected
    )
    require(more == expected, message)


@check(points=1, given=stacks(2), shape_only=True)
def is_an_int(receptive_field: Candidate, draw: Stack) -> None:
    """the answer is an int, and positive

    fr: la réponse est un int, et positive
    """
    answer = receptive_field(*draw.arguments)
    require(type(answer) is int, tr("the answer should be an int, but is {kind}", kind=kind(answer)))
    require(answer > 0, tr("a position depends on itself, but the answer is {found}", found=answer))


@check(
    points=4,
    given=stacks(2),
    answer=count_seen,
    core=True,
    fixed=[lambda _: Stack(4, 4), unseen],
    stretched=[Stretched(lambda n, _: Stack(n, 2)), Stretched(lambda n, _: Stack(2, n))],
)
def counts_what_is_seen(receptive_field: Candidate, draw: Stack, layer_by_layer: tuple[int, ...]) -> None:
    """the answer is the number of positions that are really reached

    fr: la réponse est le nombre de positions réellement atteintes
    """
    positions, expected = count(receptive_field, draw), layer_by_layer[-1]
    message = tr(
        "in the middle of a long sequence {expected} positions are reached, the answer is {found}",
        expected=expected,
        found=positions,
    )
    require_reach(positions, draw.window, layer_by_layer, message)


@check(points=2, given=stacks(2), fixed=[unseen])
def widens_with_each_layer(receptive_field: Candidate, draw: Stack) -> None:
    """one more layer shows a window more on each side

    fr: une couche de plus montre une fenêtre de plus de chaque côté
    """
    wider = replace(draw, layers=draw.layers + 1)
    widens_by(receptive_field, draw, wider, 2 * draw.window, tr("one layer more"))


@check(points=2, given=stacks(2), fixed=[unseen])
def widens_with_the_window(receptive_field: Candidate, draw: Stack) -> None:
    """one more position on each side shows, in each layer, one more on each side

    fr: une position de plus de chaque côté en montre, à chaque couche, une de plus de chaque côté
    """
    wider = replace(draw, window=draw.window + 1)
    widens_by(receptive_field, draw, wider, 2 * draw.layers, tr("one position more on each side"))


@check(points=1.5, given=stacks(2), fixed=[unseen])
def begins_with_the_position_itself(receptive_field: Candidate, draw: Stack) -> None:
    """without layers, or with windows of 0, a position depends on itself alone

    fr: sans couches, ou avec des fenêtres de 0, une position ne dépend que d'elle-même
    """
    for stack in (replace(draw, layers=0), replace(draw, window=0)):
        positions = count(receptive_field, stack)
        message = tr(
            "receptive_field{arguments} should be 1, but is {found}",
            arguments=(stack.layers, stack.window),
            found=positions,
        )
        require(positions == 1, message)
    require(count(receptive_field, draw) > 1, tr("the answer is 1 for every stack"))


def diagnostic_draws(seed: int) -> list[Stack]:
    """Stacks that tell the known mistakes apart; nothing else is drawn."""
    return [Stack(*pair) for pair in ((3, 2), (2, 5), (5, 3), (1, 4), (4, 1), (12, 256), (70, 3))]


options = Options(diagnostic_draws=diagnostic_draws)
