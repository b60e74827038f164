"""Frames, right and damaged, for tests of the wire."""

import json
import math
from typing import Any

import torch
from hypothesis import strategies as st

from softmark_worker import wire

TOKEN = "0123456789abcdef" * 2  # as long as a real request's id

scalars = st.none() | st.booleans() | st.integers(-(2**64), 2**64) | st.text(max_size=20) | st.floats()
shapes = st.lists(st.integers(0, 3), max_size=4)
tensors = st.builds(
    lambda shape, dtype, seed: (torch.randn(shape, generator=torch.Generator().manual_seed(seed)) * 9).to(
        dtype
    ),
    shapes,
    st.sampled_from(list(wire.DTYPES.values())),
    st.integers(0, 99),
)
values = st.recursive(
    scalars | tensors,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)
json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([2**63, 2**300, -1, 0, 10**20])
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(
        ["tensor", "list", "dict", "float", "other", "bool", "float32", "0x1p9999", "nan", TOKEN]
    ),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=6,
)


def framed(value: Any, token: str = TOKEN, ok: bool = True) -> bytes:
    """A whole reply."""
    return b"".join(wire.reply(token, ok, value))


def split(data: bytes, bounds: wire.Bounds = wire.REPLY) -> tuple[bytes, bytes]:
    """Header and body, as the prefix says where they are.

    Raises:
        BadFrame: there is no prefix, or it is refused.
    """
    start = wire.PREFIX.size
    if len(data) < start:
        raise wire.BadFrame("no prefix")
    header, body = wire.PREFIX.unpack(data[:start])
    if header > bounds.header or body > bounds.body:
        raise wire.BadFrame("too long")
    return data[start : start + header], data[start + header : start + header + body]


def parsed(data: bytes, bounds: wire.Bounds = wire.REPLY) -> tuple[dict[str, Any], Any]:
    """The header and the value of a whole frame."""
    return wire.parse(*split(data, bounds), bounds)


def alike(left, right) -> bool:
    """Whether two values are the same, types and bits of numbers included."""
    if isinstance(left, torch.Tensor):
        same = left.dtype == right.dtype and left.shape == right.shape
        return same and repr(left.tolist()) == repr(right.tolist())
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(alike(left[k], right[k]) for k in left)
    if isinstance(left, list | tuple):
        return type(left) is type(right) and len(left) == len(right) and all(map(alike, left, right))
    if isinstance(left, float) and math.isnan(left):
        return math.isnan(right)
    return type(left) is type(right) and left == right


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A reply that was right, up to three damages ago."""
    data = framed(draw(values), ok=draw(st.booleans()))
    for _ in range(draw(st.integers(1, 3))):
        data = draw(st.sampled_from([_flipped, _cut, _spliced, _lying, _edited, _edited]))(draw, data)
    return data


def _flipped(draw: st.DrawFn, data: bytes) -> bytes:
    if not data:
        return data
    at = draw(st.integers(0, len(data) - 1))
    return data[:at] + bytes([data[at] ^ 1 << draw(st.integers(0, 7))]) + data[at + 1 :]


def _cut(draw: st.DrawFn, data: bytes) -> bytes:
    return data[: draw(st.integers(0, len(data)))]


def _spliced(draw: st.DrawFn, data: bytes) -> bytes:
    other = framed(draw(values))
    return data[: draw(st.integers(0, len(data)))] + other[draw(st.integers(0, len(other))) :]


def _lying(draw: st.DrawFn, data: bytes) -> bytes:
    lengths = st.integers(0, 300) | st.sampled_from([0, 1 << 20, 1 << 26, (1 << 26) + 1, 2**32 - 1])
    return wire.PREFIX.pack(draw(lengths), draw(lengths)) + data[wire.PREFIX.size :]


def _edited(draw: st.DrawFn, data: bytes) -> bytes:
    """Another header of the right length: a field or an item left out, doubled or replaced."""
    try:
        header, body = split(data)
        tree = json.loads(header)
    except (wire.BadFrame, ValueError):
        return data
    text = json.dumps(_changed(draw, tree))
    if draw(st.booleans()) and text.startswith("{"):
        text = '{"ok": true, ' + text[1:]  # a key twice
    return wire.PREFIX.pack(len(text), len(body)) + text.encode() + body


def _changed(draw: st.DrawFn, tree: Any) -> Any:
    places = (
        list(tree) if isinstance(tree, dict) else list(range(len(tree))) if isinstance(tree, list) else []
    )
    if not places or draw(st.integers(0, 3)) == 0:
        return draw(json_values)
    place = draw(st.sampled_from(places))
    what = draw(st.sampled_from(["inside", "inside", "inside", "gone", "twice"]))
    if what == "gone":
        del tree[place]
    elif what == "twice" and isinstance(tree, list):
        tree.insert(place, tree[place])
    else:
        tree[place] = _changed(draw, tree[place])
    return tree
