"""The bytes between the host and the box: a small JSON header, then raw tensor bytes. Never pickle.

This file lives on the box's side and imports only the standard library and torch; the host imports it
from here, so that there is one wire and not two. A frame is

    header length (4 bytes, big-endian) | body length (8 bytes) | header (JSON, UTF-8) | body

The header's "tensors" lists dtype and shape of each tensor in the order of its bytes in the body. A
value is JSON where JSON can hold it; all else is a one-key object that names its kind:

    {"tensor": 0}  {"float": "0x1.8p+1"}  {"tuple": [...]}  {"list": [...]}  {"dict": [["k", v]]}
    {"object": 3}  {"other": "numpy.ndarray", "shows": "array([1.])"}
"""

import json
import math
import struct
from dataclasses import dataclass
from typing import Any

import torch

PREFIX = struct.Struct(">IQ")
HEADER_LIMIT = 4 << 20  # bytes: a notebook's code travels in a header
BODY_LIMIT = 64 << 20  # bytes
TENSOR_LIMIT = 4_096  # tensors in one frame
DEPTH_LIMIT = 8  # containers within containers
ITEM_LIMIT = 10_000  # values in one frame
INT_LIMIT = 1 << 256
SHOWN = 200  # characters of a value that cannot cross

DTYPES: dict[str, torch.dtype] = {
    "bool": torch.bool,
    "uint8": torch.uint8,
    "int8": torch.int8,
    "int16": torch.int16,
    "int32": torch.int32,
    "int64": torch.int64,
    "float16": torch.float16,
    "bfloat16": torch.bfloat16,
    "float32": torch.float32,
    "float64": torch.float64,
}
NAMES = {dtype: name for name, dtype in DTYPES.items()}


class BadFrame(Exception):
    """The bytes are not a frame, or exceed a bound. Text for staff."""


@dataclass(frozen=True)
class Handle:
    """An object that stays in the box, known outside by its number."""

    number: int


@dataclass(frozen=True)
class Other:
    """A value that does not cross: its type's name and the beginning of its repr."""

    type: str
    shows: str


def frame(header: dict[str, Any], value: Any) -> bytes:
    """One frame with `header` and, under its key "value", the packed `value`."""
    tensors: list[torch.Tensor] = []
    tree = _pack(value, tensors, DEPTH_LIMIT)
    described = [{"dtype": NAMES[t.dtype], "shape": list(t.shape)} for t in tensors]
    text = json.dumps({**header, "value": tree, "tensors": described}).encode()
    body = b"".join(_bytes_of(t) for t in tensors)
    if len(text) > HEADER_LIMIT or len(body) > BODY_LIMIT:
        raise BadFrame(f"frame too large: header {len(text)} bytes, body {len(body)} bytes")
    return PREFIX.pack(len(text), len(body)) + text + body


def lengths(prefix: bytes) -> tuple[int, int]:
    """Header and body length from a frame's first bytes, refused beyond the bounds."""
    header, body = PREFIX.unpack(prefix)
    if header > HEADER_LIMIT or body > BODY_LIMIT:
        raise BadFrame(f"frame too large: header {header} bytes, body {body} bytes")
    return header, body


def parse(header: bytes, body: bytes) -> tuple[dict[str, Any], Any]:
    """The header and the value of a frame. Any bytes give an answer or `BadFrame`, nothing else."""
    try:
        fields = json.loads(header)
        tensors = _tensors(fields["tensors"], body)
        return fields, _unpack(fields["value"], tensors, DEPTH_LIMIT, [ITEM_LIMIT])
    except BadFrame:
        raise
    except Exception as error:  # whatever hostile bytes make json or torch raise is a bad frame
        raise BadFrame(f"{type(error).__name__}: {error}"[:SHOWN]) from error


def _bytes_of(tensor: torch.Tensor) -> bytes:
    # reshape before view: a 0-d tensor cannot be viewed as another item size
    flat = tensor.detach().resolve_conj().resolve_neg().contiguous().reshape(-1)
    if flat.stride(0) != 1:  # of one element, which counts as contiguous whatever its stride
        flat = torch.empty(flat.shape, dtype=flat.dtype).copy_(flat)
    return flat.view(torch.uint8).numpy().tobytes()


