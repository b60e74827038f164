"""Values cross as they are; any other bytes are refused and never crash the host."""

import contextlib
import json
import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from graders.worker import wire

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


def crossed(value):
    data = wire.frame({"id": "x"}, value)
    start = wire.PREFIX.size
    header, body = wire.lengths(data[:start])
    assert len(data) == start + header + body
    return wire.parse(data[start : start + header], data[start + header :])[1]


def alike(left, right) -> bool:
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


@given(values)
def test_a_value_crosses_as_it_is(value):
    assert alike(value, crossed(value))


def test_a_transposed_tensor_crosses_with_its_values():
    x = torch.arange(6.0).reshape(2, 3).T
    assert torch.equal(crossed(x), x)


@pytest.mark.parametrize("shape", [(), (1,), (1, 1), (3,), (2, 0)])
def test_an_expanded_tensor_crosses_with_its_values(shape):
    x = torch.tensor(5.0).expand(shape)
    assert torch.equal(crossed(x), x)


@pytest.mark.parametrize(
    ("value", "named"),
    [
        (torch.eye(2).to_sparse(), "sparse_coo tensor of float32 on cpu"),
        (torch.empty(2, device="meta"), "strided tensor of float32 on meta"),
        (torch.ones(2, dtype=torch.complex64), "strided tensor of complex64 on cpu"),
        (torch.ones(2).numpy(), "numpy.ndarray"),
        (object, "builtins.type"),
        ({1: 2}, "builtins.dict"),
    ],
)
def test_what_cannot_cross_is_named(value, named):
    assert crossed(value).type == named


def test_a_tensor_that_lies_about_itself_does_not_cross():
    class Liar(torch.Tensor):
        pass

    assert isinstance(crossed(torch.ones(2).as_subclass(Liar)), wire.Other)


def test_a_repr_that_raises_is_survived():
    class Rude:
        def __repr__(self):
            raise SystemExit

    assert "SystemExit" in crossed(Rude()).shows


@given(st.binary(max_size=200), st.binary(max_size=50))
def test_any_bytes_are_a_value_or_a_bad_frame(header, body):
    with contextlib.suppress(wire.BadFrame):
        wire.parse(header, body)


@given(values, st.data())
def test_a_damaged_frame_is_a_value_or_a_bad_frame(value, data):
    frame = bytearray(wire.frame({"id": "x"}, value))
    start = wire.PREFIX.size
    header, _ = wire.lengths(bytes(frame[:start]))
    for _ in range(data.draw(st.integers(1, 3))):
        frame[data.draw(st.integers(start, len(frame) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    cut = data.draw(st.integers(0, 2))
    with contextlib.suppress(wire.BadFrame):
        wire.parse(bytes(frame[start : start + header]), bytes(frame[start + header : len(frame) - cut]))


@pytest.mark.parametrize(
    "described",
    [
        [{"dtype": "float32", "shape": [2147483647] * 4 + [0]}],
        [{"dtype": "float32", "shape": [-1]}],
        [{"dtype": "float32", "shape": [True]}],
        [{"dtype": "float32", "shape": [1] * 40}],
        [{"dtype": "object", "shape": [1]}],
        [{"dtype": "float32", "shape": [2]}],
        [{"dtype": "float32", "shape": []}] * 2,
        "everything",
    ],
)
def test_impossible_tensors_are_refused(described):
    header = json.dumps({"value": None, "tensors": described}).encode()
    with pytest.raises(wire.BadFrame):
        wire.parse(header, b"\0\0\0\0")


def test_lengths_beyond_the_bounds_are_refused_before_anything_is_read():
    with pytest.raises(wire.BadFrame):
        wire.lengths(b"\xff" * wire.PREFIX.size)


def test_deep_values_are_refused():
    tree = None
    for _ in range(50):
        tree = {"list": [tree]}
    with pytest.raises(wire.BadFrame):
        wire.parse(json.dumps({"value": tree, "tensors": []}).encode(), b"")
