"""Calls students' functions and methods with the contract's arguments, whatever their names and order.

Also gives lazy layers their sizes, by a first call.
"""

import functools
import inspect
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import torch

from softmark_worker import merges_learned, other_kinds
from softmark_worker.argument_roles import role_of
from softmark_worker.call_assignments import NAMED, Argument, Sources, find_assignments
from softmark_worker.call_fillers import are_positions, describe_filler, fill, is_filled
from softmark_worker.call_globals import read_names
from softmark_worker.call_meanings import meanings_of
from softmark_worker.lent_model import Lent
from softmark_worker.read_call import lengths_read_of, tells_none

GLOBAL = " (global)"  # behind the name of a global variable, in what was taken for what
OF_MODEL = " (model)"  # behind what is read of a model: `model.config.block_size`
STATES = {"h0", "h", "c"}  # the contract's names of states before a step, zeros where they are left out
LONGEST = 150  # characters of a signature in a message
_KEPT = 256  # functions whose parameters are kept: they are slow to read, and each draw asks for them


@dataclass(frozen=True)
class Way:
    """A way to call something with the contract's arguments.

    Attributes:
        called: what is called.
        parameters: its own.
        arguments: the contract's.
        sources: the argument's place by the parameter's name.
        read: the same for global variables that the code reads in the place of arguments.
        kind: which values are of another kind than the contract's (`other_kinds`); "" for none.
        in_a_row: whether positions that it asks for are (S,), and not (B, S).
        of_model: the argument's place by what the code reads of its model in the place of the argument.
        pair: the place of the contract's pair that the code takes as two arguments; -1 for none.
        hidden: the width of a state; 0 where it is not known.
    """

    called: Callable[..., Any]
    parameters: tuple[inspect.Parameter, ...]
    arguments: tuple[Argument, ...]
    sources: Sources
    read: dict[str, int] = field(default_factory=dict)
    kind: str = ""
    in_a_row: bool = False
    of_model: dict[str, int] = field(default_factory=dict)
    pair: int = -1
    hidden: int = 0

    @property
    def is_plain(self) -> bool:
        """Whether arguments by position reach the same parameters, and nothing else must be given."""
        if (
            self.kind
            or self.of_model
            or self.pair >= 0
            or any(_is_padding_index(p) for p in self.parameters if p.name not in self.sources)
        ):
            return False
        plain = [p for p in self.parameters if p.kind in NAMED[:2]]
        count = len(self.arguments)
        due = [self.sources.get(p.name, -1) for p in plain[:count]]
        must = [p for p in self.parameters if p.default is p.empty and p.kind in NAMED]
        required = {at for at, argument in enumerate(self.arguments) if not argument.has_default}
        reached = [p.name for p in plain[:count] if self.sources.get(p.name) in required]
        return due == list(range(count)) and all(p.name in reached for p in must)

    @property
    def taken(self) -> dict[str, str]:
        """What was taken for what, where that is not as the contract says; "" for what is not taken."""
        due = [argument.name for argument in self.arguments]
        pairs = {
            name: self._describe_filler(name) if at is None else due[at] for name, at in self.sources.items()
        }
        # Segments and states that the contract lets out, but not the student's forward, are zero.
        pairs |= {
            f"{p.name} (left out)": "0"
            for p in self.parameters[1:]
            if _must_have_types(p) or self._must_have_state(p)
        }
        pairs |= {f"{name}{GLOBAL}": due[at] for name, at in self.read.items()}
        pairs |= {f"{path}{OF_MODEL}": due[at] for path, at in self.of_model.items()}
        own = [p.name for p in self.parameters if _is_padding_index(p) and p.name not in self.sources]
        pairs |= {name: describe_filler(name) for name in own}
        to_ours = {name: due[at] for name, at in self.sources.items() if at is not None}
        pairs |= other_kinds.describe(self.kind, to_ours)
        given = {*self.sources.values(), *self.read.values(), *self.of_model.values()}
        given |= other_kinds.held_in_pair(self.kind, due)
        lost = (
            []
            if self._swallows or self._spreads
            else [name for at, name in enumerate(due) if at not in given]
        )
        return {name: ours for name, ours in pairs.items() if name != ours} | dict.fromkeys(lost, "")

    def call(self, *args: Any, **kwargs: Any) -> Any:
        """Call it with arguments in the contract's order."""
        args = tuple(_split_pair(args, self.pair))
        given = other_kinds.convert(dict(enumerate(args)), [a.name for a in self.arguments], self.kind)
        passed = {p.name: self._value(p, given) for p in self.parameters if self._is_passed(p, given)}
        left = given.keys() - self.sources.values()
        if self._swallows and not self._spreads:
            named = {self.arguments[at].name: given[at] for at in sorted(left) if at < len(self.arguments)}
            passed |= {name: value for name, value in named.items() if value is not None}
        for path, at in self.of_model.items():
            model, _, rest = path.partition(".")
            if isinstance(passed.get(model), Lent) and at in given:
                passed[model].tell(rest, given[at])
        before = (inspect.Parameter.POSITIONAL_ONLY, *NAMED[: 2 * self._spreads])
        first = [p for p in self.parameters if p.kind in before]
        by_place = [passed.pop(p.name, p.default) for p in first]
        by_place += [given[at] for at in sorted(left)] if self._spreads else []
        if self.read:
            read = {name: given[at] for name, at in self.read.items() if at in given}
            inspect.unwrap(self.called).__globals__.update(read)
        try:
            answer = self.called(*by_place, **passed, **kwargs)
            return other_kinds.take_answer(answer, self.kind, args)
        except (TypeError, AttributeError) as error:
            if all(at is not None or is_filled(name) for name, at in self.sources.items()):
                raise
            raise TypeError(self._describe()) from error

    @property
    def fills_positions(self) -> bool:
        """Whether it asks for positions, which the contract does not have."""
        return any(at is None and are_positions(name) for name, at in self.sources.items())

    @property
    def _swallows(self) -> bool:
        """Whether it takes keywords of any name."""
        return any(p.kind is p.VAR_KEYWORD for p in self.parameters)

    @property
    def _spreads(self) -> bool:
        """Whether it takes any number of arguments by place, behind those with names."""
        return any(p.kind is p.VAR_POSITIONAL for p in self.parameters)

    def _is_passed(self, parameter: inspect.Parameter, given: Mapping[int, Any]) -> bool:
        must = parameter.default is parameter.empty or _is_padding_index(parameter)
        return parameter.kind in NAMED and (must or self.sources.get(parameter.name) in given)

    def _value(self, parameter: inspect.Parameter, given: Mapping[int, Any]) -> Any:
        place = self.sources.get(parameter.name)
        if place is None:
            if self._makes_itself(parameter.name):
                return None
            named = {self.arguments[at].name: value for at, value in given.items()}
            module = getattr(self.called, "__self__", None)
            return fill(parameter.name, named, module, self.in_a_row)
        value = given.get(place, self.arguments[place].default)
        if self._must_have_state(parameter):
            return self._with_zeros(value, given[0])
        return torch.zeros_like(given[0]) if value is None and _must_have_types(parameter) else value

    def _must_have_state(self, parameter: inspect.Parameter) -> bool:
        """Whether it is a state, which the contract may leave out and the student's code must be given."""
        place = self.sources.get(parameter.name)
        is_state = place is not None and self.arguments[place].name in STATES
        return bool(self.hidden) and is_state and parameter.default is parameter.empty

    def _with_zeros(self, value: Any, first: Any) -> Any:
        """A state, or a pair of them, with zeros (B, H) in the place of None."""
        if isinstance(value, tuple) and len(value) == 2:
            return tuple(self._with_zeros(part, first) for part in value)
        if value is not None or not isinstance(first, torch.Tensor):
            return value
        if self.kind == other_kinds.PAIR:
            return (first.new_zeros(len(first), self.hidden),) * 2
        return first.new_zeros(len(first), self.hidden)

    def _makes_itself(self, name: str) -> bool:
        """Whether it counts the positions by itself where it is given None."""
        return are_positions(name) and tells_none(self.called, name)

    def _describe_filler(self, name: str) -> str:
        return "None" if self._makes_itself(name) else describe_filler(name)

    def _describe(self) -> dict[str, str]:
        """That there is nothing for a parameter that must be given: both signatures."""
        found = ", ".join(str(p.replace(annotation=p.empty)) for p in self.parameters)
        wanted = ", ".join(f"{a.name}={a.default!r}" if a.has_default else a.name for a in self.arguments)
        name = getattr(self.called, "__qualname__", "")[:LONGEST]
        return {"says": "cannot_call", "symbol": name, "found": found[:LONGEST], "wanted": wanted[:LONGEST]}


