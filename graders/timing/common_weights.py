"""The same weights for all contestants, so that all of them can be held to the reference's answers."""

from dataclasses import dataclass
from typing import Any

import torch

from graders.candidate.remote_candidate import RemoteCandidate
from graders.candidate.remote_values import RemoteModule
from graders.check_api.reference_answer import ReferenceAnswer
from graders.check_api.strategies.module_inputs import Given
from graders.check_api.strategies.tensors import MILD, weights
from graders.course import reference
from graders.course.exercise import Exercise


@dataclass(frozen=True)
class CommonWeights:
    """Weights drawn from a fixed seed in the reference's shapes."""

    exercise: Exercise
    dtype: torch.dtype

    def build_student(self, candidate: RemoteCandidate, config: dict[str, Any]) -> RemoteModule:
        """The student's module; where there is no reference, with random weights of its own shapes."""
        named = self._named_weights(config)
        if named is None:
            return candidate.with_random_weights(1, **config)  # type: ignore[return-value]
        no_input = torch.zeros(1, dtype=self.dtype)
        return candidate.with_reference_weights(
            ReferenceAnswer(_ConfigOnly(config, no_input), named, no_input, (), {})
        )  # type: ignore[return-value]

    def build_ours(self, candidate: RemoteCandidate, config: dict[str, Any]) -> RemoteModule:
        """The reference's or PyTorch's module; both name their parameters alike."""
        module = candidate.construct(**config)
        named = self._named_weights(config) or weights(module.shapes(), 1, MILD)
        return module.load(named, self.dtype)

    def _named_weights(self, config: dict[str, Any]) -> dict[str, torch.Tensor] | None:
        module_class = reference.reference(self.exercise.name, self.exercise.symbol)
        if module_class is None:
            return None
        shapes = {name: tuple(value.shape) for name, value in module_class(**config).named_parameters()}
        return weights(shapes, 1, MILD, dtype=self.dtype)


@dataclass(frozen=True, eq=False)
class _ConfigOnly(Given):
    """A draw of a configuration and a dtype, without inputs."""

    no_input: torch.Tensor
