"""Pack trees of our dataclasses, tensors and plain values as JSON and safetensors, and read them again.

What is read is data: a dataclass is built only if it is one of ours that is loaded already. Whatever is no
data, such as the reference's class, is packed as a name, for which the reader has something in its place.
"""

import dataclasses
import functools
import json
import math
import sys
from collections import UserDict
from collections.abc import Callable, Mapping
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import Tensor

from graders.check_api.target import Target

OURS = (
    "graders.check_api.",
    "graders.checks.",
    "checks.",  # of a course of one's own
    "graders.diagnosis.",
    "graders.candidate.",
    "graders.results.",
)
FLOATS = ("float64", "float32", "float16", "bfloat16")
DTYPES = {
    name: getattr(torch, name) for name in (*FLOATS, "int64", "int32", "int16", "int8", "uint8", "bool")
}
DEEPEST = 60  # nodes below one another
ROUNDED = 4 * torch.finfo(torch.float32).eps  # the least tolerance, relative, of which float32 takes no part
PLAIN = str | bool | int | None


class NotPackable(TypeError):
    """A value is no data, and has no name."""


class BadKey(ValueError):
    """What is read is no packed tree. The text is for its reader."""


@dataclasses.dataclass(frozen=True, eq=False)
class Rounded:
    """A tensor of float64 that is stored in float32, and read as one of float64 again."""

    exact: Tensor


class Packer:
    """Packs values whose equal tensors are stored once, and whose shared dataclasses stay shared.

    `name_of` gives a name to what is no data, or None.
    """

    def __init__(self, name_of: Callable[[Any], str | None]) -> None:
        self._name_of = name_of
        self._flat: dict[str, list[Tensor]] = {}
        self._sizes: dict[str, int] = {}
        self._places: dict[tuple[str, bytes], int] = {}
        self._objects: dict[int, tuple[int, Any]] = {}
        self._count = 0

    def pack(self, value: Any) -> Any:
        """The node of a value, for JSON; its tensors are kept for `numbers`.

        Raises:
            NotPackable: something in it is no data, and has no name.
        """
        name = self._name_of(value)
        if name is not None:
            return {"n": name}
        if isinstance(value, PLAIN):
            return value
        if isinstance(value, float):
            return value if math.isfinite(value) else {"f": str(value)}
        if isinstance(value, Tensor):
            return {"x": self._place(value)}
        if isinstance(value, Rounded):
            return {"w" if value.exact.dtype == torch.float64 else "x": self._place(_narrow(value.exact))}
        if isinstance(value, torch.dtype):
            return {"p": str(value).removeprefix("torch.")}
        if isinstance(value, torch.Size):
            value = tuple(value)
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            return self._object(value)
        return self._container(value)

    def numbers(self) -> bytes:
        """All tensors, one below the other, as safetensors."""
        return save({dtype: torch.cat(parts) for dtype, parts in self._flat.items()})

    def _container(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self.pack(part) for part in value]
        if isinstance(value, tuple):
            return {"t": [self.pack(part) for part in value]}
        if isinstance(value, Mapping):
            return {"d": [[self.pack(name), self.pack(part)] for name, part in value.items()]}
        if isinstance(value, frozenset | set):
            return {"s": [self.pack(part) for part in sorted(value)]}
        raise NotPackable(f"{type(value).__module__}.{type(value).__qualname__}")

    def _object(self, value: Any) -> Any:
        if id(value) in self._objects:
            return {"r": self._objects[id(value)][0]}
        number = self._count
        self._count += 1
        self._objects[id(value)] = number, value  # kept, so that no other object gets its id
        kind = Target if isinstance(value, Target) else type(value)  # one that is late is computed here
        parts = {}
        for field in dataclasses.fields(value):
            if not field.init or field.metadata.get("left_out"):
                continue
            part = getattr(value, field.name)
            if field.name == "exact" and isinstance(value, Target) and _may_be_rounded(value):
                part = Rounded(part)
            parts[field.name] = self._later(part) if field.metadata.get("read_later") else self.pack(part)
        return {"c": f"{kind.__module__}:{kind.__qualname__}", "#": number, "v": parts}

    def _later(self, value: Any) -> Any:
        """The node of a mapping that is read when it is asked for; nothing outside refers into it."""
        if not value:
            return self.pack(value)
        outside = dict(self._objects)
        node = {"l": self.pack(value)}
        self._objects = outside
        return node

    def _place(self, tensor: Tensor) -> list[Any]:
        """Dtype, offset and shape of a tensor among all of its dtype."""
        plain = tensor.detach().contiguous()
        dtype, flat = str(plain.dtype).removeprefix("torch."), plain.reshape(-1)
        if dtype not in DTYPES:
            raise NotPackable(dtype)
        content = dtype, flat.view(torch.uint8).numpy().tobytes()
        if content not in self._places:
            self._places[content] = self._sizes.get(dtype, 0)
            self._sizes[dtype] = self._places[content] + flat.numel()
            self._flat.setdefault(dtype, []).append(flat)
        return [dtype, self._places[content], *plain.shape]


