"""Code that has something of float32 in it answers in float32 where float64 does not go with that."""

import pytest
import torch
from torch import nn

from softmark_worker import gradients, single_precision


def ask(called, *args):
    return called(*args)


def mixes(x):
    return x @ torch.eye(x.shape[-1])


class Mixed(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 3)

    def forward(self, x):
        return self.layer(x) @ torch.eye(3)


def test_what_goes_with_float64_is_asked_once_and_what_does_not_in_float32():
    x = torch.rand(2, 3, dtype=torch.float64)
    assert single_precision.call(ask, torch.neg, x).dtype == torch.float64
    answer = single_precision.call(ask, mixes, x)
    assert answer.dtype == torch.float32
    assert torch.equal(answer, x.float())


def test_a_module_has_its_own_parameters_again():
    module, x = Mixed().double(), torch.rand(2, 3, dtype=torch.float64)
    before = module.layer.weight.clone()
    given = single_precision.call(gradients.gradients, module, [x], {}, [torch.ones_like(x)])
    assert given["parameters"]["layer.weight"].dtype == torch.float32
    assert module.layer.weight.dtype == torch.float64
    assert torch.equal(module.layer.weight, before)


def test_what_a_call_changes_is_changed_in_the_tensor_that_was_given():
    x = torch.rand(2, 3, dtype=torch.float64)

    def doubles(x):
        x.mul_(2)
        return mixes(x)

    before = x.clone()
    single_precision.call(ask, doubles, [x][0])
    assert not torch.equal(x, before)


@pytest.mark.parametrize("error", [RuntimeError("no such axis"), KeyError("dtype")])
def test_another_error_is_raised_as_it_is(error):
    def wrong(x):
        raise error

    with pytest.raises(type(error), match=str(error.args[0])):
        single_precision.call(ask, wrong, torch.ones(1, dtype=torch.float64))


def test_an_error_of_dtypes_that_float32_does_not_mend_is_the_first_one():
    def wrong(x):
        raise RuntimeError(f"expected dtype int, got {x.dtype}")

    with pytest.raises(RuntimeError, match=r"torch\.float64"):
        single_precision.call(ask, wrong, torch.ones(1, dtype=torch.float64))
