"""The bytes between the host and the box: a small JSON header, then raw tensor bytes. Never pickle.

This file lives on the box's side; the host imports it from here, so that there is one wire and not two.
A frame is

    header length (4 bytes, big-endian) | body length (8 bytes) | header (JSON, ASCII) | body

None, bools, integers and strings are themselves in JSON; all else is an array that begins with its kind:

    ["tensor", "float32", 2, 3]  ["float", "0x1.8p+1"]  ["tuple", ...]  ["list", ...]  ["dict", "k", v, ...]
    ["object", 3]  ["other", "numpy.ndarray", ""]

The tensors' bytes stand in the body in the order of the header, each from a multiple of eight on.
"""

import itertools
import json
import struct
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy
import torch

PREFIX = struct.Struct(">IQ")
DEPTH_LIMIT = 8  # containers within containers
AXES_LIMIT = 16  # axes of a tensor
INT_LIMIT = 1 << 256
NAME_LIMIT = 200  # characters of a type's name
ALIGN = 8  # bytes: a tensor of any dtype can lie there
LONG = 1 << 14  # bytes: what is longer is sent from where it lies, without being copied first

Buffer = bytes | memoryview
T = TypeVar("T")

_NUMBERS = "bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64"
DTYPES: dict[str, torch.dtype] = {name: getattr(torch, name) for name in _NUMBERS.split()}
NAMES = {dtype: name for name, dtype in DTYPES.items()}
# How NumPy reads a tensor's bytes: it has no bfloat16, and a bool of any other byte than 0 and 1 is
# undefined behaviour in torch.
_READ = {name: numpy.dtype({"bfloat16": "int16", "bool": "uint8"}.get(name, name)) for name in DTYPES}


class BadFrame(Exception):
    """The bytes are not a frame, or a value is larger than a frame may be."""


@dataclass(frozen=True)
class Bounds:
    """What one frame may hold: bytes of its header and of its body, values of all kinds."""

    header: int
    body: int
    values: int


REQUEST = Bounds(64 << 20, 64 << 20, 1_000_000)  # a notebook's code travels in a header
# JSON can take many times its own length in memory. So a reply, which may hold anything, has a short header
# of few containers: whatever it says, reading it takes at most its body and 20 MB.
REPLY = Bounds(1 << 20, 64 << 20, 10_000)


@dataclass(frozen=True)
class Handle:
    """An object that stays in the box, known outside by its number."""

    number: int


@dataclass(frozen=True)
class Other:
    """A value that does not cross: its type's name, and what keeps it from it (`_trait`, `_role`)."""

    type: str
    trait: str = ""


def frame(header: dict[str, str | bool], value: Any, bounds: Bounds) -> list[Buffer]:
    """One frame with `header` and, under its key "value", the packed `value`: pieces to be sent in turn.

    Long tensors are sent from where they lie: they must not change before.

    Raises:
        BadFrame: the value is larger than `bounds`; the text says by what.
    """
    body: list[Buffer] = []
    left = [bounds.values, bounds.body]
    tree = _pack(value, body, left, DEPTH_LIMIT)
    fields = "".join(f'"{key}":{_word(field)},' for key, field in header.items())
    text = f'{{{fields}"value":{tree}}}'.encode("ascii")
    if len(text) > bounds.header:
        raise BadFrame(f"its text and numbers take more than {bounds.header >> 20} MB")
    return _joined([PREFIX.pack(len(text), bounds.body - left[1]) + text, *body])


def lengths(prefix: Buffer, bounds: Bounds) -> tuple[int, int]:
    """Header and body length from a frame's first bytes, refused beyond the bounds."""
    header, body = PREFIX.unpack(prefix)
    return _checked((header, body), header <= bounds.header and body <= bounds.body)