class ReadLater(UserDict[Any, Any]):
    """A mapping that is unpacked when it is first used."""

    def __init__(self, read: Callable[[], dict[Any, Any]]) -> None:
        self._read = read

    @functools.cached_property
    def data(self) -> dict[Any, Any]:  # type: ignore[override]
        """What was packed."""
        return self._read()


class Unpacker:
    """Reads what a `Packer` made.

    Args:
        numbers: its tensors.
        named: what takes the place of that which is no data, by name.

    Raises:
        BadKey: the numbers are none.
    """

    def __init__(self, numbers: bytes, named: Callable[[str], Any]) -> None:
        try:
            self._flat = load(numbers)
        except (SafetensorError, ValueError) as error:
            raise BadKey(str(error)) from error
        self._named = named
        self._objects: dict[int, Any] = {}
        self._tensors: dict[tuple[Any, ...], Tensor] = {}
        self._readers: dict[str, Callable[[Any, int], Any]] = {
            "x": self._tensor,
            "w": self._wide,
            "t": self._tuple,
            "d": self._dict,
            "s": self._set,
            "p": self._dtype,
            "f": self._float,
            "r": self._reference,
            "n": self._name,
            "l": self._lazy,
        }

    def unpack(self, text: str) -> Any:
        """The value of a text of JSON.

        Raises:
            BadKey: it is not a packed value.
        """
        try:
            return self._value(json.loads(text), 0)
        except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError) as error:
            raise BadKey(f"{type(error).__name__}: {error}") from error

    def _value(self, node: Any, depth: int) -> Any:
        # A key has a hundred thousand nodes, and JSON no other types than these.
        if type(node) is dict:
            if depth > DEEPEST:
                raise BadKey("too deep")
            if "c" in node:
                return self._object(node, depth + 1)
            [(kind, content)] = node.items()
            return self._readers[kind](content, depth + 1)
        if type(node) is list:
            if depth > DEEPEST:
                raise BadKey("too deep")
            return [self._value(part, depth + 1) for part in node]
        return node

    def _object(self, node: dict[str, Any], depth: int) -> Any:
        kind, known = _dataclass(node["c"])
        if not node["v"].keys() <= known:
            raise BadKey(f"fields of {node['c']}")
        value = kind(**{name: self._value(part, depth) for name, part in node["v"].items()})
        self._objects[int(node["#"])] = value
        return value

    def _tensor(self, place: Any, _depth: int) -> Tensor:
        named = tuple(place)
        if named in self._tensors:  # most stand in several places
            return self._tensors[named]
        dtype, offset, *shape = place
        size, flat = math.prod(shape), self._flat[dtype] if dtype in self._flat else torch.empty(0)
        if min([offset, *shape]) < 0 or offset + size > flat.numel():
            raise BadKey("a tensor outside the numbers")
        view = flat[offset : offset + size].view(shape) if size else torch.empty(shape, dtype=DTYPES[dtype])
        self._tensors[named] = view
        return view

    def _wide(self, place: Any, depth: int) -> Tensor:
        return self._tensor(place, depth).double()

    def _tuple(self, parts: Any, depth: int) -> tuple[Any, ...]:
        return tuple(self._value(part, depth) for part in parts)

    def _dict(self, pairs: Any, depth: int) -> dict[Any, Any]:
        return {self._value(name, depth): self._value(part, depth) for name, part in pairs}

    def _lazy(self, node: Any, depth: int) -> "ReadLater":
        return ReadLater(lambda: self._value(node, depth))

    def _set(self, parts: Any, depth: int) -> frozenset[Any]:
        return frozenset(self._value(part, depth) for part in parts)

    def _dtype(self, name: Any, _depth: int) -> torch.dtype:
        dtype: torch.dtype = DTYPES[name]
        return dtype

    def _float(self, text: Any, _depth: int) -> float:
        return {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}[text]

    def _reference(self, number: Any, _depth: int) -> Any:
        return self._objects[number]

    def _name(self, name: Any, _depth: int) -> Any:
        return self._named(str(name))


def _narrow(tensor: Tensor) -> Tensor:
    return tensor.float() if tensor.dtype == torch.float64 else tensor


def _may_be_rounded(target: Target) -> bool:
    """Whether float32 holds the exact values to a small part of the tolerance."""
    exact = target.exact
    if exact.dtype != torch.float64 or not exact.numel():
        return False
    largest = float(exact.abs().max())
    return largest < torch.finfo(torch.float32).max and target.tolerance >= ROUNDED * largest > 0


@functools.cache
def _dataclass(name: str) -> tuple[Any, frozenset[str]]:
    """A dataclass of ours by its name, and the names of its fields; nothing is imported for it."""
    module, _, kind = name.partition(":")
    value = getattr(sys.modules.get(module), kind, None) if module.startswith(OURS) else None
    if not (isinstance(value, type) and dataclasses.is_dataclass(value) and value.__module__ == module):
        raise BadKey(f"no data of ours: {name}"[:200])
    return value, frozenset(field.name for field in dataclasses.fields(value) if field.init)
