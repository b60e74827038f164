"""How a checks file describes the call that is timed.

A checks file whose exercise is timed defines `timed(length, heads=..., batch=...)`, which returns a `Timed`
for any length. If it defines `fused` (a function) or `Fused` (a class), that is PyTorch's own implementation,
and its time is shown beside the student's.
"""

from dataclasses import dataclass
from typing import Any

from softmark_worker.argument_shapes import flat_shapes


@dataclass(frozen=True)
class Timed:
    """A call to be timed: the shapes of its arguments of floating point, and those that follow them.

    A pair of tensors that is one argument is a pair of shapes: ((1, 2, 8), ((1, 5, 8), (1, 5, 8))). Where the
    symbol is a class, it is constructed with `config`, and the module is called. `flops` are the
    multiplications and additions that every implementation needs in a forward pass, where they are known.
    """

    inputs: tuple[tuple[Any, ...], ...]
    config: dict[str, Any] | None = None
    flops: float | None = None
    further: tuple[Any, ...] = ()

    @property
    def shapes(self) -> list[tuple[int, ...]]:
        """The shapes of all tensors, in their order."""
        return flat_shapes(self.inputs)


def flops_of_attention(
    batch: int, length: int, width: int, *, causal: bool = False, projections: int = 0
) -> float:
    """Multiplications and additions of attention whose heads are `width` wide together.

    Scores and weighted sums take 2*B*S*S*E each, and half of that where no position sees later ones; a
    projection from E to E takes 2*B*S*E*E.
    """
    attending = 4.0 * batch * length**2 * width / (2 if causal else 1)
    return attending + 2.0 * projections * batch * length * width**2
