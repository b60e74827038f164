"""Calls a student's constructor with the contract's values, whatever its arguments are called.

By name where the names are the contract's, else by what they mean, else by their place. Raises errors with a
key and values (`run_source.message_of`), of which the host makes a sentence.
"""

import contextlib
import functools
import inspect
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from softmark_worker.argument_roles import CONFIGURATIONS, role_of
from softmark_worker.contract_values import Configuration, Pairs, Roles
from softmark_worker.read_constructor import find_counts, keep_globals, read_globals, read_of_configurations

# A constructor may do without them: checks of their own are about that.
_NOT_NEEDED = {"dropout", "length", "feed_forward", "types", "memory_width", "norm_first"}
LARGEST_EPSILON = 1e-3  # of a norm; a rate of dropout is larger
GLOBAL = " (global)"  # behind the name of a global variable, in what was taken for what
_NAMED = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


def construct(
    symbol: Any,
    args: Sequence[Any],
    given: dict[str, Any],
    order: Sequence[str],
    defaults: Mapping[str, Any] | None = None,
    name: str = "",
    parts: Mapping[str, Any] | None = None,
) -> tuple[Any, Pairs]:
    """What the constructor makes, and what was taken for what where the names are not the contract's.

    Args:
        symbol: the student's class.
        args: values in the contract's order; only where the contract's names are not known.
        given: values by the contract's names.
        order: the contract's names in their order; empty where they are not known.
        defaults: the contract's defaults by its names.
        name: the contract's name of the class.
        parts: the classes of the arguments that are modules, by the arguments' names.

    Raises:
        TypeError: the arguments cannot be matched.
    """
    try:
        signature = _signature_of(symbol)
        signature.bind(*args, **given)
    except ValueError:  # a class without a signature
        return symbol(*args, **given), {}
    except TypeError as error:
        if args:
            raise error
    else:
        if args or not _leaves_names(signature, given):
            return symbol(*args, **given), {}
    pairs: Pairs = {}
    roles = Roles(given, order or list(given), defaults, name)
    roles.aliases = find_counts(symbol, signature.parameters) or _find_head_width(signature.parameters, roles)
    roles.aliases |= _find_epsilon(signature.parameters, roles)
    roles.read = read_of_configurations(symbol)
    roles.parts = {theirs: _make_part(part, roles) for theirs, part in (parts or {}).items()}
    namespace, sizes = _find_global_sizes(symbol, list(signature.parameters), roles)
    pairs |= {f"{theirs}{GLOBAL}": source for theirs, (_, source) in sizes.items()}
    bound = _bind(symbol, list(signature.parameters.values()), roles, pairs)
    values = {theirs: value for theirs, (value, _) in sizes.items()}
    namespace.update(values)
    made = _make(symbol, bound)
    if values and callable(getattr(made, "forward", None)):
        keep_globals(made, namespace, values)
    not_taken = dict.fromkeys(_find_unused(given, pairs, also_not_needed=True), "")
    return made, {theirs: ours for theirs, ours in pairs.items() if theirs != ours} | not_taken


@functools.lru_cache(maxsize=8)  # it comes with each construction, and is the same for all
def read_contract(contract: str) -> dict[str, Any]:
    """The names of the contract's arguments by method, and its defaults."""
    names: dict[str, Any] = json.loads(contract)
    return names


@functools.lru_cache(maxsize=64)  # each draw constructs the same classes, and signatures are slow to read
def _signature_of(symbol: Any) -> inspect.Signature:
    return inspect.signature(symbol)


def _leaves_names(signature: inspect.Signature, given: Mapping[str, Any]) -> bool:
    """Whether `**kwargs` would swallow some of the names, beside arguments of other names."""
    return not given.keys() <= signature.parameters.keys() and any(
        p.kind in _NAMED and name not in given for name, p in signature.parameters.items()
    )


def _find_head_width(taken: Mapping[str, inspect.Parameter], roles: Roles) -> dict[str, str]:
    """The second of two widths, where the contract has one and that of a head: `Head(d_in, d_out)`."""
    widths = [name for name, p in taken.items() if role_of(name) == "width" and p.default is p.empty]
    is_due = "head_width" in roles.names and not any(role_of(name) == "head_width" for name in taken)
    return {widths[1]: "head_width"} if is_due and len(widths) == 2 else {}


def _find_epsilon(taken: Mapping[str, inspect.Parameter], roles: Roles) -> dict[str, str]:
    """An argument whose default is a small number, where the contract has an epsilon: `Norm(n, e=1e-5)`."""
    named = [role_of(name) for name in taken]
    if "epsilon" not in roles.names or "epsilon" in named:
        return {}
    small = [n for n, p in taken.items() if type(p.default) is float and 0 < p.default <= LARGEST_EPSILON]
    return {small[0]: "epsilon"} if len(small) == 1 else {}


def _find_global_sizes(
    symbol: Any, taken: Sequence[str], roles: Roles
) -> tuple[dict[str, Any], dict[str, tuple[Any, str]]]:
    """The sizes that the class reads from global variables instead of arguments, with the contract's values.

    What the contract does not give stays as it is: a table of eight positions is a limit of the author's own.
    So does what the constructor takes, but for a variable of an argument's name, which its parts may read.
    """
    namespace, read = read_globals(symbol)
    meanings = {roles.aliases.get(name) or role_of(name) for name in taken}
    sizes: dict[str, tuple[Any, str]] = {}
    for name in sorted(read):
        has_value, value, source = roles.find(name, True)
        given = not roles.given.keys().isdisjoint(re.findall(r"\w+", source))
        is_taken = role_of(name) in meanings and name not in taken
        if has_value and given and role_of(name) is not None and not is_taken:
            sizes[name] = value, source
    return namespace, sizes


