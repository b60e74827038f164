"""combine_masks(causal, padding): bool (B, 1, S, S), True where either masks a key."""

from dataclasses import dataclass, replace
from functools import partial

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api import mask_properties
from graders.check_api.check import Candidate, Stretched, Violation, check, require, same, tensor
from graders.check_api.options import Options
from graders.check_api.strategies.attention_masks import padding
from graders.check_api.strategies.drawn import Drawn
from graders.check_api.strategies.tensors import patterns, several, sizes
from graders.language import tr, translatable

LATER = translatable("in sequence {sequence}, position {query} sees position {key}, which comes later")
PADDING = translatable("in sequence {sequence}, position {query} sees position {key}, which is padding")
WORD = translatable(
    "in sequence {sequence}, position {query} does not see position {key}, which is an earlier word"
)


@dataclass(frozen=True, eq=False)
class Masks(Drawn):
    """A causal mask (S, S) and a padding mask (B, 1, 1, S), True = masked."""

    causal: Tensor
    padding: Tensor

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape (B, 1, S, S) of the answer."""
        length = self.causal.shape[0]
        return len(self.padding), 1, length, length


def masks_of(batch: int, length: int, seed: int) -> Masks:
    """Both masks; the last two positions of the last sequence are padding, or the last where S is 2."""
    kept = padding(batch, length, seed).bool()
    kept[-1, max(1, length - 2) :] = False
    future = torch.ones(length, length, dtype=torch.bool).triu(1)
    return Masks(future, ~kept[:, None, None, :])


@st.composite
def masks(draw: st.DrawFn, length: int | None = None) -> Masks:
    """Both masks of a batch. Each sequence has a word at its beginning. `length` is S, if given."""
    return masks_of(draw(several(4)), length or draw(sizes(2, 6)), draw(patterns()))


def unseen(number: int) -> Masks:
    """Longer masks of the run's own: a table of the short ones does not hold them."""
    return masks_of(3, 7, number)


def mask_of(candidate: Candidate, draw: Masks) -> Tensor:
    """The mask of a call, whatever its shape and dtype."""
    return tensor(candidate(*draw.arguments), tr("the mask")).detach()


def read_masked(candidate: Candidate, draw: Masks) -> Tensor:
    """What is masked, (B, S, S), in a mask of any dtype, with or without an axis for the heads."""
    mask = mask_of(candidate, draw)
    batch, _, length, _ = draw.shape
    due = (batch, length, length)
    if tuple(mask.shape) not in (draw.shape, due):
        raise Violation(_wrong_shape(mask, draw), actual=mask)
    return (mask if mask.dtype == torch.bool else mask != 0).reshape(due)


def _wrong_shape(mask: Tensor, draw: Masks) -> str:
    due, shape = draw.shape, tuple(mask.shape)
    return tr("the mask should have shape {due}, but has {shape}", due=due, shape=shape)


@check(points=3, given=[masks(), masks(length=1)], shape_only=True, fixed=[unseen])
def is_a_bool_mask_for_each_sequence(combine_masks: Candidate, draw: Masks) -> None:
    """the mask is a bool tensor of shape (B, 1, S, S)

    fr: le masque est un tenseur bool de forme (B, 1, S, S)
    """
    mask = mask_of(combine_masks, draw)
    require(tuple(mask.shape) == draw.shape, _wrong_shape(mask, draw))
    mask_properties.is_bool(mask)


@check(
    points=5,
    given=masks(),
    core=True,
    fixed=[partial(masks_of, 4, 4), unseen],
    stretched=[
        Stretched(lambda n, seed: masks_of(n, 3, seed)),
        Stretched(lambda n, seed: masks_of(2, n, seed)),
    ],
)
def hides_what_either_hides(combine_masks: Candidate, draw: Masks) -> None:
    """what comes later and what is padding is masked for every query, and nothing else

    fr: ce qui vient après et ce qui est du padding est masqué pour toute requête, et rien d'autre
    """
    mask = read_masked(combine_masks, draw)
    padded = draw.padding[:, 0]
    mask_properties.find_wrong(draw.causal & ~mask, LATER)
    mask_properties.find_wrong(padded & ~mask, PADDING)
    mask_properties.find_wrong(~draw.causal & ~padded & mask, WORD)


@check(points=2, given=masks(), fixed=[unseen])
def leaves_the_causal_mask_where_nothing_is_padded(combine_masks: Candidate, draw: Masks) -> None:
    """without padding the causal mask is left, for each sequence

    fr: sans padding, il reste le masque causal, pour chaque séquence
    """
    mask = read_masked(combine_masks, replace(draw, padding=torch.zeros_like(draw.padding)))
    same(mask, draw.causal.expand_as(mask), tr("the mask without padding"))
    _depends_on_both(combine_masks, draw)


@check(points=2, given=masks(), fixed=[unseen])
def leaves_the_padding_where_nothing_comes_later(combine_masks: Candidate, draw: Masks) -> None:
    """where the causal mask hides nothing, the padding is left, for each query

    fr: là où le masque causal ne cache rien, il reste le padding, pour chaque requête
    """
    mask = read_masked(combine_masks, replace(draw, causal=torch.zeros_like(draw.causal)))
    same(mask, draw.padding[:, 0].expand_as(mask), tr("the mask where nothing comes later"))
    _depends_on_both(combine_masks, draw)


@check(points=2, given=masks(), fixed=[unseen])
def gives_each_sequence_its_own(combine_masks: Candidate, draw: Masks) -> None:
    """sequences in another order have their masks in that order, and each alone has the same as in the batch

    fr: des séquences dans un autre ordre ont leurs masques dans cet ordre, et chacune seule a le même que
    dans le lot
    """
    mask = read_masked(combine_masks, draw)
    turned = read_masked(combine_masks, replace(draw, padding=draw.padding.flip(0)))
    same(turned, mask.flip(0), tr("the mask of the sequences in another order"))
    alone = read_masked(combine_masks, replace(draw, padding=draw.padding[:1]))
    same(alone, mask[:1], tr("the mask of the first sequence alone"))
    _depends_on_both(combine_masks, draw)


def _depends_on_both(combine_masks: Candidate, draw: Masks) -> None:
    mask = read_masked(combine_masks, draw)
    for other in (replace(draw, causal=~draw.causal), replace(draw, padding=~draw.padding)):
        moved = not torch.equal(read_masked(combine_masks, other), mask)
        require(moved, tr("the mask does not depend on both masks"))


def diagnostic_draws(seed: int) -> list[Masks]:
    """Masks that tell the known mistakes apart."""
    arbitrary = masks_of(3, 5, seed + 2)
    return [
        masks_of(3, 5, seed),
        masks_of(3, 5, seed + 1),
        replace(arbitrary, causal=arbitrary.causal.roll(1, 1)),
        masks_of(2, 6, seed + 3),
        masks_of(4, 3, seed + 4),
        masks_of(1, 4, seed + 5),
    ]


options = Options(diagnostic_draws=diagnostic_draws)
