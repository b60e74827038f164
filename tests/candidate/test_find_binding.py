"""Whatever a constructor's arguments are called, the way to bind them is found by trying."""

import linecache
import textwrap
from functools import cache
from typing import Any

import pytest
import torch

from graders.candidate.find_binding import BindingTrial, Tried, find_binding, trial_of
from graders.course.exercise import Exercise, assignment_names, load_assignment
from graders.course.reference import reference
from graders.judging.draws import Draws
from softmark_worker import bind_arguments
from tests.candidate.spellings import CONFIGURATIONS, SPELLINGS

DRAWS = Draws(7)
IMPORTS = """
import argparse
from dataclasses import dataclass
from types import SimpleNamespace
from typing import NamedTuple, Optional

from torch import nn
"""
LINES = [(name, line.strip()) for name, lines in SPELLINGS.items() for line in lines.strip().splitlines()]


@cache
def exercise(name: str) -> Exercise:
    """The exercise of this name."""
    return next(e for a in assignment_names() for e in load_assignment(a).exercises if e.name == name)


@cache
def trial(name: str) -> BindingTrial:
    """The draw on which ways to bind its constructor are tried."""
    return trial_of(DRAWS.mapping_draws(exercise(name))[0])


def spelled(name: str, line: str) -> type:
    """The reference with another signature, which notes what it takes for the contract's arguments."""
    signature, _, uses = line.partition(" -> ")
    order = exercise(name).signatures["__init__"]
    taken = ", ".join(
        f"{ours!r}: {use}" for ours, use in zip(order, uses.split(", "), strict=True) if use != "-"
    )
    return made(
        f"""
class {exercise(name).symbol}(Reference):
    def __init__(self, {signature}):
        taken = {{{taken}}}
        super().__init__(**taken)
""",
        name,
    )


def made(code: str, name: str) -> type:
    """The class of an exercise that code defines beside `Reference`, which notes what it is given."""
    names = exercise(name).signatures["__init__"]

    class Reference(reference(name, exercise(name).symbol)):
        def __init__(self, *args, **kwargs):
            super().__init__(*args, **kwargs)
            self.taken = dict(zip(names, args, strict=False)) | kwargs

    namespace = {"Reference": Reference, "__name__": "handed_in"}
    text, label = IMPORTS + textwrap.dedent(code), f"<{len(linecache.cache)}>"
    linecache.cache[label] = (len(text), None, text.splitlines(keepends=True), label)  # as in the box
    exec(compile(text, label, "exec"), namespace)
    symbol: type = namespace[exercise(name).symbol]
    return symbol


def construct(symbol: type, name: str, config: dict[str, Any], number: int) -> Any:
    e = exercise(name)
    made, _ = bind_arguments.construct(
        symbol, [], config, e.signatures["__init__"], dict(e.defaults), e.symbol, {}, number
    )
    return made


def find(symbol: type, name: str) -> int:
    """The number of the way that is found."""

    def try_way(number: int, trial: BindingTrial) -> Tried:
        try:
            made = construct(symbol, name, dict(trial.config), number).to(trial.dtype).eval()
            shapes = {path: tuple(value.shape) for path, value in made.named_parameters()}
        except Exception:
            return Tried()
        try:
            return Tried(shapes, made(*trial.arguments))
        except Exception:
            return Tried(shapes)

    e = exercise(name)
    config = dict(trial(name).config)
    ways = bind_arguments.count_assignments(
        symbol, config, e.signatures["__init__"], dict(e.defaults), e.symbol
    )
    return find_binding(ways, trial(name), try_way)


@pytest.mark.parametrize(("name", "line"), LINES)
def test_each_argument_gets_the_value_that_the_code_uses_it_as(name: str, line: str) -> None:
    symbol = spelled(name, line)
    config = dict(trial(name).config)
    taken = construct(symbol, name, config, find(symbol, name)).taken
    assert {ours: value for ours, value in taken.items() if ours in config and value != config[ours]} == {}


@pytest.mark.parametrize("code", [pytest.param(code, id=name) for name, code in CONFIGURATIONS.items()])
def test_sizes_may_come_from_a_configuration(code: str) -> None:
    name = "multi_head_attention"
    symbol = made(code, name)
    number = find(symbol, name)
    for config in (dict(trial(name).config), {"embed_dim": 6, "num_heads": 2}):
        assert construct(symbol, name, config, number).taken == config


def test_the_values_of_the_parameters_weigh_more_than_an_answer() -> None:
    due = BindingTrial({}, (), values=6, outputs=((2, 3),))
    tried = [Tried({"w": (2, 2)}, torch.zeros(2, 3)), Tried({"w": (2, 3)}), Tried()]
    assert find_binding(3, due, lambda number, _: tried[number]) == 1
