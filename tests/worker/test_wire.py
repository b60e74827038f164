"""Values cross as they are, or as the name of what they are; too large ones are refused at the start."""

import numpy
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from softmark_worker import wire
from tests.support.frames import alike, framed, parsed, split, tensors, values


def crossed(value):
    """What arrives of a value, by its bytes; what is copied in one process is the same."""
    by_bytes = parsed(framed(value))[1]
    assert alike(wire.copied(value, wire.REPLY), by_bytes)
    return by_bytes


@given(values)
def test_a_value_crosses_as_it_is(value):
    assert alike(value, crossed(value))


@pytest.mark.parametrize("text", ["[{", "a\n\0", "\ud800", "é\U0001f600", "]" * 50])
def test_any_text_crosses_as_it_is(text):
    assert crossed([text, {text: text}]) == [text, {text: text}]


def test_a_transposed_tensor_crosses_with_its_values():
    x = torch.arange(6.0).reshape(2, 3).T
    assert torch.equal(crossed(x), x)


@pytest.mark.parametrize("shape", [(), (1,), (1, 1), (3,), (2, 0)])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.bool])
def test_an_expanded_tensor_crosses_with_its_values(shape, dtype):
    x = torch.tensor(5).to(dtype).expand(shape)
    assert torch.equal(crossed(x), x)


def test_a_lazily_negated_tensor_crosses_with_its_values():
    x = torch.tensor([1 + 2j, 3 - 4j]).conj().imag
    assert x.is_neg()
    assert torch.equal(crossed(x), torch.tensor([-2.0, 4.0]))


@given(st.lists(tensors, min_size=1, max_size=4))
def test_tensors_side_by_side_keep_apart(several):
    found = crossed(several)
    for place, tensor in enumerate(found):
        tensor.zero_()
        assert all(map(alike, found[place + 1 :], several[place + 1 :]))


def test_what_has_crossed_shares_no_memory_with_what_was_sent():
    x = torch.ones(3)
    for found in (crossed(x), wire.copied(x, wire.REPLY), wire.copied([x], wire.REQUEST)[0]):
        found.zero_()
        assert torch.equal(x, torch.ones(3))


def test_a_bool_of_any_byte_is_true_or_false():
    data = bytearray(framed(torch.ones(8, dtype=torch.bool)))
    data[-8:] = bytes([0, 1, 2, 3, 128, 255, 0, 7])
    found = parsed(bytes(data))[1]
    assert found.tolist() == [False, True, True, True, True, True, False, True]
    assert int(found.sum()) == 6
    assert found.view(torch.uint8).max() == 1


BEYOND = {
    "values": ([0] * 50_000, "too_many_values"),
    "values within values": ([[[0] * 100] * 100] * 100, "too_many_values"),
    "text": ("x" * (2 << 20), "'too_much_text', 'most': '1'"),
    "a tensor": (torch.zeros(9 << 20, dtype=torch.float64), "too_many_bytes"),
    "tensors": ([torch.zeros(5 << 20)] * 4, "too_many_bytes"),
    "a tensor that is one number, repeated": (torch.zeros(1).expand(1 << 20, 1 << 20), "too_many_bytes"),
    "a large tensor of nothing": (torch.zeros(0, 1 << 40), "too_large_a_shape"),
}


@pytest.mark.parametrize("beyond", BEYOND)
def test_what_is_too_large_is_refused_where_it_is_packed(beyond):
    value, says = BEYOND[beyond]
    with pytest.raises(wire.BadFrame, match=says):
        wire.reply("x", True, value)
    with pytest.raises(wire.BadFrame, match=says):
        wire.copied(value, wire.REPLY)


@pytest.mark.parametrize(
    "value",
    [[1.5], [torch.ones(())], [[]], [{"a": 1}], [object()], [(None,)], [{"a": ()}, True]],
    ids=["a float", "a tensor", "a list", "a dict", "an object", "a tuple", "a dict and a bool"],
)
def test_as_many_values_as_a_reply_may_hold_cross(value):
    inner = sum(len(item) for item in value if isinstance(item, list | tuple | dict))
    inner += sum(len(item["a"]) for item in value if isinstance(item, dict) and item["a"] != 1)
    most = value * (wire.REPLY.values // (len(value) + inner))
    assert len(crossed(most)) == len(most)
    with pytest.raises(wire.BadFrame):
        crossed([*most, *value, *value])


def test_a_list_within_itself_is_cut_off():
    endless: list = []
    endless.append(endless)
    found = crossed(endless)
    while isinstance(found, list):
        [found] = found
    assert found == wire.Other("builtins.list", "deep")


def test_a_lie_about_a_type_is_not_believed():
    class Meta(type):
        def __instancecheck__(cls, instance):
            return True

        def __subclasscheck__(cls, subclass):
            return True

    class Liar(metaclass=Meta):
        @property
        def __class__(self):
            return torch.Tensor

    class Sneak(list):
        def __iter__(self):
            return iter([torch.ones(1)])

    assert isinstance(Liar(), torch.Tensor)
    assert type(crossed(Liar())) is wire.Other
    assert type(crossed(Sneak())) is wire.Other
    assert type(crossed(torch.ones(2).as_subclass(type("Other", (torch.Tensor,), {})))) is wire.Other


def test_what_is_no_plain_value_arrives_as_its_name():
    class Named(tuple):
        __slots__ = ()

    class Table(dict):
        pass

    assert crossed([Named((1, torch.ones(2))), Table(a=1)])[1:] == [{"a": 1}]
    odd = [1 << 300, {1: 2}, torch, numpy.ones(2), torch.ones(2, device="meta"), torch.ones(1).to_sparse()]
    assert [type(each) for each in crossed(odd)] == [wire.Other] * len(odd)
    assert crossed([wire.Handle(3), torch.nn.Parameter(torch.ones(2))])[0] == wire.Handle(3)


def test_a_name_that_cannot_be_asked_for_is_survived():
    class Meta(type):
        @property
        def __module__(cls):
            raise RuntimeError

    class Rude(metaclass=Meta):
        pass

    assert crossed(Rude()).type == "object"


def test_a_long_name_is_cut():
    assert len(crossed(type("x" * 10_000, (), {})()).type) <= wire.NAME_LIMIT


def test_a_frame_of_many_and_large_tensors_is_sent_in_few_pieces():
    value = [torch.full((n,), float(n)) for n in (1, 50_000, *range(2_000), 50_000)]
    pieces = wire.reply("x", True, value)
    assert len(pieces) <= 6
    assert alike(parsed(b"".join(pieces))[1], value)


def test_a_large_tensor_is_sent_from_where_it_lies():
    x = torch.zeros(1 << 16)
    [_, piece, *_] = wire.reply("x", True, x)
    assert numpy.frombuffer(piece, numpy.uint8).__array_interface__["data"][0] == x.data_ptr()


def test_a_header_holds_no_bracket_but_its_structure():
    header, _ = split(framed(["[[{{", {"[": "{"}]))
    assert (header.count(b"["), header.count(b"{")) == (2, 1)
