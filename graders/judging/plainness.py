"""How plainly a case shows a fault: by the two values that differ most, and by its inputs."""

import math
from dataclasses import fields
from typing import Any

from torch import Tensor

from graders.check_api.compare import Violation

PLAIN = 0.1  # a difference that is seen at once


def relative_difference(failure: Exception) -> float:
    """The difference of the two values that differ most, as a share of the larger one.

    It is infinite beside NaN and infinities, and where there are no two values: the message says all then.
    """
    if not isinstance(failure, Violation) or failure.worst is None:
        return math.inf
    if failure.expected is None or failure.actual is None:
        return math.inf
    expected, actual = (
        float(values.detach()[failure.worst]) for values in (failure.expected, failure.actual)
    )
    if not math.isfinite(expected) or not math.isfinite(actual):
        return math.inf
    largest = max(abs(expected), abs(actual))
    return abs(expected - actual) / largest if largest else 0.0


def is_plain(failure: Exception) -> bool:
    """Whether the fault is seen at once."""
    return relative_difference(failure) >= PLAIN


def has_plain_inputs(draw: Any) -> bool:
    """Whether all values of its tensors are integers and halves."""
    tensors = [value for field in fields(draw) if isinstance(value := getattr(draw, field.name), Tensor)]
    return all(bool((2 * t == (2 * t).round()).all()) for t in tensors if t.is_floating_point())
