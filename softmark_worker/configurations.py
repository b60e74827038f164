"""Configurations that a constructor takes: which arguments are one, and what fields they have.

An argument is a configuration by what the code reads of it, by its annotation, by its default or by its
name. Where the file says what fields it has, it is made as the file makes it, and a field that means
nothing here keeps its value. Else it answers to the names that are read of it
(`contract_values.Configuration`).
"""

import argparse
import contextlib
import copy
import dataclasses
import functools
import inspect
import re
import types
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from softmark_worker.argument_roles import is_called_a_configuration
from softmark_worker.assignments import Slot
from softmark_worker.read_constructor import fields_read, groups_read, handed_on, namespace_of

_INSTALLED = {"builtins", "torch", "numpy", "typing", "collections", "enum", "types", "softmark_worker"}
_PLAIN = (bool, int, float, str, type(None))


@dataclass(frozen=True)
class Known:
    """A configuration whose fields are known. `base`: its class, or one with the author's values."""

    base: Any
    fields: Mapping[str, Any]  # with their defaults; `inspect.Parameter.empty` for what has none

    def make(self, values: Mapping[str, Any]) -> Any:
        """One with these values; every other field keeps its own."""
        if isinstance(self.base, dict):
            return {**self.base, **values}
        if isinstance(self.base, type):
            if _parameters(self.base) or hasattr(self.base, "_fields"):
                return self.base(**values)
            made = self.base()
        elif isinstance(self.base, tuple):
            return self.base._replace(**values)  # type: ignore[attr-defined]
        else:
            made = copy.copy(self.base)
        for name, value in values.items():
            object.__setattr__(made, name, value)
        return made


@dataclass(frozen=True)
class Found:
    """An argument that is a configuration; `known` is None where nothing but what is read of it is known.

    `groups` are those of its fields of which further fields are read.
    """

    known: Known | None
    read: tuple[str, ...]
    groups: tuple[str, ...] = ()

    def make(self, values: Mapping[str, Any], reads: Any) -> Any:
        """One with these values; `reads`, which answers to what is read of it, where none can be made."""
        if self.known is not None:
            with contextlib.suppress(Exception):
                return self.known.make(values)
        return reads

    @property
    def _plain(self) -> list[str]:
        return [field for field in self.read if field not in self.groups]

    def slots(self, name: str) -> Iterator[Slot]:
        """Its fields, as places for values."""
        if self.known is None:
            yield from (Slot(f"{name}.{field}", field, False, None, ordered=False) for field in self._plain)
            return
        for field, default in self.known.fields.items():
            empty = default is inspect.Parameter.empty
            yield Slot(f"{name}.{field}", field, empty, None if empty else default, ordered=False)


def find_configurations(
    symbol: Any, parameters: Sequence[inspect.Parameter], given: Collection[str]
) -> dict[str, Found]:
    """The arguments that are configurations. `given`: the names of those that are not."""
    return {
        p.name: found
        for p in parameters
        if p.name not in given and (found := _find(symbol, p, frozenset())) is not None
    }


def _find(symbol: Any, parameter: inspect.Parameter, seen: frozenset[Any]) -> Found | None:
    namespace = namespace_of(symbol)
    read = fields_read(symbol, parameter.name)
    groups = groups_read(symbol, parameter.name) if read else ()
    for value in (parameter.default, *_named_in(parameter.annotation, namespace)):
        if value is not parameter.empty and (known := know(value)) is not None:
            return Found(known, read, groups)
    theirs = _handed_on(symbol, parameter, seen | {symbol}) if symbol not in seen else None
    if theirs is not None:
        return _merge(Found(None, read, groups), theirs)
    return Found(None, read, groups) if read or is_called_a_configuration(parameter.name) else None


def _handed_on(symbol: Any, parameter: inspect.Parameter, seen: frozenset[Any]) -> Found | None:
    """The configuration that a part of the class takes it as."""
    if type(parameter.default) in _PLAIN[:4]:
        return None
    taken = [(part, p) for part, p in handed_on(symbol, parameter.name) if part not in seen]
    found = [one for part, p in taken if (one := _find(part, p, seen)) is not None]
    return functools.reduce(_merge, found) if found else None


def _merge(first: Found, second: Found) -> Found:
    read, groups = ((*first.read, *second.read), (*first.groups, *second.groups))
    return Found(first.known or second.known, tuple(dict.fromkeys(read)), tuple(dict.fromkeys(groups)))


def know(value: Any) -> Known | None:
    """A configuration's fields, from its class or from one with values; None for what is none."""
    if isinstance(value, dict):
        is_one = bool(value) and all(isinstance(name, str) for name in value)
        return Known(value, dict(value)) if is_one else None
    if isinstance(value, types.SimpleNamespace | argparse.Namespace):
        return Known(value, dict(vars(value)))
    kind = value if isinstance(value, type) else type(value)
    if not _is_of_the_author(kind):
        return None
    if issubclass(kind, tuple):
        names = getattr(kind, "_fields", ())
        of_class = dict.fromkeys(names, inspect.Parameter.empty) | getattr(kind, "_field_defaults", {})
        own = dict(zip(names, value, strict=False)) if isinstance(value, tuple) else {}
        return Known(value, of_class | own) if names else None
    if dataclasses.is_dataclass(kind):
        fields = {f.name: _default_of(f, value) for f in dataclasses.fields(kind) if f.init}
        return Known(value, fields)
    if isinstance(value, type) and (parameters := _parameters(value)):
        if any(p.kind is p.VAR_KEYWORD for p in parameters):
            return None  # it takes any fields
        return Known(value, {p.name: p.default for p in parameters})
    members = {name: member for base in reversed(kind.__mro__[:-1]) for name, member in vars(base).items()}
    members |= {} if isinstance(value, type) else dict(getattr(value, "__dict__", {}))
    plain = {n: m for n, m in members.items() if not n.startswith("_") and isinstance(m, _PLAIN)}
    return Known(value, plain) if plain else None


def _default_of(field: Any, value: Any) -> Any:
    if not isinstance(value, type):
        return getattr(value, field.name)
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return inspect.Parameter.empty if field.default is dataclasses.MISSING else field.default


def _is_of_the_author(kind: type) -> bool:
    """Whether a class comes from no installed package, and its objects are not called as a function is."""
    package = (getattr(kind, "__module__", "") or "").partition(".")[0]
    called = any(name in vars(base) for base in kind.__mro__ for name in ("forward", "__call__"))
    return package not in _INSTALLED and not called


def _named_in(annotation: Any, namespace: Mapping[str, Any]) -> list[Any]:
    """The classes that an annotation names. It is a text, and is not evaluated."""
    if isinstance(annotation, type):
        return [] if annotation is inspect.Parameter.empty else [annotation]
    words = re.findall(r"[A-Za-z_]\w*", annotation) if isinstance(annotation, str) else []
    return [namespace[word] for word in words if isinstance(namespace.get(word), type)]


def _parameters(kind: type) -> list[inspect.Parameter]:
    """The arguments of a class's own constructor; [] if it has none."""
    if not isinstance(getattr(kind, "__init__", None), types.FunctionType):
        return []
    try:
        return list(inspect.signature(kind).parameters.values())
    except (TypeError, ValueError):
        return []
