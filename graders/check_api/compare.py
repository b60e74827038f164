"""Are two tensors the same, as far as arithmetic can tell?

The tolerance is never a constant. It is measured on the draw itself: how far does rounding lead the
reference away from what it computes exactly? A right answer that sums in another order errs by about as
much (Higham, Accuracy and Stability of Numerical Algorithms, ch. 1).
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

ROLLS = 3
EPS32 = torch.finfo(torch.float32).eps
SAFETY = 16.0  # how many times the measured rounding error another right algorithm may err by


class Violation(Exception):
    """A check does not hold: a sentence for the student and, where there are any, both tensors."""

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
    """What a tensor should be: its exact values (float64) and how far from them rounding may lead."""

    exact: Tensor
    tolerance: float


Compute = Callable[..., Sequence[Tensor]]


def targets(compute: Compute, inputs: Sequence[Tensor], one_scale: bool = False) -> tuple[Target, ...]:
    """What `compute(*inputs)` should give, output by output, to within rounding (see `rounding`)."""
    return tuple(map(target, exactly(compute, inputs), rounding(compute, inputs, one_scale)))


def target(exact: Tensor, error: float, twins: Sequence[Tensor] = ()) -> Target:
    """A target from exact values and the rounding error of computing them.

    Where `twins` are just as right, twice the sum of their distances is tolerated too, and so what lies
    between, also where it is like one in this and like another in that.
    """
    apart = sum(_greatest((twin - exact).abs()) for twin in twins)
    return Target(exact, SAFETY * error + 2 * apart)


def exactly(compute: Compute, inputs: Sequence[Tensor]) -> list[Tensor]:
    """The outputs, computed in float64."""
    return [value.double() for value in compute(*[_cast(i, torch.float64) for i in inputs])]


def rounding(compute: Compute, inputs: Sequence[Tensor], one_scale: bool = False) -> list[float]:
    """How far rounding leads `compute` away, output by output, in the precision of the inputs.

    Measured as float32 against float64 on the inputs and on `ROLLS` slightly different ones, since on a
    single one rounding may happen to do nothing; for float64 inputs scaled down to float64's precision.
    Never less than one rounding of the greatest value; of all outputs with `one_scale`, as for gradients:
    where one of them is exactly zero, it is so by terms of the others' size that cancel.
    """
    eps = max((torch.finfo(i.dtype).eps for i in inputs if i.is_floating_point()), default=0.0)
    errors: list[float] = []
    scale = 0.0
    for roll in range(1 + ROLLS):
        rolled = [_cast(_jittered(i, roll), torch.float32) for i in inputs]
        lows, highs = compute(*rolled), exactly(compute, rolled)
        pairs = zip(lows, highs, strict=True)
        found = [
            max(_greatest((low - high).abs()) / EPS32, _greatest(high.abs())) * eps for low, high in pairs
        ]
        errors = [max(pair) for pair in zip(errors or found, found, strict=True)]
        scale = max(scale, *(_greatest(high.abs()) for high in highs))
    return [max(error, scale * eps) for error in errors] if one_scale else errors


def agree(actual: Any, *accepted: Target, what: str | None = None) -> None:
    """Require that `actual` is one of the accepted targets, the first being the one to show.

    A message calls it `what`, in the language that is spoken, or else the output; so in all that follow here.

    Raises:
        Violation: it is not a tensor, has another shape, or other values. NaN and infinities are
            never within any tolerance.
    """
    shown = accepted[0]
    actual = tensor(actual, what)
    shaped(actual, tuple(shown.exact.shape), what)
    values = actual.detach().double()
    if not any(_within(values, target) for target in accepted):
        _differ(actual, shown, what)


def same(actual: Any, expected: Tensor, what: str | None = None) -> None:
    """Require equal values to the last bit: for rearranged, copied and repeated tensors.

    Raises:
        Violation: it is not a tensor, has another shape, or other values.
    """
    agree(actual, Target(expected.double(), 0.0), what=what)


def alike(actual: Any, expected: Tensor, what: str | None = None) -> None:
    """Require two answers of the same code to agree in half of their digits.

    For properties that any rounding keeps and any violation breaks by far.

    Raises:
        Violation: it is not a tensor, has another shape, or other values.
    """
    eps = torch.finfo(expected.dtype).eps if expected.is_floating_point() else 0.0
    agree(
        actual,
        Target(expected.detach().double(), eps**0.5 * max(1.0, _greatest(expected.detach().abs()))),
        what=what,
    )


def tensor(value: Any, what: str | None = None) -> Tensor:
    """`value`, known to be one plain tensor.

    Raises:
        Violation: it is something else, and the message says what.
    """
    if type(value) is Tensor or type(value) is Parameter:  # exactly: a subclass can lie
        return value
    said = tr(
        "{what} should be a plain tensor, but is {kind}", what=_named(what), kind=unlike_a_tensor(value)
    )
    raise Violation(said)


def shaped(value: Tensor, shape: tuple[int, ...], what: str | None = None) -> None:
    """Require a shape.

    Raises:
        Violation: it has another, and the message gives both.
    """
    found = tuple(value.shape)
    if found != shape:
        named = _named(what)
        says = tr("{what} should have shape {shape}, but has {found}", what=named, shape=shape, found=found)
        raise Violation(says, actual=value)


def require(holds: bool, message: str) -> None:
    """Require anything that is not about two tensors.

    Raises:
        Violation: with `message`, when it does not hold.
    """
    if not holds:
        raise Violation(message)


def number(value: float) -> str:
    """A number in at most four figures, as the language writes it."""
    return language.number(value, ".4g")


def _within(values: Tensor, target: Target) -> bool:
    # Not "no difference exceeds": a comparison with NaN is false, and NaN must never pass.
    return bool(((values - target.exact).abs() <= target.tolerance).all())


def _named(what: str | None) -> str:
    return what or tr("the output")


def _differ(actual: Tensor, target: Target, what: str | None) -> Never:
    values = actual.detach().double()
    difference = (values - target.exact).abs()
    wrong = ~(difference <= target.tolerance)
    worst = _index(difference.nan_to_num(nan=math.inf, posinf=math.inf), values.shape)
    message = _told(values, wrong, target.tolerance, what)
    raise Violation(message, expected=target.exact.to(actual.dtype), actual=actual, worst=worst)


def _told(values: Tensor, wrong: Tensor, tolerance: float, what: str | None) -> str:
    # One English sentence serves any number; the French verb needs to know.
    told = {"all": values.numel(), "what": _named(what), "most": number(tolerance)}
    odd = ~torch.isfinite(values)
    if bool(odd.any()):
        return trn(
            "{n} of {all} values of {what} are NaN or infinite",
            "{n} of {all} values of {what} are NaN or infinite",
            int(odd.sum()),
            **told,
        )
    if tolerance:
        return trn(
            "{n} of {all} values of {what} differ by more than rounding, {most}",
            "{n} of {all} values of {what} differ by more than rounding, {most}",
            int(wrong.sum()),
            **told,
        )
    return trn(
        "{n} of {all} values of {what} differ",
        "{n} of {all} values of {what} differ",
        int(wrong.sum()),
        **told,
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
    """Values about a hundredth off, other ones for each seed; as they are for 0."""
    if seed == 0 or not value.is_floating_point():
        return value
    generator = torch.Generator().manual_seed(seed)
    return value * (1 + 0.01 * torch.randn(value.shape, generator=generator, dtype=value.dtype))


def _greatest(values: Tensor) -> float:
    return float(values.max()) if values.numel() else 0.0