def read_arguments(described: Iterable[Sequence[Any]]) -> tuple[Argument, ...]:
    """The contract's arguments of a call, as a source describes them."""
    return tuple(Argument(*each) for each in described)


def find_ways(called: Any, arguments: Sequence[Argument]) -> list[Way]:
    """The ways to call it, from likely to unlikely; none where it is called as it is, whatever it takes."""
    try:
        parameters = _parameters_of(called) if callable(called) else ()
    except (TypeError, ValueError):
        return []
    if not arguments:
        return []
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return _find_spread(called, parameters, arguments)
    if not parameters:
        read = _find_read(called, arguments, {})
        return [Way(called, (), tuple(arguments), {}, read)] if read else []
    arguments, pair = _with_pair_split(parameters, arguments)
    ways = _find_sources(getattr(called, "__func__", called), parameters, tuple(arguments))
    found = [
        Way(
            called,
            parameters,
            tuple(arguments),
            sources,
            _find_read(called, arguments, sources),
            of_model=_find_read_of_model(called, arguments, sources),
            pair=pair,
        )
        for sources in ways
    ]
    kinds = other_kinds.find_kinds(inspect.unwrap(called), [argument.name for argument in arguments])
    in_a_row = [replace(way, in_a_row=True) for way in found[:2] if way.fills_positions]
    of_kinds = [replace(way, kind=kind) for kind in kinds for way in found[:2]]
    pairs = [way for way in of_kinds if way.kind == other_kinds.PAIR]  # a first axis of 2 unpacks, too
    others = [way for way in of_kinds if way not in pairs]
    return [*pairs, *found[:2], *in_a_row, *others, *found[2:]]  # the host tries the first few


