"""The message where a student's parameters cannot be matched with the reference's."""

from typing import Any

import pytest
import torch

from graders.candidate.parameter_mapping.mapper import LISTED, ParameterMapper
from graders.candidate.parameter_mapping.mapping import Undecidable
from graders.check_api.check import Violation
from graders.check_api.compare import OtherParameters

NOBODY: Any = None


def lines_of_message(actual: dict[str, tuple[int, ...]], expected: dict[str, tuple[int, ...]]) -> list[str]:
    values = {name: torch.zeros(shape) for name, shape in expected.items()}
    with pytest.raises((Violation, Undecidable)) as refused:
        ParameterMapper(NOBODY, list).convert(values, actual, {})
    return str(refused.value).splitlines()


def test_expected_and_actual_parameters_have_a_line_each() -> None:
    lines = lines_of_message({"a": (2, 2)}, {"W.weight": (2, 2), "W.bias": (2,)})
    assert lines == ["the parameters should be W.weight (2, 2), W.bias (2,)", "but they are a (2, 2)"]
    assert lines_of_message({}, {"w": (2,)})[1] == "but they are none"


def test_of_many_parameters_those_that_differ_come_first() -> None:
    alike = {f"layers.{n}": (4,) for n in range(2 * LISTED)}
    expected, actual = lines_of_message({**alike, "z": (3,)}, {**alike, "last": (4,)})
    assert expected.startswith("the parameters should be last (4,), layers.0 (4,), ")
    assert actual.startswith("but they are z (3,), layers.0 (4,), ")
    assert expected.endswith("and 21 more") and actual.endswith("and 21 more")


def test_an_endless_name_does_not_hide_the_others() -> None:
    lines = lines_of_message({"x" * 10_000: (1,), "y": (1,)}, {"w": (5,)})
    assert len(" ".join(lines)) < 400 and "y (1,)" in lines[-1]


TWO_LAYERS = {"in.weight": (8, 2), "in.bias": (8,), "out.weight": (2, 8), "out.bias": (2,)}


@pytest.mark.parametrize(
    ("actual", "kind"),
    [
        ({"gate": (8, 2), "up": (8, 2), "down": (2, 8)}, OtherParameters),
        ({"both": (2, 16), "scale": (64,)}, Undecidable),
        ({"table": (9, 2), "out": (2, 8), "bias": (99,)}, Undecidable),
    ],
    ids=["a gate beside them", "both in one matrix", "one more row"],
)
def test_a_layer_too_many_is_wrong_and_another_layout_is_not_decided(
    actual: dict[str, tuple[int, ...]], kind: type[Exception]
) -> None:
    values = {name: torch.zeros(shape) for name, shape in TWO_LAYERS.items()}
    with pytest.raises(kind):
        ParameterMapper(NOBODY, list, decides_other_layers=True).convert(values, actual, {})
    with pytest.raises(Undecidable):  # a known mistake may decide it first
        ParameterMapper(NOBODY, list).convert(values, actual, {})
