"""Calls a student's constructor with the contract's values, whatever its arguments are called.

By name where the names are the contract's, else by what they mean, else by their place. Raises errors with a
key and values (`run_source.message_of`), of which the host makes a sentence.
"""

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from argument_roles import CONFIGURATIONS, role_of

LENGTH = 256  # positions, where the constructor asks for a maximum and the contract has none
RATE = 0.1  # of dropout, where the constructor asks for it and the contract has none: eval mode turns it off
# For what the contract does not have at all.
_FILLERS: dict[str, Any] = {
    "bias": True,
    "batch_first": True,
    "device": "cpu",
    "dtype": None,
    "epsilon": 1e-5,
    "padding_index": 0,
    "length": LENGTH,
    "layer_index": 0,
    "flag": False,
}
# A constructor may do without them: checks of their own are about that.
_NOT_NEEDED = {"dropout", "length", "feed_forward"}
_NAMED = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
Pairs = dict[str, str]  # the student's name -> the contract's name or a value; "" for what is not taken


class Roles:
    """The contract's values by what they mean.

    `order` has the contract's names, those without a value too, and `defaults` its defaults.
    """

    def __init__(
        self, given: Mapping[str, Any], order: Sequence[str], defaults: Mapping[str, Any] | None = None
    ) -> None:
        self.given = dict(given)
        self.order = list(order)
        self.defaults = dict(defaults or {})
        self.names: dict[str, str] = {}
        for name in (*given, *order):
            self.names.setdefault(self._plain(role_of(name)), name)

    def _plain(self, role: str | None) -> str:
        return "width" if role == "hidden" else role or ""

    def find(self, name: str, hidden_is_width: bool) -> tuple[bool, Any, str]:
        """For a student's name: whether there is a value, the value, and where it comes from."""
        if name in self.given:
            return True, self.given[name], name
        role = role_of(name)
        if role == "hidden":
            role = "width" if hidden_is_width or "feed_forward" not in self.names else "feed_forward"
        ours = self.names.get(role or "")
        if ours is not None and ours in self.given:
            return True, self.given[ours], ours
        derived = ours is None or role in _FILLERS or role == "dropout"
        return self._derive(role) if derived else (False, None, "")

    def leaves_out(self, name: str) -> bool:
        """Whether the contract has the name, or one of its meaning, but no value this time."""
        return name in self.order or self._plain(role_of(name)) in self.names

    def _derive(self, role: str | None) -> tuple[bool, Any, str]:
        """A value that follows from the others, or one for what the contract does not have."""
        width, heads, wide = (self._value(r) for r in ("width", "heads", "feed_forward"))
        if role == "head_width" and width and heads:
            return True, width // heads, f"{self.names['width']} // {self.names['heads']}"
        if role == "feed_forward" and width:
            return True, 4 * width, f"4 * {self.names['width']}"
        if role == "ratio" and width:
            if not wide:
                return True, 4, "4"
            ratio = _Ratio(wide / width) if wide % width else wide // width
            return True, ratio, f"{self.names['feed_forward']} / {self.names['width']}"
        if role == "dropout":
            rate = self.defaults.get(self.names[role], 0.0) if role in self.names else RATE
            return True, rate, str(rate)
        if role in _FILLERS:
            return True, _FILLERS[role], str(_FILLERS[role])
        return False, None, ""

    def _value(self, role: str) -> int | None:
        value = self.given.get(self.names.get(role, ""))
        return value if isinstance(value, int) else None


class Configuration(dict[str, Any]):
    """An object that answers to the names that a constructor reads of it, as attributes and as keys."""

    def __init__(self, roles: Roles, name: str, pairs: Pairs) -> None:
        super().__init__(roles.given)
        self.__roles, self.__own_name, self.__pairs = roles, name, pairs
        self.__has_options = False

    def allow_options(self) -> None:
        """From now on answer None for what the contract does not have: an option of the author's own."""
        self.__has_options = True

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return self.__read(name, f".{name}", AttributeError)

    def __getitem__(self, name: str) -> Any:
        return self.__read(name, f"['{name}']", KeyError)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.__roles.find(name, name != "hidden_dim")[0]

    def get(self, name: str, default: Any = None) -> Any:
        """The value by its meaning, or the default."""
        has_value, _, _ = self.__roles.find(name, name != "hidden_dim")
        return self[name] if has_value else default

    def __read(self, name: str, shown: str, error: type[Exception]) -> Any:
        has_value, value, source = self.__roles.find(name, name != "hidden_dim")
        read = f"{self.__own_name}{shown}"
        if not has_value and self.__roles.leaves_out(name):
            raise error({"says": "configuration_leaves_out", "name": read})
        if not has_value and not self.__has_options:
            wanted = ", ".join(self.__roles.order)
            raise error({"says": "configuration_lacks", "name": read, "wanted": wanted})
        value, source = (value, source) if has_value else (None, "None")
        self.__pairs[read] = source
        return value


class _Ratio(float):
    """A ratio of two whole numbers: times the second it is the first, as an int."""

    def __mul__(self, other: Any) -> Any:
        return round(float(self) * other)

    __rmul__ = __mul__


