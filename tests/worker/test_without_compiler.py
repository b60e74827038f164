"""Optimizers step without PyTorch's compiler, and as they do with it."""

import subprocess
import sys

CODE = """
import sys, torch
from torch import nn, optim

def train(kind):
    torch.manual_seed(0)
    x = nn.Parameter(torch.randn(3, 3))
    optimizer = kind([x], lr=0.01)
    def loss():
        optimizer.zero_grad()
        value = (x @ x - 1).square().sum()
        value.backward()
        return value
    for _ in range(3):
        optimizer.step(loss)
        optimizer.load_state_dict(optimizer.state_dict())
    optimizer.add_param_group({"params": [nn.Parameter(torch.ones(1))]})
    assert torch.is_grad_enabled()
    return x.detach()

named = {name: kind for name, kind in vars(optim).items() if isinstance(kind, type)}
kinds = [kind for name, kind in named.items()
         if issubclass(kind, optim.Optimizer) and name not in ("Optimizer", "SparseAdam")]
"""


def run(code: str) -> None:
    subprocess.run([sys.executable, "-c", CODE + code], check=True)


def test_every_optimizer_gives_what_it_gives_with_the_compiler():
    run(
        "due = [train(kind) for kind in kinds]; assert len(kinds) > 10\n"
        "from softmark_worker.without_compiler import spare_compiler\n"
        "spare_compiler()\n"
        "assert all(map(torch.equal, map(train, kinds), due))"
    )


def test_no_optimizer_imports_the_compiler():
    run(
        "from softmark_worker.without_compiler import spare_compiler\n"
        "spare_compiler(); [train(kind) for kind in kinds]\n"
        "assert 'torch._dynamo' not in sys.modules"
    )


def test_gradients_pass_through_a_step_where_they_are_asked_for():
    run(
        "from softmark_worker.without_compiler import spare_compiler\n"
        "spare_compiler()\n"
        "x = torch.ones(2, requires_grad=True); y = x.clone()\n"
        "optimizer = optim.SGD([y], lr=0.1, differentiable=True)\n"
        "y.grad = 2 * x; optimizer.step(); y.sum().backward()\n"
        "assert x.grad is not None and bool((x.grad - 0.8).abs().max() < 1e-6)"
    )
