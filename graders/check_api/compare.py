"""Are two tensors equal up to rounding?

The tolerance is never a constant. It is measured on the draw itself: how large is the rounding error of the
reference on these inputs? A right answer that sums in another order has an error of about the same size
(Higham, Accuracy and Stability of Numerical Algorithms, ch. 1).
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Never

import torch
from torch import Tensor
from torch.nn import Parameter

from graders import language
from graders.check_api.describe import unlike_a_tensor
from graders.language import tr, trn

JITTERED = 3  # further inputs, slightly different, on which rounding is measured
EPS32 = torch.finfo(torch.float32).eps
SAFETY = 16.0  # another right algorithm may have this many times the measured rounding error


class Violation(Exception):
    """A check does not hold: a sentence for the student and, if tensors were compared, both of them."""

    def __init__(
        self,
        message: str,
        expected: Tensor | None = None,
        actual: Tensor | None = None,
        worst: tuple[int, ...] | None = None,
    ) -> None:
        super().__init__(message)
        self.expected = expected
        self.actual = actual
        self.worst = worst


@dataclass(frozen=True)
class Target:
    """What a tensor should be: the exact values (float64) and the tolerance around them."""

    exact: Tensor
    tolerance: float


Compute = Callable[..., Sequence[Tensor]]


def targets(compute: Compute, inputs: Sequence[Tensor], one_scale: bool = False) -> tuple[Target, ...]:
    """A target for each output of `compute(*inputs)`; `rounding` gives the tolerances."""
    return tuple(map(target, exactly(compute, inputs), rounding(compute, inputs, one_scale)))


def target(exact: Tensor, error: float, equivalents: Sequence[Tensor] = ()) -> Target:
    """A target from exact values and the rounding error of computing them.

    `equivalents` are values of equally right variants. The tolerance grows by twice the sum of their largest
    differences from `exact`, so that an answer that mixes several variants is accepted too.
    """
    spread = sum(_largest((equivalent - exact).abs()) for equivalent in equivalents)
    return Target(exact, SAFETY * error + 2 * spread)


def exactly(compute: Compute, inputs: Sequence[Tensor]) -> list[Tensor]:
    """The outputs, computed in float64."""
    return [value.double() for value in compute(*[_cast(i, torch.float64) for i in inputs])]


def rounding(compute: Compute, inputs: Sequence[Tensor], one_scale: bool = False) -> list[float]:
    """The rounding error of `compute` for each output, in the precision of the inputs.

    It is measured as float32 against float64, on the inputs and on `JITTERED` slightly different ones, since
    on a single input the rounding error may happen to be zero. For float64 inputs it is scaled down to
    float64's precision. It is at least one rounding of the output's largest value. With `one_scale` (for
    gradients) it is at least one rounding of the largest value of all outputs: a gradient can be exactly
    zero because terms as large as the other gradients cancel.
    """
    eps = max((torch.finfo(i.dtype).eps for i in inputs if i.is_floating_point()), default=0.0)
    errors: list[float] = []
    scale = 0.0
    for jitter in range(1 + JITTERED):
        jittered = [_cast(_jittered(i, jitter), torch.float32) for i in inputs]
        lows, highs = compute(*jittered), exactly(compute, jittered)
        pairs = zip(lows, highs, strict=True)
        measured = [
            max(_largest((low - high).abs()) / EPS32, _largest(high.abs())) * eps for low, high in pairs
        ]
        errors = [max(pair) for pair in zip(errors or measured, measured, strict=True)]
        scale = max(scale, *(_largest(high.abs()) for high in highs))
    return [max(error, scale * eps) for error in errors] if one_scale else errors


def agree(actual: Any, *accepted: Target, value_name: str | None = None) -> None:
    """Require that `actual` agrees with one of the accepted targets; a message shows the first of them.

    `value_name` is the name of the tensor in a message, translated; without it, "the output". The same holds
    for `value_name` in the functions below.

    Raises:
        Violation: it is not a tensor, has another shape, or other values. NaN and infinities are
            never within any tolerance.
    """
    shown = accepted[0]
    actual = tensor(actual, value_name)
    shaped(actual, tuple(shown.exact.shape), value_name)
    values = actual.detach().double()
    if not any(_within(values, target) for target in accepted):
        _differ(actual, shown, value_name)


def is_near(actual: Any, expected: Target) -> bool:
    """Whether `agree` holds."""
    try:
        agree(actual, expected)
    except Violation:
        return False
    return True


def same(actual: Any, expected: Tensor, value_name: str | None = None) -> None:
    """Require exactly equal values: for tensors that are rearranged, copied or computed a second time.

    Raises:
        Violation: it is not a tensor, has another shape, or other values.
    """
    agree(actual, Target(expected.double(), 0.0), value_name=value_name)


def alike(actual: Any, expected: Tensor, value_name: str | None = None) -> None:
    """Require two answers of the same code to agree to half of the dtype's digits.

    For properties where rounding errors are far smaller than that and every violation is far larger.

    Raises:
        Violation: it is not a tensor, has another shape, or other values.
    """
    eps = torch.finfo(expected.dtype).eps if expected.is_floating_point() else 0.0
    exact = expected.detach().double()  # of bools there is no absolute value
    agree(actual, Target(exact, eps**0.5 * max(1.0, _largest(exact.abs()))), value_name=value_name)


def tensor(value: Any, value_name: str | None = None) -> Tensor:
    """`value`, which is required to be one plain tensor.

    Raises:
        Violation: it is something else, and the message says what.
    """
    if type(value) is Tensor or type(value) is Parameter:  # exactly: a subclass can lie
        return value
    raise Violation(
        tr(
            "{what} should be a plain tensor, but is {kind}",
            what=_subject(value_name),
            kind=unlike_a_tensor(value),
        )
    )


def shaped(value: Tensor, shape: tuple[int, ...], value_name: str | None = None) -> None:
    """Require a shape.

    Raises:
        Violation: it has another, and the message gives both.
    """
    actual = tuple(value.shape)
    if actual != shape:
        message = tr(
            "{what} should have shape {shape}, but has {actual}",
            what=_subject(value_name),
            shape=shape,
            actual=actual,
        )
        raise Violation(message, actual=value)


def require(holds: bool, message: str) -> None:
    """Require a condition that is not a comparison of two tensors.

    Raises:
        Violation: with `message`, when the condition is false.
    """
    if not holds:
        raise Violation(message)


def number(value: float) -> str:
    """A number with at most four significant digits, as the language writes it."""
    return language.number(value, ".4g")


def _within(values: Tensor, target: Target) -> bool:
    # Not "none exceeds": a comparison with NaN is false, and NaN must never pass.
    return bool(((values - target.exact).abs() <= target.tolerance).all())


def _subject(value_name: str | None) -> str:
    return value_name or tr("the output")


def _differ(actual: Tensor, target: Target, value_name: str | None) -> Never:
    values = actual.detach().double()
    difference = (values - target.exact).abs()
    wrong = ~(difference <= target.tolerance)
    worst = _index(difference.nan_to_num(nan=math.inf, posinf=math.inf), values.shape)
    message = _difference_message(values, wrong, _largest(difference.detach()), target.tolerance, value_name)
    raise Violation(message, expected=target.exact.to(actual.dtype), actual=actual, worst=worst)


def _difference_message(
    values: Tensor, wrong: Tensor, largest: float, tolerance: float, value_name: str | None
) -> str:
    # In English one sentence serves singular and plural; in French the verb changes.
    values_of_message = {
        "all": values.numel(),
        "what": _subject(value_name),
        "largest": number(largest),
        "most": number(tolerance),
    }
    not_finite = ~torch.isfinite(values)
    if bool(not_finite.any()):
        return trn(
            "{n} of {all} values of {what} are NaN or infinite",
            "{n} of {all} values of {what} are NaN or infinite",
            int(not_finite.sum()),
            **values_of_message,
        )
    if tolerance:
        return trn(
            "{n} of {all} values of {what} differ, by up to {largest}; rounding explains at most {most}",
            "{n} of {all} values of {what} differ, by up to {largest}; rounding explains at most {most}",
            int(wrong.sum()),
            **values_of_message,
        )
    return trn(
        "{n} of {all} values of {what} differ",
        "{n} of {all} values of {what} differ",
        int(wrong.sum()),
        **values_of_message,
    )


def _index(values: Tensor, shape: torch.Size) -> tuple[int, ...]:
    flat, index = int(values.reshape(-1).argmax()), []
    for size in reversed(shape):
        flat, place = divmod(flat, size)
        index.append(place)
    return tuple(reversed(index))


def _cast(value: Tensor, dtype: torch.dtype) -> Tensor:
    return value.to(dtype) if value.is_floating_point() else value


def _jittered(value: Tensor, seed: int) -> Tensor:
    """The values changed by about a hundredth, differently for each seed; unchanged for seed 0."""
    if seed == 0 or not value.is_floating_point():
        return value
    generator = torch.Generator().manual_seed(seed)
    return value * (1 + 0.01 * torch.randn(value.shape, generator=generator, dtype=value.dtype))


def _largest(values: Tensor) -> float:
    return float(values.max()) if values.numel() else 0.0
