"""Of several failing cases the one is shown whose fault is seen at once."""

import math
from dataclasses import dataclass

import pytest
import torch

from graders.check_api.compare import Violation
from graders.judging.case_view import case_of, tensor_view
from graders.judging.plainness import has_plain_inputs, is_plain, relative_difference


def violation(expected: float, actual: float, worst: tuple[int, ...] | None = (0,)) -> Violation:
    values = (torch.tensor([value], dtype=torch.float64) for value in (expected, actual))
    return Violation("", *values, worst)


@pytest.mark.parametrize(
    ("failure", "share", "plain"),
    [
        (violation(1.0, 2.0), 0.5, True),
        (violation(-2.0, 2.0), 2.0, True),
        (violation(10.0, 9.0), 0.1, True),
        (violation(1.0, 0.91), 0.09, False),
        (violation(0.0, 0.0), 0.0, False),
        (violation(0.0, 1e-9), 1.0, True),
        (violation(1.0, math.nan), math.inf, True),
        (violation(math.inf, 1.0), math.inf, True),
        (violation(1.0, 1.01, None), math.inf, True),
        (Violation("a sentence", None, torch.ones(1), (0,)), math.inf, True),
        (Violation("a sentence", torch.ones(1), None, (0,)), math.inf, True),
        (ValueError("it raises"), math.inf, True),
    ],
)
def test_a_fault_is_plain_from_a_tenth_of_the_larger_value_on(failure: Exception, share: float, plain: bool):
    assert relative_difference(failure) == pytest.approx(share)
    assert is_plain(failure) is plain


@dataclass
class Inputs:
    """An input, and what is beside it."""

    x: torch.Tensor
    number: float = 0.3
    ids: torch.Tensor | None = None


@pytest.mark.parametrize(
    ("draw", "plain"),
    [
        (Inputs(torch.tensor([1.0, -2.5, 0.0])), True),
        (Inputs(torch.tensor([1.0, 0.25])), False),
        (Inputs(torch.tensor([0.3])), False),
        (Inputs(torch.tensor([3, 4]), ids=torch.tensor([0.7])), False),
        (Inputs(torch.tensor([3, 4])), True),
    ],
)
def test_plain_inputs_are_integers_and_halves(draw: Inputs, plain: bool):
    assert has_plain_inputs(draw) is plain


@pytest.mark.parametrize(
    ("actual", "written"),
    [
        (1.5, (1.0, 1.5)),
        (1.00000001, (1.0, 1.00000001)),
        (1.0000000001, (1.0, 1.0000000001)),
        (1.00000000000001, (1.0, 1.00000000000001)),
        (1.0, (1.0, 1.0)),
    ],
)
def test_two_values_that_differ_are_written_with_as_many_digits_as_tell_them_apart(
    actual: float, written: tuple[float, float]
):
    case = case_of(Inputs(torch.ones(1)), violation(1.0, actual))
    assert case.expected is not None and case.actual is not None
    assert (*case.expected.values, *case.actual.values) == written
    third = case_of(Inputs(torch.ones(1)), violation(1 / 3, actual)).expected
    assert third is not None and third.values == (0.3333333,)


@pytest.mark.parametrize(
    ("value", "text", "expression"),
    [
        (3, "n=3", "3"),
        (0.5, "n=0.5", "0.5"),
        (True, "n=True", "True"),
        (None, "no n", "None"),
        (math.nan, "n=nan", None),
        ("relu", "n=relu", None),
        (torch.float64, "float64", None),
        (torch.ones(2, 3), "n (2, 3) float32", None),
    ],
)
def test_an_input_says_its_value_and_is_python_where_that_is_finite(
    value: object, text: str, expression: str
):
    @dataclass
    class Drawn:
        config: dict[str, object]

    case = case_of(Drawn({"n": value}))
    [shown] = case.inputs
    assert (shown.name, shown.text, shown.expression) == ("n", text, expression)
    assert case.text == text
    assert (shown.tensor is not None) is isinstance(value, torch.Tensor)


def test_a_view_has_the_first_values_and_says_whether_there_are_more():
    assert not tensor_view(torch.zeros(1024)).clipped
    clipped = tensor_view(torch.arange(1025.0))
    assert clipped.clipped and clipped.values == tuple(map(float, range(1024)))
    assert tensor_view(torch.tensor([math.inf, -math.inf])).values == ("inf", "-inf")
