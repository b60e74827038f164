"""Exchanges the code of a function of the submission for an edited one, and puts it back.

The function itself stays: modules that were constructed, names that were imported and functions that were
wrapped go on calling it. The host judges what comes of it.
"""

import ast
import signal
import sys
import types
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import torch

try:
    import resource
except ImportError:  # there is none on Windows
    resource = None  # type: ignore[assignment]

SECONDS = 0.2  # of an edit
MORE_BYTES = 256 << 20  # that an edit may take beside what is there


class NotExchangeable(Exception):
    """There is no function of that name, or the edited one has other variables of functions around it."""


@contextmanager
def exchanged(module: str, owner: str, name: str, code: str) -> Iterator[None]:
    """Inside the block, a function has other code.

    Args:
        module: the name of its module.
        owner: the name of the class around a method; empty for a function.
        name: its own name.
        code: the text of the edited function.

    Raises:
        NotExchangeable: it cannot be exchanged.
        Exception: what the defaults of its arguments raise.
    """
    namespace = sys.modules[module].__dict__
    now = _find(namespace, owner, name)
    new = _make(namespace, owner, name, code)
    if new.__code__.co_freevars != now.__code__.co_freevars:
        raise NotExchangeable
    before = now.__code__, now.__defaults__, now.__kwdefaults__
    now.__code__, now.__defaults__, now.__kwdefaults__ = new.__code__, new.__defaults__, new.__kwdefaults__
    try:
        yield
    finally:
        now.__code__, now.__defaults__, now.__kwdefaults__ = before


@contextmanager
def kept_as_they_are(objects: Iterable[Any]) -> Iterator[None]:
    """After the block, modules have the attributes that they had: edited code may assign others."""
    modules = [part for each in objects if isinstance(each, torch.nn.Module) for part in each.modules()]
    before = [(vars(module), vars(module).copy()) for module in modules]
    inner = [
        (table, table.copy())
        for _, attributes in before
        for name in ("_parameters", "_buffers", "_modules")
        if isinstance(table := attributes.get(name), dict)
    ]
    try:
        yield
    finally:
        for now, then in (*before, *inner):
            now.clear()
            now.update(then)


@contextmanager
def soon() -> Iterator[None]:
    """Raise `TimeoutError` in the block once it has taken so long; where no clock can be set, never."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def end(*_: object) -> None:
        raise TimeoutError

    signal.signal(signal.SIGVTALRM, end)
    # Again and again: what is raised in a callback of the garbage collector is lost.
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


@contextmanager
def in_little_memory() -> Iterator[None]:
    """Bound the memory of the block, where nothing else does: an edit may make a tensor large."""
    unlimited = resource is not None and resource.getrlimit(resource.RLIMIT_AS)[0] == resource.RLIM_INFINITY
    if not unlimited:  # a box has its limits, and lets nobody change them
        yield
        return
    most, hard = _bytes_in_use() + MORE_BYTES, resource.getrlimit(resource.RLIMIT_AS)[1]
    with suppress(OSError):
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))
    try:
        yield
    finally:
        with suppress(OSError):
            resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, hard))


def _bytes_in_use() -> int:
    """The address space of this process, where the system says it."""
    try:
        with open("/proc/self/statm", "rb") as file:  # noqa: PTH123 - in a box without pathlib
            return int(file.read().split()[0]) * resource.getpagesize()
    except OSError:
        return 1 << 40


def copy_of(value: Any) -> Any:
    """A request's value with copies of its tensors: edited code may change its arguments."""
    if isinstance(value, torch.Tensor):
        return value.clone()
    if isinstance(value, list):
        return [copy_of(each) for each in value]
    return {name: copy_of(each) for name, each in value.items()} if isinstance(value, dict) else value


def _find(namespace: dict[str, Any], owner: str, name: str) -> types.FunctionType:
    around = vars(namespace[owner]) if owner else namespace
    return _plain(around.get(name))


def _plain(value: Any) -> types.FunctionType:
    """The function below decorators that say what they wrap."""
    for _ in range(10):
        if isinstance(value, staticmethod | classmethod):
            value = value.__func__
        elif isinstance(value, property):
            value = value.fget
        else:
            value = getattr(value, "__wrapped__", None) or value
            if isinstance(value, types.FunctionType) and not hasattr(value, "__wrapped__"):
                return value
    raise NotExchangeable


def _make(namespace: dict[str, Any], owner: str, name: str, code: str) -> types.FunctionType:
    [statement] = ast.parse(code).body
    if owner:
        # The parts of a name with two underscores are those of the class's own name.
        around = ast.ClassDef(owner, [], [], [statement], [])
        if sys.version_info >= (3, 12):
            around.type_params = []
        statement = ast.fix_missing_locations(ast.copy_location(around, statement))
    local: dict[str, Any] = {}
    # Student code is what this process is for.
    exec(compile(ast.Module([statement], []), "<edited>", "exec", dont_inherit=True), namespace, local)  # noqa: S102
    made = vars(local[owner])[name] if owner else local[name]
    return _plain(made)
