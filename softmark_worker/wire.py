"""The bytes between the host and the box: a small JSON header, then raw tensor bytes. Never pickle.

This file belongs to the box's side; the host imports it from here, so that both use the same format.
A frame is

    header length (4 bytes, big-endian) | body length (8 bytes) | header (JSON, ASCII) | body

None, bools, integers and strings are themselves in JSON; all else is an array that begins with its kind:

    ["tensor", "float32", 2, 3]  ["float", "0x1.8p+1"]  ["tuple", ...]  ["list", ...]  ["dict", "k", v, ...]
    ["object", 3]  ["other", "numpy.ndarray", ""]

The tensors' bytes stand in the body in the order of the header, each at a multiple of eight.
"""

import itertools
import json
import struct
from dataclasses import dataclass
from typing import Any

import numpy
import torch

PREFIX = struct.Struct(">IQ")
DEPTH_LIMIT = 8  # containers within containers
AXES_LIMIT = 16  # axes of a tensor
INT_LIMIT = 1 << 256
NAME_LIMIT = 200  # characters of a type's name
ALIGN = 8  # bytes: a tensor of any dtype can lie there
LONG = 1 << 14  # bytes: longer pieces are sent without being copied first

SHORT_VALUES, SHORT_TEXT = 1_000, 4_096  # in containers, and characters: whatever they are, no header is full

Buffer = bytes | memoryview
_NUMBERS = "bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64"
DTYPES: dict[str, torch.dtype] = {name: getattr(torch, name) for name in _NUMBERS.split()}
NAMES = {dtype: name for name, dtype in DTYPES.items()}
# How NumPy reads a tensor's bytes: it has no bfloat16, and a bool of any other byte than 0 and 1 is
# undefined behaviour in torch.
_READ = {name: numpy.dtype({"bfloat16": "int16", "bool": "uint8"}.get(name, name)) for name in DTYPES}


class BadFrame(Exception):
    """The bytes are not a frame, or a value is larger than a frame may be.

    If a value is too large, the argument is a key with values, of which the host makes a sentence.
    """


@dataclass(frozen=True)
class Bounds:
    """What one frame may hold: bytes of its header and of its body, values in its containers."""

    header: int
    body: int
    values: int


WITH_FILES, WITHOUT_FILES = b"fork", b"fork, no files"  # what asks a warm interpreter for a process
REQUEST = Bounds(64 << 20, 64 << 20, 1_000_000)  # a notebook's code travels in a header
# Parsed JSON can take many times its own length in memory. A reply is untrusted: so its header is short, with
# few containers, and parsing takes at most 20 MB more than the body. Lists of
# the ids of 4,000 sequences are within it.
REPLY = Bounds(1 << 20, 64 << 20, 30_000)


@dataclass(frozen=True)
class Handle:
    """An object that stays in the box, identified by its number."""

    number: int


@dataclass(frozen=True)
class Other:
    """A value that cannot be sent: its type's name, and why (`_trait`, `_role`)."""

    type: str
    trait: str = ""


def request(token: str, do: str, value: Any) -> list[Buffer]:
    """The host's request `token`: an operation and its arguments, in pieces to be sent one after another.

    Long tensors are not copied: they must not change before they are sent.

    Raises:
        BadFrame: the value is larger than a frame may be; the text says by what.
    """
    return _frame(f'{{"id":"{token}","do":"{do}","value":', value, REQUEST)


def reply(token: str, ok: bool | str, value: Any, bounds: Bounds = REPLY) -> list[Buffer]:
    """The reply to the request `token`, in the same form: a value, what was raised, or a question by name."""
    return _frame(f'{{"id":"{token}","ok":{json.dumps(ok)},"value":', value, bounds)


