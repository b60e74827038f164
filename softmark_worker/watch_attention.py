"""Attention weights that code computes and does not return: they are watched while it runs.

Every operation of PyTorch passes a dispatch mode, so it does not matter how the weights are computed: with
`softmax`, by hand, in a loop over heads, or within `F.scaled_dot_product_attention`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch.nn.modules import module as hooks
from torch.utils._python_dispatch import TorchDispatchMode

MAPS = 256  # heads that are kept, of all layers together
CLOSE = 1e-3  # of the sum of a row to one


@dataclass
class Seen:
    """Weights of one or more heads (n, S, S), and the numbers in the name of the module that made them."""

    weights: torch.Tensor
    path: list[int]
    made: torch.Tensor  # keeps its memory, so that no later tensor lies at the same place


def watch(called: Callable[..., Any], args: Any, length: int) -> list[dict[str, Any]]:
    """Call without gradients and return all attention weights of `length` queries and keys, in order.

    They are tensors that are no views of one another, of shape (..., S, S), with rows that sum to one. Each
    comes with the numbers in its module's name: [1, 0] for `blocks.1.heads.0`.
    """
    watching = Watch(length, called)
    # Kernels that do all in one operation would hide the weights.
    fast = torch.backends.mha.get_fastpath_enabled()
    torch.backends.mha.set_fastpath_enabled(False)
    before = hooks.register_module_forward_pre_hook(watching.enter)
    after = hooks.register_module_forward_hook(watching.leave)
    try:
        with torch.no_grad(), torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.MATH), watching:
            called(*args)
    finally:
        before.remove()
        after.remove()
        torch.backends.mha.set_fastpath_enabled(fast)
    return [{"weights": seen.weights, "path": seen.path} for seen in watching.seen]


class Watch(TorchDispatchMode):
    """Keeps each tensor that may be attention weights."""

    def __init__(self, length: int, called: Any) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.seen: list[Seen] = []
        self._length = length
        self._left = MAPS
        self._identity = torch.eye(length)
        modules = called.named_modules() if isinstance(called, torch.nn.Module) else ()
        self._names = {id(module): _numbers_in(name) for name, module in modules}
        self._inside: list[Any] = []

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """No: PyTorch would import its compiler to tell it so, which takes each process two CPU seconds."""
        return False

    def enter(self, module: Any, _args: Any) -> None:
        """A module's forward begins."""
        self._inside.append(module)

    def leave(self, module: Any, _args: Any, _answer: Any) -> None:  # noqa: ARG002
        """A module's forward ends."""
        self._inside.pop()

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Do an operation and look at what comes of it."""
        answer = func(*args, **(kwargs or {}))
        given = [_place(value) for value in args if isinstance(value, torch.Tensor)]
        for value in answer if isinstance(answer, tuple | list) else (answer,):
            if isinstance(value, torch.Tensor) and self._may_be_weights(value):
                self._keep(value, given)
        return answer

    def _keep(self, value: torch.Tensor, given: list[int]) -> None:
        known = {_place(seen.made): seen for seen in self.seen}
        if _place(value) in known:  # another view of the same weights
            return
        weights = value.detach().reshape(-1, self._length, self._length).float().clone()
        earlier = next((known[place] for place in given if place in known), None)
        if earlier is None and len(weights) <= self._left:
            self._left -= len(weights)
            self.seen.append(Seen(weights, self._path(), value))
        elif earlier is not None and earlier.weights.shape == weights.shape:  # changed, as by a later mask
            earlier.weights, earlier.made = weights, value

    def _may_be_weights(self, value: torch.Tensor) -> bool:
        if not value.is_floating_point() or value.shape[-2:] != (self._length, self._length):
            return False
        near = (value.sum(-1) - 1).abs().max() < CLOSE if value.numel() else False
        return bool(near and (value >= 0).all() and not (value == self._identity.to(value.device)).all())

    def _path(self) -> list[int]:
        return next((self._names[id(m)] for m in reversed(self._inside) if id(m) in self._names), [])


def _place(value: torch.Tensor) -> int:
    return value.untyped_storage().data_ptr()


def _numbers_in(name: str) -> list[int]:
    return [int(part) for part in name.split(".") if part.isdecimal()]