def _find_spread(
    called: Any, parameters: tuple[inspect.Parameter, ...], arguments: Sequence[Argument]
) -> list[Way]:
    """The way to call it as `(p, lr, g, *options)`, where all names are the contract's in another order."""
    place = {argument.name: at for at, argument in enumerate(arguments)}
    names = [p.name for p in parameters if p.kind in NAMED[:2]]
    in_order = [argument.name for argument in arguments[: len(names)]] == names
    if in_order or not place.keys() >= {*names}:
        return []
    return [Way(called, parameters, tuple(arguments), {name: place[name] for name in names})]


def _with_pair_split(
    parameters: Sequence[inspect.Parameter], arguments: Sequence[Argument]
) -> tuple[Sequence[Argument], int]:
    """The contract's arguments, of which a pair is two where the code has beta1 and beta2 for betas.

    Also the pair's place; -1 where there is none.
    """
    for place, argument in enumerate(arguments):
        pair = argument.default
        stem = argument.name.removesuffix("s")
        own = [p.name for p in parameters if p.name.replace("_", "") in (f"{stem}1", f"{stem}2")]
        if isinstance(pair, tuple | list) and len(pair) == len(own) == 2:
            two = [Argument(name, True, value) for name, value in zip(own, pair, strict=True)]
            return [*arguments[:place], *two, *arguments[place + 1 :]], place
    return arguments, -1


def _split_pair(args: Sequence[Any], place: int) -> Sequence[Any]:
    return args if not 0 <= place < len(args) else (*args[:place], *args[place], *args[place + 1 :])


def choose_way(called: Any, arguments: Sequence[Argument], number: int = 0) -> Way | None:
    """The way of this number, from likely to unlikely; None where it is called as it is."""
    ways = find_ways(called, arguments)
    way = ways[min(number, len(ways) - 1)] if ways else None
    return None if way is None or way.is_plain else way


