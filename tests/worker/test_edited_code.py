"""The code of a function is exchanged in place and put back: whatever has the function calls it."""

import functools
import sys
import types
from collections.abc import Iterator

import pytest
import torch
from torch import nn

from softmark_worker.edited_code import (
    NotExchangeable,
    copy_of,
    exchanged,
    in_little_memory,
    kept_as_they_are,
    soon,
)

CODE = """
import functools
import torch
from torch import nn

SCALE = 2

def noted(function):
    @functools.wraps(function)
    def wrapper(*args):
        return function(*args)
    return wrapper

def double(x, by=SCALE):
    return x * by

@noted
def wrapped(x):
    return x + 1

class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.__hidden = 3

    def forward(self, x):
        return double(x) + self.__hidden

    @staticmethod
    def still(x):
        return x

class Inherits(Base):
    def forward(self, x):
        return super().forward(x) + 1
"""


@pytest.fixture
def names() -> Iterator[dict[str, object]]:
    module = types.ModuleType("handed_in")
    exec(CODE, module.__dict__)
    sys.modules["handed_in"] = module
    yield module.__dict__
    del sys.modules["handed_in"]


def test_modules_that_were_constructed_call_the_other_code_and_then_the_first_again(names) -> None:
    module = names["Inherits"]()
    first = module(1)
    with exchanged("handed_in", "Base", "forward", "def forward(self, x):\n    return x + self.__hidden"):
        assert module(1) == 1 + 3 + 1
    with exchanged(
        "handed_in", "Inherits", "forward", "def forward(self, x):\n    return super().forward(x)"
    ):
        assert module(1) == first - 1
    assert module(1) == first == 2 + 3 + 1


def test_a_function_that_was_imported_wrapped_or_bound_has_the_other_code(names) -> None:
    imported, bound = names["double"], functools.partial(names["double"], 5)
    with exchanged("handed_in", "", "double", "def double(x, by=SCALE + 1):\n    return x * by"):
        assert (imported(2), bound()) == (6, 15)
    assert (imported(2), bound()) == (4, 10)
    with exchanged("handed_in", "", "wrapped", "def wrapped(x):\n    return x - 1"):
        assert names["wrapped"](1) == 0
    with exchanged("handed_in", "Base", "still", "@staticmethod\ndef still(x):\n    return x + 1"):
        assert names["Base"].still(1) == 2


@pytest.mark.parametrize(
    ("owner", "name", "code"),
    [
        ("", "absent", "def absent(x):\n    return x"),
        ("", "SCALE", "def SCALE(x):\n    return x"),
        ("Base", "forward", "def forward(self, x):\n    return super().forward(x)"),
    ],
    ids=["no such name", "no function", "other variables of functions around it"],
)
def test_what_cannot_be_exchanged_raises_and_changes_nothing(names, owner, name, code) -> None:
    with pytest.raises(NotExchangeable), exchanged("handed_in", owner, name, code):
        pass
    assert names["Inherits"]()(1) == 6


def test_attributes_that_edited_code_assigns_are_gone_afterwards() -> None:
    module = nn.Sequential(nn.Linear(2, 2))
    first = module[0]
    with kept_as_they_are([module, "no module"]):
        module.extra = 1
        module[0].weight = nn.Parameter(torch.zeros(2, 2))
        module.add_module("0", nn.Identity())
    assert module[0] is first
    assert not hasattr(module, "extra")
    assert first.weight.abs().sum() > 0


def test_an_endless_loop_and_a_huge_tensor_end_soon() -> None:
    with pytest.raises(TimeoutError), soon():
        while True:
            pass
    with pytest.raises((MemoryError, RuntimeError)), in_little_memory():
        torch.ones(1 << 30)
    assert torch.ones(1 << 20).sum() == 1 << 20


def test_a_request_is_copied_with_its_tensors() -> None:
    tensor = torch.zeros(2)
    copied = copy_of([None, [tensor], {"mask": tensor}])
    copied[1][0] += 1
    copied[2]["mask"] += 1
    assert torch.equal(tensor, torch.zeros(2))
