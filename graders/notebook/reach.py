"""What a notebook's function or class reaches: the names that its code reads, in its own code and further on.

Extraction finds this in the text of what is handed in. Here the objects themselves are followed: functions
with their globals, closures and defaults, classes with their methods and bases. Installed packages are not.
"""

import dis
import functools
import inspect
import sysconfig
import types
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

PATHS = tuple(sysconfig.get_paths()[name] for name in ("stdlib", "platstdlib", "purelib", "platlib"))
_READS = ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_ATTR", "LOAD_METHOD")  # attributes of modules are read too


@dataclass(frozen=True, eq=False)
class Name:
    """A name of a notebook or module that code reads, and what it stands for."""

    namespace: dict[str, Any]
    name: str
    value: Any


@dataclass(frozen=True)
class Reach:
    """What code reaches: names, functions and classes, in the order in which they are met.

    Among the names are all that the reached functions and classes have, whether or not the code reads them.
    """

    names: list[Name] = field(default_factory=list)
    functions: list[types.FunctionType] = field(default_factory=list)
    classes: list[type] = field(default_factory=list)

    @property
    def namespaces(self) -> list[dict[str, Any]]:
        """Those in which the code is defined, each once."""
        return list({id(f.__globals__): f.__globals__ for f in self.functions}.values())


def find_reach(value: Any, *others: Any) -> Reach:
    """All that the code of functions and classes reaches, itself among it."""
    reach, waiting, seen = Reach(), [value, *others], dict[int, Any]()
    while waiting:
        value = waiting.pop(0)
        if id(value) in seen:
            continue
        seen[id(value)] = value
        if isinstance(value, types.FunctionType) and is_own(value.__globals__):
            reach.functions.append(value)
            names = list(_names_of(value))
            reach.names.extend(names)
            waiting += [*(name.value for name in names), *_kept_by(value)]
        elif isinstance(value, type) and any(map(_is_own_function, _functions_of(value))):
            reach.classes.append(value)
            waiting += [*_functions_of(value), *value.__bases__]
        else:
            waiting += _inside(value)
    reach.names.extend(_other_names(reach))
    return reach


def _other_names(reach: Reach) -> list[Name]:
    """The further names of functions and classes of which the code reads one: `joined = concat_heads`."""
    known = {(id(name.namespace), name.name) for name in reach.names}
    reached = {id(value) for value in (*reach.functions, *reach.classes, *(n.value for n in reach.names))}
    return [
        Name(namespace, name, value)
        for namespace in reach.namespaces
        for name, value in list(namespace.items())
        if callable(value) and id(value) in reached and (id(namespace), name) not in known
    ]


def is_own(namespace: dict[str, Any]) -> bool:
    """Whether it is a notebook's or that of a module beside it, not that of an installed package."""
    file = namespace.get("__file__")
    return not isinstance(file, str) or not file.startswith(PATHS)


def _is_own_function(value: Any) -> bool:
    return isinstance(value, types.FunctionType) and is_own(value.__globals__)


def _names_of(function: types.FunctionType) -> Iterator[Name]:
    """The names that a function reads in its module, and in the student's modules that it names."""
    namespace, read = function.__globals__, _read_by(function.__code__)
    for name in read:
        if name not in namespace:
            continue
        value = namespace[name]
        yield Name(namespace, name, value)
        if isinstance(value, types.ModuleType) and is_own(vars(value)):
            inside = vars(value)
            yield from (Name(inside, other, inside[other]) for other in read if other in inside)


@functools.lru_cache(maxsize=1024)
def _read_by(code: types.CodeType) -> tuple[str, ...]:
    own = [str(one.argval) for one in dis.get_instructions(code) if one.opname in _READS]
    inner = [_read_by(constant) for constant in code.co_consts if isinstance(constant, types.CodeType)]
    return tuple(dict.fromkeys([*own, *(name for names in inner for name in names)]))


def _kept_by(function: types.FunctionType) -> Iterator[Any]:
    """What a function holds beside its code: closure, defaults, what it wraps."""
    yield from function.__defaults__ or ()
    yield from (function.__kwdefaults__ or {}).values()
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # it is empty yet
            continue
    yield _wrapped(function)


def _wrapped(value: Any) -> Any:
    """What a decorator has wrapped. Not asked of the object, which may answer whatever it is asked."""
    return inspect.getattr_static(value, "__wrapped__", None)


def _functions_of(kind: type) -> Iterator[Any]:
    for member in list(vars(kind).values()):
        if isinstance(member, staticmethod | classmethod):
            yield member.__func__
        elif isinstance(member, property):
            yield from (member.fget, member.fset)
        else:
            yield from (member, _wrapped(member))


def _inside(value: Any) -> list[Any]:
    """What an object calls that is neither a function nor a class of the student's."""
    if isinstance(value, types.MethodType):
        return [value.__func__]
    if isinstance(value, functools.partial):
        return [value.func, *value.args, *value.keywords.values()]
    if isinstance(value, types.FunctionType):
        return [_wrapped(value)]
    is_object = callable(value) and not isinstance(value, type | types.BuiltinFunctionType)
    return [type(value), _wrapped(value)] if is_object else []