def count_ways(called: Any, arguments: Sequence[Argument]) -> int:
    """How many ways there are to try."""
    return max(len(find_ways(called, arguments)), 1)


def adapt_forward(
    module: torch.nn.Module, arguments: Sequence[Argument], number: int = 0, hidden: int = 0
) -> dict[str, str]:
    """Make the module's forward take the contract's arguments by position; what was taken for what.

    Nothing is changed where the module's own forward takes them. `hidden` is the width of a state, or 0.
    """
    way = choose_way(module.forward, arguments, number)
    if way is None:
        return {}
    way = replace(way, hidden=hidden)
    module.forward = way.call
    return way.taken


def adapt_function(
    function: Callable[..., Any], arguments: Sequence[Argument], number: int = 0
) -> tuple[Callable[..., Any], dict[str, str]]:
    """The function, taking the contract's arguments by position, and what was taken for what.

    As in `attention(q, k, v, d_k, mask=None, dropout=None)`: the width of a head is read off the first
    argument, and dropout and flags are off. Nothing is changed where the arguments stand as in the contract.
    """
    way = choose_way(function, arguments, number)
    names = [argument.name for argument in arguments]
    if way is None:
        return merges_learned.adapt(function, names, {})

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        return way.call(*args, **kwargs)

    return merges_learned.adapt(call, names, way.taken)


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


def _parameters_of(called: Any) -> tuple[inspect.Parameter, ...]:
    called = getattr(called, "forward", called) if isinstance(called, torch.nn.Module) else called
    function = getattr(called, "__func__", None)
    if type(called) is not types.MethodType or type(function) is not types.FunctionType:
        return tuple(inspect.signature(called).parameters.values())
    return _parameters_of_method(function)


@functools.lru_cache(_KEPT)
def _parameters_of_method(function: types.FunctionType) -> tuple[inspect.Parameter, ...]:
    return tuple(inspect.signature(types.MethodType(function, object())).parameters.values())


_found: dict[tuple[Any, tuple[Argument, ...]], list[Sources]] = {}


def _find_sources(
    function: Any, parameters: Sequence[inspect.Parameter], arguments: tuple[Argument, ...]
) -> list[Sources]:
    """What `find_assignments` finds, once for each plain function: a default may have no hash."""
    key = function, arguments
    named = [p for p in parameters if p.kind in NAMED]
    if type(function) is not types.FunctionType:
        return find_assignments(named, arguments)
    if key not in _found:
        if len(_found) >= _KEPT:
            _found.clear()
        _found[key] = find_assignments(named, arguments)
    return _found[key]


def _find_read(called: Any, arguments: Sequence[Argument], sources: Sources) -> dict[str, int]:
    """The global variables that a function reads in the place of arguments that it does not take."""
    lost = [at for at in range(len(arguments)) if at not in sources.values()]
    if not lost or not isinstance(inspect.unwrap(called), types.FunctionType):
        return {}
    meanings = {at: meanings_of(arguments[at].name) for at in lost}
    return {
        name: at
        for name in sorted(read_names(inspect.unwrap(called)))
        for at in lost
        if name not in sources and (name == arguments[at].name or meanings_of(name) & meanings[at])
    }


def _find_read_of_model(called: Any, arguments: Sequence[Argument], sources: Sources) -> dict[str, int]:
    """The lengths that a function reads of its model in the place of one that it does not take."""
    due = [argument.name for argument in arguments]
    lost = [at for at, name in enumerate(due) if at not in sources.values() and role_of(name) == "length"]
    models = [name for name, at in sources.items() if at is not None and due[at] == "model"]
    return {f"{model}.{path}": lost[0] for model in models if lost for path in lengths_read_of(called, model)}


def _is_padding_index(parameter: inspect.Parameter) -> bool:
    """Whether it is the id of padding, and nothing is due to it unless it is given."""
    return parameter.default is None and "padding_index" in meanings_of(parameter.name)


def _must_have_types(parameter: inspect.Parameter) -> bool:
    return "types" in meanings_of(parameter.name) and parameter.default is parameter.empty
