"""to_additive(mask, sense="hides"): floats, 0 where a key is seen, -inf where it is hidden."""

import math
from dataclasses import dataclass, field
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api import properties
from graders.check_api.check import Candidate, Violation, check, number, require, same, shaped, tensor
from graders.check_api.options import Options
from graders.check_api.strategies.tensors import hidden, normal, patterns, seeds, sizes
from graders.language import tr, translatable

LEAST = -1e9  # a number from here downwards hides as -inf does
HIDDEN = translatable(
    "the key at {place} is hidden: -inf is due there, or at most -1e9, but there is {found}"
)
SEEN = translatable("the key at {place} is seen: 0 is due there, but there is {found}")


@dataclass(frozen=True, eq=False)
class Masked:
    """A mask with its sense, which is left out where it is the default."""

    mask: Tensor
    sense: str | None = None
    seed: int = field(default=0, metadata=hidden)

    @property
    def arguments(self) -> list[Any]:
        """The arguments of a call."""
        return [self.mask] if self.sense is None else [self.mask, self.sense]

    @property
    def due(self) -> Tensor:
        """The answer by its definition, with -1 in the place of minus infinity."""
        hides = self.mask.bool() if self.sense in (None, "hides") else ~self.mask.bool()
        return -hides.float()

    def normalise(self, answer: Any) -> Any:
        """The same for every number that hides."""
        is_float = isinstance(answer, Tensor) and answer.is_floating_point()
        return torch.where(answer <= LEAST, -math.inf, answer) if is_float else answer


@st.composite
def masked(draw: st.DrawFn, sense: str | None = None, whole: bool = False) -> Masked:
    """A mask of two to four axes that hides some keys and shows some; of the integers 1 and 0, if `whole`."""
    lead = draw(st.sampled_from([(), (2,), (2, 1)]))
    seed = draw(patterns())
    mask = normal(*lead, draw(sizes(2, 5)), draw(sizes(2, 5)), seed=seed) > 0
    mask[..., 0, 0], mask[..., -1, -1] = True, False
    return Masked(mask.long() if whole else mask, sense, seed)


@st.composite
def added(draw: st.DrawFn) -> Masked:
    """A mask of floats that is added already: causal, or with a number for each pair of positions."""
    length, seed = draw(sizes(2, 5)), draw(seeds())
    if draw(st.booleans()):
        return Masked(torch.full((length, length), -math.inf).triu(1), "adds", seed)
    return Masked(normal(2, length, length, seed=seed), "adds", seed)


def answer_to(to_additive: Candidate, draw: Masked) -> Tensor:
    """The answer, a tensor of the mask's shape, with -1 in the place of what hides."""
    return read(to_additive(*draw.arguments), draw)


def read(given: Any, draw: Masked) -> Tensor:
    """The same of an answer that is there."""
    answer = tensor(given)
    shaped(answer, tuple(draw.mask.shape))
    numbers = answer.float()
    return torch.where(numbers <= LEAST, -1.0, numbers)


def agrees(to_additive: Candidate, draw: Masked) -> None:
    """Require 0 where a key is seen, and minus infinity, or a number as low, where it is hidden.

    The message gives the first place where it is not so.
    """
    given = tensor(to_additive(*draw.arguments))
    wrong = answer_to(to_additive, draw) != draw.due
    for place in wrong.nonzero()[:1].tolist():
        hidden = bool(draw.due[tuple(place)])
        message = tr(HIDDEN if hidden else SEEN, place=place, found=number(float(given[tuple(place)])))
        expected = torch.where(draw.due.bool(), -math.inf, 0.0)
        raise Violation(message, expected, given, tuple(place))


@check(points=1, given=masked(), shape_only=True)
def gives_floats_of_the_masks_shape(to_additive: Candidate, draw: Masked) -> None:
    """the answer is of floats and has the mask's shape

    fr: la réponse est faite de flottants et a la forme du masque
    """
    answer = tensor(to_additive(*draw.arguments))
    shaped(answer, tuple(draw.mask.shape))
    message = tr("the answer should be of floats, but its dtype is {dtype}", dtype=answer.dtype)
    require(answer.is_floating_point(), message)


