"""local_mask(seq_len, window): bool (S, S), True where two positions are more than window apart."""

from dataclasses import dataclass
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api import mask_properties
from graders.check_api.check import Candidate, Stretched, Violation, check, require, same, tensor
from graders.check_api.options import Options
from graders.check_api.strategies.tensors import sizes
from graders.language import tr, translatable

FAR = translatable(
    "position {query} sees position {key}, which is {distance} away: [{query}, {key}] should be True"
)
NEAR = translatable(
    "position {query} does not see position {key}, which is {distance} away: [{query}, {key}] should be False"
)


@dataclass(frozen=True)
class Window:
    """The length of a sequence, and how many positions are seen on each side."""

    seq_len: int
    window: int

    @property
    def arguments(self) -> list[int]:
        """The arguments of a call."""
        return [self.seq_len, self.window]

    def normalise(self, answer: Any) -> Any:
        """The answer without leading axes of size 1: they are accepted, and hide no mistake."""
        return _bare(answer) if isinstance(answer, Tensor) else answer

    @property
    def distances(self) -> Tensor:
        """How far positions are from one another, (S, S)."""
        place = torch.arange(self.seq_len)
        return (place[:, None] - place).abs()

    @property
    def defined(self) -> Tensor:
        """The mask by its definition."""
        return self.distances > self.window


def windows(least: int = 2, fewest: int = 2) -> st.SearchStrategy[Window]:
    """A sequence and a window, which may be longer; `least` positions, `fewest` seen on each side."""
    return st.builds(Window, sizes(least, 12), sizes(fewest, 5))


def inner() -> st.SearchStrategy[Window]:
    """Windows that end within the sequence."""
    return st.tuples(sizes(2, 4), sizes(0, 4)).map(lambda pair: Window(2 * pair[0] + 2 + pair[1], pair[0]))


