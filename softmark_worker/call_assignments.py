"""All ways in which a call's arguments may be given to a student's parameters, from likely to unlikely.

A name of the contract is taken at its word; else what a name means counts, and its place. Which way is right
where these leave it open is tried by calls (`graders/judging/assign_arguments.py`).
"""

import heapq
import inspect
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from softmark_worker.call_meanings import MASK, MASK_OF_MEMORY, is_extra, is_no_argument, meanings_of

MOST = 8  # ways that are tried at most
WORSE = 14.0  # by how much an unlikely way may cost more than the likeliest
NAMED = (
    inspect.Parameter.POSITIONAL_ONLY,
    inspect.Parameter.POSITIONAL_OR_KEYWORD,
    inspect.Parameter.KEYWORD_ONLY,
)
_INPUTS = {"query", "key", "value"}

# What a parameter costs that is given an argument: the less, the likelier.
_BY_MEANING, _BY_PLACE, _CONTRARY, _CONTRARY_LETTER = 1.0, 3.0, 9.0, 4.0
_MOVED = 0.75  # for each place by which it stands elsewhere
_OPTION, _UNKNOWN, _LEFT_OUT, _NOT_GIVEN = 0.5, 2.0, 5.0, 12.0  # where there is nothing for it
_LOOKED_AT = 4_000  # beginnings of ways: seven names that say nothing have more ways than are of use


@dataclass(frozen=True)
class Argument:
    """An argument of the contract. `has_default`: whether it may be left out; then `default` is due."""

    name: str
    has_default: bool = False
    default: Any = None


Sources = dict[str, int | None]  # a parameter's name -> the contract's place; None where nothing is due to it


def find_assignments(parameters: Sequence[inspect.Parameter], arguments: Sequence[Argument]) -> list[Sources]:
    """The ways, from likely to unlikely; one where names leave nothing open.

    A parameter with a default that gets nothing is not in a way; one without a default is there with None.

    Args:
        parameters: the student's, without `self`, `*args` and `**kwargs`.
        arguments: the contract's.
    """
    if names := _other_names(parameters, arguments):
        return _as_renamed(names, parameters, arguments)
    memory_first = _memory_first(parameters, arguments)
    further = _as_renamed(memory_first, parameters, arguments)[:1] if memory_first else []
    likeliest, *others = _own_ways(parameters, arguments)
    if further and parameters[0].name == "y":  # x has its own name, and each mask that of its input
        return [*further, likeliest, *others][:MOST]
    return [likeliest, *further, *others][:MOST]


def _as_renamed(
    names: dict[str, str], parameters: Sequence[inspect.Parameter], arguments: Sequence[Argument]
) -> list[Sources]:
    """The ways of the parameters under other names."""
    renamed = [p.replace(name=names[p.name]) for p in parameters]
    back = {other: name for name, other in names.items()}
    return [{back[n]: at for n, at in way.items()} for way in find_assignments(renamed, arguments)]


def _own_ways(parameters: Sequence[inspect.Parameter], arguments: Sequence[Argument]) -> list[Sources]:
    copied = _find_copied(parameters, arguments)
    own = [p for p in parameters if p.name not in copied and not (copied and _keeps_default(p))]
    taken = {at for name, at in copied.items() if at or meanings_of(name) & {"query", "data"}}
    if own and parameters[0] is own[0] and not meanings_of(own[0].name):
        taken -= {0}  # an input of any name before queries and keys: x, q, k
    left = [place for place in range(len(arguments)) if place not in taken]
    ways = _find_ways(own, [arguments[place] for place in left])
    return [
        copied | {name: None if at is None else left[at] for name, at in way.items()} for way in ways or [{}]
    ]


def _other_names(parameters: Sequence[inspect.Parameter], arguments: Sequence[Argument]) -> dict[str, str]:
    """`source_...` and `target_...` for `input_...` and `output_...`, where the contract has a memory.

    Empty where not both are there, or where another name tells the memory: `dec_input, enc_output`.
    """
    if not any("memory" in meanings_of(argument.name) for argument in arguments[1:]):
        return {}
    words = {"input": "source", "inputs": "source", "output": "target", "outputs": "target"}
    parts = {p.name: p.name.lower().split("_") for p in parameters}
    found = {words[word] for each in parts.values() for word in each if word in words}
    others = ("_".join(word for word in each if word not in words) for each in parts.values())
    if len(found) < 2 or any(meanings_of(rest) & {"memory", "targets"} for rest in others):
        return {}
    return {name: "_".join(words.get(word, word) for word in each) for name, each in parts.items()}