@check(points=4, given=masked("hides"), core=True)
def hides_where_true_hides(to_additive: Candidate, draw: Masked) -> None:
    """with "hides", True becomes -inf and False 0

    fr: avec "hides", True devient -inf et False 0
    """
    agrees(to_additive, draw)


@check(points=4, given=masked("shows"), core=True)
def hides_where_false_hides(to_additive: Candidate, draw: Masked) -> None:
    """with "shows", False becomes -inf and True 0

    fr: avec "shows", False devient -inf et True 0
    """
    agrees(to_additive, draw)


@check(points=3, given=added(), shape_only=True)
def leaves_what_is_added_already(to_additive: Candidate, draw: Masked) -> None:
    """with "adds", the mask stays as it is

    fr: avec "adds", le masque reste tel quel
    """
    answer = tensor(to_additive(*draw.arguments))
    shaped(answer, tuple(draw.mask.shape))
    finite = torch.where(draw.mask == -math.inf, LEAST, draw.mask)
    values = torch.where(answer == -math.inf, LEAST, answer.float())
    same(values, finite, tr("the mask that is added already"))


@check(points=3, given=masked())
def hides_by_default(to_additive: Candidate, draw: Masked) -> None:
    """without a sense, True hides

    fr: sans sens, True cache
    """
    default, named = (answer_to(to_additive, d) for d in (draw, Masked(draw.mask, "hides")))
    same(default, named, tr('the answer without a sense, against that with "hides"'))
    require_another_answer(to_additive, draw, default)


@check(points=2, given=masked("shows", whole=True) | masked("hides", whole=True))
def takes_ones_and_zeros(to_additive: Candidate, draw: Masked) -> None:
    """the integers 1 and 0 are read as True and False

    fr: les entiers 1 et 0 sont lus comme True et False
    """
    of_bools = answer_to(to_additive, Masked(draw.mask.bool(), draw.sense))
    same(answer_to(to_additive, draw), of_bools, tr("the answer to 1 and 0, against that to True and False"))
    require_another_answer(to_additive, draw, of_bools)


@check(points=1, given=masked("shows"), on_its_word=True)
def leaves_its_argument_alone(to_additive: Candidate, draw: Masked) -> str | None:
    """the mask keeps its values, and the second call answers as the first

    fr: le masque garde ses valeurs, et le second appel répond comme le premier
    """
    require_another_answer(to_additive, draw, answer_to(to_additive, draw))
    call = to_additive.observed_call(*draw.arguments)
    same(call.args[0], draw.mask, tr("{name} after the call", name=tr("the mask")))
    same(answer_to(to_additive, draw), read(call.answer, draw), tr("the output of the second call"))
    return None if call.random_state_kept else tr(properties.RANDOM)


def require_another_answer(to_additive: Candidate, draw: Masked, answer: Tensor) -> None:
    """Require another answer for the mask the other way round, and another than the mask itself."""
    require(not torch.equal(answer, draw.mask.float()), tr("the mask comes back as it is"))
    other = answer_to(to_additive, Masked(1 - draw.mask.long() > 0, draw.sense))
    require(not torch.equal(other, answer), tr("the answer is the same for the mask the other way round"))


def diagnostic_draws(seed: int) -> list[Masked]:
    """Masks that tell the known mistakes apart; nothing else is drawn."""
    mask = normal(2, 5, 8, seed=seed) > 0
    mask[..., 0, 0], mask[..., -1, -1] = True, False
    return [
        Masked(mask, "hides"),
        Masked(mask, "shows"),
        Masked(mask),
        Masked(mask.long(), "shows"),
        Masked(normal(3, 3, seed=seed).abs(), "adds"),
    ]


options = Options(diagnostic_draws=diagnostic_draws)
