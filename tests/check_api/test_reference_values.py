"""Of a reference's variants and tolerances nothing is computed that no answer needs."""

from functools import partial

import pytest
import torch
from torch import nn

from graders.check_api.reference_values import ReferenceValues
from graders.check_api.strategies.tensors import normal
from graders.check_api.target import Target, exactly
from graders.check_api.variants import WITH_RELU, apply_variant


class Block(nn.Module):
    """A norm, then a GELU: six right variants."""

    def __init__(self) -> None:
        super().__init__()
        self.norm, self.activation = nn.LayerNorm(4, eps=1e-12), nn.GELU()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.activation(self.norm(x))


X = normal(3, 4, seed=1)
INPUTS = [normal(4, seed=2), normal(4, seed=3), X]


@pytest.fixture
def made() -> list[Block]:
    return []


@pytest.fixture
def values(made: list[Block]) -> ReferenceValues:
    def make() -> Block:
        made.append(Block())
        return made[-1]

    return ReferenceValues(make, [X], INPUTS, WITH_RELU, upstream=torch.ones(3, 4))


def answer(activation: type[nn.Module], eps: float) -> torch.Tensor:
    block = apply_variant(Block(), activation, eps)
    weights = dict(zip(("norm.weight", "norm.bias"), INPUTS, strict=False))
    return torch.func.functional_call(block, weights, X).detach()


def first_that_accepts(targets: tuple[Target, ...], value: torch.Tensor) -> int | None:
    for number, target in enumerate(targets):
        difference = (value.double() - target.exact).abs()
        if bool((difference <= target.least).all()) or bool((difference <= target.tolerance).all()):
            return number
    return None


def test_for_an_answer_of_the_first_variant_no_other_is_computed(values, made):
    [outputs, *gradients] = values.accepted()
    assert first_that_accepts(outputs, answer(nn.GELU, 1e-5)) == 0
    assert len(made) == 1
    assert [len(targets) for targets in (outputs, *gradients)] == [3, 3, 3, 3]


@pytest.mark.parametrize(
    ("activation", "number"), [(nn.GELU, 0), (partial(nn.GELU, approximate="tanh"), 1), (nn.ReLU, 2)]
)
@pytest.mark.parametrize("eps", [1e-12, 1e-8, 1e-5])
def test_every_right_variant_is_accepted(values, made, activation, number, eps):
    [outputs, *_] = values.accepted()
    assert first_that_accepts(outputs, answer(activation, eps)) == number
    assert len(made) <= 3 + number  # rounding is measured once, and no variant behind this one is computed


def test_another_activation_is_accepted_by_none(values):
    assert first_that_accepts(values.accepted()[0], answer(nn.SiLU, 1e-5)) is None


def test_gradients_are_those_of_each_variant(values):
    of_input = values.accepted()[-1]
    for target, activation in zip(of_input, WITH_RELU, strict=True):
        block = apply_variant(Block(), activation, 1e-5)

        def gradient(weight, bias, x, block=block):
            x = x.requires_grad_()
            output = torch.func.functional_call(block, {"norm.weight": weight, "norm.bias": bias}, x)
            return torch.autograd.grad(output.sum(), [x])

        assert torch.allclose(target.exact, exactly(gradient, INPUTS)[0], rtol=1e-12)


def test_a_module_may_be_called_with_a_number():
    class Rows(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.table = nn.Parameter(torch.zeros(5, 2))

        def forward(self, length: int) -> torch.Tensor:
            return self.table[:length]

    table = normal(5, 2, seed=1)
    [[rows], [gradient]] = ReferenceValues(
        Rows, [3], [table], WITH_RELU, upstream=torch.ones(3, 2)
    ).accepted()
    assert torch.equal(rows.exact, table[:3].double())
    assert gradient.exact.sum() == 6
