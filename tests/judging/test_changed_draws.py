"""Draws and answers that are changed keep all but what is changed."""

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from graders.check_api.candidate import Raised
from graders.check_api.target import Target
from graders.check_api.usual_sizes import inner_width
from graders.judging.loosen import LOOSER, loosen
from graders.judging.mapping_draws import for_mapping
from graders.judging.own_sizes import LARGEST, find_own_size, values_at_sizes

TARGET = Target(torch.ones(2).double(), 0.5)


@dataclass
class Answer:
    """An answer with targets in it."""

    output: Target
    others: dict[str, Any]
    width: int


def test_every_tolerance_in_an_answer_is_wider_and_nothing_else_changes():
    wider = loosen((Answer(TARGET, {"weights": [TARGET], "name": "x"}, 3), None, Answer), 4.0)
    [answer, nothing, kind] = wider
    assert (answer.output.tolerance, answer.others["weights"][0].tolerance) == (2.0, 2.0)
    assert answer.output.least == 2.0
    assert torch.equal(answer.output.exact, TARGET.exact)
    assert (answer.others["name"], answer.width, nothing, kind, type(wider)) == ("x", 3, None, Answer, tuple)
    assert LOOSER == {"cpu": 1.0, "cuda": 4.0}


@dataclass(frozen=True)
class Model:
    """A draw of a model, with or without a mask."""

    config: dict[str, int]
    number: int
    mask: torch.Tensor | None = None

    @property
    def masked(self) -> bool:
        """Whether it has a mask."""
        return self.mask is not None

    @property
    def arguments(self) -> tuple[Any, ...]:
        """What the model is called with."""
        return torch.zeros(1, 2, 3, 4), self.mask

    def without_mask(self) -> "Model":
        """The same without it."""
        return Model(self.config, self.number)


@pytest.mark.parametrize(
    ("config", "chosen"),
    [
        ({"embed_dim": 12, "num_heads": 3}, {"embed_dim": 12, "num_heads": 4}),
        ({"hidden_size": 8, "num_heads": 2}, {"hidden_size": 8, "num_heads": 4}),
        ({"embed_dim": 6, "num_heads": 3}, {"embed_dim": 6, "num_heads": 3}),
        ({"embed_dim": 12}, {"embed_dim": 12}),
    ],
)
def test_a_mapping_is_looked_for_on_three_draws_without_a_mask_and_then_on_masked_ones(
    config: dict[str, int], chosen: dict[str, int]
):
    masks = (torch.zeros(3, 3), None, torch.zeros(2, 1, 3, 3), torch.zeros(2, 4, 3, 3), None)
    draws = [Model(config, number, mask) for number, mask in enumerate(masks)]
    found = for_mapping(draws)
    assert [(draw.number, draw.masked) for draw in found] == [
        (0, False),
        (1, False),
        (2, False),
        (0, True),
        (2, True),
    ]
    assert all(draw.config == chosen for draw in found)
    assert draws[0].config == config
    assert for_mapping([]) == []


CONFIGS = [{"width": 4}, {"width": 6}, {"width": 4}]
INNER = inner_width("inner", "width", "has_layers")


class Network(torch.nn.Module):
    """Two matrices between a width and an inner width."""

    def __init__(self, width: int, inner: int, bias: bool = True) -> None:
        super().__init__()
        self.wide = torch.nn.Linear(width, inner, bias=bias)
        self.narrow = torch.nn.Linear(inner, width, bias=bias)


def found_in(inner_of: Any) -> Any:
    def construct(width: int) -> Any:
        network = Network(width, inner_of(width), bias=False)
        return SimpleNamespace(parameters=lambda: dict(network.named_parameters()))

    candidate: Any = SimpleNamespace(construct=construct)
    return find_own_size(INNER, values_at_sizes(Network, [INNER], CONFIGS), candidate, CONFIGS)


@pytest.mark.parametrize(
    ("inner_of", "formula"),
    [
        (lambda width: 4 * width, "4 * width"),
        (lambda width: 3 * width, "3 * width"),
        (lambda width: width, "width"),
        (lambda width: width // 2, "1/2 * width"),
        (lambda width: 10, "10"),
        (lambda width: LARGEST + 2, "4 * width"),
        (lambda width: width + 1, "4 * width"),
    ],
)
def test_the_number_of_values_tells_the_inner_width_that_code_has(inner_of: Any, formula: str):
    size = found_in(inner_of)
    assert size.formula == formula
    assert size.own is (formula != "4 * width")
    assert (size is INNER) is (not size.own)
    if size.own:
        assert [size.usual({"width": width}) for width in (4, 6)] == [inner_of(4), inner_of(6)]


def test_code_that_raises_or_has_one_configuration_shows_no_size_of_its_own():
    def refuse(width: int) -> Any:
        raise Raised("ValueError", "ValueError")

    candidate: Any = SimpleNamespace(construct=refuse)
    values = values_at_sizes(Network, [INNER], CONFIGS)
    assert sorted(values) == [("inner", "{'width': 4}"), ("inner", "{'width': 6}")]
    assert values["inner", "{'width': 4}"] == (16, 24)  # matrices with an inner width of 2 and 3
    assert find_own_size(INNER, values, candidate, CONFIGS) is INNER
    assert values_at_sizes(Network, [INNER], CONFIGS[:1]) == {}