def construct(
    symbol: Any,
    args: Sequence[Any],
    given: dict[str, Any],
    order: Sequence[str],
    defaults: Mapping[str, Any] | None = None,
) -> tuple[Any, Pairs]:
    """What the constructor makes, and what was taken for what where the names are not the contract's.

    Args:
        symbol: the student's class.
        args: values in the contract's order; only where the contract's names are not known.
        given: values by the contract's names.
        order: the contract's names in their order; empty where they are not known.
        defaults: the contract's defaults by its names.

    Raises:
        TypeError: the arguments cannot be matched.
    """
    try:
        signature = inspect.signature(symbol)
        signature.bind(*args, **given)
    except ValueError:  # a class without a signature
        return symbol(*args, **given), {}
    except TypeError as error:
        if args:
            raise error
    else:
        return symbol(*args, **given), {}
    pairs: Pairs = {}
    roles = Roles(given, order or list(given), defaults)
    bound = _bind(symbol, list(signature.parameters.values()), roles, pairs)
    made = _make(symbol, bound)
    not_taken = dict.fromkeys(_find_unused(given, pairs, also_not_needed=True), "")
    return made, {theirs: ours for theirs, ours in pairs.items() if theirs != ours} | not_taken


def _make(symbol: Any, bound: dict[str, Any]) -> Any:
    """What the constructor makes; where it reads unknown names of a configuration, with None for them."""
    try:
        return symbol(**bound)
    except (AttributeError, KeyError) as error:
        configurations = [value for value in bound.values() if isinstance(value, Configuration)]
        if not configurations:
            raise
        for configuration in configurations:
            configuration.allow_options()
        try:
            return symbol(**bound)
        except Exception:
            raise error from None


def _bind(symbol: Any, parameters: list[inspect.Parameter], roles: Roles, pairs: Pairs) -> dict[str, Any]:
    named = [p for p in parameters if p.kind in _NAMED]
    left = [p for p in named if p.name not in roles.given]
    single = next((p for p in left if p.name.lower() in CONFIGURATIONS), None)
    if single is not None:
        configured = Configuration(roles, single.name, pairs)
        beside = [p for p in left if p is not single and p.default is p.empty]
        taken = _find_beside_configuration(beside, roles, pairs)
        if len(taken) == len(beside):
            own = {p.name: roles.given[p.name] for p in named if p not in left}
            return own | taken | {single.name: configured}
    bound: dict[str, Any] = {p.name: roles.given[p.name] for p in named if p.name in roles.given}
    pairs.update({name: name for name in bound})
    _bind_by_meaning(left, roles, bound, pairs)
    _bind_by_place(left, roles, bound, pairs)
    missing = [p.name for p in named if p.name not in bound and p.default is p.empty]
    unused = _find_unused(roles.given, pairs)
    if not missing and any(p.kind is p.VAR_KEYWORD for p in parameters):
        bound |= {name: roles.given[name] for name in unused}
    elif missing or unused:
        found, wanted = ", ".join(p.name for p in named), ", ".join(roles.order)
        name = symbol.__name__
        if unused:
            raise TypeError({"says": "cannot_bind", "symbol": name, "found": found, "wanted": wanted})
        raise TypeError({"says": "not_given", "symbol": name, "found": found, "wanted": wanted})
    return bound


def _find_beside_configuration(
    required: list[inspect.Parameter], roles: Roles, pairs: Pairs
) -> dict[str, Any]:
    """What the arguments beside a configuration mean, as in `Attention(nx, n_ctx, config)`."""
    bound: dict[str, Any] = {}
    for parameter in required:
        has_value, value, source = roles.find(parameter.name, True)
        if has_value:
            bound[parameter.name], pairs[parameter.name] = value, source
    return bound


def _bind_by_meaning(
    left: list[inspect.Parameter], roles: Roles, bound: dict[str, Any], pairs: Pairs
) -> None:
    meanings = [role_of(name) for name in (*bound, *(p.name for p in left))]
    hidden_is_width = "width" not in meanings or "feed_forward" in meanings
    for parameter in left:
        has_value, value, source = roles.find(parameter.name, hidden_is_width)
        # A default of the student's gives way only to a value that the contract gives.
        if not has_value:
            continue
        free = parameter.default is parameter.empty or _is_free(source, roles, pairs)
        # A number as the width of a head is made for the author's own sizes.
        free = free or (role_of(parameter.name) == "head_width" and type(parameter.default) is int)
        if free:
            bound[parameter.name], pairs[parameter.name] = value, source


def _is_free(source: str, roles: Roles, pairs: Pairs) -> bool:
    return source.split()[0] in _find_unused(roles.given, pairs, also_not_needed=True)


def _bind_by_place(left: list[inspect.Parameter], roles: Roles, bound: dict[str, Any], pairs: Pairs) -> None:
    """Give what is left to the names without a meaning, in the contract's order, where the count fits."""
    nameless = [p for p in left if p.name not in bound and role_of(p.name) is None]
    required = [p for p in nameless if p.default is p.empty]
    values = _find_unused(roles.given, pairs, also_not_needed=True)
    if len(values) != len(required):
        values = _find_unused(roles.given, pairs)
    if len(required) <= len(values) <= len(nameless):
        values.sort(key=lambda name: roles.order.index(name) if name in roles.order else len(roles.order))
        for parameter, ours in zip(nameless, values, strict=False):
            bound[parameter.name], pairs[parameter.name] = roles.given[ours], ours


def _find_unused(given: Mapping[str, Any], pairs: Pairs, also_not_needed: bool = False) -> list[str]:
    """The contract's names whose values went nowhere."""
    sources = {word for source in pairs.values() for word in source.split()}
    return [
        name
        for name in given
        if name not in sources and (also_not_needed or role_of(name) not in _NOT_NEEDED)
    ]
