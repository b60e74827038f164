"""The checks that exercises have whose modules answer (output, weights), beside those of `AttentionChecks`.

Their options have `read=output_of`, so that checks of the output find it wherever it stands.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Unpack

import torch

from graders.check_api.candidate import Candidate, Module
from graders.check_api.check import Check
from graders.check_api.compare import OtherParameters, Violation, alike, require, tensor
from graders.check_api.output_and_weights import output_of, place_of_output, weights_of
from graders.check_api.properties import parts
from graders.check_api.reference_answer import ReferenceAnswer
from graders.check_api.standard_checks.attention_checks import AttentionChecks
from graders.check_api.standard_checks.module_checks import Own
from graders.check_api.strategies.module_inputs import Given
from graders.check_api.variation import cast_to_single
from graders.language import tr


def shape_for_heads(draw: Any) -> tuple[int, ...]:
    """(B, H, S, S)."""
    batch, length = draw.arguments[0].shape[:2]
    return batch, draw.config["num_heads"], length, length


@dataclass(frozen=True)
class OutputAndWeightsChecks(AttentionChecks):
    """What the checks of a module that answers (output, weights) have in common.

    Attributes:
        shape_of_weights: the shape of the weights for a draw; by default (B, H, S, S).
    """

    shape_of_weights: Callable[[Any], tuple[int, ...]] = shape_for_heads

    def answers_with_output_and_weights(self, *, points: float, **own: Unpack[Own]) -> Check:
        """A check of the weights; where the output is wrong too, they must be weights of some kind."""

        def answers_with_output_and_weights(
            candidate: Candidate, draw: Given, answer: ReferenceAnswer
        ) -> None:
            """the answer is (output, weights), with the attention weights of each head, (B, H, S, S)

            fr: la réponse est (sortie, poids), avec les poids d'attention de chaque tête, (B, H, S, S)
            """
            x, pair = draw.arguments[0], self._loaded(candidate, draw, answer)(*draw.arguments)
            output, weights = output_of(pair, x), weights_of(pair, x, self.shape_of_weights(draw))
            try:
                answer.agree(weights, 1, value_name=tr("the attention weights"))
            except Violation:
                if answer.accepts(output):
                    raise
                sums = torch.ones(weights.shape[:-1], dtype=weights.dtype)
                alike(weights.sum(-1), sums, tr("the sum of each query's weights"))
                require(bool((weights >= 0).all()), tr("some weights are negative or not a number"))

        return self._make(
            answers_with_output_and_weights,
            points,
            own,
            answer=self._reference_answer,
            fixed=[self._under_a_mask],
        )

    def _loaded(self, candidate: Candidate, draw: Any, answer: ReferenceAnswer) -> Module:
        """With the reference's weights; where the module has others, the form of its answer comes first."""
        try:
            return candidate.with_reference_weights(answer)
        except OtherParameters:
            own = candidate.with_random_weights(draw.seed, **draw.config)
            weights_of(own(*draw.arguments), draw.arguments[0], self.shape_of_weights(draw))
            raise

    def _under_a_mask(self, seed: int) -> Any:
        """The first diagnostic draw with a mask, in float32: weights are compared under a mask, too."""
        masked = (draw for draw in self.options.diagnostic_draws(seed) if draw.masked)
        return cast_to_single(next(masked))

    def keeps_the_shape_of_x(self, *, points: float, **own: Unpack[Own]) -> Check:
        """A check of the output's shape, with a remark on that of the weights."""

        def keeps_the_shape_of_x(candidate: Candidate, draw: Given) -> str | None:
            """the output has the shape of x, (B, S, E)

            fr: la sortie a la forme de x, (B, S, E)
            """
            x, answer = draw.arguments[0], candidate.construct(**draw.config)(*draw.arguments)
            output_of(answer, x)
            tensor(parts(answer)[place_of_output(answer, x)])
            try:
                weights_of(answer, x, self.shape_of_weights(draw))
            except (
                Violation
            ) as wrong:  # the check of the weights takes points for it, where it can be decided
                return tr("remark: {what}", what=wrong)
            return None

        return self._make(keeps_the_shape_of_x, points, own, shape_only=True)
