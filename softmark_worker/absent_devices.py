"""Code that asks for CUDA, or another device that is not here, runs on the CPU.

Nothing is changed until code raises because the device is absent. Then what it did is done once more, and
from then on PyTorch's functions that take a device take the CPU for it. Code that asks for no such device
never meets this, and a GPU that is there is no absent device.
"""

import functools
import inspect
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import torch
from torch.utils._device import _device_constructors

from softmark_worker import describe_error
from softmark_worker.silent import Silent

# What PyTorch says, in builds with CUDA and without.
ABSENT = re.compile(
    r"not compiled with|compiled without CUDA|NVIDIA driver|No CUDA GPUs|not linked with support for"
    r"|(accelerator|generator|Cannot initialize).*(when none is available|librar|MPS)"
    r"|requires (a )?CUDA|dummy base class|_cuda_|type torch\.cuda\.\w+ not available|'(MPS|CUDA)' backend"
    r"|MPS backend|NVTX functions|Device index must not be negative"
)
OTHERS = ("mps", "xpu", "hpu", "npu")  # accelerators beside CUDA
FACTORIES = ("empty_like", "full_like", "ones_like", "rand_like", "randint_like", "randn_like", "zeros_like")
METHODS = ("to", "type", "new_empty", "new_full", "new_ones", "new_tensor", "new_zeros")
KEPT = {"is_available", "device_count", "is_initialized"}  # of torch.cuda
OBJECTS = ("Event", "Stream", "ExternalStream", "device", "stream", "graph", "CUDAGraph")
ANSWERS = {
    "mem_get_info": (0, 0),
    "get_device_capability": (0, 0),
    "current_device": 0,
    "get_device_name": "CPU",
}

Patch = tuple[Any, str, Any]
T = TypeVar("T")


class AbsentDevices:
    """Runs the code of one submission.

    Attributes:
        asked: whether it has asked for an absent device.
        at: the frames where it first did; empty where PyTorch has raised nothing.
    """

    def __init__(self) -> None:
        self.asked = False
        self.at: list[list[Any]] = []
        self._on_the_cpu = False

    def run(self, work: Callable[[], T]) -> T:
        """What `work` returns; on the CPU if it asks for a device that is absent, or has done so before."""
        if not self.asked:
            try:
                return work()
            except Exception as error:
                if not is_absent(error):
                    raise
                self.asked, self.at = True, describe_error.frames_of(error)
        if self._on_the_cpu:
            return work()
        self._on_the_cpu = True
        try:
            with on_the_cpu():
                return work()
        finally:
            self._on_the_cpu = False

    def leave_default(self) -> None:
        """Make the CPU the default device again, where code has made one the default that is absent."""
        if _default_is_absent():
            torch.set_default_device(None)
            self.asked = True


def is_absent(error: BaseException) -> bool:
    """Whether an error says that a device is absent."""
    kinds = (
        AssertionError,
        AttributeError,
        ModuleNotFoundError,
        NotImplementedError,
        RuntimeError,
        TypeError,
    )
    return isinstance(error, kinds) and bool(absent_types()) and bool(ABSENT.search(str(error)))


def absent_types() -> frozenset[str]:
    """The kinds of devices that are not here."""
    there = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    return frozenset(kind for kind in ("cuda", *OTHERS) if not there.get(kind))


@contextmanager
def on_the_cpu() -> Iterator[None]:
    """Inside the block, PyTorch's functions take the CPU, or the GPU that is here, for an absent device."""
    before = [(owner, name, owner.__dict__.get(name, ABSENT)) for owner, name, _ in _patches()]
    if _default_is_absent():
        torch.set_default_device(None)
    for owner, name, value in _patches():
        setattr(owner, name, value)
    try:
        yield
    finally:
        for owner, name, value in before:
            if value is ABSENT:
                delattr(owner, name)
            else:
                setattr(owner, name, value)


def _default_is_absent() -> bool:
    try:
        return torch.get_default_device().type in absent_types()
    except Exception as error:  # PyTorch makes a tensor there, to know its number
        return is_absent(error)


@functools.cache
def _patches() -> list[Patch]:
    """What takes the place of PyTorch's own, each with its owner and its name."""
    return [*_of_torch(), *_of_tensors_and_modules(), *_of_cuda()]


def _of_torch() -> Iterator[Patch]:
    constructors = _device_constructors()
    for name, value in list(vars(torch).items()):
        if callable(value) and value in constructors:
            yield torch, name, _on_cpu(value, device="cpu")
    for name in (*FACTORIES, "load", "set_default_device", "set_default_tensor_type"):
        yield torch, name, _on_cpu(getattr(torch, name))
    yield torch, "Generator", type("Generator", (torch.Generator,), {"__new__": _new_generator})


def _of_tensors_and_modules() -> Iterator[Patch]:
    for name in METHODS:
        yield torch.Tensor, name, _on_cpu(getattr(torch.Tensor, name), numbers=name == "to")
    for name in ("to", "type"):
        yield torch.nn.Module, name, _on_cpu(getattr(torch.nn.Module, name), numbers=name == "to")
    for owner, name in (
        (torch.Tensor, "cuda"),
        (torch.Tensor, "pin_memory"),
        (torch.nn.Module, "cuda"),
        (torch.nn.Module, "xpu"),
    ):
        yield owner, name, _itself


def _of_cuda() -> Iterator[Patch]:
    functions = [(torch.cuda, name) for name in vars(torch.cuda)]
    for owner, name in [*functions, *((torch.cuda.nvtx, name) for name in vars(torch.cuda.nvtx))]:
        value = getattr(owner, name)
        if name in ANSWERS:
            yield owner, name, functools.partial(_answer, ANSWERS[name])
        elif name in OBJECTS:
            yield owner, name, Silent
        elif name.endswith(("Tensor", "Storage")) and hasattr(torch, name):
            yield owner, name, getattr(torch, name)
        elif inspect.isfunction(value) and not name.startswith("_") and name not in KEPT:
            yield owner, name, _or_nothing(value)


def _on_cpu(
    function: Callable[..., Any], device: str | None = None, numbers: bool = False
) -> Callable[..., Any]:
    """The function with the CPU for an absent device. `device` is its default; `numbers` may be devices."""

    @functools.wraps(function)
    def called(*args: Any, **named: Any) -> Any:
        args = tuple(_here(a, numbers) for a in args)
        named = {n: False if n == "pin_memory" else _here(v, n == "device") for n, v in named.items()}
        if device is not None and named.get("device") is None:
            named["device"] = device
        return function(*args, **named)

    return called


def _here(value: Any, numbers: bool) -> Any:
    """The device that takes the place of an absent one; any other value as it is."""
    if isinstance(value, str):
        kind = value.partition(":")[0]
        return _device() if kind in absent_types() else value.replace("torch.cuda.", "torch.")
    if isinstance(value, torch.device):
        return torch.device(_device()) if value.type in absent_types() else value
    return _device() if numbers and type(value) is int else value


def _device() -> str:
    return "cuda" if torch.cuda.is_available() else "cpu"


def _new_generator(cls: type, device: Any = "cpu") -> Any:
    new: Callable[..., Any] = torch._C.Generator.__new__
    return new(cls, _here(device, True))


def _itself(value: Any, *args: Any, **named: Any) -> Any:
    del args, named
    return value


def _answer(answer: Any, *args: Any, **named: Any) -> Any:
    del args, named
    return answer


def _or_nothing(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def called(*args: Any, **named: Any) -> Any:
        try:
            return function(*args, **named)
        except Exception as error:
            if not is_absent(error):
                raise
            return Silent()

    return called