def parse(header: Buffer, body: Buffer | bytearray, bounds: Bounds) -> tuple[dict[str, Any], Any]:
    """The header without its value, and the value. Any bytes give an answer or `BadFrame`, nothing else.

    Tensors lie in the body's memory where that can be written to.
    """
    try:
        text = str(header, "ascii")
        _checked(text, text.count("[") <= bounds.values and text.count("{") == 1)
        fields, end = _decode(text)
        _checked(fields, type(fields) is dict and end == len(text))
        state = [bounds.values, 0]
        memory = bytearray(body) if type(body) is bytes else body
        value = _unpack(fields.pop("value"), memory, state, DEPTH_LIMIT)
        return fields, _checked(value, state[1] == len(body))
    except BadFrame:
        raise
    except Exception as error:  # whatever hostile bytes make json or torch raise is a bad frame
        raise BadFrame(f"{type(error).__name__}: {error}"[:NAME_LIMIT]) from error


def _pack(value: Any, body: list[Buffer], left: list[int], depth: int) -> str:
    """`value` as JSON; bytes of tensors are added to `body`. `left`: how many values and bytes may come."""
    left[0] -= 1
    if left[0] < 0:
        raise BadFrame("it holds too many values")
    kind = type(value)
    if value is None or kind is bool or kind is str:
        return _word(value)
    if kind is torch.Tensor or kind is torch.nn.Parameter:
        trait = _trait(value)
        return _other(kind, trait) if trait else _pack_tensor(value, body, left)
    if kind is int:
        return str(value) if -INT_LIMIT < value < INT_LIMIT else _other(kind, "large")
    if kind is float:
        return f'["float","{value.hex()}"]'
    if kind is Handle:
        return f'["object",{value.number}]'
    # Of types, not of values: a value can lie about its class.
    if kind is not list and not issubclass(kind, (tuple, dict)):
        return _other(kind, _role(kind))
    return _pack_container(value, body, left, depth) if depth else _other(kind, "deep")


def _pack_container(value: Any, body: list[Buffer], left: list[int], depth: int) -> str:
    kind = type(value)
    if not issubclass(kind, dict):
        items = [_pack(item, body, left, depth - 1) for item in value]
        return _array("list" if kind is list else "tuple", items)
    if not all(type(key) is str for key in value):
        return _other(kind, "keys")
    pairs = [(_quoted(key), _pack(item, body, left, depth - 1)) for key, item in value.items()]
    return _array("dict", [part for pair in pairs for part in pair])


def _pack_tensor(tensor: torch.Tensor, body: list[Buffer], left: list[int]) -> str:
    dtype = tensor.dtype
    if dtype is torch.bfloat16:
        tensor = tensor.detach().resolve_neg().view(torch.int16)
    array = _numpy(tensor, force=True)
    size = _elements(array.shape) * array.itemsize
    gap = -size % ALIGN
    left[1] -= size + gap
    if left[1] < 0:
        raise BadFrame(f"its tensors take more than {REPLY.body >> 20} MB")
    # A view can have no zero in its shape, and only numbers that lie in their order.
    body.append(array.data.cast("B") if size and array.flags.c_contiguous else array.tobytes())
    if gap:
        body.append(bytes(gap))
    return _array("tensor", [f'"{NAMES[dtype]}"', *map(str, array.shape)])


def _trait(tensor: torch.Tensor) -> str:
    """What keeps a tensor from being plain, dense numbers on the CPU; empty where nothing does."""
    # Quantised first: asking a quantised tensor for more can kill the process.
    if tensor.is_quantized:
        return "quantized"
    if torch._C._functorch.is_functorch_wrapped_tensor(tensor):
        return "wrapped"
    if tensor.is_nested:
        return "nested"
    if tensor.layout is not torch.strided:
        return f"layout {tensor.layout}"
    if not tensor.is_cpu:
        return f"device {tensor.device}"
    if tensor.dtype not in NAMES:
        return f"dtype {tensor.dtype}"
    return "axes" if tensor.dim() > AXES_LIMIT else ""


def _role(kind: type) -> str:
    """What values of a type are to PyTorch; empty where nothing special."""
    for ancestor, role in _ROLES.items():
        if issubclass(kind, ancestor):
            return role
    return "imitation" if any("__torch_function__" in base.__dict__ for base in kind.__mro__) else ""


def _other(kind: type, trait: str) -> str:
    try:
        name = f"{kind.__module__}.{kind.__qualname__}"[:NAME_LIMIT]
    except Exception:  # a metaclass can do anything
        name = "object"
    return f'["other",{_quoted(name)},{_quoted(trait[:NAME_LIMIT])}]'


