"""padding_mask(attention_mask): bool (B, 1, 1, S), True where attention_mask (B, S) is 0."""

from dataclasses import dataclass, field, replace
from functools import partial

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api import mask_properties, properties
from graders.check_api.check import (
    Candidate,
    Stretched,
    Violation,
    alike,
    check,
    require,
    same,
    shaped,
    tensor,
)
from graders.check_api.options import Options
from graders.check_api.strategies.drawn import Drawn
from graders.check_api.strategies.tensors import hidden, ids, normal, patterns, several, sizes
from graders.language import tr, translatable

HEADS = 3  # of the scores on which the mask is tried
MOST = 1_024  # positions: numbers in code from this one on do not count
AXES = 4  # (B, H, Sq, S)


@dataclass(frozen=True, eq=False)
class Batch(Drawn):
    """Which positions hold words: (B, S), 1 = a word, 0 = padding."""

    attention_mask: Tensor
    seed: int = field(default=0, metadata=hidden)


def at_the_end(batch: int, length: int, seed: int) -> Batch:
    """A batch with padding at the end of its sequences, of the first at least."""
    words = 1 + ids(batch, 1, vocabulary=length, seed=seed)
    words[0] = words[0].clamp(max=max(length - 1, 1))
    return Batch((torch.arange(length) < words).long(), seed)


def anywhere(batch: int, length: int, seed: int) -> Batch:
    """A batch with padding anywhere; each sequence has a word, and if it is long enough padding in front."""
    words = (normal(batch, length, seed=seed) > 0).long()
    words[:, 0], words[:, -1] = 0, 1
    return Batch(words, seed)


def unseen(number: int) -> Batch:
    """A longer batch of the run's own: a table of the short ones does not hold it."""
    return anywhere(3, 8, number)


@st.composite
def batches(draw: st.DrawFn, length: int | None = None, whole: bool = False) -> Batch:
    """A batch with padding at the end, or anywhere; with `whole`, and a last sequence without any.

    `length` is S, if given.
    """
    make = draw(st.sampled_from([at_the_end, anywhere]))
    batch = make(draw(several(4)), length or draw(sizes(2, 6)), draw(patterns()))
    words = batch.attention_mask
    return replace(batch, attention_mask=torch.cat([words, torch.ones_like(words[:1])])) if whole else batch


def mask_of(padding_mask: Candidate, draw: Batch) -> Tensor:
    """The mask, whatever its shape and dtype."""
    return tensor(padding_mask(draw.attention_mask), tr("the mask"))


def find_masked_keys(padding_mask: Candidate, draw: Batch) -> Tensor:
    """Which keys are masked, (B, S), in a mask of any shape and dtype: another check is about these."""
    mask = mask_of(padding_mask, draw).detach()
    batch, length = draw.attention_mask.shape
    masked = mask if mask.dtype == torch.bool else mask != 0
    if masked.dim() and masked.shape[0] == batch and masked.numel() == batch * length:
        return masked.reshape(batch, length)
    if masked.shape[-2:] == (length, length) and masked.numel() == batch * length * length:
        return masked.reshape(batch, length, length).all(1)
    raise Violation(_wrong_shape(mask, draw), actual=mask)


def _wrong_shape(mask: Tensor, draw: Batch) -> str:
    batch, length = draw.attention_mask.shape
    return tr(
        "the mask should have shape {due}, but has {shape}",
        due=(batch, 1, 1, length),
        shape=tuple(mask.shape),
    )


def _say_where(wrong: Tensor, message: str) -> None:
    """Fail with the first place of a wrong value, if there is one."""
    for sequence, position in wrong.nonzero()[:1].tolist():
        raise Violation(tr(message, sequence=sequence, position=position))


def _says_something(masked: Tensor) -> None:
    something = bool(masked.any()) and not bool(masked.all())
    require(something, tr("the mask shows everything or hides everything"))


@check(points=3, given=[batches(), batches(length=1)], shape_only=True)
def is_a_bool_mask_of_four_axes(padding_mask: Candidate, draw: Batch) -> None:
    """the mask is a bool tensor of shape (B, 1, 1, S)

    fr: le masque est un tenseur bool de forme (B, 1, 1, S)
    """
    mask = mask_of(padding_mask, draw)
    batch, length = draw.attention_mask.shape
    require(tuple(mask.shape) == (batch, 1, 1, length), _wrong_shape(mask, draw))
    mask_properties.is_bool(mask)


@check(
    points=3,
    given=batches(),
    core=True,
    fixed=[partial(anywhere, 4, 4), unseen],
    stretched=[
        Stretched(lambda n, seed: at_the_end(n, 4, seed)),
        Stretched(lambda n, seed: at_the_end(2, n, seed), most=MOST),
    ],
)
def hides_the_padding(padding_mask: Candidate, draw: Batch) -> None:
    """every position with padding is masked: True where attention_mask is 0

    fr: toute position de padding est masquée : True là où attention_mask vaut 0
    """
    masked = find_masked_keys(padding_mask, draw)
    wrong = (draw.attention_mask == 0) & ~masked
    _say_where(
        wrong, translatable("position {position} of sequence {sequence} is padding, and is not masked")
    )
    require(not bool(masked.all()), tr("everything is masked"))


