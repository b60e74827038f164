"""Which of the contract's arguments may be meant by a student's, from likely to unlikely.

What is likely is a cost: a name of the contract costs nothing, a meaning little, a place more, and so does
a value that goes nowhere, or to two places. Nothing here depends on the values of a draw, so that an
assignment's number means the same for every construction.
"""

import heapq
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from softmark_worker.argument_roles import (
    is_of_keys,
    is_of_output,
    role_of,
    says_mask,
    says_shape,
    says_usual,
)
from softmark_worker.contract_values import TEXT, Roles

MOST = 24  # assignments
AT_ONCE = 200  # beginnings of assignments that are followed, the cheapest ones
OWN = ""  # the source of what keeps its default
SMALL = 8  # a default up to which a number is a multiple of a width, not a width
# A constructor may do without them: checks of their own are about that.
NOT_NEEDED = {"dropout", "length", "feed_forward", "types", "memory_width", "norm_first"}

# What it costs that a slot gets a value: its name means it, may mean it, means nothing, means another.
_MEANT, _MEANT_TOO, _PLACE, _LETTER, _OTHER, _NEVER_A_SIZE = 1.0, 1.5, 2.0, 3.0, 5.0, 6.0
_SAME_PLACE = -0.5  # with as many arguments as the contract has
_NO_SIZE, _FIELD = (
    1.5,
    2.0,
)  # more for a rate or a flag without a name, and for a field, whose place says nothing
_TWICE, _TWICE_BESIDE_DEFAULT, _CONTRARY = 2.0, 4.0, 1.5
_LEFT_ALONE, _GIVES_WAY = 3.0, 1.0  # a default that stays
_OF_HEADS, _TURNED = 3.5, 4.0  # a width of one or all heads without a name that says so; a flag's other value
_UNUSED, _UNUSED_BUT_NOT_NEEDED, _UNUSED_BUT_FOLLOWS = 8.0, 3.0, 4.0


@dataclass(frozen=True)
class Slot:
    """A place for a value: an argument, or a field of a configuration.

    Attributes:
        name: as it is told: `config.n_embd`.
        word: the name whose words say what it means.
        required: whether it has no value of its own.
        default: that value.
        ordered: whether its place says something.
        beside: whether it stands beside a configuration.
        is_flag: whether its annotation, or its use as a condition, says that it is True or False.
        texts: what it may be, where the code expects one of some texts; the likely ones first.
    """

    name: str
    word: str
    required: bool = True
    default: Any = None
    ordered: bool = True
    beside: bool = False
    is_flag: bool = False
    texts: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Choice:
    """What a slot may get: `place` is that of the contract's argument, if it is one."""

    cost: float
    source: str
    uses: frozenset[str]
    place: int | None = None
    meant: bool = False


@dataclass(frozen=True)
class _Begun:
    """The beginning of an assignment."""

    cost: float
    choices: tuple[_Choice, ...] = ()


def find_assignments(
    slots: Sequence[Slot], roles: Roles, elsewhere: frozenset[str] = frozenset(), takes_more: bool = False
) -> list[tuple[str, ...]]:
    """For each slot the source of its value, in several ways: the likely ones first.

    Args:
        slots: what the constructor asks for.
        roles: the contract's arguments by what they mean.
        elsewhere: the contract's arguments whose values other places get.
        takes_more: whether the slots may not be all that it asks for.
    """
    begun = [_Begun(0.0)]
    for slot in slots:
        choices = list(_choices(slot, slots, roles))
        following = (_add(one, slot, choice) for one in begun for choice in choices)
        begun = heapq.nsmallest(AT_ONCE, filter(None, following), key=lambda one: one.cost)
    unused = _UNUSED_BUT_NOT_NEEDED if takes_more else _UNUSED
    whole = sorted(begun, key=lambda one: one.cost + _cost_of_unused(one, roles, elsewhere, unused))
    complete = [one for one in whole if not _lacks(one, roles, elsewhere)]
    whole = whole if takes_more else complete or whole
    sources = [tuple(choice.source for choice in one.choices) for one in whole]
    by_place = _by_place(slots, roles)
    return list(dict.fromkeys([*sources[:1], *([by_place] if by_place else []), *sources]))[:MOST]


def _by_place(slots: Sequence[Slot], roles: Roles) -> tuple[str, ...] | None:
    """Each slot as what stands at its place in the contract, whatever the names mean.

    None where their numbers differ, a slot has the name of another argument, or a default is of another kind.
    """
    places = [_same_place(slot, slots, roles) for slot in slots]
    named = [
        (slot, roles.order[place]) for slot, place in zip(slots, places, strict=True) if place is not None
    ]
    if len(named) < len(slots) or not named:
        return None
    fits = all(
        _fits(slot, ours, roles)
        and (slot.word == ours or slot.word not in roles.order)
        and not (_is_a_rate(slot) and roles.kind(ours) == "size")
        for slot, ours in named
    )
    return tuple(ours for _, ours in named) if fits else None


