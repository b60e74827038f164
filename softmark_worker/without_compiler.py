"""Let PyTorch's optimizers step without an import of its compiler, which takes longer than all checks.

The first step of any optimizer imports `torch._dynamo`, to tell a compiler where its graph ends: more than a
second in each process of a submission. Nothing is compiled in a box, so that there is nobody to tell. Where
another version of PyTorch is made otherwise, its optimizers stay as they are.
"""

import functools
from collections.abc import Callable
from typing import Any

import torch
from torch.optim import Optimizer

_MARK = "__dynamo_disable"  # on a function: what the compiler made of it, which is looked for first


def spare_compiler() -> None:
    """From now on optimizers do what they do without a compiler in between."""
    for method in vars(Optimizer).values():
        _say_it_is_made(method)
    for kind in vars(torch.optim).values():
        if isinstance(kind, type) and issubclass(kind, Optimizer):
            step = vars(kind).get("step")
            if _is_wrapped_in("_use_grad", step):
                kind.step = _with_gradients_as_asked(step.__wrapped__)  # type: ignore[union-attr, method-assign]


def _say_it_is_made(method: Any) -> None:
    """Of a method that the compiler is to leave alone: it is what the compiler would give back."""
    if _is_wrapped_in("inner", method) and "disable_fn" in method.__code__.co_varnames:
        setattr(method.__wrapped__, _MARK, method.__wrapped__)


def _is_wrapped_in(name: str, function: Any) -> bool:
    code = getattr(function, "__code__", None)
    return code is not None and code.co_name == name and hasattr(function, "__wrapped__")


def _with_gradients_as_asked(step: Callable[..., Any]) -> Callable[..., Any]:
    """The same step: gradients pass through it where the optimizer is `differentiable`, and only there."""

    @functools.wraps(step)
    def with_gradients(self: Optimizer, *args: Any, **options: Any) -> Any:
        with torch.set_grad_enabled(self.defaults["differentiable"]):
            return step(self, *args, **options)

    return with_gradients