@check(points=3, given=batches(), core=True, fixed=[unseen])
def shows_the_words(padding_mask: Candidate, draw: Batch) -> None:
    """no word is masked: False where attention_mask is 1

    fr: aucun mot n'est masqué : False là où attention_mask vaut 1
    """
    masked = find_masked_keys(padding_mask, draw)
    wrong = (draw.attention_mask == 1) & masked
    _say_where(wrong, translatable("position {position} of sequence {sequence} is a word, and is masked"))
    require(bool(masked.any()), tr("nothing is masked"))


# attention_mask itself passes the next three: it is the mask the other way round, which costs both core
# checks.
@check(points=3, given=batches(whole=True), shape_only=True, fixed=[unseen])
def broadcasts_to_the_scores(padding_mask: Candidate, draw: Batch) -> None:
    """in a softmax over scores (B, H, Sq, S) under the mask, hidden keys get no weight, the others all of it

    fr: dans un softmax sur des scores (B, H, Sq, S) sous le masque, les clés cachées n'ont aucun poids, les
    autres tout le poids
    """
    batch, length = draw.attention_mask.shape
    mask = _hiding(mask_of(padding_mask, draw).bool(), draw)
    # A mask that is written out for S queries costs the check on its shape.
    queries = length if mask.dim() == AXES and mask.shape[-2] == length else length + 1
    scores = normal(batch, HEADS, queries, length, seed=draw.seed, dtype=torch.float64)
    try:
        weights = scores.masked_fill(mask, -torch.inf).softmax(-1)
    except RuntimeError:
        message = tr(
            "a mask of shape {shape} does not broadcast to scores of shape {scores}",
            shape=tuple(mask.shape),
            scores=tuple(scores.shape),
        )
        raise Violation(message) from None
    shaped(weights, tuple(scores.shape), tr("the weights"))
    _says_something(mask)
    sums = torch.ones(scores.shape[:-1], dtype=scores.dtype)
    alike(weights.sum(-1), sums, tr("the sum of each query's weights"))
    same(_hiding(mask_of(padding_mask, draw).bool(), draw), mask, tr("the mask of the second call"))
    rows = mask.expand(scores.shape)
    require(
        torch.equal(rows, rows[:, :1, :1].expand_as(rows)),
        tr("not every query and head has the same keys masked"),
    )


def _hiding(mask: Tensor, draw: Batch) -> Tensor:
    """The mask, the other way round where it marks exactly the words: both core checks are about that."""
    batch, length = draw.attention_mask.shape
    words = draw.attention_mask.bool().reshape(batch, 1, 1, length)
    return ~mask if torch.equal(mask, words) else mask


@check(points=2, given=batches(), shape_only=True, fixed=[unseen])
def gives_each_sequence_its_own(padding_mask: Candidate, draw: Batch) -> None:
    """sequences in another order have their masks in that order, and each alone has the same as in the batch

    fr: des séquences dans un autre ordre ont leurs masques dans cet ordre, et chacune seule a le même que
    dans le lot
    """
    masked = find_masked_keys(padding_mask, draw)
    turned = find_masked_keys(padding_mask, Batch(draw.attention_mask.flip(0)))
    same(turned, masked.flip(0), tr("the mask of the sequences in another order"))
    alone = find_masked_keys(padding_mask, Batch(draw.attention_mask[:1]))
    same(alone, masked[:1], tr("the mask of the first sequence alone"))
    _says_something(masked)


@check(points=1, given=batches(), shape_only=True, on_its_word=True)
def leaves_its_argument_alone(padding_mask: Candidate, draw: Batch) -> str | None:
    """attention_mask keeps its values, and the second call answers as the first

    fr: attention_mask garde ses valeurs, et le deuxième appel répond comme le premier
    """
    masked = find_masked_keys(padding_mask, draw)
    _says_something(masked)
    return properties.leaves_alone(padding_mask, draw.arguments, *draw.argument_names)


def diagnostic_draws(seed: int) -> list[Batch]:
    """Batches that tell the known mistakes apart."""
    return [
        at_the_end(3, 5, seed),
        anywhere(3, 5, seed + 1),
        anywhere(3, 5, seed + 2),
        Batch(torch.tensor([[1, 1, 0, 0, 0, 0, 0], [1, 1, 1, 1, 1, 1, 0]])),
        Batch(torch.tensor([[0, 0, 1, 1, 1, 1], [1, 0, 1, 0, 1, 1], [1, 1, 1, 1, 1, 1], [0, 1, 1, 1, 0, 0]])),
        Batch(torch.tensor([[1, 1, 0, 1]])),
    ]


options = Options(diagnostic_draws=diagnostic_draws)
