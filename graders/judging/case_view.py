"""A draw and two tensors as a report shows them: plain data of bounded size."""

import math
from dataclasses import fields
from typing import Any

import torch
from torch import Tensor

from graders.check_api.compare import Violation
from graders.language import tr
from graders.results.case import Case, Input, TensorView
from graders.safe_text import safe_text

VALUES = 1_024  # numbers of a tensor in a report, at most
DIGITS = (7, 9, 12, 17)  # of a number: more where values that differ would be written alike


def case_of(draw: Any, violation: Violation | None = None) -> Case:
    """A draw as a case, with the expected and the actual tensor of the violation, if it has them."""
    inputs = tuple(_inputs(draw))
    text = ", ".join(part for part in (i.text for i in inputs) if part)
    if violation is None:
        return Case(text, inputs)
    expected, actual = violation.expected, violation.actual
    digits = _digits_apart(expected, actual, violation.worst)
    return Case(
        text=text,
        inputs=inputs,
        expected=None if expected is None else tensor_view(expected, digits),
        actual=None if actual is None else tensor_view(actual, digits),
        worst=violation.worst,
        reach=violation.reach,
    )


def tensor_view(tensor: Tensor, digits: int = DIGITS[0]) -> TensorView:
    """A tensor as numbers for JSON with so many significant digits, at most `VALUES` of them."""
    values = tensor.detach().reshape(-1)
    numbers = tuple(_number(v, digits) for v in values[:VALUES].tolist())
    return TensorView(tuple(tensor.shape), _dtype(tensor), numbers, values.numel() > VALUES)


def _digits_apart(expected: Tensor | None, actual: Tensor | None, worst: tuple[int, ...] | None) -> int:
    """As few digits as tell the two values that differ most from each other."""
    if expected is None or actual is None or worst is None:
        return DIGITS[0]
    pair = [float(tensor.detach()[worst]) for tensor in (expected, actual)]
    return next((n for n in DIGITS if len({_number(value, n) for value in pair}) > 1), DIGITS[0])


def _inputs(draw: Any) -> list[Input]:
    pairs: list[tuple[str, Any]] = []
    for field in fields(draw):
        if not field.metadata.get("hidden"):
            value = getattr(draw, field.name)
            pairs += value.items() if isinstance(value, dict) else [(field.name, value)]
    return [_input(name, value) for name, value in pairs]


def _input(name: str, value: Any) -> Input:
    if isinstance(value, Tensor):
        return Input(name, f"{name} {tuple(value.shape)} {_dtype(value)}", tensor_view(value))
    if value is None:
        return Input(name, tr("no {name}", name=name), expression="None")
    if isinstance(value, torch.dtype):
        return Input(name, str(value).removeprefix("torch."))
    finite = isinstance(value, int | float) and math.isfinite(value)
    return Input(name, safe_text(f"{name}={value}", 200), expression=repr(value) if finite else None)


def _number(value: float | bool, digits: int) -> float | str:
    value = float(value)
    if not math.isfinite(value):
        return str(value)
    return float(f"{value:.{digits}g}")


def _dtype(tensor: Tensor) -> str:
    return str(tensor.dtype).removeprefix("torch.")
