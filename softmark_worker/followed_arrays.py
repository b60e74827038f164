"""Calls code of NumPy with tensors: it is given arrays, and the gradients of its answer are found beside it.

The answer is NumPy's. Where gradients are asked for, the same code runs once more with PyTorch's own copy of
NumPy, and its answer counts for the gradients alone, if both agree.
"""

import contextlib
import functools
import importlib
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy
import torch

_PACKAGES = ("torch", "numpy", "scipy", "math", "softmark_worker")
SAME = 1e-3  # relative to the largest number
_Held = Sequence[tuple[Any, Any]]


class _Numpy(types.ModuleType):
    """PyTorch's copy of NumPy, and NumPy's own for what it lacks."""

    def __getattr__(self, name: str) -> Any:
        return getattr(_of_torch(), name, None) or getattr(numpy, name)


class _Random(types.ModuleType):
    """NumPy's random numbers, in arrays of the copy."""

    def __getattr__(self, name: str) -> Any:
        drawn = getattr(numpy.random, name)
        return lambda *args, **kwargs: _as_copy(_tensor_of(drawn(*args, **kwargs)))


_COPY = _Numpy("numpy")
_COPY.random = _Random("numpy.random")  # type: ignore[attr-defined]


@functools.cache
def _of_torch() -> Any:
    """PyTorch's copy of NumPy: no public part of it, and 15 ms to import.

    Its default dtypes are NumPy's. Where they are not set, it imports PyTorch's compiler to read them: 1 s.
    """
    dtypes = importlib.import_module("torch._numpy._dtypes_impl")
    numbers = torch.float64, torch.complex128, torch.int64
    with contextlib.suppress(AttributeError, TypeError):
        vars(dtypes)["_default_dtypes"] = dtypes.DefaultDTypes(*numbers)
    return importlib.import_module("torch._numpy")


def follow(called: Callable[..., Any], held: _Held, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """The answer of a method of NumPy, as tensors.

    Args:
        called: the method.
        held: places of its object, with what is to be put there.
        args: its arguments, whose tensors it gets as arrays.
        kwargs: the same by name.
    """
    given = [*args, *kwargs.values(), *(value for _, value in held)]
    floats = [g for g in given if isinstance(g, torch.Tensor) and g.is_floating_point()]
    dtype = floats[0].dtype if floats else torch.get_default_dtype()
    learns = torch.is_grad_enabled() and any(value.requires_grad for value in floats)
    again = _with_gradients(called, held, args, kwargs) if learns else None
    for place, value in held:
        place.put(_as_array(value))
    answer = called(*map(_as_array, args), **{name: _as_array(value) for name, value in kwargs.items()})
    return _as_tensors(answer, again, dtype)


def _with_gradients(
    called: Callable[..., Any], held: _Held, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> Any:
    """The answer by PyTorch's copy of NumPy; None where the code does not go with it.

    NumPy's random numbers are those that the next call gets too.
    """
    state = numpy.random.get_state()
    try:
        with _numpy_exchanged(called):
            for place, value in held:
                place.put(_as_copy(value))
            given = {name: _as_copy(_apart(value)) for name, value in kwargs.items()}
            return called(*(_as_copy(_apart(value)) for value in args), **given)
    except Exception:  # the answer of NumPy says what is wrong
        return None
    finally:
        numpy.random.set_state(state)


@contextlib.contextmanager
def _numpy_exchanged(called: Callable[..., Any]) -> Iterator[None]:
    """Inside the block, the code of a method and of its helpers sees PyTorch's copy where it has NumPy."""
    known = _namespaces_of(called)
    before = [(namespace, dict(namespace)) for namespace in known]
    for namespace in known:
        namespace.update({name: _exchanged(value) for name, value in namespace.items() if _is_numpy(value)})
    try:
        yield
    finally:
        for namespace, values in before:
            namespace.update({name: value for name, value in values.items() if _is_numpy(value)})


def _namespaces_of(called: Callable[..., Any]) -> list[dict[str, Any]]:
    """The names around a method, and around the functions and classes of other files that it can see."""
    own: dict[str, Any] = getattr(called, "__globals__", {})
    known = {id(own): own}
    for value in [*own.values()]:
        functions = [*vars(value).values()] if isinstance(value, type) else [value]
        for function in functions:
            if isinstance(function, types.FunctionType) and _is_own(function):
                known[id(function.__globals__)] = function.__globals__
    return list(known.values())


def _is_own(function: types.FunctionType) -> bool:
    """Whether a function is of the submission, and not of a package that it imports."""
    return str(function.__globals__.get("__name__")).partition(".")[0] not in _PACKAGES


def _is_numpy(value: Any) -> bool:
    if value is numpy or isinstance(value, numpy.ufunc):
        return True
    name = getattr(value, "__name__", "")
    return callable(value) and type(name) is str and getattr(numpy, name, None) is value


def _exchanged(value: Any) -> Any:
    return _COPY if value is numpy else getattr(_COPY, value.__name__)


def _as_array(value: Any) -> Any:
    return value.detach().cpu().numpy() if isinstance(value, torch.Tensor) else value


def _apart(value: Any) -> Any:
    """A tensor that the code may change in place, as it will do with the array later."""
    return value.clone() if isinstance(value, torch.Tensor) else value


def _tensor_of(value: Any) -> Any:
    is_array = isinstance(value, numpy.ndarray) and not value.dtype.hasobject
    return torch.from_numpy(value) if is_array else value


def _as_copy(value: Any) -> Any:
    """The copy's array of a tensor; a number of Python for NumPy's, of which the copy knows no type."""
    value = value.item() if isinstance(value, numpy.generic) else value
    return _of_torch().ndarray(value) if isinstance(value, torch.Tensor) else value


def _as_tensors(answer: Any, again: Any, dtype: torch.dtype) -> Any:
    """The answer with a tensor for each array, in this precision, with the gradients of the other answer."""
    if type(answer) in (tuple, list):
        is_like = type(again) is type(answer) and len(again) == len(answer)
        others = again if is_like else [None] * len(answer)
        return type(answer)(_as_tensors(a, b, dtype) for a, b in zip(answer, others, strict=True))
    if isinstance(answer, numpy.generic):
        answer = numpy.asarray(answer)
    if not isinstance(answer, numpy.ndarray) or answer.dtype.hasobject:
        return answer
    tensor = torch.tensor(answer)
    tensor = tensor.to(dtype) if tensor.is_floating_point() else tensor
    followed = getattr(again, "tensor", None)
    if not isinstance(followed, torch.Tensor) or not followed.requires_grad or followed.shape != tensor.shape:
        return tensor
    followed = followed.to(dtype)
    rest = tensor - followed.detach()
    largest = tensor.abs().max() if tensor.numel() else tensor.sum()
    return followed + rest if bool((rest.abs() <= SAME * largest).all()) else tensor
