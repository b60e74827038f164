"""Calls a student's forward with the contract's arguments, whatever their names and order.

Also gives lazy layers their sizes, by a first call.
"""

import functools
import inspect
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import torch

from softmark_worker.argument_roles import forward_role, is_of_memory, role_of

_NAMED = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
_INPUTS = {"query", "key", "value", "context"}


def adapt_forward(module: torch.nn.Module, order: Sequence[str]) -> dict[str, str]:
    """Make the module's forward take the contract's arguments by position; what was taken for what.

    Nothing is changed where the module's own forward takes them. `order`: the contract's names.
    """
    try:
        parameters = _parameters_of(module.forward)
    except (TypeError, ValueError):
        return {}
    if order and [p.kind for p in parameters] == [inspect.Parameter.VAR_KEYWORD]:
        module.forward = _forward_by_contract(module.forward, list(order))
        return {}
    if not order or not parameters or any(p.kind not in _NAMED for p in parameters):
        return {}
    sources = find_sources(parameters, list(order))
    names = [p.name for p in parameters]
    if _in_order(parameters, sources, len(order)):
        return {}
    module.forward = _forward_by_name(module.forward, names, sources, parameters)
    pairs = {name: "None" if source is None else order[source] for name, source in sources.items()}
    # Segments that the contract lets out, but not the student's forward, are zero.
    pairs |= {f"{p.name} (left out)": "0" for p in parameters[1:] if _must_have_types(p)}
    not_taken = {name: "" for place, name in enumerate(order) if place not in sources.values()}
    return {name: ours for name, ours in pairs.items() if name != ours} | not_taken


def _parameters_of(forward: Callable[..., Any]) -> list[inspect.Parameter]:
    function = getattr(forward, "__func__", None)
    if type(forward) is not types.MethodType or type(function) is not types.FunctionType:
        return list(inspect.signature(forward).parameters.values())
    return list(_parameters_of_method(function))


@functools.lru_cache(maxsize=64)  # the same for every module of a class, and slow to read
def _parameters_of_method(function: types.FunctionType) -> tuple[inspect.Parameter, ...]:
    return tuple(inspect.signature(types.MethodType(function, object())).parameters.values())


def adapt_function(function: Callable[..., Any], order: Sequence[str]) -> Callable[..., Any]:
    """The function, taking the contract's arguments by position, whatever else it asks for.

    As in `attention(q, k, v, d_k, mask=None, dropout=None)`: the width of a head is read off the first
    argument, and dropout and flags are off. Nothing is changed where the arguments stand as in the contract.
    """
    try:
        parameters = list(inspect.signature(getattr(function, "forward", function)).parameters.values())
    except (TypeError, ValueError):
        return function
    roles = {p.name: role_of(p.name) for p in parameters if p.name not in order and len(p.name) > 1}
    extras = {name: role for name, role in roles.items() if role in ("head_width", "dropout", "flag")}
    own = [p.name for p in parameters if p.name not in extras]
    between = any(p.name in extras for p in parameters[: len(order)])
    required = any(p.name in extras and p.default is p.empty for p in parameters)
    if not order or any(p.kind not in _NAMED for p in parameters) or not (between or required):
        return function

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        given = dict(zip(own, args, strict=False)) | kwargs
        for parameter in parameters:
            if parameter.name in extras and parameter.default is parameter.empty:
                is_width = extras[parameter.name] == "head_width" and args
                given[parameter.name] = args[0].shape[-1] if is_width else None
        return function(**given)

    return call


