"""Classes that are no modules, where a module is due."""

import subprocess
import sys

import numpy as np
import pytest
import torch
from torch import nn

from softmark_worker.plain_classes import adopt_parts, as_module, learn_tensors


class Weight:
    def __init__(self, data):
        self.data, self.grad = data, np.zeros_like(data)


class OfArrays:
    """A layer, a mask and a table of sines, of NumPy."""

    def __init__(self, width=3):
        self.w = Weight(np.random.randn(width, width))
        self.b, self.grad_b = np.zeros(width), np.zeros(width)
        self.mask = np.tril(np.ones((width, width)))
        self.sines = np.stack([np.sin(np.arange(4)), np.cos(np.arange(4))], axis=-1)
        self.training = True

    def forward(self, x, scale=1.0, training=True):
        self.seen = x
        answer = np.maximum(x @ self.w.data, 0) * scale + self.b
        return answer * (2 if training else 1), [answer.mean(axis=-1)]


def test_arrays_are_parameters_and_masks_tables_and_gradients_are_none():
    module = as_module(OfArrays())
    assert module is not None
    assert {name: tuple(p.shape) for name, p in module.named_parameters()} == {"w": (3, 3), "b": (3,)}
    assert {name for name, _ in module.named_buffers()} == {"mask", "sines"}


def test_the_answer_is_of_tensors_with_gradients_and_in_the_present_mode():
    module = as_module(OfArrays()).eval()
    x = torch.randn(2, 4, 3, requires_grad=True)
    with torch.no_grad():
        module.get_parameter("b").fill_(0.5)
    answer, [mean] = module(x)
    due = torch.relu(x @ module.get_parameter("w").float()) + 0.5
    assert torch.allclose(answer, due, atol=1e-6)
    assert answer.dtype == mean.dtype == torch.float32
    found, wanted = (torch.autograd.grad(each.square().sum(), x)[0] for each in (answer, due))
    assert torch.allclose(found, wanted, atol=1e-5)
    assert torch.allclose(module.train()(x)[0], 2 * due, atol=1e-6)
    assert type(module._made.seen) is np.ndarray


class OfTensors:
    def __init__(self, width=2):
        self.layers = [torch.ones(width), {"inner": nn.Linear(width, width)}]
        self.tied = self.layers[0]

    def __call__(self, x):
        return self.layers[1]["inner"](x * self.layers[0] * self.tied)

    def encode(self, x):
        return x * self.tied


def test_tensors_modules_and_what_is_held_twice_are_parameters_and_methods_are_there():
    module = as_module(OfTensors()).double()
    names = {"tied", "layers.1.inner.weight", "layers.1.inner.bias"}
    assert {name for name, _ in module.named_parameters()} == names
    with torch.no_grad():
        module.get_parameter("tied").fill_(3)
    x = torch.ones(1, 2, dtype=torch.float64)
    assert torch.equal(module.encode(x), 3 * x)
    assert torch.equal(module(x), module.get_submodule("layers.1.inner")(9 * x))


def test_code_that_pytorch_s_numpy_lacks_answers_without_gradients():
    class Partly:
        def __init__(self):
            self.w = np.ones(2)

        def forward(self, x):
            return np.apply_along_axis(lambda row: row * self.w, -1, x)

    answer = as_module(Partly())(torch.ones(3, 2, requires_grad=True))
    assert torch.equal(answer, torch.ones(3, 2))
    assert not answer.requires_grad


@pytest.mark.parametrize("made", [nn.Linear(1, 1), 3, [np.ones(2)], OfArrays, type("Empty", (), {})()])
def test_modules_and_what_learns_nothing_stay_as_they_are(made: object):
    assert as_module(made) is None


def test_numbers_of_numpy_and_its_random_numbers_go_with_gradients():
    class Scaled:
        def __init__(self, width=3):
            self.w, self.scale = np.random.randn(width), 1 / np.sqrt(width)

        def forward(self, x):
            kept = np.random.binomial(1, 0.5, x.shape)
            return x * self.w * self.scale * kept

    module = as_module(Scaled())
    answer = module(torch.ones(4, 3))
    answer.sum().backward()
    due = (answer != 0).sum(0) / 3**0.5
    assert torch.allclose(module.get_parameter("w").grad, due.to(torch.float64), atol=1e-5)


class Bare(nn.Module):
    def __init__(self, width=4, **parts):
        super().__init__()
        self.w, self.gain, self.shift = torch.randn(width, width), torch.ones(width), torch.zeros(width)
        self.tril, self.slopes = torch.ones(width, width).tril(), torch.arange(1.0, width)
        self.table = torch.stack([torch.arange(5.0).sin(), torch.arange(5.0).cos()], dim=-1)
        self.register_buffer("kept", torch.randn(width, width))
        for name, part in parts.items():
            setattr(self, name, part)


def test_bare_tensors_of_a_module_without_parameters_are_parameters_and_constants_are_none():
    module = Bare()
    assert learn_tensors(module) == ["w", "gain", "shift"]
    assert [name for name, _ in module.named_parameters()] == ["w", "gain", "shift"]
    assert learn_tensors(module) == []


def test_of_a_module_with_parameters_those_that_require_gradients_are_parameters():
    module = Bare(layer=nn.Linear(2, 2), inner=Bare(), bias=torch.zeros(3, requires_grad=True))
    assert learn_tensors(module) == ["bias"]


def test_gradients_of_numpy_import_no_compiler():
    code = (
        "import sys, torch, numpy as np; from softmark_worker.followed_arrays import follow\n"
        "answer = follow(lambda x: np.mean(x / np.sqrt(2)), [], [torch.ones(2, requires_grad=True)], {})\n"
        "assert answer.requires_grad and 'torch._dynamo' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


class Holder:
    def __init__(self, width):
        self.layer, self.scale = nn.Linear(width, width), nn.Parameter(torch.ones(width))
        self.more = [nn.Linear(width, 1)]


class HasAHolder(nn.Module):
    def __init__(self, width=3):
        super().__init__()
        self.holder = Holder(width)
        self.again = self.holder
        self.listed = [nn.Linear(width, width)]


def test_layers_in_an_object_become_parts_and_those_in_a_list_do_not():
    module = HasAHolder()
    assert adopt_parts(module) == ["Holder"]
    shapes = sorted(tuple(p.shape) for p in module.parameters())
    assert shapes == [(1,), (1, 3), (3,), (3,), (3, 3)]
    assert any(p is module.holder.scale for p in module.parameters())
    assert adopt_parts(nn.Linear(2, 2)) == []
