"""A module with other parameters than the reference must get gradients for all of its own."""

import pytest
import torch
from torch import Tensor, nn

from graders.candidate.local_candidate import LocalCandidate
from graders.candidate.parameter_mapping.mapper import ParameterMapper
from graders.check_api.compare import Violation
from graders.check_api.reference_answer import reference_answer_with_gradients
from graders.check_api.reference_gradients import teaches
from graders.check_api.strategies.module_inputs import Input


class Reference(nn.Module):
    def __init__(self, size: int) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(size, size), nn.Linear(size, size)

    def forward(self, x: Tensor) -> Tensor:
        return self.second(self.first(x).relu())


class OneLayer(nn.Module):
    def __init__(self, size: int) -> None:
        super().__init__()
        self.only = nn.Linear(size, size)

    def forward(self, x: Tensor) -> Tensor:
        return self.only(x).relu()


class WithoutGradient(OneLayer):
    def forward(self, x: Tensor) -> Tensor:
        return super().forward(x).detach() + x


class WithUnusedLayer(OneLayer):
    def __init__(self, size: int) -> None:
        super().__init__(size)
        self.unused = nn.Parameter(torch.ones(2))


def ask(symbol: type[nn.Module]) -> None:
    draw = Input({"size": 4}, torch.randn(2, 3, 4, generator=torch.Generator().manual_seed(1)))
    answer = reference_answer_with_gradients(draw, Reference)
    candidate = LocalCandidate(symbol)
    candidate.mapper = ParameterMapper(candidate, lambda: [answer])
    teaches(candidate, answer)


def test_a_module_with_a_layer_less_teaches_what_it_has() -> None:
    ask(OneLayer)


@pytest.mark.parametrize("symbol", [WithoutGradient, WithUnusedLayer])
def test_a_module_with_other_layers_must_teach_all_of_them(symbol: type[nn.Module]) -> None:
    with pytest.raises(Violation, match="gradient"):
        ask(symbol)
