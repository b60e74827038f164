"""What a tensor should be, and how far from it rounding may take a right answer.

The tolerance is never a constant. It is measured on the draw itself: how large is the rounding error of the
reference on these inputs? A right answer that sums in another order has an error of about the same size
(Higham, Accuracy and Stability of Numerical Algorithms, ch. 1).

Where float64 is due, a second tolerance is that of float32 on the same draw, for code with a constant or a
softmax of float32, or with an epsilon that float32 would not show: `graders.check_api.compare` remarks it.

To measure takes ten times as long as to compute. Most answers are so near to the exact values that no
measuring could refuse them, so a tolerance is measured only for the others.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial

import torch
from torch import Tensor

JITTERED = 3  # further inputs, slightly different, on which rounding is measured
EPS32 = torch.finfo(torch.float32).eps
SAFETY = 16.0  # another right algorithm may have this many times the measured rounding error

Compute = Callable[..., Sequence[Tensor]]


@dataclass(frozen=True)
class Target:
    """What a tensor should be: the exact values (float64) and the tolerance around them.

    `single` is wider: for an answer that is exact to float32's rounding alone; 0 where float64 is not due.
    """

    exact: Tensor
    tolerance: float
    single: float = 0.0

    @property
    def least(self) -> float:
        """What the tolerance is at least, known without measuring it."""
        return self.tolerance

    def loosen(self, times: float) -> "Target":
        """The same values with so many times the tolerance."""
        return LateTarget(
            lambda: self.exact,
            lambda: self.tolerance * times,
            lambda: self.least * times,
            lambda: self.single * times,
        )

    def widen(self, by: float) -> "Target":
        """The same values with a tolerance that is larger by so much."""
        return LateTarget(
            lambda: self.exact,
            lambda: self.tolerance + by,
            lambda: self.least + by,
            lambda: self.single and self.single + by,
        )

    def with_values(self, change: Callable[[Tensor], Tensor]) -> "Target":
        """The same tolerance around other values, which are computed when they are first needed."""
        return LateTarget(
            lambda: change(self.exact), lambda: self.tolerance, lambda: self.least, lambda: self.single
        )


class LateTarget(Target):
    """A target whose values and tolerance are computed when they are first needed.

    Args:
        exact: computes the values.
        tolerance: measures the tolerance.
        least: computes what the tolerance is at least.
        single: measures the tolerance of float32, where float64 is due; else it gives 0.
    """

    def __init__(
        self,
        exact: Callable[[], Tensor],
        tolerance: Callable[[], float],
        least: Callable[[], float],
        single: Callable[[], float],
    ) -> None:
        self.__dict__.update(_exact=exact, _tolerance=tolerance, _least=least, _single=single)

    @cached_property
    def exact(self) -> Tensor:
        """The exact values, in float64."""
        values: Tensor = self.__dict__["_exact"]()
        return values

    @cached_property
    def tolerance(self) -> float:
        """How far from them an answer may be."""
        return float(self.__dict__["_tolerance"]())

    @cached_property
    def least(self) -> float:
        """What the tolerance is at least."""
        return float(self.__dict__["_least"]())

    @cached_property
    def single(self) -> float:
        """How far from them an answer may be that is exact to float32's rounding alone."""
        return float(self.__dict__["_single"]())


def targets(compute: Compute, inputs: Sequence[Tensor], one_scale: bool = False) -> tuple[Target, ...]:
    """A target for each output of `compute(*inputs)`; `rounding` gives the tolerances."""
    exact = exactly(compute, inputs)
    least, coarser = least_rounding(exact, inputs, one_scale), coarser_single(inputs)
    errors = cache(partial(rounding, compute, inputs, one_scale))

    def late(place: int) -> Target:
        return LateTarget(
            lambda: exact[place],
            lambda: SAFETY * errors()[place],
            lambda: SAFETY * least[place],
            lambda: SAFETY * errors()[place] * coarser,
        )

    return tuple(map(late, range(len(exact))))


def target(
    exact: Tensor, error: float, equivalents: Sequence[Tensor] = (), coarser: float = 0.0, times: float = 1.0
) -> Target:
    """A target from exact values and the rounding error of computing them.

    Args:
        exact: the values.
        error: the rounding error.
        equivalents: values of equally right variants. The tolerance grows by twice the sum of their largest
            differences from `exact`, so that an answer that mixes several variants is accepted too.
        coarser: what `coarser_single` gives for the inputs.
        times: a factor on the tolerances.
    """
    spread = 2 * sum(largest((equivalent - exact).abs()) for equivalent in equivalents)
    tolerance, single = (SAFETY * error * each + spread for each in (1.0, coarser))
    return Target(exact, tolerance * times, single * times if coarser else 0.0)


def coarser_single(inputs: Sequence[Tensor]) -> float:
    """How many times coarser float32's rounding is than that of these inputs; 0 where it is not."""
    eps = _eps(inputs)
    return EPS32 / eps if 0 < eps < EPS32 else 0.0


def exactly(compute: Compute, inputs: Sequence[Tensor]) -> list[Tensor]:
    """The outputs, computed in float64."""
    return [value.double() for value in compute(*[_cast(i, torch.float64) for i in inputs])]


def least_rounding(exact: Sequence[Tensor], inputs: Sequence[Tensor], one_scale: bool = False) -> list[float]:
    """What `rounding` gives at least: one rounding of the largest value, of each output or of all."""
    eps, greatest = _eps(inputs), [largest(values.abs()) for values in exact]
    return [eps * (max(greatest) if one_scale else value) for value in greatest]


def rounding(compute: Compute, inputs: Sequence[Tensor], one_scale: bool = False) -> list[float]:
    """The rounding error of `compute` for each output, in the precision of the inputs.

    It is measured as float32 against float64, on the inputs and on `JITTERED` slightly different ones, since
    on a single input the rounding error may happen to be zero. For float64 inputs it is scaled down to
    float64's precision. It is at least one rounding of the output's largest value. With `one_scale` (for
    gradients) it is at least one rounding of the largest value of all outputs: a gradient can be exactly
    zero because terms as large as the other gradients cancel.
    """
    eps = _eps(inputs)
    errors: list[float] = []
    scale = 0.0
    for jitter in range(1 + JITTERED):
        jittered = [_cast(_jittered(i, jitter), torch.float32) for i in inputs]
        lows, highs = compute(*jittered), exactly(compute, jittered)
        pairs = zip(lows, highs, strict=True)
        measured = [
            max(largest((low - high).abs()) / EPS32, largest(high.abs())) * eps for low, high in pairs
        ]
        errors = [max(pair) for pair in zip(errors or measured, measured, strict=True)]
        scale = max(scale, *(largest(high.abs()) for high in highs))
    return [max(error, scale * eps) for error in errors] if one_scale else errors


def _eps(inputs: Sequence[Tensor]) -> float:
    return max((torch.finfo(i.dtype).eps for i in inputs if i.is_floating_point()), default=0.0)


def _cast(value: Tensor, dtype: torch.dtype) -> Tensor:
    return value.to(dtype) if value.is_floating_point() else value


def _jittered(value: Tensor, seed: int) -> Tensor:
    """The values changed by about a hundredth, differently for each seed; unchanged for seed 0."""
    if seed == 0 or not value.is_floating_point():
        return value
    generator = torch.Generator().manual_seed(seed)
    return value * (1 + 0.01 * torch.randn(value.shape, generator=generator, dtype=value.dtype))


def largest(values: Tensor) -> float:
    """The largest value; 0 where there is none."""
    return float(values.max()) if values.numel() else 0.0
