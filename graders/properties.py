"""Properties that the checks of several exercises share."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from graders.check import Called, Module
from graders.compare import require, same, tensor
from graders.tensors import weights

RANDOM = "remark: the call uses or sets the global random state"


def first_tensor(answer: Any) -> Tensor:
    """The output, also where it comes in a tuple with something else or should."""
    return tensor(answer[0] if isinstance(answer, tuple | list) and answer else answer)


def has_parameters(found: Mapping[str, Tensor], expected: int) -> None:
    """Require a number of parameters; the message lists those found.

    Raises:
        Violation: there are more or fewer.
    """
    number = sum(p.numel() for p in found.values())
    listed = ", ".join(f"{name} {tuple(p.shape)}" for name, p in found.items())
    require(
        number == expected, f"there should be {expected} parameters, found were {number}: {listed or 'none'}"
    )


def leaves_alone(called: Called, arguments: Sequence[Tensor], *names: str) -> str | None:
    """Require that a call changes none of its arguments and that a second call gives the same answer.

    Args:
        called: what is called.
        arguments: what it is called with.
        names: what a message calls the arguments, in their order.

    Returns:
        a remark if it moves the global random state.

    Raises:
        Violation: an argument has other values, or the second answer is another.
    """
    seen = called.look(*arguments)
    for name, before, after in zip(names, arguments, seen.args, strict=False):
        same(after, before, f"{name} after the call")
    second = first_tensor(called(*arguments))
    same(second, first_tensor(seen.answer), "the output of the second call")
    return None if seen.random_state_kept else RANDOM


def drops_in_training_only(construct: Callable[[float], Module], rate: float, x: Tensor) -> None:
    """Require that dropout acts in training, at no other time, and not at all with a rate of 0.

    Args:
        construct: makes a module with a rate of dropout.
        rate: so high that dropout cannot go unnoticed.
        x: an input large enough for that too.

    Raises:
        Violation: it does not.
    """
    module = construct(rate)
    calm = tensor(module(x))
    same(module(x), calm, "the second output in evaluation")
    module.train()
    first, second = tensor(module(x)), tensor(module(x))
    require(not torch.equal(first, second), f"in training with dropout={rate} two calls answer the same")
    same(module.train(False)(x), calm, "the output in evaluation after training")
    without = construct(0.0)
    calm = tensor(without(x))
    same(without.train()(x), calm, "the output in training with dropout=0")


def depends_on(called: Called, before: Tensor, changed: Sequence[Tensor], what: str = "x") -> None:
    """Require another output for changed arguments: a constant has many properties for nothing.

    Raises:
        Violation: the output is the same to the last bit.
    """
    after = first_tensor(called(*changed))
    require(not torch.equal(after, before), f"the output does not depend on {what}")


def uses_its_weights(module: Module, before: Tensor, arguments: Sequence[Tensor], seed: int) -> None:
    """Require another output under other weights, which the module then keeps.

    An answer that returns its input has many properties for nothing.

    Raises:
        Violation: the output is the same to the last bit.
    """
    shapes = {name: tuple(value.shape) for name, value in module.parameters().items()}
    after = first_tensor(module.load(weights(shapes, seed + 1))(*arguments))
    require(not torch.equal(after, before), "other weights give the same output: the layers are not used")
