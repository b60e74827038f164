"""Are two tensors the same, as far as arithmetic can tell?

The tolerance is never a constant. It is measured on the draw itself: how far does the reference move
when it is computed in the draw's own precision, and when its inputs are moved by one rounding error?
A right answer that sums in another order errs by as much (a backward-stable algorithm gives the exact
answer to slightly moved inputs: Higham, Accuracy and Stability of Numerical Algorithms, ch. 1).
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Never

import torch
from torch import Tensor

from graders.worker.wire import Other

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


def targets(compute: Compute, inputs: Sequence[Tensor], also: Compute | None = None) -> tuple[Target, ...]:
    """What `compute(*inputs)` should give, output by output.

    Floating inputs are computed with in float64 (exact), as they are, and moved by one unit of their
    rounding; the greatest difference, times `SAFETY`, is the tolerance. Where `also` is just as right,
    twice its difference is tolerated too, and with it what lies between the two.
    """
    eps = max((torch.finfo(i.dtype).eps for i in inputs if i.is_floating_point()), default=0.0)
    exactly = [_exactly(i) for i in inputs]
    exact = compute(*exactly)
    others = [compute(*inputs), compute(*[_moved(i, number) for number, i in enumerate(inputs)])]
    twins = also(*exactly) if also else exact
    found = []
    for number, values in enumerate(exact):
        errors = [_greatest((other[number].double() - values).abs()) for other in others]
        rounding = SAFETY * max(*errors, eps * _greatest(values.abs()))
        found.append(Target(values.double(), rounding + 2 * _greatest((twins[number] - values).abs())))
    return tuple(found)


def agree(actual: Any, *accepted: Target, what: str = "the output") -> None:
    """Require that `actual` is one of the accepted targets, the first being the one to show.

    Raises:
        Violation: it is not a tensor, has another shape, or other values. NaN and infinities are
            never within any tolerance.
    """
    shown = accepted[0]
    actual = tensor(actual, what)
    shaped(actual, tuple(shown.exact.shape), what)
    values = actual.double()
    if not any(_within(values, target) for target in accepted):
        _differ(values, shown, what)


def same(actual: Any, expected: Tensor, what: str = "the output") -> None:
    """Require equal values to the last bit: for rearranged, copied and repeated tensors.

    Raises:
        Violation: it is not a tensor, has another shape, or other values.
    """
    agree(actual, Target(expected.double(), 0.0), what=what)


def alike(actual: Any, expected: Tensor, what: str = "the output") -> None:
    """Require two answers of the same code to agree in half of their digits.

    For properties that any rounding keeps and any violation breaks by far.

    Raises:
        Violation: it is not a tensor, has another shape, or other values.
    """
    eps = torch.finfo(expected.dtype).eps if expected.is_floating_point() else 0.0
    agree(actual, Target(expected.double(), eps**0.5 * max(1.0, _greatest(expected.abs()))), what=what)


def tensor(value: Any, what: str = "the output") -> Tensor:
    """`value`, known to be one plain tensor.

    Raises:
        Violation: it is something else, and the message says what.
    """
    if isinstance(value, Tensor):
        return value
    raise Violation(f"{what} should be one tensor, but is {kind(value)}")


def shaped(value: Tensor, shape: tuple[int, ...], what: str = "the output") -> None:
    """Require a shape.

    Raises:
        Violation: it has another, and the message gives both.
    """
    if tuple(value.shape) != shape:
        raise Violation(f"{what} should have shape {shape}, but has {tuple(value.shape)}", actual=value)


def require(holds: bool, message: str) -> None:
    """Require anything that is not about two tensors.

    Raises:
        Violation: with `message`, when it does not hold.
    """
    if not holds:
        raise Violation(message)


def kind(value: Any) -> str:
    """What a value is, in the words of a message."""
    if value is None:
        return "None"
    if isinstance(value, tuple | list):
        return f"a {type(value).__name__} of {len(value)}"
    if isinstance(value, Tensor):
        return f"a tensor of shape {tuple(value.shape)}"
    name = value.type if isinstance(value, Other) else type(value).__name__
    return f"a {name}" if name[:1] not in "aeiou" else f"an {name}"


def number(value: float) -> str:
    """A number in at most four figures."""
    return f"{value:.4g}"


def _within(values: Tensor, target: Target) -> bool:
    # Not "no difference exceeds": a comparison with NaN is false, and NaN must never pass.
    return bool(((values - target.exact).abs() <= target.tolerance).all())


def _differ(values: Tensor, target: Target, what: str) -> Never:
    difference = (values - target.exact).abs()
    wrong = ~(difference <= target.tolerance)
    worst = _index(difference.nan_to_num(nan=math.inf, posinf=math.inf), values.shape)
    place = f"at {list(worst)}" if worst else "there"
    message = (
        f"{int(wrong.sum())} of {values.numel()} values of {what} differ; most of all {place}: "
        f"expected {number(target.exact[worst].item())}, got {number(values[worst].item())}"
    )
    if target.tolerance:
        message += f" (allowed difference {number(target.tolerance)})"
    raise Violation(message, expected=target.exact, actual=values, worst=worst)


def _index(values: Tensor, shape: torch.Size) -> tuple[int, ...]:
    flat = int(values.reshape(-1).argmax())
    return tuple(int(i) for i in torch.unravel_index(torch.tensor(flat), shape))


def _exactly(value: Tensor) -> Tensor:
    return value.double() if value.is_floating_point() else value


def _moved(value: Tensor, seed: int) -> Tensor:
    if not value.is_floating_point():
        return value
    generator = torch.Generator().manual_seed(seed)
    signs = torch.randint(0, 2, value.shape, generator=generator) * 2 - 1
    return value.double() * (1 + torch.finfo(value.dtype).eps * signs)


def _greatest(values: Tensor) -> float:
    return float(values.max()) if values.numel() else 0.0