def unseen(number: int) -> Window:
    """A longer sequence of the run's own: a table of the short ones does not hold it."""
    return Window(17 + number % 16, 2 + number // 16 % 6)


def _bare(mask: Tensor) -> Tensor:
    while mask.dim() > 2 and mask.shape[0] == 1:
        mask = mask[0]
    return mask


def mask_of(local_mask: Candidate, draw: Window) -> Tensor:
    """The mask (S, S) of any dtype, without leading axes of size 1."""
    mask = tensor(local_mask(*draw.arguments), tr("the mask"))
    due, bare = (draw.seq_len, draw.seq_len), _bare(mask)
    message = tr("the mask should have shape {due}, but has {shape}", due=due, shape=tuple(mask.shape))
    require(tuple(bare.shape) == due, message)
    return bare


def read_masked(local_mask: Candidate, draw: Window) -> Tensor:
    """What is masked, as bools, in a mask of any dtype."""
    return mask_of(local_mask, draw).bool()


def _find(wrong: Tensor, draw: Window, message: str) -> None:
    """Fail with the first query and key at which something is wrong, if there is one."""
    for query, key in wrong.nonzero()[:1].tolist():
        distance = abs(query - key)
        raise Violation(tr(message, query=query, key=key, distance=distance))


@check(
    points=1,
    given=[windows(), st.builds(Window, st.just(1), sizes(2, 5))],
    shape_only=True,
    fixed=[unseen],
    at_length=lambda n: st.just(Window(n, 3)),
)
def is_a_square_of_bool(local_mask: Candidate, draw: Window) -> None:
    """the mask is a bool tensor of shape (S, S), for one position too

    fr: le masque est un tenseur bool de forme (S, S), pour une seule position aussi
    """
    mask = mask_of(local_mask, draw)
    mask_properties.is_bool(mask)


@check(points=2.5, given=windows(), core=True, fixed=[lambda _: Window(5, 5), lambda _: Window(6, 5), unseen])
def hides_what_is_far(local_mask: Candidate, draw: Window) -> None:
    """every position that is more than window away is masked, on both sides

    fr: toute position à plus de window est masquée, des deux côtés
    """
    mask = read_masked(local_mask, draw)
    _find(draw.defined & ~mask, draw, FAR)
    require(draw.seq_len == 1 or not bool(mask.all()), tr("everything is masked"))


@check(
    points=2.5,
    given=windows(),
    core=True,
    fixed=[unseen],
    stretched=[Stretched(lambda n, _: Window(n + 5, n)), Stretched(lambda n, _: Window(7, n))],
)
def shows_the_window(local_mask: Candidate, draw: Window) -> None:
    """a position sees itself and window positions on each side

    fr: une position se voit elle-même, et window positions de chaque côté
    """
    mask = read_masked(local_mask, draw)
    _find(~draw.defined & mask, draw, NEAR)
    # Where few positions are further away, a window that is one too wide masks none, and shows what is due.
    require(bool(mask.any()) or draw.seq_len < draw.window + 3, tr("nothing is masked"))


@check(points=2, given=inner(), fixed=[unseen])
def looks_both_ways(local_mask: Candidate, draw: Window) -> None:
    """if a position sees another, that one sees it too

    fr: si une position en voit une autre, celle-ci la voit aussi
    """
    mask = read_masked(local_mask, draw)
    same(mask.mT, mask, tr("the transposed mask"))
    _hides_and_shows(mask)


@check(points=1, given=inner(), fixed=[unseen])
def hides_nothing_from_a_wide_window(local_mask: Candidate, draw: Window) -> None:
    """a window as wide as the sequence hides nothing, and a window of 0 shows each position itself alone

    fr: une fenêtre aussi large que la séquence ne cache rien, et une fenêtre de 0 ne montre à chaque position
    qu'elle-même
    """
    length = draw.seq_len
    wide = read_masked(local_mask, Window(length, 2 * length))
    same(wide, torch.zeros_like(wide), tr("the mask of a window of twice the length"))
    narrow = read_masked(local_mask, Window(length, 0))
    same(narrow, Window(length, 0).defined, tr("the mask of a window of 0"))


@check(points=2, given=inner(), fixed=[unseen])
def begins_like_that_of_a_longer_sequence(local_mask: Candidate, draw: Window) -> None:
    """who sees whom does not depend on how many positions follow

    fr: qui voit qui ne dépend pas du nombre des positions qui suivent
    """
    mask = read_masked(local_mask, draw)
    longer = read_masked(local_mask, Window(draw.seq_len + 3, draw.window))
    shared = longer[: draw.seq_len, : draw.seq_len]
    same(shared, mask, tr("the first {shared} rows and columns of the mask of {length}", **_sizes(draw)))
    _hides_and_shows(mask)


@check(points=2, given=inner(), fixed=[unseen])
def is_the_same_everywhere(local_mask: Candidate, draw: Window) -> None:
    """two positions see each other or not by their distance alone, wherever they are

    fr: deux positions se voient ou non selon leur seule distance, où qu'elles soient
    """
    mask = read_masked(local_mask, draw)
    for offset in range(1 - draw.seq_len, draw.seq_len):
        line = mask.diagonal(offset)
        message = tr(
            "pairs of positions that are {distance} apart are not all treated alike", distance=abs(offset)
        )
        require(bool((line == line[0]).all()), message)
    _hides_and_shows(mask)


def _sizes(draw: Window) -> dict[str, int]:
    return {"shared": draw.seq_len, "length": draw.seq_len + 3}


def _hides_and_shows(mask: Tensor) -> None:
    """A mask of nothing or of all has many properties."""
    message = tr("the mask shows everything or hides everything")
    require(bool(mask.any()) and not bool(mask.all()), message)


def diagnostic_draws(seed: int) -> list[Window]:
    """Lengths and windows that tell the known mistakes apart; nothing else is drawn."""
    return [Window(*pair) for pair in ((9, 3), (11, 2), (6, 1), (4, 0), (5, 7), (13, 4), (72, 67))]


options = Options(diagnostic_draws=diagnostic_draws, at_once=3)
