"""The smallest case in which a check does not hold, with the tensors that a report draws."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TensorView:
    """A small tensor, as a report shows it.

    Attributes:
        shape: the sizes of its axes.
        dtype: PyTorch's name of it, such as `float32`.
        values: in row-major order, at most 1,024. NaN and infinities, which JSON lacks, are "nan", "inf"
            and "-inf"; booleans are 0 and 1.
        clipped: whether there are more values than `values` holds.
    """

    shape: tuple[int, ...]
    dtype: str
    values: tuple[float | str, ...]
    clipped: bool = False


@dataclass(frozen=True, slots=True)
class Input:
    """One argument of the smallest case.

    Attributes:
        name: of the argument.
        text: the argument in words: its shape and dtype, or its value.
        tensor: its values, where it is a tensor; else null.
        expression: its value in Python, where that is a number, True, False or None; else null.
    """

    name: str
    text: str
    tensor: TensorView | None = None
    expression: str | None = None


@dataclass(frozen=True, slots=True)
class Reach:
    """Who sees whom through layers of windows: what a position of the last layer depends on.

    Attributes:
        window: how many positions a layer sees on each side.
        seen: how many positions it depends on, in each layer from the last one down to the input.
        answer: how many of the input there are for the student's code.
    """

    window: int
    seen: tuple[int, ...]
    answer: int


@dataclass(frozen=True, slots=True)
class Case:
    """The smallest case found in which a check does not hold.

    Attributes:
        text: the whole case in a line.
        inputs: the arguments.
        expected: what should have been returned, where that is a tensor.
        actual: what the student's code returned, where that is a tensor.
        worst: the index into `expected` and `actual` where they differ most.
        reach: who sees whom, where the answer is how far layers of windows reach.
    """

    text: str
    inputs: tuple[Input, ...] = ()
    expected: TensorView | None = None
    actual: TensorView | None = None
    worst: tuple[int, ...] | None = None
    reach: Reach | None = None
