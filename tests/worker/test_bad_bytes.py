"""Whatever bytes come: a value or a refusal, at a bounded cost in memory and time."""

import contextlib
import json
import time
import tracemalloc
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from softmark_worker import wire
from softmark_worker.framing import IncomingFrame, Refused
from tests.support.frames import alike, damaged, framed, json_values, parsed, values


def arriving() -> IncomingFrame:
    return IncomingFrame(wire.PREFIX, wire.REPLY.header, wire.REPLY.body)


def header_of(value) -> bytes:
    return json.dumps({"value": value}).encode()


@given(st.binary(max_size=200), st.binary(max_size=50))
def test_any_bytes_are_a_value_or_a_bad_frame(header, body):
    with contextlib.suppress(wire.BadFrame):
        wire.parse(header, body, wire.REPLY)


@given(json_values, st.binary(max_size=50))
def test_any_json_is_a_value_or_a_bad_frame(tree, body):
    for text in (tree, {"value": tree}):
        with contextlib.suppress(wire.BadFrame):
            wire.parse(json.dumps(text).encode(), body, wire.REPLY)


@given(damaged())
def test_a_damaged_frame_is_a_value_or_a_bad_frame(data):
    with contextlib.suppress(wire.BadFrame):
        parsed(data)


@given(st.lists(damaged() | values.map(framed), max_size=3).map(b"".join), st.data())
def test_frames_in_any_portions_are_values_or_refused(stream, data):
    incoming = arriving()
    with contextlib.suppress(wire.BadFrame, Refused):
        while stream:
            count = min(data.draw(st.integers(1, 300)), len(stream), len(space := incoming.space()))
            space[:count], stream = stream[:count], stream[count:]
            if incoming.came(count):
                wire.parse(*incoming.take(), wire.REPLY)


@given(values, st.data())
def test_a_frame_cut_short_is_not_whole(value, data):
    whole = framed(value)
    incoming = arriving()
    cut = whole[: data.draw(st.integers(1, len(whole) - 1))]
    incoming.space()[: len(cut)] = cut
    assert not incoming.came(len(cut))
    rest = whole[len(cut) :]
    incoming.space()[: len(rest)] = rest
    assert incoming.came(len(rest))
    assert alike(wire.parse(*incoming.take(), wire.REPLY)[1], value)


@pytest.mark.parametrize("size", [3, 1 << 20])
def test_the_next_frame_leaves_what_came_before_as_it_was(size):
    incoming, found = arriving(), []
    for number in (1.0, 2.0):
        data = framed(torch.full((size,), number))
        while data:
            count = min(len(data), len(space := incoming.space()))
            space[:count], data = data[:count], data[count:]
            whole = incoming.came(count)
        assert whole
        found.append(wire.parse(*incoming.take(), wire.REPLY)[1])
    assert [float(tensor.mean()) for tensor in found] == [1.0, 2.0]


@pytest.mark.parametrize("size", [100, 1 << 15, 1 << 16, 1 << 20])
def test_a_byte_behind_a_frame_is_noticed(size):
    incoming = arriving()
    data = framed(torch.zeros(size, dtype=torch.uint8)) + b"x"
    with pytest.raises(Refused):
        while data:
            count = min(len(data), len(space := incoming.space()))
            space[:count], data = data[:count], data[count:]
            incoming.came(count)


IMPOSSIBLE = {
    "overflowing": [["tensor", "float32", *[2147483647] * 4, 0]],
    "negative": [["tensor", "float32", -1]],
    "of a bool": [["tensor", "float32", True]],
    "of a float": [["tensor", "float32", 1.0]],
    "nested": [["tensor", "float32", [1]]],
    "of many axes": [["tensor", "float32", *[1] * 40]],
    "endless": [["tensor", "float32", *[10**4000] * 200]],
    "unknown": [["tensor", "object", 1]],
    "no name": [["tensor", ["float32"], 1]],
    "nameless": [["tensor"]],
    "larger than the body": [["tensor", "float32", 3]],
    "smaller than the body": [],
    "more than the body": [["tensor", "float32"]] * 2,
}


