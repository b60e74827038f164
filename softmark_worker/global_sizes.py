"""Sizes that a class reads from global variables, or has as attributes of its own, instead of arguments.

They get the contract's values while the class is made and called. What the contract does not give stays as
it is: a table of eight positions is a limit of the author's own. So does what the constructor takes, but
for a variable of an argument's name, which its parts may read.
"""

import builtins
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from softmark_worker.argument_roles import role_of
from softmark_worker.configurations import know
from softmark_worker.contract_values import Configuration, Pairs, Roles
from softmark_worker.read_constructor import fields_of_globals, keep_globals, read_globals

GLOBAL = " (global)"  # behind the name of a global variable, in what was taken for what


@dataclass(frozen=True)
class OwnSizes:
    """The values of global variables and of a class's attributes, and where they come from."""

    namespace: dict[str, Any]
    values: Mapping[str, Any]
    attributes: Mapping[str, Any]
    pairs: Pairs

    def prepare(self, symbol: Any) -> Any:
        """The class to construct, with these values in their places."""
        self.namespace.update(self.values)
        if not self.attributes:
            return symbol
        names = {"__module__": symbol.__module__, "__qualname__": symbol.__qualname__}
        return type(symbol.__name__, (symbol,), {**names, **self.attributes})

    def keep(self, made: Any) -> None:
        """Put the values of global variables in their places before each call of what was made."""
        if self.values and callable(getattr(made, "forward", None)):
            keep_globals(made, self.namespace, dict(self.values))


def find(symbol: Any, taken: Sequence[str], roles: Roles) -> OwnSizes:
    """The sizes that a class reads of its file. `taken`: the arguments of its constructor."""
    namespace, read = read_globals(symbol)
    values: dict[str, Any] = {}
    attributes: dict[str, Any] = {}
    pairs: Pairs = {}
    for name in sorted(read):
        if found := _find(name, taken, roles):
            values[name], pairs[name + GLOBAL] = found
    for name, fields in sorted(fields_of_globals(symbol).items()):
        sizes = {field: found for field in fields if (found := _find(field, taken, roles))}
        if sizes and (changed := _change(name, namespace, sizes, roles)) is not None:
            values[name] = changed
            pairs |= {f"{name}.{field}{GLOBAL}": source for field, (_, source) in sizes.items()}
    for name, value in vars(symbol).items() if isinstance(symbol, type) else ():
        if type(value) in (int, float) and (found := _find(name, taken, roles)):
            attributes[name], pairs[f"{symbol.__name__}.{name}{GLOBAL}"] = found
    return OwnSizes(namespace, values, attributes, pairs)


def _find(name: str, taken: Sequence[str], roles: Roles) -> tuple[Any, str] | None:
    """The value of a variable or of a field, where the contract gives one that no argument takes."""
    meanings = {roles.aliases.get(theirs) or role_of(theirs) for theirs in taken}
    has_value, value, source = roles.find(name, True)
    given = not roles.given.keys().isdisjoint(re.findall(r"\w+", source))
    is_taken = role_of(name) in meanings and name not in taken
    same = [ours for ours in roles.given if ours.lower() == name.lower().strip("_")]
    if same and not is_taken:  # the contract's name is taken at its word: of two widths it says which
        return roles.given[same[0]], same[0]
    if has_value and given and role_of(name) is not None and not is_taken:
        return value, source
    return None


def _change(
    name: str, namespace: Mapping[str, Any], sizes: Mapping[str, tuple[Any, str]], roles: Roles
) -> Any:
    """A global configuration with these sizes; None where the variable is none."""
    if isinstance(namespace.get(name), Configuration) or name not in namespace:
        sources = {field: source for field, (_, source) in sizes.items()}
        return None if hasattr(builtins, name) else Configuration(roles, name, {}, sources)
    known = know(namespace[name])
    if known is None or not sizes.keys() <= known.fields.keys():
        return None
    try:
        return known.make({field: value for field, (value, _) in sizes.items()})
    except Exception:
        return None