def materialise(
    module: torch.nn.Module, parameters: Iterable[torch.nn.Parameter], given: Mapping[str, Any]
) -> bool:
    """Give lazy layers their shapes by a call with a plain input; whether there are any among `parameters`.

    The input has ids where the contract has a vocabulary, else states as wide as the contract says. What this
    call raises, the next one raises too. What it made is in evaluation mode too.
    """
    if not any(isinstance(p, torch.nn.parameter.UninitializedParameter) for p in parameters):
        return False
    sizes = {role_of(name): value for name, value in given.items()}
    width = sizes.get("width", sizes.get("hidden"))
    ids = torch.zeros(1, 2, dtype=torch.int64)
    try:
        with torch.no_grad():
            module(ids if "vocabulary" in sizes or width is None else torch.zeros(1, 2, width))
    except Exception:  # noqa: S110 (the student sees it at the first call of a check)
        pass
    module.eval()
    return True


def find_sources(parameters: list[inspect.Parameter], order: list[str]) -> dict[str, int | None]:
    """For each of the student's arguments the place of the contract's; None for a required one without."""
    roles = {place: forward_role(name) for place, name in enumerate(order) if place}
    first, *others = parameters
    sources: dict[str, int | None] = {first.name: 0}
    attends = forward_role(first.name) in _INPUTS or _has_inputs(others)
    memory = next((place for place, role in roles.items() if role == "context"), 0)
    waiting: list[inspect.Parameter] = []
    for parameter in others:
        role, required = forward_role(parameter.name), parameter.default is parameter.empty
        place = order.index(parameter.name) if parameter.name in order else None
        if place is None and role in _INPUTS and attends:
            if required:
                sources[parameter.name] = 0 if role == "query" else memory
            continue
        # An option such as use_causal_mask=True is no mask.
        if place is None and type(parameter.default) is not bool:
            same = [p for p, r in roles.items() if r == role and p not in sources.values() and r]
            of_memory = is_of_memory(parameter.name)
            # Of two masks, one is of the memory, whichever comes first.
            same.sort(key=lambda p: is_of_memory(order[p]) is not of_memory)
            place = next(iter(same), None)
        if place is not None and place not in sources.values():
            sources[parameter.name] = place
        else:
            waiting.append(parameter)
    free = [place for place in roles if place not in sources.values()]
    for parameter in waiting:
        # An option such as output_attentions=False is no mask.
        if free and forward_role(parameter.name) is None and type(parameter.default) is not bool:
            sources[parameter.name] = free.pop(0)
        elif parameter.default is parameter.empty:
            sources[parameter.name] = None
    return sources


def _must_have_types(parameter: inspect.Parameter) -> bool:
    return forward_role(parameter.name) == "types" and parameter.default is parameter.empty


def _has_inputs(parameters: list[inspect.Parameter]) -> bool:
    return any(forward_role(p.name) in _INPUTS and p.default is p.empty for p in parameters)


def _in_order(parameters: list[inspect.Parameter], sources: dict[str, int | None], count: int) -> bool:
    """Whether the contract's arguments by position reach the same places, and nothing required is missing."""
    plain = [p for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
    same = len(plain) >= count and all(sources.get(p.name) == place for place, p in enumerate(plain[:count]))
    return same and all(p.default is not p.empty for p in (*plain[1:], *parameters[len(plain) :]))


def _forward_by_contract(forward: Callable[..., Any], order: list[str]) -> Callable[..., Any]:
    """A forward that takes keywords of any name gets the contract's."""

    def call(*args: Any, **kwargs: Any) -> Any:
        return forward(**dict(zip(order, args, strict=False)), **kwargs)

    return call


def _forward_by_name(
    forward: Callable[..., Any],
    names: list[str],
    sources: dict[str, int | None],
    parameters: list[inspect.Parameter],
) -> Callable[..., Any]:
    required = {p.name for p in parameters if p.default is p.empty}

    def call(*args: Any, **kwargs: Any) -> Any:
        passed = {}
        for name in names:
            source = sources.get(name)
            if source is not None and source < len(args):
                passed[name] = args[source]
            elif name in required and name in sources:
                passed[name] = None
            if name in required and passed.get(name) is None and forward_role(name) == "types":
                passed[name] = torch.zeros_like(args[0])
        return forward(**passed, **kwargs)

    return call
