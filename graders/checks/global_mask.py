"""global_mask(local, is_global): bool (B, S, S), True where local is and neither query nor key is global."""

from dataclasses import dataclass, replace
from functools import partial

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api import mask_properties, properties
from graders.check_api.check import Candidate, Stretched, check, require, same, tensor
from graders.check_api.options import Options
from graders.check_api.strategies.drawn import Drawn
from graders.check_api.strategies.tensors import ids, patterns, several, sizes
from graders.language import tr, translatable

GLOBAL_KEY = translatable(
    "in sequence {sequence}, position {query} does not see position {key}, which is global"
)
GLOBAL_QUERY = translatable(
    "in sequence {sequence}, position {query}, which is global, does not see position {key}"
)
FAR = translatable(
    "in sequence {sequence}, position {query} sees position {key}, which is not in its window "
    "(neither is global)"
)
NEAR = translatable(
    "in sequence {sequence}, position {query} does not see position {key}, which is in its window"
)


@dataclass(frozen=True, eq=False)
class Tokens(Drawn):
    """A local mask (S, S), True = masked, and which tokens (B, S) are global."""

    local: Tensor
    is_global: Tensor

    @property
    def shape(self) -> tuple[int, int, int]:
        """The shape (B, S, S) of the answer."""
        batch, length = self.is_global.shape
        return batch, length, length

    @property
    def either(self) -> Tensor:
        """Where the query or the key is global, (B, S, S)."""
        return self.is_global[:, :, None] | self.is_global[:, None, :]

    @property
    def without_global(self) -> "Tokens":
        """The same sequences without global tokens."""
        return replace(self, is_global=torch.zeros_like(self.is_global))


def tokens_of(batch: int, length: int, window: int, seed: int) -> Tokens:
    """A window, and some global tokens; the last sequence has one, at a place of its own."""
    place = torch.arange(length)
    chosen = ids(batch, length, vocabulary=3, seed=seed) == 0
    chosen[-1] = place == seed % length
    return Tokens((place[:, None] - place).abs() > window, chosen)


def unseen(number: int) -> Tokens:
    """Longer sequences of the run's own: a table of the short ones does not hold them."""
    return tokens_of(3, 8, 1, number)


@st.composite
def tokens(draw: st.DrawFn, length: int | None = None) -> Tokens:
    """Windows so small that positions are masked, and global tokens of each sequence."""
    length = length or draw(sizes(4, 7))
    return tokens_of(draw(several()), length, draw(sizes(0, 2)), draw(patterns()))


def mask_of(global_mask: Candidate, draw: Tokens) -> Tensor:
    """The mask of a call, whatever its shape and dtype."""
    return tensor(global_mask(*draw.arguments), tr("the mask")).detach()


def read_masked(global_mask: Candidate, draw: Tokens) -> Tensor:
    """What is masked, (B, S, S), in a mask of any dtype, with or without an axis for the heads."""
    mask = mask_of(global_mask, draw)
    batch, length, _ = draw.shape
    require(tuple(mask.shape) in (draw.shape, (batch, 1, length, length)), _wrong_shape(mask, draw))
    return mask.bool().reshape(draw.shape)


def _wrong_shape(mask: Tensor, draw: Tokens) -> str:
    due, shape = draw.shape, tuple(mask.shape)
    return tr("the mask should have shape {due}, but has {shape}", due=due, shape=shape)


@check(points=2, given=tokens(), shape_only=True)
def is_a_bool_mask_for_each_sequence(global_mask: Candidate, draw: Tokens) -> None:
    """the mask is a bool tensor of shape (B, S, S)

    fr: le masque est un tenseur bool de forme (B, S, S)
    """
    mask = mask_of(global_mask, draw)
    require(tuple(mask.shape) == draw.shape, _wrong_shape(mask, draw))
    mask_properties.is_bool(mask)


@check(
    points=6,
    given=tokens(),
    core=True,
    at_length=lambda n: tokens(length=n),
    fixed=[partial(tokens_of, 4, 4, 1), partial(tokens_of, 2, 5, 1), unseen],
    stretched=[Stretched(lambda n, seed: tokens_of(n, 4, 1, seed))],
)
def shows_what_is_global(global_mask: Candidate, draw: Tokens) -> None:
    """global tokens see all and are seen by all; all else is as the local mask says

    fr: les tokens globaux voient tout et sont vus de tous ; tout le reste est comme le dit le masque local
    """
    mask, everywhere = read_masked(global_mask, draw), torch.ones(draw.shape, dtype=torch.bool)
    mask_properties.find_wrong(draw.is_global[:, None, :] & mask, GLOBAL_KEY)
    mask_properties.find_wrong(draw.is_global[:, :, None] & mask, GLOBAL_QUERY)
    mask_properties.find_wrong(draw.local & everywhere & ~draw.either & ~mask, FAR)
    mask_properties.find_wrong(~draw.local & everywhere & mask, NEAR)


