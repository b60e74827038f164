"""Whatever a constructor's arguments are called, the way to bind them is found by trying."""

import linecache
import textwrap
from functools import cache
from typing import Any

import pytest
import torch

from graders.candidate.find_binding import (
    BindingTrial,
    Tried,
    find_binding,
    in_single_precision,
    same_answer,
    trial_of,
    with_other_input,
)
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

import torch
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
    return find_binding(ways, [trial(name)], try_way)


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
    assert find_binding(3, [due], lambda number, _: tried[number]) == 1


HEAD = """
        self.heads = nn.ModuleList(nn.Linear(WIDTH, EACH) for _ in range(3 * HEADS))
        self.join = nn.Linear(EACH * HEADS, WIDTH)
"""


def test_a_width_that_goes_out_is_that_of_a_head_where_the_parameters_say_so() -> None:
    name = "multi_head_attention"
    code = HEAD.replace("WIDTH", "dim_in").replace("EACH", "dim_out").replace("HEADS", "h")
    symbol = made(
        f"class MultiHeadAttention(nn.Module):\n"
        f"    def __init__(self, h: int, dim_in: int, dim_out: int):\n"
        f"        super().__init__()\n        self.taken = dim_out{code}"
        f"    def forward(self, x, mask=None):\n"
        f"        return self.join(torch.cat([head(x) for head in self.heads], -1)[..., :x.shape[-1]])\n",
        name,
    )
    number = find(symbol, name)
    assert construct(symbol, name, {"embed_dim": 12, "num_heads": 3}, number).taken == 4


def test_a_flag_is_turned_where_the_inputs_count_only_then() -> None:
    due = BindingTrial({}, (), values=4, outputs=((2, 3),))
    answer, shapes = torch.zeros(2, 3), {"w": (2, 2)}
    tried = [Tried(shapes, answer, ignores_an_input=True), Tried(shapes, answer)]
    assert find_binding(2, [due], lambda number, _: tried[number]) == 1


def test_a_way_that_fits_at_usual_sizes_alone_is_found_there() -> None:
    free, usual = (BindingTrial({"d": d}, (), values=4, outputs=((2, 3),)) for d in (5, 6))
    wrong, fits = Tried({"w": (2, 3)}, torch.zeros(2, 3)), Tried({"w": (2, 2)}, torch.zeros(2, 3))
    tried = {(0, 5): wrong, (1, 5): Tried(), (0, 6): wrong, (1, 6): fits}
    assert find_binding(2, [free, usual], lambda n, trial: tried[n, trial.config["d"]]) == 1
    assert find_binding(2, [free], lambda n, trial: tried[n, trial.config["d"]]) == 0


def test_a_further_draw_decides_between_ways_that_fit_equally() -> None:
    """As where code makes tensors of zeros in float32, so that no way runs in float64."""
    double = BindingTrial({}, [torch.ones(2, 3).double()], torch.float64, values=4, outputs=((2, 3),))
    single = in_single_precision(double)
    assert single.dtype == single.arguments[0].dtype == torch.float32  # type: ignore[index]
    more = {"w": (3, 3)}
    answers = [Tried(more, torch.zeros(2, 2)), Tried(more, torch.zeros(2, 3))]
    tried = {(0, "torch.float32"): answers[0], (1, "torch.float32"): answers[1]}
    trials = [double, single]
    assert find_binding(2, trials, lambda n, trial: tried.get((n, str(trial.dtype)), Tried(more))) == 1


def test_the_second_input_is_the_one_that_is_changed() -> None:
    x, memory, mask = torch.ones(2, 3), torch.ones(2, 3), torch.zeros(2, 2, dtype=torch.bool)
    assert with_other_input([x, mask]) is None
    changed = with_other_input([x, memory, mask])
    assert changed is not None
    assert changed[0] is x and changed[2] is mask
    assert not same_answer(memory, changed[1])
    assert same_answer((x, memory), [x, memory])