def _make_part(part: Any, roles: Roles) -> tuple[Any, str]:
    """The module that a constructor is given for one of its parts, and what it is made from."""
    attends = "heads" in {role_of(name) for name in inspect.signature(part).parameters}
    names = [roles.names.get(role) for role in ("width", "heads" if attends else "feed_forward")]
    sizes = {name: roles.find(name, True) for name in names if name is not None}
    given = {name: value for name, (has_value, value, _) in sizes.items() if has_value}
    call_text = f"{part.__name__}({', '.join(given)})"
    rates = {name: rate for name, rate in roles.given.items() if role_of(name) == "dropout"}
    made, _ = construct(part, [], given | rates, [*given, *rates], roles.defaults)
    return made, call_text


def _make(symbol: Any, bound: dict[str, Any]) -> Any:
    """What the constructor makes; where it reads unknown names of a configuration, with None for them.

    Or with further configurations in their place, as in `config.model.width`.
    """
    try:
        return symbol(**bound)
    except (AttributeError, KeyError):
        configurations = [value for value in bound.values() if isinstance(value, Configuration)]
        if not configurations:
            raise
        for allow in (Configuration.allow_options, Configuration.allow_groups):
            for configuration in configurations:
                allow(configuration)
            with contextlib.suppress(Exception):
                return symbol(**bound)
        raise


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
            options = [p for p in left if p is not single and p not in beside]
            taken |= _find_beside_configuration(options, roles, pairs, only_given=True)
            return own | taken | {single.name: configured}
    bound: dict[str, Any] = {p.name: roles.given[p.name] for p in named if p.name in roles.given}
    pairs.update({name: name for name in bound})
    _bind_by_meaning(left, roles, bound, pairs)
    _bind_by_place(left, roles, bound, pairs)
    missing = [p.name for p in named if p.name not in bound and p.default is p.empty]
    unused = [name for name in _find_unused(roles.given, pairs) if not _follows(name, roles)]
    if not missing and any(p.kind is p.VAR_KEYWORD for p in parameters):
        bound |= {name: roles.given[name] for name in unused}
    elif missing or unused:
        own_names, wanted = ", ".join(p.name for p in named), ", ".join(roles.order)
        name = symbol.__name__
        if unused:
            raise TypeError({"says": "cannot_bind", "symbol": name, "found": own_names, "wanted": wanted})
        own_names = ", ".join(_with_default(p.name, {p.name: p.default}) for p in named)
        wanted = ", ".join(_with_default(theirs, roles.defaults) for theirs in roles.order)
        raise TypeError({"says": "not_given", "symbol": name, "found": own_names, "wanted": wanted})
    return bound


def _with_default(name: str, defaults: Mapping[str, Any]) -> str:
    """`dropout=0.1`; the name alone where there is no default, or one that is no plain value."""
    value = defaults.get(name, inspect.Parameter.empty)
    plain = type(value) in (int, float, bool, str, type(None))
    return f"{name}={value!r}"[:40] if plain else name


def _follows(name: str, roles: Roles) -> bool:
    """Whether a constructor may do without it: a head's width follows from the model's and their number."""
    return role_of(name) == "head_width" and "width" in roles.names and "heads" in roles.names


def _find_beside_configuration(
    parameters: list[inspect.Parameter], roles: Roles, pairs: Pairs, only_given: bool = False
) -> dict[str, Any]:
    """What the arguments beside a configuration mean, as in `Attention(nx, n_ctx, config)`.

    With `only_given`, a default gives way only to a value that the contract gives: `Norm(cfg, epsilon=1e-6)`.
    """
    bound: dict[str, Any] = {}
    for parameter in parameters:
        # Beside a configuration, which has the model's width, a hidden width is that of the network.
        has_value, value, source = roles.find(parameter.name, False)
        if has_value and (not only_given or source in roles.given):
            bound[parameter.name], pairs[parameter.name] = value, source
    return bound


def _bind_by_meaning(
    left: list[inspect.Parameter], roles: Roles, bound: dict[str, Any], pairs: Pairs
) -> None:
    meanings = [roles.aliases.get(name) or role_of(name) for name in (*bound, *(p.name for p in left))]
    hidden_is_width = "width" not in meanings or "feed_forward" in meanings
    for parameter in left:
        has_value, value, source = roles.find(parameter.name, hidden_is_width)
        # A default of the student's gives way only to a value that the contract gives.
        if not has_value:
            continue
        free = parameter.default is parameter.empty or _is_free(source, roles, pairs)
        role = role_of(parameter.name)
        # A number as the width of a head is made for the author's own sizes.
        free = free or (role == "head_width" and type(parameter.default) is int)
        free = free or (role == "causal" and type(parameter.default) is bool)
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
    sources = {word for source in pairs.values() for word in re.findall(r"\w+", source)}
    return [
        name
        for name in given
        if name not in sources and (also_not_needed or role_of(name) not in _NOT_NEEDED)
    ]
