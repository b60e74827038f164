"""Attention that keeps its cache itself, where a pair comes in and goes out: its own is filled and read.

Public code has two forms beside the pair: tables of a largest size and the place where new positions begin,
or attributes that grow until they are reset. Which attributes hold the keys and the values is tried, by one
call with known ones.
"""

import functools
import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from softmark_worker import devices
from softmark_worker.argument_roles import is_of_keys, role_of
from softmark_worker.call_assignments import Argument
from softmark_worker.call_meanings import meanings_of

KEPT = " (kept)"  # behind the name of what keeps the cache, in what was taken for what
_TRIED = 2, 6, 3, 4, 8  # B, H, G, T and D of the call that tells what holds the cache: all differ
_PLAIN = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
_DEPTH = 2  # attributes of attributes that are looked at

Path = tuple[str, ...]
Cache = tuple[Tensor, Tensor]
Call = Callable[..., Any]


@dataclass(frozen=True)
class Places:
    """Where an object keeps its cache.

    Attributes:
        keys: the attributes that lead to the keys.
        values: the same for the values.
        behind: whether heads stand behind positions, (B, S, G, D).
        counts: what leads to numbers of positions.
    """

    keys: Path
    values: Path
    behind: bool
    counts: tuple[Path, ...]


def as_function(symbol: Any, arguments: Sequence[Argument]) -> tuple[Call, dict[str, str]] | None:
    """A function of the contract's arguments, and what was taken for what.

    None where the contract has no queries, keys, values and cache, or where the code takes a cache as one
    value, or cannot be given what it asks for.
    """
    due = [meanings_of(argument.name) for argument in arguments]
    if len(due) != 4 or not all(
        meaning in found for meaning, found in zip(("query", "key", "value", "past"), due, strict=True)
    ):
        return None
    try:
        return _of_class(symbol) if isinstance(symbol, type) else _of_function(symbol)
    except (TypeError, ValueError):  # without a signature
        return None


def _of_class(symbol: type) -> tuple[Call, dict[str, str]] | None:
    forward = getattr(symbol, "forward", None) or vars(symbol).get("__call__")
    if not callable(forward):
        return None
    of_call = list(inspect.signature(forward).parameters.values())[1:]
    of_class = list(inspect.signature(symbol).parameters.values())
    if not _is_open(of_call, tables=0) or not all(_has_size(p) for p in of_class):
        return None
    maker = _Maker(symbol, tuple(of_class), tuple(of_call))
    return maker.attend, {f"{symbol.__name__}{KEPT}": "cache"}


def _of_function(function: Any) -> tuple[Call, dict[str, str]] | None:
    own = list(inspect.signature(function).parameters.values())
    if not _is_open(own, tables=2):
        return None
    names = [p.name for p in own if "past" in meanings_of(p.name)]
    taken = {f"{name}{KEPT}": f"cache[{at}]" for at, name in enumerate(names)}
    return functools.partial(_attend_with_tables, function, own), taken


def _is_open(parameters: Sequence[inspect.Parameter], tables: int) -> bool:
    """Whether these are queries, keys and values, so many tables, a start, and what may be left out."""
    if any(p.kind not in _PLAIN for p in parameters) or len(parameters) < 3 + tables:
        return False
    three = [meanings_of(p.name) for p in parameters[:3]]
    if not all(name in found for name, found in zip(("query", "key", "value"), three, strict=True)):
        return False
    rest = parameters[3:]
    held = [p for p in rest if _is_table(p)]
    must = [p for p in rest if p not in held and p.default is p.empty]
    return len(held) == tables and all("offset" in meanings_of(p.name) for p in must)


def _is_table(parameter: inspect.Parameter) -> bool:
    meanings = meanings_of(parameter.name)
    return "past" in meanings and "offset" not in meanings and type(parameter.default) is not bool


def _has_size(parameter: inspect.Parameter) -> bool:
    """Whether a constructor's argument is known, or may be left out."""
    known = role_of(parameter.name) in _SIZES or parameter.default is not parameter.empty
    return parameter.kind in _PLAIN and known


_SIZES = {"batch", "heads", "head_width", "width", "length", "layers", "dropout", "device", "dtype"}


def _size(parameter: inspect.Parameter, q: Tensor, k: Tensor, length: int) -> Any:
    """What a constructor's argument is for calls of these sizes, and for so many positions."""
    sizes = dict(zip(("batch", "heads", "", "head_width"), q.shape, strict=True))
    sizes |= {"width": q.shape[1] * q.shape[3], "length": length, "layers": 1}
    if is_of_keys(parameter.name):
        sizes["heads"] = k.shape[1]
    kinds = {"dropout": 0.0, "device": q.device, "dtype": q.dtype}
    role = role_of(parameter.name)
    size = (sizes | kinds)[role or ""]
    has_room = type(parameter.default) is int and role in ("batch", "length")
    return max(size, parameter.default) if has_room else size


