"""What is packed is read again as it was, and what is read is data, whoever wrote it."""

import json
import math
from typing import Any

import pytest
import torch

from graders.answer_key.pack import BadKey, NotPackable, Packer, Unpacker
from graders.check_api.strategies.module_inputs import Model
from graders.check_api.target import Target
from graders.course.exercise import load_assignment
from graders.judging.drawing import contents_key
from graders.judging.draws import Draws


def again(value: Any) -> Any:
    packer = Packer(lambda value: "the reference" if callable(value) else None)
    text = json.dumps(packer.pack(value))
    return Unpacker(packer.numbers(), lambda name: name).unpack(text)


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        3,
        0.1,
        math.inf,
        "text",
        [1, (2, [3])],
        {"a": 1, (1, 2): None},
        frozenset("ab"),
        torch.bool,
    ],
)
def test_a_plain_value_is_read_as_it_was(value: Any) -> None:
    assert again(value) == value
    assert type(again(value)) is type(value)


def test_tensors_and_draws_are_read_as_they_were() -> None:
    draw = Model({"embed_dim": 2}, torch.randn(1, 3, 2), torch.ones(3, 3, dtype=torch.bool), seed=3)
    first, second = again((draw, [Target(torch.empty(0, 2, dtype=torch.float64), 0.5), draw.x]))
    assert contents_key(first) == contents_key(draw)
    assert second[0].exact.shape == (0, 2) and torch.equal(second[1], draw.x)


def test_what_is_shared_stays_shared_and_equal_tensors_are_stored_once() -> None:
    draw = Model({}, torch.zeros(1_000))
    first, second = again((draw, draw))
    assert first is second
    packer = Packer(lambda _: None)
    packer.pack([torch.zeros(1_000), torch.zeros(1_000), torch.zeros(10, 100)])
    assert len(packer.numbers()) < 5_000


def test_what_is_no_data_is_a_name_or_is_refused() -> None:
    assert again([len]) == ["the reference"]
    with pytest.raises(NotPackable):
        Packer(lambda _: None).pack(len)


@pytest.mark.parametrize(
    "node",
    [
        {"c": "subprocess:Popen", "#": 0, "v": {"args": "true"}},
        {"c": "graders.check_api.compare:math", "#": 0, "v": {}},
        {"c": "graders.check_api.compare:Target", "#": 0, "v": {"other": 1}},
        {"c": "graders.not_loaded:Target", "#": 0, "v": {}},
        {"x": ["float32", 0, 1_000_000]},
        {"x": ["float32", -1, 1]},
        {"unknown": 1},
        {"r": 5},
    ],
)
def test_what_is_no_packed_value_is_refused(node: Any) -> None:
    with pytest.raises(BadKey):
        Unpacker(Packer(lambda _: None).numbers(), lambda _: None).unpack(json.dumps(node))


def test_a_tree_that_is_too_deep_is_refused() -> None:
    with pytest.raises(BadKey):
        Unpacker(Packer(lambda _: None).numbers(), lambda _: None).unpack("[" * 5_000 + "]" * 5_000)


def test_the_draws_of_checks_are_data() -> None:
    for exercise in load_assignment("attention").only(["split_heads", "feed_forward"]).exercises:
        for check in exercise.checks[:2]:
            for example in Draws(1).for_check(exercise, check)[:2]:
                assert contents_key(again(example.draw)) == contents_key(example.draw)
