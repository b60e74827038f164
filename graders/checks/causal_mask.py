"""causal_mask(seq_len): bool (S, S), True strictly above the diagonal.

A variable of that name is accepted too; it is then judged only at its own size.
"""

from dataclasses import dataclass
from typing import Any

import torch
from hypothesis import strategies as st

from graders.check_api import mask_properties
from graders.check_api.check import Candidate, Violation, alike, check, require, same, tensor
from graders.check_api.options import Options
from graders.check_api.strategies.tensors import sizes
from graders.language import tr

FAR_BELOW = -1e4  # what is added to the scores of masked keys, at most


@dataclass(frozen=True)
class Length:
    """The length of a sequence."""

    seq_len: int

    @property
    def arguments(self) -> list[int]:
        """The arguments of a call."""
        return [self.seq_len]

    def normalise(self, answer: Any) -> Any:
        """The answer without what hides no mistake.

        Leading axes of size 1 are accepted. A mask to be added is one in any precision, and with any numbers
        that a softmax turns into 0.
        """
        while isinstance(answer, torch.Tensor) and answer.dim() > 2 and answer.shape[0] == 1:
            answer = answer[0]
        if isinstance(answer, torch.Tensor) and answer.is_floating_point():
            return answer.float().masked_fill(answer <= FAR_BELOW, -torch.inf)
        return answer


def unseen(number: int) -> Length:
    """A length of the run's own: a table of the others does not hold it."""
    return Length(17 + number % 47)


lengths = st.builds(Length, seq_len=sizes(2, 12) | st.sampled_from([16, 33, 64]))


def mask_of(causal_mask: Candidate, draw: Length) -> tuple[torch.Tensor, int]:
    """The mask and its length, without leading axes of size 1."""
    if causal_mask.value is not None:
        mask, length = causal_mask.value, causal_mask.value.shape[-1] if causal_mask.value.dim() else 0
    else:
        mask, length = tensor(causal_mask(draw.seq_len), tr("the mask")), draw.seq_len
    bare = mask
    while bare.dim() > 2 and bare.shape[0] == 1:
        bare = bare[0]
    require(
        tuple(bare.shape) == (length, length),
        tr(
            "the mask should have shape {due}, but has {shape}", due=(length, length), shape=tuple(mask.shape)
        ),
    )
    return bare, length


@check(points=1, given=[lengths, st.just(Length(1))], shape_only=True, at_length=lambda n: st.just(Length(n)))
def is_a_square_of_bool(causal_mask: Candidate, draw: Length) -> None:
    """the mask is a bool tensor of shape (S, S), for one position too

    fr: le masque est un tenseur bool de forme (S, S), pour une seule position aussi
    """
    mask, _ = mask_of(causal_mask, draw)
    mask_properties.is_bool(mask)


@check(points=3, given=lengths, core=True, fixed=[unseen])
def hides_the_future(causal_mask: Candidate, draw: Length) -> None:
    """every later position is masked: True above the diagonal

    fr: toute position postérieure est masquée : True au-dessus de la diagonale
    """
    mask, length = mask_of(causal_mask, draw)
    for i, j in (_definition(length) & ~mask.bool()).nonzero()[:1].tolist():
        message = tr("position {i} sees position {j}, which comes later: [{i}, {j}] should be True", i=i, j=j)
        raise Violation(message)
    require(length == 1 or not bool(mask.all()), tr("everything is masked"))


@check(points=3, given=lengths, core=True, fixed=[unseen])
def shows_the_past_and_the_present(causal_mask: Candidate, draw: Length) -> None:
    """a position sees itself and all before it: False on the diagonal and below

    fr: une position se voit elle-même et tout ce qui précède : False sur la diagonale et au-dessous
    """
    mask, length = mask_of(causal_mask, draw)
    for i, j in (~_definition(length) & mask.bool()).nonzero()[:1].tolist():
        raise Violation(tr("position {i} does not see position {j}: [{i}, {j}] should be False", i=i, j=j))
    require(length == 1 or bool(mask.any()), tr("nothing is masked"))


@check(points=2, given=lengths, fixed=[unseen])
def masks_a_softmax(causal_mask: Candidate, draw: Length) -> None:
    """used as a mask, every row of a softmax sums to one, over at least as many positions as the row before

    fr: utilisé comme masque, chaque ligne d'un softmax a pour somme un, sur au moins autant de positions que
    la précédente
    """
    mask, length = mask_of(causal_mask, draw)
    # The other way round costs both core checks, and no third one.
    hidden = _definition(length) if torch.equal(mask.bool(), ~_definition(length)) else mask.bool()
    weights = _spread(hidden)
    value_name = tr("the sum of each row under the mask")
    alike(weights.sum(-1), torch.ones(length, dtype=weights.dtype), value_name)
    seen = (weights > 0).sum(-1)
    for row in (seen[1:] < seen[:-1]).nonzero().flatten()[:1].tolist():
        message = tr("position {i} sees fewer positions than position {j}", i=row + 1, j=row)
        raise Violation(message)
    require(length == 1 or bool(seen[0] < seen[-1]), tr("the first position sees as much as the last"))


@check(points=1, given=st.tuples(sizes(2, 6), sizes(2, 9)).map(lambda pair: Two(*pair)))
def follows_the_length_asked_for(causal_mask: Candidate, draw: "Two") -> None:
    """each call answers for its own length, whatever was asked before

    fr: chaque appel répond pour sa propre longueur, quoi qu'on ait demandé avant
    """
    lengths = (draw.first, draw.second, draw.first)
    masks = [mask_of(causal_mask, Length(length))[0] for length in lengths]
    # Numbers to be added cost the check on the dtype alone, and minus infinity is no number to compare.
    same(masks[2].bool(), masks[0].bool(), tr("the mask of the same length, asked for again"))
    require(
        bool(masks[0].any()) and not bool(masks[0].all()), tr("the mask shows everything or hides everything")
    )


@dataclass(frozen=True)
class Two:
    """Two lengths for two calls."""

    first: int
    second: int


def _definition(length: int) -> torch.Tensor:
    return torch.arange(length)[None, :] > torch.arange(length)[:, None]


def _spread(mask: torch.Tensor) -> torch.Tensor:
    return torch.zeros(mask.shape, dtype=torch.float64).masked_fill(mask, -torch.inf).softmax(-1)


def diagnostic_draws(seed: int) -> list[Length]:
    """Lengths that tell the known mistakes apart; nothing else is drawn."""
    return [Length(length) for length in (6, 4, 9, 1, 2, 13)]


options = Options(diagnostic_draws=diagnostic_draws)
