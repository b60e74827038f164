"""bits_per_char(logits, targets, lengths=None, ignore_index=-100): bits of all tokens by their characters."""

import math
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api.check import Candidate, Target, agree, alike, check, targets
from graders.check_api.options import Options
from graders.check_api.standard_checks.measure_checks import MeasureChecks, improbable, read_number
from graders.check_api.strategies.scored_tokens import (
    USUAL,
    ScoredTokens,
    scored_tokens,
    sized_tokens,
    surprises,
)
from graders.check_api.strategies.tensors import ids
from graders.language import tr, translatable

LONGEST = 5  # characters of an id


@dataclass(frozen=True, eq=False)
class Text(ScoredTokens):
    """Tokens, and how many characters each id has."""

    lengths: Tensor | None = None

    @property
    def argument_names(self) -> list[str]:
        """The names of the arguments of a call, as the contract has them."""
        return ["logits", "targets", "lengths", "ignore_index"]

    @property
    def arguments(self) -> list[Any]:
        """The arguments of a call; without the last ones where they are the defaults."""
        given = [self.logits, self.targets, self.lengths, self.ignore_index]
        return given if self.ignore_index != USUAL else given[: 2 if self.lengths is None else 3]

    @property
    def without_lengths(self) -> "Text":
        """The same where each id is one character."""
        return replace(self, lengths=None)


def in_characters(draw: ScoredTokens) -> Text:
    """Tokens whose ids have one to LONGEST characters, not all the same number."""
    words = draw.logits.shape[-1]
    lengths = 1 + ids(words, vocabulary=LONGEST, seed=draw.seed + 1)
    came = draw.targets[draw.counted]
    lengths[came[0]], lengths[came[-1]] = 1, LONGEST  # one of them is long
    return as_text(draw, lengths)


def as_text(draw: ScoredTokens, lengths: Tensor | None = None) -> Text:
    """Tokens as the contract of this exercise takes them."""
    return Text(draw.logits, draw.targets, draw.ignore_index, draw.seed, lengths)


def texts(**options: Any) -> st.SearchStrategy[Text]:
    """Tokens of ids that have several characters."""
    return scored_tokens(**options).map(in_characters)


def compute_bits(draw: ScoredTokens) -> Target:
    """The bits per character by their definition."""
    lengths = draw.lengths if isinstance(draw, Text) else None
    came = draw.targets[draw.counted]
    characters = came.numel() if lengths is None else int(lengths[came].sum())

    def compute(logits: Tensor) -> list[Tensor]:
        return [surprises(logits, draw.targets)[draw.counted].sum() / (math.log(2) * characters)]

    return targets(compute, [draw.logits])[0]


measure = MeasureChecks(translatable("the number of bits"), compute_bits, as_text)

is_one_number = measure.is_one_number(points=1)


@check(points=8, given=scored_tokens().map(as_text), answer=compute_bits, core=True)
def is_the_mean_loss_in_bits(bits_per_char: Candidate, draw: Text, answer: Target) -> None:
    """where each id is one character, the answer is the mean of -log2 softmax(logits)[target]

    fr: là où chaque identifiant est un caractère, la réponse est la moyenne de -log2 softmax(logits)[cible]
    """
    agree(measure.measured(bits_per_char, draw), answer, value_name=tr("the number of bits"))


@check(points=4, given=texts())
def divides_by_the_characters_of_all_tokens(bits_per_char: Candidate, draw: Text) -> None:
    """where ids have several characters, the answer is divided by their mean number in the text

    fr: là où des identifiants ont plusieurs caractères, la réponse est divisée par le nombre moyen de
    caractères des tokens du texte
    """
    assert draw.lengths is not None
    by_token = measure.measured(bits_per_char, draw.without_lengths)
    share = draw.targets.numel() / int(draw.lengths[draw.targets].sum())
    alike(measure.measured(bits_per_char, draw), by_token * share, tr("the number of bits per character"))
    measure.depends_on_the_tokens(bits_per_char, draw)


@check(points=4, given=[scored_tokens(padded=True).map(as_text), texts(padded=True)])
def counts_each_token_once(bits_per_char: Candidate, draw: Text) -> None:
    """padding has neither bits nor characters, and each token counts once, in whatever sequence it stands

    fr: le padding n'a ni bits ni caractères, et chaque token compte une fois, dans quelque séquence qu'il
    soit
    """
    measure.is_that_of_the_tokens_alone(bits_per_char, draw)


survives_large_logits = measure.survives_large_logits(points=1)
takes_a_batch_of_sequences = measure.takes_a_batch_of_sequences(points=1)
takes_one_sequence_and_one_token = measure.takes_one_sequence_and_one_token(points=1)
computes_in_double_precision = measure.computes_in_double_precision(points=1)
answers_extreme_sizes = measure.answers_extreme_sizes(points=1)
leaves_its_arguments_alone = measure.leaves_its_arguments_alone(points=1)


def diagnostic_draws(seed: int) -> list[Text]:
    """Tokens that tell the known mistakes apart."""
    double = partial(sized_tokens, scale=1.0, dtype=torch.float64)
    usual, other, third = (in_characters(double(3, 6, 10, seed + number)) for number in range(3))
    sides = torch.tensor([[1e4], [-1e4], [0.0], [1.0], [2.0], [1e4]])
    rare = improbable(-2000.0)
    return [
        usual,
        other.padded(USUAL),
        third.padded(2),
        usual.without_lengths.padded(0),
        usual.padded(-1),
        replace(other.without_lengths, logits=usual.logits + sides),
        in_characters(double(2, 4, 7, seed + 4, scale=15.0)),
        as_text(replace(rare, logits=rare.logits.double())),
        as_text(double(4, 5, 8, seed + 5)).flat,
    ]


options = Options(diagnostic_draws=diagnostic_draws, read=read_number)
