"""Calls a student's constructor with the contract's values, whatever its arguments are called.

By name where the names are the contract's. Else the contract's arguments are assigned to the student's by
what they mean and by their place, in as many ways as these allow (`assignments`), of which the host
chooses one by its number. Raises errors with a key and values (`run_source.message_of`), of which the host
makes a sentence.
"""

import contextlib
import functools
import inspect
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from softmark_worker import configurations, global_sizes
from softmark_worker.argument_roles import is_of_output, role_of, says_mask
from softmark_worker.assignments import NOT_NEEDED, OWN, Slot, find_assignments, follows
from softmark_worker.contract_values import Configuration, Pairs, Roles
from softmark_worker.given_makers import calls_it, find_makers
from softmark_worker.late_layers import LATE, find_late_layer, give_layer
from softmark_worker.read_constructor import fields_read, find_counts, texts_compared
from softmark_worker.read_options import find_conditions, find_texts

LARGEST_EPSILON = 1e-3  # of a norm; a rate of dropout is larger
_POSITIONAL = inspect.Parameter.POSITIONAL_ONLY
_NAMED = (_POSITIONAL, inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
# Words of which the name of a table of words is made, or of its weights.
_TABLES = frozenset(("embedding", "embeddings", "table", "weight", "weights"))
_OF_TABLES = _TABLES | {"word", "words", "token", "tied", "input", "bert", "model"}
_MOST_PLANS = 64
_MOST_TEXTS = 8  # fields of a configuration that are tried as the only one with a text


@dataclass(frozen=True)
class Plan:
    """What a constructor asks for, and the assignments of the contract's arguments to it.

    Attributes:
        parameters: of its signature.
        found: those of them that are configurations.
        slots: what the others are, the fields of configurations, and keys that are read of `**kwargs`.
        assignments: for each slot the source of its value, the likely assignments first.
    """

    parameters: tuple[inspect.Parameter, ...]
    found: Mapping[str, configurations.Found]
    slots: tuple[Slot, ...]
    assignments: tuple[tuple[str, ...], ...]

    @property
    def is_open(self) -> bool:
        """Whether it may ask for more than is known: of a configuration, or as `*args` or `**kwargs`."""
        more = any(p.kind not in _NAMED for p in self.parameters)
        return more or any(found.known is None for found in self.found.values())

    @property
    def is_certain(self) -> bool:
        """Whether the names leave nothing open."""
        first = self.assignments[0] if self.assignments else ()
        pairs = zip(self.slots, first, strict=False)
        return all(source == slot.word or (source == OWN and role_of(slot.word)) for slot, source in pairs)


def construct(
    symbol: Any,
    args: Sequence[Any],
    given: dict[str, Any],
    order: Sequence[str],
    defaults: Mapping[str, Any] | None = None,
    name: str = "",
    parts: Mapping[str, Any] | None = None,
    number: int = 0,
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
        number: that of the assignment, of those that the names leave open (`count_assignments`).

    Raises:
        TypeError: the arguments cannot be matched.
    """
    if _takes(symbol, args, given):
        return symbol(*args, **given), {}
    if late := find_late_layer(symbol, given):
        theirs, ours = late
        made, pairs = construct(
            symbol,
            args=(),
            given={name: value for name, value in given.items() if name != ours},
            order=[name for name in order or given if name != ours],
            defaults=defaults,
            name=name,
            parts=parts,
            number=number,
        )
        give_layer(made, theirs, given[ours])
        return made, pairs | {f"{theirs}{LATE}": ours}
    pairs = {}
    roles = _roles(symbol, Roles(given, order or list(given), defaults, name), parts)
    own_sizes = global_sizes.find(symbol, [*_parameters_of(symbol)], roles)
    pairs |= own_sizes.pairs
    plan = _plan(symbol, roles, _words(pairs.values()))
    chosen = plan.assignments[number % len(plan.assignments)] if plan.assignments else ()
    if "vocab_size" in given and any(_is_table(p) for p in plan.parameters):
        raise TypeError(_refusal(plan, roles, symbol.__name__, has_all=False))
    called = own_sizes.prepare(symbol)
    by_place, by_name = _bind(plan, chosen, roles, pairs, symbol.__name__)
    try:
        made = _make(called, by_place, by_name)
    except TypeError as error:
        if any(slot.required and slot.ordered and by_name.get(slot.name, 0) is None for slot in plan.slots):
            raise TypeError(_refusal(plan, roles, symbol.__name__, has_all=False)) from error
        raise
    own_sizes.keep(made)
    not_taken = dict.fromkeys(_find_unused(given, pairs, also_not_needed=True), "")
    return made, {theirs: ours for theirs, ours in pairs.items() if theirs != ours} | not_taken


def count_assignments(
    symbol: Any,
    given: Mapping[str, Any],
    order: Sequence[str],
    defaults: Mapping[str, Any] | None = None,
    name: str = "",
    parts: Mapping[str, Any] | None = None,
) -> int:
    """In how many ways `construct` can assign the contract's arguments; 1 where the names say it."""
    if _takes(symbol, (), given):
        return 1
    if late := find_late_layer(symbol, given):
        given = {name: value for name, value in given.items() if name != late[1]}
        order = [name for name in order if name != late[1]]
    roles = _roles(symbol, Roles(given, order or list(given), defaults, name), parts)
    own_sizes = global_sizes.find(symbol, [*_parameters_of(symbol)], roles)
    plan = _plan(symbol, roles, _words(own_sizes.pairs.values()))
    return 1 if plan.is_certain else max(1, len(plan.assignments))


@functools.lru_cache(maxsize=8)  # it comes with each construction, and is the same for all
def read_contract(contract: str) -> dict[str, Any]:
    """The names of the contract's arguments by method, and its defaults."""
    names: dict[str, Any] = json.loads(contract)
    return names


@functools.lru_cache(maxsize=64)  # each draw constructs the same classes, and signatures are slow to read
def _signature_of(symbol: Any) -> inspect.Signature:
    return inspect.signature(symbol)


def _parameters_of(symbol: Any) -> Mapping[str, inspect.Parameter]:
    return _signature_of(symbol).parameters


def _takes(symbol: Any, args: Sequence[Any], given: Mapping[str, Any]) -> bool:
    """Whether the constructor takes the contract's arguments as they are called there.

    Raises:
        TypeError: it does not, and the contract's names are not known.
    """
    try:
        signature = _signature_of(symbol)
        signature.bind(*args, **given)
    except ValueError:  # a class without a signature
        return True
    except TypeError:
        if args:
            raise
        return False
    return bool(args) or not _leaves_names(symbol, signature, given)


def _leaves_names(symbol: Any, signature: inspect.Signature, given: Mapping[str, Any]) -> bool:
    """Whether `**kwargs` would swallow some of the names, beside arguments or keys of other names."""
    parameters = signature.parameters
    if given.keys() <= parameters.keys():
        return False
    named = [name for name, p in parameters.items() if p.kind in _NAMED]
    keys = _keys_read(symbol, parameters)
    swallows = bool(keys) and not given.keys() <= {*named, *keys}
    return swallows or any(name not in given for name in (*named, *keys))


def _keys_read(symbol: Any, parameters: Mapping[str, inspect.Parameter]) -> list[str]:
    """The keys that the constructor reads of its `**kwargs`."""
    keywords = [name for name, p in parameters.items() if p.kind is p.VAR_KEYWORD]
    return [key for name in keywords for key in fields_read(symbol, name)]


def _roles(symbol: Any, roles: Roles, parts: Mapping[str, Any] | None) -> Roles:
    """The contract's values by what they mean, with what the class alone says of its arguments."""
    parameters = _parameters_of(symbol)
    roles.aliases = find_counts(symbol, parameters) or _find_head_width(parameters, roles)
    roles.aliases |= _find_epsilon(parameters, roles)
    roles.parts = {
        theirs: (part, part.__name__) if calls_it(symbol, theirs) else _make_part(part, roles)
        for theirs, part in (parts or {}).items()
    }
    required = [name for name, p in parameters.items() if p.default is p.empty and p.kind in _NAMED]
    others = [name for name in required if name not in roles.order and name not in roles.parts]
    if not any(callable(value) for value in roles.given.values()):  # a layer of the contract is called, too
        roles.parts |= find_makers(symbol, others, roles.symbol)
    return roles


def _find_head_width(taken: Mapping[str, inspect.Parameter], roles: Roles) -> dict[str, str]:
    """The width of what goes out, where the contract has that of a head: `Head(d_in, d_out)`."""
    is_due = "head_width" in roles.names and not any(role_of(name) == "head_width" for name in taken)
    outer = [name for name in taken if role_of(name) == "width" and is_of_output(name)]
    return {outer[0]: "head_width"} if is_due and len(outer) == 1 else {}


def _find_epsilon(taken: Mapping[str, inspect.Parameter], roles: Roles) -> dict[str, str]:
    """An argument whose default is a small number, where the contract has an epsilon: `Norm(n, e=1e-5)`."""
    named = [role_of(name) for name in taken]
    if "epsilon" not in roles.names or "epsilon" in named:
        return {}
    small = [n for n, p in taken.items() if type(p.default) is float and 0 < p.default <= LARGEST_EPSILON]
    return {small[0]: "epsilon"} if len(small) == 1 else {}


def _make_part(part: Any, roles: Roles) -> tuple[Any, str]:
    """The module that a constructor is given for one of its parts, and what it is made from."""
    attends = "heads" in {role_of(name) for name in inspect.signature(part).parameters}
    names = [roles.names.get(role) for role in ("width", "heads" if attends else "feed_forward")]
    sizes = {name: roles.find(name, True) for name in names if name is not None}
    given = {name: value for name, (has_value, value, _) in sizes.items() if has_value}
    call_text = f"{part.__name__}({', '.join(given)})"
    inner = names[1]
    if not attends and inner is not None and inner not in given:
        has_value, usual, _ = roles.usual_feed_forward()  # the author's own number is for other widths
        given |= {inner: usual} if has_value else {}
    rates = {name: rate for name, rate in roles.given.items() if role_of(name) == "dropout"}
    made, _ = construct(part, [], given | rates, [*given, *rates], roles.defaults)
    return made, call_text


_PLANS: dict[Any, Plan] = {}


def _plan(symbol: Any, roles: Roles, elsewhere: frozenset[str]) -> Plan:
    """The plan for a class under a contract; each draw asks for the same one."""
    key = symbol, tuple(roles.order), elsewhere, frozenset(roles.parts)
    if key not in _PLANS:
        if len(_PLANS) >= _MOST_PLANS:
            _PLANS.clear()
        _PLANS[key] = _make_plan(symbol, roles, elsewhere)
    plan = _PLANS[key]
    roles.read = frozenset(slot.word for slot in plan.slots if not slot.ordered)
    return plan


def _make_plan(symbol: Any, roles: Roles, elsewhere: frozenset[str]) -> Plan:
    parameters = tuple(_parameters_of(symbol).values())
    named = [p for p in parameters if p.kind in _NAMED]
    known = {*roles.order, *roles.parts}
    found = configurations.find_configurations(symbol, named, known)
    slots = [_slot(p, bool(found)) for p in named if p.name not in found]
    slots = _with_options(symbol, slots, roles)
    for theirs, one in found.items():
        slots += one.slots(theirs)
    slots += [Slot(key, key, False, ordered=False) for key in _keys_read(symbol, _parameters_of(symbol))]
    roles.read = frozenset(slot.word for slot in slots if not slot.ordered)
    plan = Plan(parameters, found, tuple(slots), ())
    return replace(plan, assignments=tuple(find_assignments(slots, roles, elsewhere, plan.is_open)))


def _with_options(symbol: Any, slots: Sequence[Slot], roles: Roles) -> list[Slot]:
    """The slots, with what the code says of those that must be given and that the contract does not have."""
    open_slots = [slot for slot in slots if slot.required and not _is_of_the_contract(slot, roles)]
    if not open_slots:
        return list(slots)
    texts, conditions = find_texts(symbol), find_conditions(symbol)
    return [
        replace(
            slot,
            texts=texts.get(slot.word, ()),
            is_flag=slot.is_flag or (slot.word in conditions and _may_be_a_flag(slot.word)),
        )
        if slot in open_slots
        else slot
        for slot in slots
    ]


def _is_of_the_contract(slot: Slot, roles: Roles) -> bool:
    return slot.word in roles.order or slot.word in roles.parts


def _may_be_a_flag(word: str) -> bool:
    """Whether a name that is a condition may say True or False: `if dropout:` asks for a number."""
    return role_of(word) is None or says_mask(word)


def _slot(parameter: inspect.Parameter, beside: bool) -> Slot:
    required = parameter.default is parameter.empty
    default = None if required else parameter.default
    is_flag = parameter.annotation in (bool, "bool")
    return Slot(parameter.name, parameter.name, required, default, beside=beside, is_flag=is_flag)


def _bind(
    plan: Plan, chosen: Sequence[str], roles: Roles, pairs: Pairs, name: str
) -> tuple[list[Any], dict[str, Any]]:
    """The arguments of a call by place and by name, under one assignment."""
    values: dict[str, Any] = {}  # by the slots' names
    sources = dict(zip((slot.name for slot in plan.slots), chosen, strict=False))
    missing = [] if plan.assignments else [slot.name for slot in plan.slots if slot.required]
    for slot in plan.slots:
        source = sources.get(slot.name, OWN)
        has_value, value, told = roles.value_of(source) if source != OWN else (False, None, "")
        if not has_value and slot.required and source != OWN:
            has_value, value, told = roles.value_due(source)
            missing += [] if has_value else [slot.name]
        if has_value:
            values[slot.name] = value
            if not _is_read_later(slot.name, plan):
                pairs[slot.name] = told
        elif slot.required and not slot.ordered:
            values[slot.name] = None
    planned = _words([*pairs.values(), *sources.values()])
    unused = [n for n in _find_unused(roles.given, pairs) if not follows(n, roles) and n not in planned]
    if len(plan.slots) < len(roles.order):
        # Its body fixes the sizes for which it has no argument: a check tells that.
        unused = [n for n in unused if roles.kind(n) != "size" or role_of(n) == "head_width"]
    if missing or (unused and not plan.is_open):
        raise TypeError(_refusal(plan, roles, name, not missing))
    for theirs, found in plan.found.items():
        own = {slot.word: slot.name for slot in found.slots(theirs)}
        fields = {field: values[name] for field, name in own.items() if name in values}
        of_fields = {field: sources[name] for field, name in own.items() if sources.get(name, OWN) != OWN}
        reads = Configuration(roles, theirs, pairs, of_fields, found.groups)
        values[theirs] = found.make(fields, reads)
    return _arguments(plan, values, roles, pairs)


def _is_read_later(name: str, plan: Plan) -> bool:
    """Whether it is the field of a configuration that tells what is read of it."""
    owner, dot, _ = name.partition(".")
    return bool(dot) and owner in plan.found and plan.found[owner].known is None


def _arguments(
    plan: Plan, values: dict[str, Any], roles: Roles, pairs: Pairs
) -> tuple[list[Any], dict[str, Any]]:
    by_place: list[Any] = []
    by_name: dict[str, Any] = {}
    left = [name for name in roles.order if name in _find_unused(roles.given, pairs, also_not_needed=True)]
    named = {parameter.name for parameter in plan.parameters}
    keys = [slot.name for slot in plan.slots if slot.name == slot.word and slot.name not in named]
    any_by_name = any(parameter.kind is parameter.VAR_KEYWORD for parameter in plan.parameters)
    for parameter in plan.parameters:
        if parameter.kind is parameter.VAR_POSITIONAL:
            if by_name and any_by_name:
                continue  # what is named may leave one out, and places may not
            if left:
                before = [p for p in plan.parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
                by_place += [by_name.pop(p.name, p.default) for p in before]
            by_place += [roles.given[name] for name in left]
            pairs |= {name: name for name in left}
            left = []
        elif parameter.kind is parameter.VAR_KEYWORD:
            by_name |= {key: values[key] for key in keys if key in values}
            left = [] if keys else left  # what it does not read of them, it does not take
            by_name |= {name: roles.given[name] for name in left}
            pairs |= {name: name for name in left}
        elif parameter.name in values and parameter.kind is _POSITIONAL:
            by_place.append(values[parameter.name])
        elif parameter.name in values:
            by_name[parameter.name] = values[parameter.name]
    return by_place, by_name


def _make(symbol: Any, by_place: Sequence[Any], by_name: Mapping[str, Any]) -> Any:
    """What the constructor makes; where it reads unknown names of a configuration, with None for them.

    Or with the first text that it compares one of them with, or each, as in `config.norm == "layer"`; or
    with further configurations in their place, as in `config.model.width`.
    """
    read = [value for value in (*by_place, *by_name.values()) if isinstance(value, Configuration)]
    try:
        return symbol(*by_place, **by_name)
    except TypeError as error:
        handed_on = by_name.keys() - _parameters_of(symbol).keys()
        if handed_on and "unexpected keyword" in str(error):  # super().__init__(**kwargs) takes none
            return symbol(*by_place, **{name: by_name[name] for name in by_name.keys() - handed_on})
        left_out = [left_out for configuration in read for left_out in configuration.left_out]
        raise (left_out or [error])[0] from error
    except (AttributeError, KeyError):
        if not read:
            raise
        texts = texts_compared(symbol)
        alone = [{field: text} for field, text in texts.items()][:_MOST_TEXTS]
        by_text = [functools.partial(Configuration.allow_values, values=one) for one in (*alone, texts)]
        ways: list[Callable[[Configuration], None]] = [Configuration.allow_options, *by_text]
        for allow in (*ways, Configuration.allow_groups):
            for configuration in read:
                allow(configuration)
            with contextlib.suppress(Exception):
                return symbol(*by_place, **by_name)
        raise


def _is_table(parameter: inspect.Parameter) -> bool:
    """Whether it must be given a table of words, or its weights: no size is one."""
    words = {word.lower() for word in re.findall("[A-Z]?[a-z]+", parameter.name)}
    is_table = words <= _OF_TABLES and bool(words & _TABLES)
    return is_table and parameter.default is parameter.empty


def _refusal(plan: Plan, roles: Roles, name: str, has_all: bool) -> dict[str, str]:
    """Why the arguments cannot be matched: some go nowhere, or it asks for more."""
    named = [p for p in plan.parameters if p.kind in _NAMED]
    if has_all:
        found, wanted = ", ".join(p.name for p in named), ", ".join(roles.order)
        return {"says": "cannot_bind", "symbol": name, "found": found, "wanted": wanted}
    found = ", ".join(_with_default(p.name, {p.name: p.default}) for p in named)
    wanted = ", ".join(_with_default(theirs, roles.defaults) for theirs in roles.order)
    return {"says": "not_given", "symbol": name, "found": found, "wanted": wanted}


def _with_default(name: str, defaults: Mapping[str, Any]) -> str:
    """`dropout=0.1`; the name alone where there is no default, or one that is no plain value."""
    value = defaults.get(name, inspect.Parameter.empty)
    plain = type(value) in (int, float, bool, str, type(None))
    return f"{name}={value!r}"[:40] if plain else name


def _words(sources: Any) -> frozenset[str]:
    return frozenset(word for source in sources for word in re.findall(r"\w+", source))


def _find_unused(given: Mapping[str, Any], pairs: Pairs, also_not_needed: bool = False) -> list[str]:
    """The contract's names whose values went nowhere."""
    used = _words(pairs.values())
    return [n for n in given if n not in used and (also_not_needed or role_of(n) not in NOT_NEEDED)]