def _word(value: str | bool | None) -> str:
    return _quoted(value) if isinstance(value, str) else "null" if value is None else str(value).lower()


def _quoted(text: str) -> str:
    # So that brackets are structure alone, and can be counted before JSON is taken apart.
    return _ascii(text).replace("[", "\\u005b").replace("{", "\\u007b")


def _array(kind: str, items: list[str]) -> str:
    return "[" + ",".join([f'"{kind}"', *items]) + "]"


def _unpack(tree: Any, body: Any, state: list[int], depth: int) -> Any:
    """The value that `tree` stands for. `state`: how many values may come, and where in the body we are."""
    state[0] -= 1
    if state[0] < 0:
        raise BadFrame("too many values")
    if tree is None or type(tree) in (bool, str, int):
        return _checked(tree, type(tree) is not int or -INT_LIMIT < tree < INT_LIMIT)
    kind, *items = _checked(tree, type(tree) is list and depth >= 0)
    if kind == "tensor":
        return _unpack_tensor(items[0], items[1:], body, state)
    if kind in ("list", "tuple"):
        values = [_unpack(item, body, state, depth - 1) for item in items]
        return values if kind == "list" else tuple(values)
    if kind == "dict":
        pairs = zip(items[::2], items[1::2], strict=True)
        found = {key: _unpack(item, body, state, depth - 1) for key, item in pairs}
        return _checked(found, 2 * len(found) == len(items) and all(type(key) is str for key in found))
    return _unpack_scalar(kind, items)


def _unpack_scalar(kind: str, items: list[Any]) -> Any:
    if kind == "other":
        return Other(*[str(item)[:NAME_LIMIT] for item in items])
    [item] = items
    if kind == "float":
        return float.fromhex(item)
    return Handle(_checked(item, kind == "object" and type(item) is int and 0 <= item < INT_LIMIT))


def _unpack_tensor(name: str, shape: list[Any], body: Any, state: list[int]) -> torch.Tensor:
    dtype, read = DTYPES[name], _READ[name]
    size, at = _elements(shape) * read.itemsize, state[1]
    state[1] += size + -size % ALIGN
    _checked(state, state[1] <= len(body))
    # By NumPy: student code may have set another default device for what torch makes.
    tensor = torch.from_numpy(numpy.ndarray(shape, read, body, at) if size else numpy.empty(shape, read))
    if dtype is torch.bfloat16:
        return tensor.view(dtype)
    return tensor != 0 if dtype is torch.bool else tensor


def _elements(shape: Any) -> int:
    """How many numbers a shape promises, where it is none too large."""
    # Bounded with empty axes counted as one: [2**31 - 1] * 4 + [0] has no elements, and overflows torch.
    bounded = 1
    for length in shape:
        _checked(length, type(length) is int and length >= 0)
        bounded *= length or 1
        if bounded > REPLY.body or len(shape) > AXES_LIMIT:
            raise BadFrame("a tensor has too large a shape")
    return 0 if 0 in shape else bounded


def _joined(pieces: list[Buffer]) -> list[Buffer]:
    """The same bytes in few pieces: short ones are copied together, long ones stay where they are."""
    joined: list[Buffer] = []
    for long, group in itertools.groupby(pieces, key=lambda piece: len(piece) >= LONG):
        part = list(group)
        joined += part if long else [b"".join(part)]
    return joined


def _checked(value: T, holds: bool) -> T:
    if not holds:
        raise BadFrame("not by the rules of the wire")
    return value


def _refuse(_: str) -> Any:
    raise BadFrame("a float, NaN or infinity in JSON")


_ROLES: dict[type, str] = {torch.Tensor: "subclass", torch.nn.Module: "module", type: "class"}
_ROLES |= {numpy.ndarray: "array", numpy.generic: "scalar"}
_numpy = torch.Tensor.numpy  # as it is before student code could replace it
_ascii = json.encoder.encode_basestring_ascii
_decode = json.JSONDecoder(parse_float=_refuse, parse_constant=_refuse).raw_decode