def parse(header: Buffer | bytearray, body: Buffer | bytearray, bounds: Bounds) -> tuple[dict[str, Any], Any]:
    """The header without its value, and the value. Any bytes give these or `BadFrame`, nothing else.

    Tensors share the body's memory if it is writable; small ones of a large body do not.
    """
    try:
        text = str(header, "ascii")
        if text.count("[") > bounds.values + 1 or text.count("{") != 1:
            raise BadFrame("too many values")
        fields, end = _decode(text)
        memory = bytearray(body) if type(body) is bytes else body
        state = [bounds.values, 0]
        value = _unpack(fields.pop("value"), memory, state, DEPTH_LIMIT)
        if end != len(text) or state[1] != len(body):
            raise BadFrame("more bytes than values")
        return fields, value
    except BadFrame:
        raise
    except Exception as error:  # whatever hostile bytes make json or torch raise is a bad frame
        raise BadFrame(f"{type(error).__name__}: {error}"[:NAME_LIMIT]) from error


def copied(value: Any, bounds: Bounds) -> Any:
    """The value as it arrives on the other side of a frame: a copy, with plain values alone.

    For both sides in one process. What is short, as nearly all is, is copied without making the bytes.

    Raises:
        BadFrame: the value is larger than a frame may be; the text says by what.
    """
    try:
        return _copy(value, [SHORT_VALUES, SHORT_TEXT, bounds.body], DEPTH_LIMIT)
    except _NotShort:
        whole = bytearray().join(_frame('{"value":', value, bounds))
        start = PREFIX.size + PREFIX.unpack_from(whole)[0]
        return parse(bytes(whole[PREFIX.size : start]), whole[start:], bounds)[1]


class _NotShort(Exception):
    """A value that is copied by way of its bytes."""


def _copy(value: Any, left: list[int], depth: int) -> Any:
    """What `_unpack` makes of `_pack(value)`. `left`: how many values, characters and bytes may follow."""
    kind = type(value)
    if kind is _Tensor or kind is _Parameter:
        trait = _trait(value)
        return _other_copied(kind, trait) if trait else _copy_tensor(value, left)
    if value is None or kind is bool or kind is float:
        return value
    if kind is str:
        left[1] -= len(value)
        if left[1] < 0:
            raise _NotShort
        return value
    if kind is int:
        return value if -INT_LIMIT < value < INT_LIMIT else _other_copied(kind, "large")
    if kind is list or kind is dict or issubclass(kind, (tuple, dict)):
        return _copy_container(value, left, depth) if depth else _other_copied(kind, "deep")
    if kind is Handle:
        raise _NotShort  # its number may be anything
    return _other_copied(kind, _role(kind))


def _copy_container(value: Any, left: list[int], depth: int) -> Any:
    kind = type(value)
    left[0] -= len(value)
    if left[0] < 0:
        raise _NotShort
    if kind is not list and issubclass(kind, dict):
        if not {str}.issuperset(map(type, value)):
            return _other_copied(kind, "keys")
        left[1] -= sum(map(len, value))
        return {key: _copy(item, left, depth - 1) for key, item in value.items()}
    items = [_copy(item, left, depth - 1) for item in value]
    return items if kind is list else tuple(items)


def _copy_tensor(tensor: torch.Tensor, left: list[int]) -> torch.Tensor:
    dtype = tensor.dtype
    if dtype is torch.bfloat16:
        tensor = tensor.detach().resolve_neg().view(torch.int16)
    array = _numpy(tensor, force=True)
    left[2] -= array.nbytes + -array.nbytes % ALIGN
    if left[2] < 0:
        raise _NotShort
    _elements(array.shape)
    copy = numpy.array(array, order="C")
    if dtype is torch.bool:
        return torch.from_numpy(copy.view(numpy.uint8)).ne_(0).view(dtype)
    made = torch.from_numpy(copy)
    return made.view(dtype) if dtype is torch.bfloat16 else made


def _other_copied(kind: type, trait: str) -> Other:
    return Other(_name_of(kind), trait[:NAME_LIMIT])