def _memory_first(parameters: Sequence[inspect.Parameter], arguments: Sequence[Argument]) -> dict[str, str]:
    """`source` and `target` for `x` and `y`, in either order: the contract's memory may come first.

    Masks go with the input in their names. Empty where the parameters do not begin with these two.
    """
    first = [p.name for p in parameters[:2]]
    words = dict(zip(first, ("source", "target"), strict=False))
    if {*first} != {"x", "y"} or not any(
        "memory" in meanings_of(argument.name) for argument in arguments[1:]
    ):
        return {}
    parts = {p.name: p.name.lower().split("_") for p in parameters}
    return {name: "_".join(words.get(word, word) for word in each) for name, each in parts.items()}


def _find_ways(own: Sequence[inspect.Parameter], arguments: Sequence[Argument]) -> list[Sources]:
    costs = [_costs(p, place, own, arguments) for place, p in enumerate(own)]
    ways = list(itertools.islice(_cheapest(own, costs, arguments), 3 * MOST))
    if not ways:
        return []
    likeliest, first = ways[0]
    close = [way for cost, way in ways if cost <= likeliest + WORSE]
    by_place = _by_place(own, arguments)
    if _is_certain(first, own, arguments):
        close = close[:1]
    elif by_place is not None:
        close = list({tuple(way.items()): way for way in (first, by_place, *close)}.values())
    return close[:MOST]


def _find_copied(parameters: Sequence[inspect.Parameter], arguments: Sequence[Argument]) -> Sources:
    """Queries, keys and values where the contract has one input: each is given that, or the memory.

    None where the contract's first argument is a model: letters stand for anything there.
    Keys and values beside an input of any name are the memory, too. A memory that must be given, where the
    contract has at most masks beside the input, is the input. Keys and values with a default keep it.
    """
    due = [meanings_of(argument.name) for argument in arguments]
    if any(meanings & _INPUTS for meanings in due):
        return {}
    if data := _find_parts_of_data(parameters):
        return {p.name: place for place, meanings in enumerate(due) if meanings == {"data"} for p in data}
    if "model" in due[0]:
        return {}  # what is first is no input
    memory = next((place for place, meanings in enumerate(due) if "memory" in meanings and place), 0)
    roles = {p.name: meanings_of(p.name) & _INPUTS for p in parameters}
    inputs = [p for p in parameters if len(roles[p.name]) == 1]
    found = {role for p in inputs for role in roles[p.name]}
    enough = {"key", "value"} <= found if memory else len(found) > 1
    if not enough:
        masks_alone = len(arguments) > 1 and all(MASK in meanings for meanings in due[1:])
        memories = [p for p in parameters[1:] if masks_alone and "memory" in meanings_of(p.name)]
        inputs = [p for p in inputs if "query" in roles[p.name]] + memories if memories else []
    first = [p for p in inputs if p.default is p.empty or "query" in roles[p.name]]
    return {p.name: memory if roles[p.name] & {"key", "value"} else 0 for p in first}


def _find_parts_of_data(parameters: Sequence[inspect.Parameter]) -> list[inspect.Parameter]:
    """Several parts of the data that must be given, as of training and of validation: each is all of it."""
    data = [p for p in parameters if meanings_of(p.name) >= {"data", "part"} and p.default is p.empty]
    return data if len(data) > 1 else []


def _keeps_default(parameter: inspect.Parameter) -> bool:
    """Whether it is one of queries, keys and values that may be left out."""
    return parameter.default is not parameter.empty and bool(meanings_of(parameter.name) & _INPUTS)


def _costs(
    parameter: inspect.Parameter, place: int, own: Sequence[inspect.Parameter], arguments: Sequence[Argument]
) -> list[tuple[float, int | None]]:
    """What it costs to give a parameter each argument, or nothing, which is the place None."""
    names, due = {p.name for p in own}, {a.name for a in arguments}
    known = any(meanings_of(parameter.name) & meanings_of(a.name) for a in arguments)
    costs: list[tuple[float, int | None]] = []
    for at, argument in enumerate(arguments):
        if parameter.name == argument.name:
            cost = 0.0
        elif argument.name in names or parameter.name in due:
            cost = 3 * _CONTRARY  # a name of the contract is taken at its word
        else:
            cost = _cost_of_names(parameter, argument, known)
        moved = abs(at - place) if cost else 0
        if moved and len(parameter.name) == 1:
            cost = max(cost, _BY_PLACE)  # a letter says little: it is the place's first
        costs.append((cost + _MOVED * moved, at))
    if parameter.default is parameter.empty:
        is_mask = bool(meanings_of(parameter.name) & {MASK, MASK_OF_MEMORY})
        nothing = _BY_MEANING if is_extra(parameter.name) else _LEFT_OUT if is_mask else _NOT_GIVEN
        costs.append((nothing, None))
    else:
        costs.append((_OPTION if is_extra(parameter.name) else _LEFT_OUT if known else _UNKNOWN, None))
    return costs