@pytest.mark.parametrize("tree", IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_impossible_tensors_are_refused(tree):
    with pytest.raises(wire.BadFrame):
        wire.parse(header_of(["list", *tree]), b"\0" * 8, wire.REPLY)


STRANGE = {
    "no object": b"[]",
    "no value": b"{}",
    "no JSON": b"{",
    "two values": b'{"value":1}{"value":1}',
    "spaces behind": b'{"value":1} ',
    "NaN": b'{"value":NaN}',
    "infinity": b'{"value":-Infinity}',
    "a bare float": b'{"value":1.5}',
    "a large bare float": b'{"value":1e999}',
    "a large int": b'{"value":' + b"9" * 78 + b"}",
    "a huge int": b'{"value":' + b"9" * 9_000 + b"}",
    "an empty array": b'{"value":[]}',
    "an unknown kind": b'{"value":["set",1]}',
    "a kind that is no text": b'{"value":[[1],1]}',
    "an object within": b'{"value":{"list":[]}}',
    "a float beyond all": b'{"value":["float","0x1p9999"]}',
    "a float of nothing": b'{"value":["float",null]}',
    "an object's number as text": b'{"value":["object","1"]}',
    "a negative object": b'{"value":["object",-1]}',
    "an object of True": b'{"value":["object",true]}',
    "a key twice": b'{"value":["dict","a",1,"a",2]}',
    "a key without a value": b'{"value":["dict","a"]}',
    "a key that is no text": b'{"value":["dict",1,1]}',
    "three words for another": b'{"value":["other","a","b","c"]}',
    "UTF-16": '{"value":1}'.encode("utf-16"),
    "UTF-8": '{"value":"é"}'.encode(),
    "a byte order mark": b'\xef\xbb\xbf{"value":1}',
}


@pytest.mark.parametrize("header", STRANGE.values(), ids=STRANGE)
def test_strange_headers_are_refused(header):
    with pytest.raises(wire.BadFrame):
        wire.parse(header, b"", wire.REPLY)


@pytest.mark.parametrize("depth", [12, 1_000, 9_000, 200_000])
def test_deep_values_are_refused(depth):
    with pytest.raises(wire.BadFrame):
        wire.parse(b'{"value":' + b'["list",' * depth + b"1" + b"]" * depth + b"}", b"", wire.REPLY)


@pytest.mark.parametrize(
    ("header", "body"), [(1 << 31, 0), (0, 1 << 40), ((1 << 20) + 1, 0), (0, (64 << 20) + 1)]
)
def test_lengths_beyond_the_bounds_are_refused_before_anything_is_read(header, body):
    incoming = arriving()
    incoming.space()[: wire.PREFIX.size] = wire.PREFIX.pack(header, body)
    with pytest.raises(Refused):
        incoming.came(wire.PREFIX.size)


UNITS = [
    b"[]",
    b"{}",
    b'{"":0}',
    b'"ab"',
    b"999",
    b"[[[[]]]]",
    b"[0]",
    b'["list"]',
    b'["float","nan"]',
    b"-1000",
]


@pytest.mark.parametrize("unit", UNITS)
def test_the_largest_header_takes_bounded_memory_and_time(unit):
    room = wire.REPLY.header - 40
    header = b'{"value":["list",' + b",".join([unit] * (room // (len(unit) + 1))) + b"]}"
    start = time.process_time()
    tracemalloc.start()
    with contextlib.suppress(wire.BadFrame):
        wire.parse(header, b"", wire.REPLY)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20 << 20
    assert time.process_time() - start < 5


def test_a_promise_of_many_bytes_takes_no_memory():
    def resident() -> int:
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * 4096

    incoming = arriving()
    before = resident()
    prefix = wire.PREFIX.pack(wire.REPLY.header, wire.REPLY.body)
    incoming.space()[: len(prefix)] = prefix
    assert not incoming.came(len(prefix))
    assert len(incoming.space()) > wire.REPLY.body
    assert resident() - before < 8 << 20