def _frame(text: str, value: Any, bounds: Bounds) -> list[Buffer]:
    body: list[Buffer] = []
    left = [bounds.values, bounds.body]
    header = f"{text}{_pack(value, body, left, DEPTH_LIMIT)}}}".encode("ascii")
    if len(header) > bounds.header:
        raise BadFrame({"says": "too_much_text", "most": str(bounds.header >> 20)})
    pieces = [PREFIX.pack(len(header), bounds.body - left[1]), header, *body]
    return [b"".join(pieces)] if bounds.body - left[1] < LONG else _join(pieces)


def _pack(value: Any, body: list[Buffer], left: list[int], depth: int) -> str:
    """`value` as JSON; bytes of tensors are added to `body`. `left`: how many values and bytes may follow."""
    # Types are tested, not values: a value can lie about its class. What comes most often is tested first.
    kind = type(value)
    if kind is str:
        return _quote(value)
    if kind is int:
        return str(value) if -INT_LIMIT < value < INT_LIMIT else _other(kind, "large")
    if kind is _Tensor or kind is _Parameter:
        trait = _trait(value)
        return _other(kind, trait) if trait else _pack_tensor(value, body, left)
    if kind is list or kind is dict or issubclass(kind, (tuple, dict)):
        return _pack_container(value, body, left, depth) if depth else _other(kind, "deep")
    if value is None or kind is bool:
        return {None: "null", True: "true", False: "false"}[value]
    if kind is Handle:
        return f'["object",{value.number}]'
    return f'["float","{value.hex()}"]' if kind is float else _other(kind, _role(kind))


def _pack_container(value: Any, body: list[Buffer], left: list[int], depth: int) -> str:
    kind = type(value)
    parts: list[str] = []
    left[0] -= len(value)
    if left[0] < 0:
        raise BadFrame({"says": "too_many_values"})
    if kind is not list and issubclass(kind, dict):
        if not {str}.issuperset(map(type, value)):
            return _other(kind, "keys")
        for key, item in value.items():
            parts += (_quote(key), _pack(item, body, left, depth - 1))
        return ",".join(['["dict"', *parts]) + "]"
    parts = ["null" if item is None else _pack(item, body, left, depth - 1) for item in value]
    return ",".join(['["list"' if kind is list else '["tuple"', *parts]) + "]"


def _pack_tensor(tensor: torch.Tensor, body: list[Buffer], left: list[int]) -> str:
    dtype = tensor.dtype
    if dtype is torch.bfloat16:
        tensor = tensor.detach().resolve_neg().view(torch.int16)
    array = _numpy(tensor, force=True)
    size = array.nbytes
    gap = -size % ALIGN
    left[1] -= size + gap
    if left[1] < 0:
        raise BadFrame({"says": "too_many_bytes"})
    if not size:
        _elements(array.shape)
    # `cast` needs contiguous data, and no zero in the shape.
    body.append(array.data.cast("B") if size and array.flags.c_contiguous else array.tobytes())
    if gap:
        body.append(bytes(gap))
    return ",".join([f'["tensor","{NAMES[dtype]}"', *map(str, array.shape)]) + "]"


def _trait(tensor: torch.Tensor) -> str:
    """What keeps a tensor from being plain, dense numbers on the CPU; empty where nothing does."""
    # Quantised first: asking a quantised tensor for more can kill the process.
    if tensor.is_quantized:
        return "quantized"
    if _wrapped(tensor):
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
    """What PyTorch treats a type's values as; empty if as nothing special."""
    imitates = any("__torch_function__" in base.__dict__ for base in kind.__mro__)
    roles = (role for ancestor, role in _ROLES.items() if issubclass(kind, ancestor))
    return next(roles, "imitation" if imitates else "")


def _other(kind: type, trait: str) -> str:
    return f'["other",{_quote(_name_of(kind))},{_quote(trait[:NAME_LIMIT])}]'


def _name_of(kind: type) -> str:
    try:
        return f"{kind.__module__}.{kind.__qualname__}"[:NAME_LIMIT]
    except Exception:  # a metaclass can do anything
        return "object"


def _quote(text: str) -> str:
    # No brackets in strings, so that those of containers can be counted before JSON is parsed.
    return _encode(text).replace("[", "\\u005b").replace("{", "\\u007b")