def _add(begun: _Begun, slot: Slot, choice: _Choice) -> _Begun | None:
    cost = begun.cost + choice.cost
    for before in begun.choices if choice.place is not None else ():
        if before.place == choice.place:
            if not (choice.meant and before.meant):
                return None
            cost += _TWICE if slot.required else _TWICE_BESIDE_DEFAULT
        elif slot.ordered and before.place is not None and before.place > choice.place:  # type: ignore[operator]
            cost += 0 if choice.meant and before.meant else _CONTRARY
    return _Begun(cost, (*begun.choices, choice))


def _lacks(begun: _Begun, roles: Roles, elsewhere: frozenset[str]) -> bool:
    """Whether a value goes nowhere that a constructor needs."""
    return _cost_of_unused(begun, roles, elsewhere, math.inf) == math.inf


def _cost_of_unused(begun: _Begun, roles: Roles, elsewhere: frozenset[str], needed: float) -> float:
    used = elsewhere.union(*(choice.uses for choice in begun.choices))
    return sum(_cost_without(name, roles, needed) for name in roles.order if name not in used)


def _cost_without(name: str, roles: Roles, needed: float) -> float:
    if follows(name, roles):
        return _UNUSED_BUT_FOLLOWS
    return _UNUSED_BUT_NOT_NEEDED if role_of(name) in NOT_NEEDED else needed


def follows(name: str, roles: Roles) -> bool:
    """Whether a constructor may do without it.

    A head's width follows from the model's and their number; one vocabulary may be that of both languages;
    and there may be as many heads of keys as of queries.
    """
    if is_of_keys(name):
        return roles.names.get("heads", name) != name
    if role_of(name) == "target_vocabulary":
        return "vocabulary" in roles.names
    return role_of(name) == "head_width" and "width" in roles.names and "heads" in roles.names


def _choices(slot: Slot, slots: Sequence[Slot], roles: Roles) -> Iterator[_Choice]:
    if slot.word in roles.parts:
        yield _Choice(0.0, slot.word, frozenset(re.findall(r"\w+", roles.parts[slot.word][1])))
        return
    if slot.texts and slot.word not in roles.order:
        yield from (_Choice(_MEANT + at, TEXT + text, frozenset()) for at, text in enumerate(slot.texts))
        return
    if slot.word in roles.order and {*roles.order} <= {other.word for other in slots}:
        # It has its own name, and no other argument needs its value.
        yield _Choice(0.0, slot.word, frozenset({slot.word}), roles.order.index(slot.word), True)
        return
    meanings = dict(_meanings(slot, slots, roles))
    has_meaning = any(role in roles.names for role in meanings)
    for place, ours in enumerate(roles.order):
        if ours == slot.word:
            yield _Choice(0.0, ours, frozenset({ours}), place, True)
        elif (meant := meanings.get(roles.role(ours) or "")) is not None and _fits(slot, ours, roles):
            yield _Choice(meant, ours, frozenset({ours}), place, True)
        elif slot.word not in roles.order and _fits(slot, ours, roles):
            cost = _cost_of_another(slot, has_meaning, meanings, roles)
            cost += _SAME_PLACE if place == _same_place(slot, slots, roles) else 0.0
            cost += 0.0 if roles.kind(ours) == "size" or slot.default is not None else _NO_SIZE
            yield _Choice(cost, ours, frozenset({ours}), place)
    for role, cost in meanings.items():
        told, gives_way = roles.derived(role), _gives_way(slot, slots, role, roles)
        if told is not None and (slot.required or gives_way):
            yield _Choice(cost + (1.5 if _is_letter(slot) else 0.0), f"*{role}", told)
    yield from _further_choices(slot, meanings, roles)
    if slot.required and not slot.ordered:
        yield _Choice(_LEFT_ALONE + 1, OWN, frozenset())  # a field that means nothing here is None
    if not slot.required:
        gives_way = any(_gives_way(slot, slots, role, roles) for role in meanings)
        yield _Choice(_LEFT_ALONE if has_meaning else _GIVES_WAY * 2 * gives_way, OWN, frozenset())


def _further_choices(slot: Slot, meanings: Mapping[str, float], roles: Roles) -> Iterator[_Choice]:
    """What the slot's name does not say, but its use may show: sizes of heads, and flags that are turned."""
    if slot.required and not slot.is_flag:
        if "width" in meanings and is_of_output(slot.word) and (told := roles.derived("head_width")):
            yield _Choice(_OF_HEADS, "*head_width", told)
        if (not meanings or "width" in meanings) and (told := roles.derived("heads_width")):
            yield _Choice(_OF_HEADS, "*heads_width", told)
        if says_shape(slot.word) and (told := roles.derived("axes")):
            yield _Choice(_OF_HEADS, "*axes", told)
    if type(slot.default) is bool and not meanings and slot.word not in roles.order:
        yield _Choice(_TURNED, "*flag" if slot.default else "*flag_on", frozenset())


