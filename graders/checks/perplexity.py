"""perplexity(logits, targets, ignore_index=-100): exp of the mean loss over all tokens, in nats."""

from dataclasses import replace
from functools import partial

import torch
from torch import Tensor

from graders.check_api.check import Candidate, Target, agree, check, targets
from graders.check_api.options import Options
from graders.check_api.standard_checks.measure_checks import MeasureChecks, improbable, read_number
from graders.check_api.strategies.scored_tokens import (
    USUAL,
    ScoredTokens,
    scored_tokens,
    sized_tokens,
    surprises,
)
from graders.language import tr, translatable


def compute_perplexity(draw: ScoredTokens) -> Target:
    """The perplexity by its definition."""

    def compute(logits: Tensor) -> list[Tensor]:
        return [surprises(logits, draw.targets)[draw.counted].mean().exp()]

    return targets(compute, [draw.logits])[0]


measure = MeasureChecks(translatable("the perplexity"), compute_perplexity)

is_one_number = measure.is_one_number(points=1)


@check(points=8, given=scored_tokens(), answer=compute_perplexity, core=True)
def is_the_exponential_of_the_mean_loss(perplexity: Candidate, draw: ScoredTokens, answer: Target) -> None:
    """the answer is exp of the mean of -log softmax(logits)[target], without padding

    fr: la réponse est exp de la moyenne de -log softmax(logits)[cible], sans padding
    """
    agree(measure.measured(perplexity, draw), answer, value_name=tr("the perplexity"))


counts_each_token_once = measure.counts_each_token_once(points=5)
survives_large_logits = measure.survives_large_logits(points=2)
takes_a_batch_of_sequences = measure.takes_a_batch_of_sequences(points=1)
takes_one_sequence_and_one_token = measure.takes_one_sequence_and_one_token(points=1)
computes_in_double_precision = measure.computes_in_double_precision(points=1)
answers_extreme_sizes = measure.answers_extreme_sizes(points=1)
leaves_its_arguments_alone = measure.leaves_its_arguments_alone(points=1)


def diagnostic_draws(seed: int) -> list[ScoredTokens]:
    """Tokens that tell the known mistakes apart."""
    double = partial(sized_tokens, scale=1.0, dtype=torch.float64)
    usual, other, third = (double(3, 6, 10, seed + number) for number in range(3))
    sides = torch.tensor([[1e4], [-1e4], [0.0], [1.0], [2.0], [1e4]])
    rare = improbable(-2000.0)
    return [
        usual,
        other.padded(USUAL),
        third.padded(2),
        usual.padded(0),
        usual.padded(-1),
        replace(usual, logits=usual.logits + sides),
        double(2, 4, 7, seed + 4, scale=15.0),
        replace(rare, logits=rare.logits.double()),
        double(4, 5, 8, seed + 5).flat,
    ]


options = Options(diagnostic_draws=diagnostic_draws, read=read_number)
