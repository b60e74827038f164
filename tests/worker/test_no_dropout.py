"""Where a rate of 0 is asked for, F.dropout changes nothing in evaluation, and acts in training."""

import pytest
import torch
from torch import nn
from torch.nn import functional

from softmark_worker import no_dropout

X = torch.ones(1000)


class Drops(nn.Module):
    def forward(self, x):
        return functional.dropout(x)

    def decode(self, x):
        return functional.dropout(x, 0.1)

    def fail(self, x):
        raise ValueError


@pytest.fixture
def module():
    made = Drops().eval()
    no_dropout.switch_off(made)
    return made


def test_a_call_in_evaluation_drops_nothing_and_one_in_training_does(module):
    assert torch.equal(module(X), X)
    assert not torch.equal(module.train()(X), X)
    assert torch.equal(module.eval()(X), X)


def test_so_does_a_call_of_a_method(module):
    assert torch.equal(no_dropout.method_of(module, "decode")(X), X)
    module.train()
    assert not torch.equal(no_dropout.method_of(module, "decode")(X), X)


def test_dropout_is_as_before_after_each_call_also_where_it_raises(module):
    plain = functional.dropout
    module(X)
    with pytest.raises(ValueError):
        no_dropout.method_of(module, "fail")(X)
    module.forward = module.fail
    with pytest.raises(ValueError):
        module(X)
    assert functional.dropout is plain


def test_other_modules_drop_in_evaluation(module):
    other = Drops().eval()
    assert not torch.equal(other(X), X)
    assert not torch.equal(no_dropout.method_of(other, "decode")(X), X)


@pytest.mark.parametrize(
    ("arguments", "defaults", "asked"),
    [
        ({"dropout": 0.0}, {"dropout": 0.1}, True),
        ({}, {"dropout": 0.0}, True),
        ({"dropout": 0.5}, {"dropout": 0.0}, False),
        ({}, {}, False),
        ({"dropout": False}, {}, False),
    ],
)
def test_a_rate_of_0_is_asked_for_by_an_argument_or_by_the_contracts_default(arguments, defaults, asked):
    assert no_dropout.is_asked_for(arguments, defaults) is asked