def _meanings(slot: Slot, slots: Sequence[Slot], roles: Roles) -> Iterator[tuple[str, float]]:
    """What the slot's name may mean, each with its cost."""
    role = role_of(slot.word)
    if slot.is_flag and role in (None, "width") and says_mask(slot.word):
        role = "causal"
    if slot.name in roles.aliases:
        yield roles.aliases[slot.name], _MEANT
        yield from [(role, _MEANT_TOO + 1)] if role else []
    elif role == "hidden" and "feed_forward" in roles.names:
        words = {role_of(other.word) for other in slots if other is not slot}
        width_first = _hidden_is_width(slot, words) if slot.ordered else roles.hidden_is_width(slot.word)
        yield "width", _MEANT if width_first else _MEANT_TOO
        yield "feed_forward", _MEANT_TOO if width_first else _MEANT
    elif role == "hidden":
        yield "width", _MEANT
    elif role == "factor":  # of Llama's own code: beside an inner width it is none
        beside = _has_inner_width(slot, slots)
        yield from [("no_factor", _MEANT)] if beside else [("factor", _MEANT), ("no_factor", _MEANT_TOO)]
    elif role == "dropout" and type(slot.default) is int and slot.default > 1:
        return
    elif role is not None:
        yield roles.known_role(role) or role, _MEANT
    elif slot.is_flag and slot.required:
        ways = ("flag_on", "flag") if says_usual(slot.word) else ("flag", "flag_on")
        yield from zip(ways, (_MEANT, _MEANT_TOO), strict=True)
    if role == "feed_forward" and type(slot.default) is int and slot.default <= SMALL:
        yield "ratio", _MEANT


def _has_inner_width(slot: Slot, slots: Sequence[Slot]) -> bool:
    words = [other.word for other in slots if other is not slot]
    return any(role_of(word) == "feed_forward" or word == "hidden_dim" for word in words)


def _hidden_is_width(slot: Slot, words: set[str | None]) -> bool:
    return not slot.beside and ("width" not in words or "feed_forward" in words)


def _cost_of_another(slot: Slot, has_meaning: bool, meanings: Mapping[str, float], roles: Roles) -> float:
    """What it costs that a name stands for an argument whose meaning it has not."""
    beside = 0.0 if slot.ordered else _FIELD
    if has_meaning or any(role in roles.fillers or role == "dropout" for role in meanings):
        return beside + (_LETTER if _is_letter(slot) else _OTHER if has_meaning else _NEVER_A_SIZE)
    return beside + _PLACE  # a meaning that the contract does not have is none


def _is_letter(slot: Slot) -> bool:
    return len(slot.word.strip("_")) == 1  # which says little


def _is_a_rate(slot: Slot) -> bool:
    """Whether its name says so; a letter does not."""
    return role_of(slot.word) in {"dropout", "epsilon"} and not _is_letter(slot)


def _same_place(slot: Slot, slots: Sequence[Slot], roles: Roles) -> int | None:
    """The slot's place, where there are as many slots as arguments, or as those without a default."""
    ordered = [other.name for other in slots if other.ordered]
    required = [name for name in roles.order if name not in roles.defaults]
    same = len(ordered) in (len(roles.order), len(required))
    return ordered.index(slot.name) if same and slot.ordered else None


def _gives_way(slot: Slot, slots: Sequence[Slot], role: str, roles: Roles) -> bool:
    """Whether a default gives way to what follows from the contract's values.

    A number as the width of a head is made for the author's own sizes. What a width is a multiple of gives
    way where a factor makes this width.
    """
    if role == "head_width" and "heads" not in roles.names:
        return False
    if role == "multiple":
        factor = any(role_of(other.word) == "factor" for other in slots)
        return factor and "feed_forward" in roles.names and not _has_inner_width(slot, slots)
    if role == "factor":
        return slot.default is None or type(slot.default) in (int, float)
    kinds: dict[str, tuple[type, ...]] = {"head_width": (int,), "causal": (bool,), "ratio": (int, float)}
    kinds |= {"batch_axis": (int,), "batch_first": (bool,)}
    return type(slot.default) in kinds.get(role, ())


def _fits(slot: Slot, ours: str, roles: Roles) -> bool:
    """Whether the slot's default is of the kind that the contract's argument is: no rate is a size."""
    if slot.is_flag:
        return roles.kind(ours) == "flag"
    kind = {bool: "flag", int: "size", float: "rate"}.get(type(slot.default), "other")
    return slot.default is None or kind == roles.kind(ours)
