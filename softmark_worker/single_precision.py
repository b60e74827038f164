"""Code that cannot compute in float64, because something in it is of float32, is asked in float32.

A student's data are of float32, so that a layer, a buffer or a softmax of that dtype is no mistake. That it
does not go with float64 shows here alone. The answer is then of float32, and the host says so in a remark.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch

# As in "mat1 and mat2 must have the same dtype", "expected scalar type Float but found Double", "all inputs
# must share same datatype", "Input type (float) and bias type (double) should be the same".
OF_DTYPES = re.compile(r"d(ata)?type|scalar type|type \((float|double)\)", re.IGNORECASE)


def call(ask: Callable[..., Any], *values: Any) -> Any:
    """`ask(*values)`; once more with all of float64 in float32, where it raises because of dtypes.

    Modules among the values have their own parameters again afterwards. What a call changes in a tensor is
    changed in the one that was given.
    """
    try:
        return ask(*values)
    except (RuntimeError, TypeError, ValueError) as error:
        doubles = list(filter(_is_double, [*_tensors(values), *_owned(values)]))
        if not doubles or not OF_DTYPES.search(str(error)) or any(map(_hides_layers, _modules(values))):
            raise
        refused = error
    singles = _cast(values)
    with _in_single(values):
        try:
            answer = ask(*singles)
        except Exception:
            raise refused from None  # the code is wrong in another way
    for value, single in zip(_tensors(values), _tensors(singles), strict=True):
        if value.shape == single.shape and not torch.equal(value.detach().to(single.dtype), single.detach()):
            value.detach().copy_(single.detach())
    return answer


@contextmanager
def _in_single(values: Any) -> Iterator[None]:
    """Inside the block, the modules' tensors of float64 are of float32."""
    before = [(tensor, tensor.data) for tensor in _owned(values) if _is_double(tensor)]
    try:
        for tensor, data in before:
            tensor.data = data.float()
        yield
    finally:
        for tensor, data in before:
            tensor.data = data


def _tensors(value: Any) -> Iterator[torch.Tensor]:
    """The tensors of arguments: alone, or in lists, tuples and dicts."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, dict | list | tuple):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _tensors(part)


def _owned(value: Any) -> Iterator[torch.Tensor]:
    """The parameters and buffers of modules, also of the one whose method is called."""
    if isinstance(value, list | tuple):
        for part in value:
            yield from _owned(part)
    for module in _modules([value]):
        yield from module.parameters()
        yield from module.buffers()


def _modules(values: Any) -> Iterator[torch.nn.Module]:
    """The modules among values, also the one whose method is called."""
    for value in values:
        module = getattr(value, "__self__", value)
        if isinstance(module, torch.nn.Module):
            yield module


def _hides_layers(module: torch.nn.Module) -> bool:
    """Whether layers are kept in a plain list, where nothing finds their parameters: a mistake of its own."""
    kept = [
        value for part in module.modules() for value in vars(part).values() if type(value) in (list, tuple)
    ]
    return any(isinstance(layer, torch.nn.Module) for layers in kept for layer in layers)


def _cast(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return value.detach().float() if _is_double(value) else value
    if isinstance(value, dict):
        return {name: _cast(part) for name, part in value.items()}
    return type(value)(map(_cast, value)) if isinstance(value, list | tuple) else value


def _is_double(tensor: torch.Tensor) -> bool:
    return tensor.dtype == torch.float64
