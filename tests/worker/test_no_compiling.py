"""In a box nothing is compiled; what should be is given back."""

import functools

import pytest
import torch

from softmark_worker import no_compiling


@pytest.fixture
def as_written(monkeypatch):
    for owner, names in (
        (torch, ["compile"]),
        (torch.nn.Module, ["compile"]),
        (torch.jit, [*no_compiling.KEEPING, "ScriptModule", "Attribute"]),
    ):
        for name in names:
            monkeypatch.setattr(owner, name, getattr(owner, name))
    no_compiling.run_as_written()


@pytest.mark.usefixtures("as_written")
def test_decorators_and_calls_give_back_what_they_get():
    def f(x):
        return x

    assert torch.compile(f) is torch.compile(mode="max-autotune")(f) is torch.jit.script(f) is f
    assert torch.jit.trace(f, torch.ones(1)) is functools.partial(torch.compile, fullgraph=True)(f) is f


@pytest.mark.usefixtures("as_written")
def test_a_module_of_torchscript_is_one_like_any_other():
    class Doubles(torch.jit.ScriptModule):
        @torch.jit.script_method
        def forward(self, x):
            return 2 * x

    module = Doubles()
    module.compile()
    module.register_forward_pre_hook(lambda *_: None)
    assert module(3) == 6
