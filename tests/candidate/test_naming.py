"""What is said where a student's parameters cannot be matched with the reference's."""

from typing import Any

import pytest
import torch

from graders.candidate.parameter_mapping.mapper import LISTED, ParameterMapper, Undecidable
from graders.check_api.check import Violation

NOBODY: Any = None


def said(found: dict[str, tuple[int, ...]], expected: dict[str, tuple[int, ...]]) -> list[str]:
    values = {name: torch.zeros(shape) for name, shape in expected.items()}
    with pytest.raises((Violation, Undecidable)) as refused:
        ParameterMapper(NOBODY, list).convert(values, found, {})
    return str(refused.value).splitlines()


def test_what_was_expected_and_what_was_found_stand_on_a_line_each() -> None:
    lines = said({"a": (2, 2)}, {"W.weight": (2, 2), "W.bias": (2,)})
    assert lines == ["the parameters should be W.weight (2, 2), W.bias (2,)", "but they are a (2, 2)"]
    assert said({}, {"w": (2,)})[1] == "but they are none"


def test_of_many_parameters_those_that_differ_stand_first() -> None:
    alike = {f"layers.{n}": (4,) for n in range(2 * LISTED)}
    expected, found = said({**alike, "z": (3,)}, {**alike, "last": (4,)})
    assert expected.startswith("the parameters should be last (4,), layers.0 (4,), ")
    assert found.startswith("but they are z (3,), layers.0 (4,), ")
    assert expected.endswith("and 21 more") and found.endswith("and 21 more")


def test_a_name_without_end_does_not_push_out_the_others() -> None:
    lines = said({"x" * 10_000: (1,), "y": (1,)}, {"w": (5,)})
    assert len(" ".join(lines)) < 400 and "y (1,)" in lines[-1]
