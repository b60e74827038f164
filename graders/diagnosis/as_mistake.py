"""A known mistake, or several at once, as a candidate whose answers can be compared with a student's."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import torch
from torch import nn

from graders.candidate.local_candidate import LocalCandidate
from graders.check_api.candidate import Module
from graders.check_api.reference_answer import ReferenceAnswer
from graders.check_api.variants import Variant
from graders.diagnosis.part_mistakes import variant_with_part


class AsMistake(LocalCandidate):
    """A class or function of ours that lacks the biases that the student's code lacks.

    Args:
        symbol: makes the mistakes of the whole.
        mapping_draws: as for a `LocalCandidate`.
        parts: the classes that make those of its parts.
        variant: the accepted variant in which it is tried.
    """

    def __init__(
        self,
        symbol: Any,
        mapping_draws: Callable[[], Sequence[ReferenceAnswer]],
        parts: Sequence[Any] = (),
        variant: Variant | None = None,
    ) -> None:
        super().__init__(symbol, mapping_draws, partial(_adapt, parts, variant))

    def with_reference_weights(self, answer: ReferenceAnswer) -> Module:
        """A module with the reference's parameters; biases are zero that the last candidate lacked."""
        absent = answer.absent
        module = super().with_reference_weights(answer)
        if absent:
            answer.judge_without(absent | answer.absent)
            own = module.shapes()
            module.load({name: torch.zeros(own[name]) for name in absent if name in own})
        return module


def _adapt(parts: Sequence[Any], variant: Variant | None, module: nn.Module) -> nn.Module:
    for part in parts:
        module = variant_with_part(part, None)(module)
    return variant(module) if variant else module