def _unpack(tree: Any, body: Any, state: list[int], depth: int) -> Any:
    """The value that `tree` stands for. `state`: values that may follow, and the position in the body."""
    kind = type(tree)
    # No JSON floats: they may be NaN or infinite, and are rounded. Ours are hexadecimal.
    if tree is None or kind is str or kind is bool or (kind is int and -INT_LIMIT < tree < INT_LIMIT):
        return tree
    if kind is not list or depth < 0:
        raise BadFrame("no value, or too deep a one")
    name = tree[0]
    if name == "tensor":
        return _unpack_tensor(tree, body, state)
    if name not in ("list", "tuple", "dict"):
        return _unpack_scalar(name, tree[1:])
    items = tree[2::2] if name == "dict" else tree[1:]
    state[0] -= len(items)
    if state[0] < 0:
        raise BadFrame("too many values")
    values = [i if i is None or type(i) is str else _unpack(i, body, state, depth - 1) for i in items]
    if name == "dict":
        return _unpack_dict(tree[1::2], values)
    return values if name == "list" else tuple(values)


def _unpack_dict(keys: list[Any], values: list[Any]) -> dict[str, Any]:
    result = dict(zip(keys, values, strict=True))
    if len(result) != len(keys) or not {str}.issuperset(map(type, keys)):
        raise BadFrame("a key twice, or one that is no text")
    return result


def _unpack_scalar(kind: str, items: list[Any]) -> Any:
    if kind == "other":
        return Other(*[str(item)[:NAME_LIMIT] for item in items])
    [item] = items
    if kind == "float":
        return float.fromhex(item)
    if kind != "object" or type(item) is not int or not 0 <= item < INT_LIMIT:
        raise BadFrame("unknown kind of value")
    return Handle(item)


def _unpack_tensor(tree: list[Any], body: Any, state: list[int]) -> torch.Tensor:
    dtype, read, shape = DTYPES[tree[1]], _READ[tree[1]], tree[2:]
    size, at = _elements(shape) * read.itemsize, state[1]
    state[1] += size + -size % ALIGN
    if state[1] > len(body):
        raise BadFrame("fewer bytes than the shapes promise")
    array = numpy.ndarray(shape, read, body, at) if size else numpy.empty(shape, read)
    # A small tensor would keep all of a large body. NumPy: code may have changed torch's default device.
    tensor = torch.from_numpy(array.copy() if len(body) > 2 * size + LONG else array)
    if dtype is torch.bfloat16:
        return tensor.view(dtype)
    return tensor.ne_(0).view(dtype) if dtype is torch.bool else tensor  # in place: an answer may have 60 MB


def _elements(shape: Any) -> int:
    # Bounded with empty axes counted as one: [2**31 - 1] * 4 + [0] has no elements, and overflows torch.
    bounded = 1
    for length in shape:
        if type(length) is not int or length < 0:
            raise BadFrame("no shape")
        bounded *= length or 1
        if bounded > REPLY.body or len(shape) > AXES_LIMIT:
            raise BadFrame({"says": "too_large_a_shape"})
    return 0 if 0 in shape else bounded


def _join(pieces: list[Buffer]) -> list[Buffer]:
    """The same bytes in few pieces: short ones are joined, long ones are not copied."""
    joined: list[Buffer] = []
    for long, group in itertools.groupby(pieces, key=lambda piece: len(piece) >= LONG):
        joined += group if long else [b"".join(group)]  # noqa: B031 (one use or the other)
    return joined


_ROLES: dict[type, str] = {torch.Tensor: "subclass", torch.nn.Module: "module", type: "class"}
_ROLES |= {numpy.ndarray: "array", numpy.generic: "scalar"}
_Tensor, _Parameter, _encode = torch.Tensor, torch.nn.Parameter, json.encoder.encode_basestring_ascii
_numpy = torch.Tensor.numpy  # as it is before student code could replace it
_wrapped = torch._C._functorch.is_functorch_wrapped_tensor
_decode = json.JSONDecoder().raw_decode
