"""In a box, `torch.compile` and `torch.jit` give back what they get: the code runs as it is written.

Compiled code computes the same. To compile takes ten seconds, which is longer than all checks, and modules of
TorchScript take no hooks and hide the names of their arguments. PyTorch's own private functions are compiled
as ever: forward-mode gradients are made of such.
"""

from collections.abc import Callable
from functools import partial
from types import FunctionType
from typing import Any

import torch

KEEPING = ("script", "script_if_tracing", "script_method", "trace", "freeze", "optimize_for_inference")


class AsWritten(torch.nn.Module):
    """What takes the place of `torch.jit.ScriptModule`: no other module is one, as PyTorch asks in places."""


def run_as_written() -> None:
    """From now on nothing is compiled in this process."""
    for owner, name, value in (
        (torch, "compile", _keep),
        (torch.nn.Module, "compile", _compile_nothing),
        *((torch.jit, name, partial(_keep_all_but_private, getattr(torch.jit, name))) for name in KEEPING),
        (torch.jit, "ScriptModule", AsWritten),
        (torch.jit, "Attribute", _value_of),
    ):
        setattr(owner, name, value)


def _keep(compiled: Any = None, *args: Any, **options: Any) -> Any:
    """What should be compiled, or, where options come first, a decorator that gives it back."""
    del args, options
    return _itself if compiled is None else compiled


def _keep_all_but_private(
    original: Callable[..., Any], compiled: Any = None, *args: Any, **options: Any
) -> Any:
    if isinstance(compiled, FunctionType) and compiled.__module__.startswith("torch._"):
        return original(compiled, *args, **options)
    return _keep(compiled, *args, **options)


def _itself(compiled: Callable[..., Any]) -> Callable[..., Any]:
    return compiled


def _compile_nothing(module: torch.nn.Module, *args: Any, **options: Any) -> None:
    del module, args, options


def _value_of(value: Any, kind: Any) -> Any:
    del kind
    return value