def _tensors(described: Any, body: bytes) -> list[torch.Tensor]:
    if type(described) is not list or len(described) > TENSOR_LIMIT:
        raise BadFrame("bad list of tensors")
    tensors, at = [], 0
    for item in described:
        dtype, shape = DTYPES[item["dtype"]], item["shape"]
        if type(shape) is not list or len(shape) > 16 or any(type(n) is not int or n < 0 for n in shape):
            raise BadFrame("bad shape")
        # Bounded with empty axes counted as one: [2**31 - 1] * 4 + [0] has no elements, and overflows torch.
        if math.prod(max(n, 1) for n in shape) > BODY_LIMIT:
            raise BadFrame("shape too large")
        size = math.prod(shape) * dtype.itemsize
        chunk = body[at : at + size]
        if len(chunk) != size:
            raise BadFrame("fewer bytes than the shapes promise")
        tensors.append(_tensor(chunk, dtype, shape))
        at += size
    if at != len(body):
        raise BadFrame("more bytes than the shapes promise")
    return tensors


def _tensor(chunk: bytes, dtype: torch.dtype, shape: list[int]) -> torch.Tensor:
    if not chunk:
        return torch.empty(shape, dtype=dtype)
    if dtype is torch.bool:  # a bool of any other byte than 0 and 1 is undefined behaviour in torch
        return (torch.frombuffer(bytearray(chunk), dtype=torch.uint8) != 0).reshape(shape)
    return torch.frombuffer(bytearray(chunk), dtype=dtype).reshape(shape)


def _pack(value: Any, tensors: list[torch.Tensor], depth: int) -> Any:
    kind = type(value)
    if value is None or kind is bool or kind is str:
        return value
    if kind is int and abs(value) < INT_LIMIT:
        return value
    if kind is float:
        return {"float": value.hex()}
    if kind is Handle:
        return {"object": value.number}
    if kind in (torch.Tensor, torch.nn.Parameter) and crosses(value):
        tensors.append(value)
        return {"tensor": len(tensors) - 1}
    if depth and isinstance(value, tuple):
        return {"tuple": [_pack(item, tensors, depth - 1) for item in value]}
    if depth and kind is list:
        return {"list": [_pack(item, tensors, depth - 1) for item in value]}
    if depth and isinstance(value, dict) and all(type(key) is str for key in value):
        return {"dict": [[key, _pack(item, tensors, depth - 1)] for key, item in value.items()]}
    return {"other": _kind(value), "shows": shown(value)}


def crosses(tensor: torch.Tensor) -> bool:
    """Whether a tensor is plain: dense, of a known dtype, with real storage."""
    # Quantised first: asking a quantised tensor for more can kill the process.
    return (
        not tensor.is_quantized
        and tensor.layout is torch.strided
        and not tensor.is_nested
        and tensor.device.type != "meta"
        and tensor.dtype in NAMES
    )


def shown(value: Any) -> str:
    """The beginning of a value's repr, whatever its repr does."""
    try:
        return repr(value)[:SHOWN]
    except BaseException as error:
        return f"<repr raised {type(error).__name__}>"


def _kind(value: Any) -> str:
    if type(value) is torch.Tensor:
        return f"{value.layout} tensor of {value.dtype} on {value.device}".replace("torch.", "")
    return f"{type(value).__module__}.{type(value).__qualname__}"[:SHOWN]


def _unpack(tree: Any, tensors: list[torch.Tensor], depth: int, left: list[int]) -> Any:
    left[0] -= 1
    if left[0] < 0:
        raise BadFrame("too many values")
    if tree is None or type(tree) in (bool, int, str):
        return tree
    if type(tree) is not dict or depth < 0:
        raise BadFrame("bad value")
    if "other" in tree:
        return Other(str(tree["other"])[:SHOWN], str(tree.get("shows"))[:SHOWN])
    [(kind, item)] = tree.items()
    if kind == "tensor" and type(item) is int and 0 <= item < len(tensors):
        return tensors[item]
    if kind == "float":
        return float.fromhex(item)
    if kind == "object" and type(item) is int:
        return Handle(item)
    if kind == "dict":
        return {str(key): _unpack(value, tensors, depth - 1, left) for key, value in item}
    if kind in ("tuple", "list"):
        values = [_unpack(value, tensors, depth - 1, left) for value in item]
        return tuple(values) if kind == "tuple" else values
    raise BadFrame("unknown kind of value")