def _cost_of_names(parameter: inspect.Parameter, argument: Argument, known: bool) -> float:
    mine, due = meanings_of(parameter.name), meanings_of(argument.name)
    if type(parameter.default) is bool and type(argument.default) is not bool:
        return 2 * _CONTRARY  # an option such as use_causal_mask=True is no mask
    masks = {MASK, MASK_OF_MEMORY}
    if mine & masks and due & masks:  # of two masks, one is of the memory, whichever comes first
        cost = _BY_MEANING if mine & masks == due & masks else 2.5 * _BY_MEANING
        return cost + 2 * is_extra(parameter.name) + 2 * ("pad" in mine - due)
    if mine & due:
        return _BY_MEANING if _is_limit(parameter.name) is _is_limit(argument.name) else 3 * _BY_MEANING
    if "split" in mine or is_no_argument(parameter.name):
        return 3 * _CONTRARY  # it says which data, and is none itself; or where, or how
    if known or is_extra(parameter.name):
        return _CONTRARY_LETTER if len(parameter.name) == 1 else _CONTRARY
    return _BY_PLACE  # a meaning that the contract does not have is none


def _is_limit(name: str) -> bool:
    """Whether a name says the most of something: `max_span_length`, and not `context_length`."""
    return "max" in name.lower().split("_")


def _cheapest(
    own: Sequence[inspect.Parameter],
    costs: Sequence[Sequence[tuple[float, int | None]]],
    arguments: Sequence[Argument],
) -> Iterator[tuple[float, Sources]]:
    """The ways with what they cost, the cheapest first; no argument is given twice."""
    least = [min(cost for cost, _ in each) for each in costs]
    rest = [sum(least[at:]) for at in range(len(least) + 1)]
    number = itertools.count()
    waiting: list[tuple[float, int, float, tuple[int | None, ...], bool]] = [(rest[0], 0, 0.0, (), False)]
    for _ in range(_LOOKED_AT):
        if not waiting:
            return
        total, _, cost, places, ended = heapq.heappop(waiting)
        if ended:
            yield total, _as_sources(own, places)
            continue
        if len(places) == len(own):
            whole = cost + sum(
                _LEFT_OUT if a.has_default else _NOT_GIVEN
                for at, a in enumerate(arguments)
                if at not in places
            )
            heapq.heappush(waiting, (whole, next(number), cost, places, True))
            continue
        for more, at in costs[len(places)]:
            if at is None or at not in places:
                longer = (*places, at)
                entry = (cost + more + rest[len(longer)], next(number), cost + more, longer, False)
                heapq.heappush(waiting, entry)


def _as_sources(own: Sequence[inspect.Parameter], places: Sequence[int | None]) -> Sources:
    """A way by names: a parameter that keeps its default is not in it."""
    pairs = zip(own, places, strict=True)
    return {p.name: at for p, at in pairs if at is not None or p.default is p.empty}


def _by_place(own: Sequence[inspect.Parameter], arguments: Sequence[Argument]) -> Sources | None:
    """Each argument to the parameter at its place, options and what has a default aside; None without one."""
    taken = own if len(own) == len(arguments) else [p for p in own if not is_extra(p.name)]
    if len(taken) < len(arguments):
        return None
    if any(p.default is p.empty for p in taken[len(arguments) :]):
        return None
    places = {p.name: at for at, p in enumerate(taken[: len(arguments)])}
    return _as_sources(own, [places.get(p.name) for p in own])


def _is_certain(way: Sources, own: Sequence[inspect.Parameter], arguments: Sequence[Argument]) -> bool:
    """Whether names leave nothing open: at most one pair belongs together only because it is left."""
    due = [argument.name for argument in arguments]
    given = {name: due[at] for name, at in way.items() if at is not None}
    others = [name for name in due if name not in given]
    by_name = 0
    for name, ours in given.items():
        fitting = [other for other in others if meanings_of(name) & meanings_of(other)]
        by_name += name == ours or (fitting == [ours] and len(name) > 1)
    left = [p for p in own if p.name not in given and not is_extra(p.name)]
    return len(given) - by_name <= 1 and not left and len(given) == len(due)
