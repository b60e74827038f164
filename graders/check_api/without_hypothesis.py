"""Checks where Hypothesis is not installed, as on Colab: strategies are declared there and never drawn from.

The draws of a student's checks stand in the answer key, so that only the checks files need the names. The
package is compiled for each version of Python, and cannot come along as a file.
"""

import contextlib
import functools
import importlib.util
import sys
from collections.abc import Iterator
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

NAME = "hypothesis"
INSTALLED = importlib.util.find_spec(NAME) is not None
_SUBMODULES = (
    "strategies",
    "configuration",
    "control",
    "errors",
    "internal",
    "internal.conjecture",
    "internal.conjecture.data",
)


class CannotDraw(RuntimeError):
    """A draw was asked for that no key holds, and Hypothesis is not installed."""


class _Strategy:
    """Whatever is made of a strategy: calls, attributes and unions give another one."""

    def __call__(self, *_: Any, **__: Any) -> "_Strategy":
        return self

    def __getattr__(self, name: str) -> "_Strategy":
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __getitem__(self, _: Any) -> "_Strategy":
        return self

    def __or__(self, _: Any) -> "_Strategy":
        return self

    __ror__ = __or__


class _Strategies(ModuleType):
    """`hypothesis.strategies`: each name in it is a strategy."""

    def __getattr__(self, name: str) -> Any:
        return getattr(_Strategy(), name)


class _Package(ModuleType):
    """`hypothesis` and its other modules: to use a name of theirs is to draw."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _refuse


def _refuse(*_: Any, **__: Any) -> Any:
    raise CannotDraw(f"{NAME} is not installed")


@contextlib.contextmanager
def declared() -> Iterator[None]:
    """Inside the block, checks files can be imported where Hypothesis is not installed.

    Afterwards `import hypothesis` fails again: in a notebook, others ask whether it is there.
    """
    modules = {} if INSTALLED else _stand_ins()
    sys.modules.update(modules)
    try:
        yield
    finally:
        for name in modules:
            sys.modules.pop(name, None)


@functools.cache
def _stand_ins() -> dict[str, ModuleType]:
    modules: dict[str, ModuleType] = {NAME: _Package(NAME)}
    for name in _SUBMODULES:
        modules[f"{NAME}.{name}"] = (_Strategies if name == "strategies" else _Package)(f"{NAME}.{name}")
    for name, module in modules.items():
        module.__spec__ = ModuleSpec(name, None)  # torch._dynamo asks for it
        parent, _, last = name.rpartition(".")
        if parent:
            setattr(modules[parent], last, module)
    vars(modules[f"{NAME}.configuration"])["set_hypothesis_home_dir"] = lambda _: None
    vars(modules[f"{NAME}.errors"])["HypothesisException"] = CannotDraw
    return modules