@check(points=2, given=tokens(), fixed=[unseen])
def leaves_the_local_mask_without_global_tokens(global_mask: Candidate, draw: Tokens) -> None:
    """without global tokens the local mask is left, for each sequence

    fr: sans tokens globaux, il reste le masque local, pour chaque séquence
    """
    mask = read_masked(global_mask, draw.without_global)
    same(mask, draw.local.expand(draw.shape), tr("the mask without global tokens"))
    _depends_on_tokens(global_mask, draw)


@check(points=3, given=tokens(), fixed=[unseen])
def is_symmetric(global_mask: Candidate, draw: Tokens) -> None:
    """whom a global token sees, sees it: where the local mask is symmetric, the mask is

    fr: celui que voit un token global le voit aussi : si le masque local est symétrique, le masque l'est
    """
    mask = read_masked(global_mask, draw)
    same(mask.mT, mask, tr("the transposed mask"))
    _depends_on_tokens(global_mask, draw)


@check(points=1, given=tokens(), fixed=[unseen])
def hides_two_ordinary_tokens_from_each_other(global_mask: Candidate, draw: Tokens) -> None:
    """if all but the first and the last token are global, only these two do not see each other

    fr: si tous les tokens sauf le premier et le dernier sont globaux, seuls ces deux-là ne se voient pas
    """
    ordinary = torch.zeros_like(draw.is_global)
    ordinary[:, [0, -1]] = True
    mask = read_masked(global_mask, replace(draw, is_global=~ordinary))
    due = torch.zeros_like(mask)
    due[:, 0, -1] = due[:, -1, 0] = True
    same(mask, due, tr("the mask where all are global but the first and the last"))


@check(points=2, given=tokens(), fixed=[unseen])
def gives_each_sequence_its_own(global_mask: Candidate, draw: Tokens) -> None:
    """sequences in another order have their masks in that order, and each alone has the same as in the batch

    fr: des séquences dans un autre ordre ont leurs masques dans cet ordre, et chacune seule a le même que
    dans le lot
    """
    mask = read_masked(global_mask, draw)
    turned = read_masked(global_mask, replace(draw, is_global=draw.is_global.flip(0)))
    same(turned, mask.flip(0), tr("the mask of the sequences in another order"))
    alone = read_masked(global_mask, replace(draw, is_global=draw.is_global[:1]))
    same(alone, mask[:1], tr("the mask of the first sequence alone"))
    _depends_on_tokens(global_mask, draw)


@check(points=1, given=tokens(), on_its_word=True)
def leaves_its_arguments_alone(global_mask: Candidate, draw: Tokens) -> str | None:
    """local and is_global keep their values, and the second call answers as the first

    fr: local et is_global gardent leurs valeurs, et le deuxième appel répond comme le premier
    """
    _depends_on_tokens(global_mask, draw)
    return properties.leaves_alone(global_mask, draw.arguments, *draw.argument_names)


def _depends_on_tokens(global_mask: Candidate, draw: Tokens) -> None:
    """Require another mask for other global tokens: a constant and the local mask would pass many checks."""
    mask = read_masked(global_mask, draw.without_global)
    everywhere = read_masked(global_mask, replace(draw, is_global=torch.ones_like(draw.is_global)))
    require(not torch.equal(everywhere, mask), tr("the mask does not depend on is_global"))


def diagnostic_draws(seed: int) -> list[Tokens]:
    """Windows and tokens that tell the known mistakes apart."""
    arbitrary = tokens_of(3, 6, 1, seed + 2)
    return [
        _trial(seed),
        _trial(seed + 1),
        replace(arbitrary, local=arbitrary.local.roll(1, 1)),
        tokens_of(2, 7, 2, seed + 3),
        tokens_of(3, 5, 0, seed + 4),
        tokens_of(1, 4, 1, seed + 5),
    ]


def _trial(seed: int) -> Tokens:
    """Three sequences with two, one and no global tokens, at places that differ."""
    chosen = torch.zeros(3, 6, dtype=torch.bool)
    chosen[0, [0, 3]] = chosen[1, 5 - seed % 2] = True
    return replace(tokens_of(3, 6, 1, seed), is_global=chosen)


options = Options(diagnostic_draws=diagnostic_draws)