@dataclass(frozen=True)
class _Maker:
    """Makes an object of a class for each call, and has it attend behind a cache that it did not make."""

    symbol: type
    of_class: tuple[inspect.Parameter, ...]
    of_call: tuple[inspect.Parameter, ...]

    def attend(self, q: Tensor, k: Tensor, v: Tensor, cache: Cache | None = None) -> Any:
        """The output, and the pair that the object keeps then; the output alone where it keeps none."""
        past = 0 if cache is None else cache[0].shape[2]
        places, made = _find_places(self), self.make(q, k, past + k.shape[2])
        if cache is not None and places is not None:
            self.call(made, q[:, :, :1], k[:, :, :1], v[:, :, :1], 0)  # some make their attributes then
            _fill(made, places, cache, past + k.shape[2])
        answer = self.call(made, q, k, v, past)
        if places is None or not isinstance(answer, Tensor):
            return answer
        return answer, _read(made, places, q.shape[0], past + k.shape[2])

    def make(self, q: Tensor, k: Tensor, length: int) -> Any:
        """An object for calls of these sizes and so many positions, in the dtype of its input."""
        known = [p for p in self.of_class if role_of(p.name) in _SIZES]
        made = self.symbol(**{p.name: _size(p, q, k, length) for p in known})
        made = devices.in_dtype(made.eval(), q.dtype) if isinstance(made, nn.Module) else made
        for holder, name, value in list(_attributes(made)):
            if (
                isinstance(value, Tensor)
                and value.is_floating_point()
                and not isinstance(value, nn.Parameter)
            ):
                setattr(_reach(made, holder), name, value.to(q.dtype))
        return made

    def call(self, made: Any, q: Tensor, k: Tensor, v: Tensor, start: int) -> Any:
        """What the object answers, its cache being in use."""
        return made(q, k, v, **_start(self.of_call, start))


def _start(parameters: Sequence[inspect.Parameter], start: int) -> dict[str, Any]:
    """What says where new positions begin, and that the cache is in use."""
    rest = parameters[3:]
    begins = {p.name: start for p in rest if "offset" in meanings_of(p.name)}
    used = {p.name: True for p in rest if type(p.default) is bool and "past" in meanings_of(p.name)}
    return begins | used


@functools.lru_cache(8)
def _find_places(maker: _Maker) -> Places | None:
    """Where objects of a class keep keys and values; None where a call leaves these nowhere."""
    batch, heads, groups, new, width = _TRIED
    values = torch.arange(1.0, 1 + batch * heads * new * width)
    q = values.view(batch, heads, new, width)
    k, v = (part[:, :groups] + n for n, part in enumerate((q, q), start=1))
    made = maker.make(q, k, 2 * new)
    others = {(holder, name) for holder, name, value in _attributes(made) if type(value) is int and value}
    maker.call(made, q, k, v, 0)
    found = list(_attributes(made))
    counts = tuple(
        (*holder, name)
        for holder, name, value in found
        if type(value) is int and value == new and (holder, name) not in others
    )
    for behind in (False, True):
        tables = [((*holder, name), _slot(value, behind, k)) for holder, name, value in found]
        holds = [path for path, slot in tables if slot is not None and torch.equal(slot, v)]
        # Nothing turns position 0.
        keys = [p for p, slot in tables if slot is not None and torch.equal(slot[:, :, 0], k[:, :, 0])]
        if holds and keys:
            return Places(keys[0], holds[0], behind, counts)
    return None


def _slot(value: Any, behind: bool, k: Tensor) -> Tensor | None:
    """The part of a table that the keys or values of a call belong in; None where it is no such table."""
    if not isinstance(value, Tensor) or value.dim() != 4:
        return None
    table = value.transpose(1, 2) if behind else value
    batch, groups, new, width = k.shape
    fits = table.shape[0] >= batch and table.shape[2] >= new
    return table[:batch, :, :new] if fits and (table.shape[1], table.shape[3]) == (groups, width) else None


def _fill(made: Any, places: Places, cache: Cache, length: int) -> None:
    """Give an object the cache of a sequence: in its tables, or in the place of what grows."""
    past = cache[0].shape[2]
    for path, given in zip((places.keys, places.values), cache, strict=True):
        holder = _reach(made, path[:-1])
        table = getattr(holder, path[-1]).transpose(1, 2) if places.behind else getattr(holder, path[-1])
        if table.shape[2] >= length:
            with torch.no_grad():
                table[: given.shape[0], :, :past] = given
        else:
            setattr(holder, path[-1], given.transpose(1, 2).contiguous() if places.behind else given.clone())
    for path in places.counts:
        setattr(_reach(made, path[:-1]), path[-1], past)


def _read(made: Any, places: Places, batch: int, length: int) -> Cache:
    kept = [getattr(_reach(made, path[:-1]), path[-1]) for path in (places.keys, places.values)]
    keys, values = (part.transpose(1, 2) if places.behind else part for part in kept)
    return keys[:batch, :, :length].clone(), values[:batch, :, :length].clone()


def _attributes(made: Any, at: Path = ()) -> Iterator[tuple[Path, str, Any]]:
    """The attributes of an object and of those that it keeps: where, the name, the value."""
    inner: dict[str, Any] = {}
    for table in ("_buffers", "_modules"):
        inner |= vars(made).get(table, {})
    own = {name: value for name, value in vars(made).items() if not name.startswith("__")}
    for name, value in (own | inner).items():
        yield at, name, value
        if len(at) < _DEPTH - 1 and hasattr(value, "__dict__") and not isinstance(value, Tensor | type):
            yield from _attributes(value, (*at, name))


def _reach(made: Any, path: Path) -> Any:
    return functools.reduce(getattr, path, made)


def _attend_with_tables(
    function: Call, own: Sequence[inspect.Parameter], q: Tensor, k: Tensor, v: Tensor, cache: Any = None
) -> Any:
    """Call a function with tables that are filled up to the past; the pair of them is the longer cache."""
    past = 0 if cache is None else cache[0].shape[2]
    tables = [k.new_zeros(*k.shape[:2], past + k.shape[2], k.shape[3]) for _ in range(2)]
    for table, given in zip(tables, cache or (), strict=False):
        table[:, :, :past] = given
    names = [p.name for p in own if _is_table(p)]
    answer = function(q, k, v, **dict(zip(names, tables, strict=True)), **_start(own, past))
    return (answer, tuple(tables)) if isinstance(answer, Tensor) else answer
