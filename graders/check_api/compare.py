"""Are two tensors equal up to rounding? Tolerances come from `graders.check_api.target`.

Where float64 is due, an answer may be exact to float32's rounding alone: a constant, a softmax or the whole
is of that dtype, or a number as small as 1e-9 is added. In practice nothing shows it, so it is a remark. That
is decided here for every check, in `agree`, `same`, `alike` and `has_dtype`.
"""

import math
from collections.abc import Sequence
from typing import Any, Never

import torch
from torch import Tensor
from torch.nn import Parameter

from graders import language
from graders.check_api.describe import unlike_a_tensor
from graders.check_api.noticed import note_compared, notice
from graders.check_api.target import EPS32, Target, largest
from graders.language import tr, translatable, trn
from graders.results.case import Reach

MOST_VALUES = 1 << 22  # of an answer that is judged: no right one has so many; in float64 they take 32 MB

MOST_DRAWN = 10**6  # positions of an answer that is drawn as a length

SINGLE = 64 * EPS32  # of the largest value: some roundings of float32
FLOATS = (torch.float32, torch.float64)  # the dtypes that one may compute in
IN_SINGLE = translatable(
    "remark: exact to float32's rounding only: is a constant of that dtype, or a small number added?"
)


class Violation(Exception):
    """A check does not hold: a sentence for the student and, if tensors were compared, both of them.

    `reach` is drawn on the student's page, where the answer is how far layers of windows see. `actual` is
    kept only up to MOST_VALUES: failures of many draws live at once.
    """

    def __init__(
        self,
        message: str,
        expected: Tensor | None = None,
        actual: Tensor | None = None,
        worst: tuple[int, ...] | None = None,
        reach: Reach | None = None,
    ) -> None:
        super().__init__(message)
        self.expected = expected
        self.actual = actual if actual is not None and actual.numel() <= MOST_VALUES else None
        self.worst = worst
        self.reach = reach


class NoTensor(Violation):
    """Something else came back where one plain tensor was due."""


class OtherParameters(Violation):
    """A module lacks parameters, or they have shapes that do not follow from its configuration."""


class OtherCount(Violation):
    """A module has more or fewer values in its parameters than are due."""


def agree(actual: Any, *accepted: Target, value_name: str | None = None) -> None:
    """Require that `actual` agrees with one of the accepted targets; a message shows the first of them.

    With a remark where it does so to float32's rounding alone.

    `value_name` is the name of the tensor in a message, translated; without it, "the output". The same holds
    for `value_name` in the functions below.

    Raises:
        Violation: it is not a tensor, has another shape, or other values. NaN and infinities are
            never within any tolerance.
    """
    if not _agrees(actual, accepted, value_name):
        notice(tr(IN_SINGLE))


def is_near(actual: Any, *accepted: Target) -> bool:
    """Whether `agree` holds."""
    try:
        _agrees(actual, accepted)
    except Violation:
        return False
    return True


def _agrees(actual: Any, accepted: Sequence[Target], value_name: str | None = None) -> bool:
    """Whether it agrees to the rounding that is due; False where it does to float32's alone.

    Raises:
        Violation: it does not agree.
    """
    shown = accepted[0]
    actual = _plain(actual, value_name)
    shaped(actual, tuple(shown.exact.shape), value_name)
    values = actual.detach().double()
    if any(_within(values, target) for target in accepted):
        return True
    if not any(_within_single(values, target) for target in accepted):
        _differ(actual, shown, value_name)
    return False


def same(actual: Any, expected: Tensor, value_name: str | None = None) -> None:
    """Require exactly equal values: for tensors that are rearranged, copied or computed a second time.

    With a remark where float64 is due and the values are these in float32.

    Raises:
        Violation: it is not a tensor, has another shape, or other values.
    """
    note_compared(actual, expected)
    try:
        agree(actual, Target(expected.double(), 0.0), value_name=value_name)
    except Violation:
        if not _is_rounded(actual, expected):
            raise
        notice(tr(IN_SINGLE))


def has_dtype(value: Tensor, due: torch.dtype) -> None:
    """Require a dtype, which a computation keeps; float32 and float64 in one another's place are remarked.

    Raises:
        Violation: it is another.
    """
    if value.dtype != due and value.dtype in FLOATS and due in FLOATS:
        notice(tr("remark: the dtype should stay {due}, but is {dtype}", due=due, dtype=value.dtype))
        return
    message = tr("the dtype should stay {due}, but is {dtype}", due=due, dtype=value.dtype)
    require(value.dtype == due, message)


def is_same(actual: Any, expected: Tensor) -> bool:
    """Whether `same` holds."""
    return is_near(actual, Target(expected.double(), 0.0)) or _is_rounded(actual, expected)


def alike(actual: Any, expected: Tensor, value_name: str | None = None) -> None:
    """Require two answers of the same code to agree to half of the dtype's digits.

    For properties where rounding errors are far smaller than that and every violation is far larger. With a
    remark where answers in float64 agree as if they were of float32.

    Raises:
        Violation: it is not a tensor, has another shape, or other values.
    """
    note_compared(actual, expected)
    both = [t.dtype for t in (actual, expected) if isinstance(t, Tensor) and t.is_floating_point()]
    eps = (
        max((torch.finfo(dtype).eps for dtype in both), default=0.0) if expected.is_floating_point() else 0.0
    )
    exact = expected.detach().double()  # of bools there is no absolute value
    size = max(1.0, largest(exact.abs()))
    single = SINGLE * size if expected.dtype == torch.float64 else 0.0
    agree(actual, Target(exact, eps**0.5 * size, single), value_name=value_name)


def tensor(value: Any, value_name: str | None = None) -> Tensor:
    """`value`, which is required to be one plain tensor of at most MOST_VALUES.

    Raises:
        Violation: it is something else, and the message says what.
    """
    plain = _plain(value, value_name)
    if plain.numel() <= MOST_VALUES:
        return plain
    message = tr(
        "{what} has shape {shape}: more values than can be judged ({most})",
        what=_subject(value_name),
        shape=tuple(plain.shape),
        most=language.number(MOST_VALUES, ","),
    )
    raise Violation(message)


def _plain(value: Any, value_name: str | None) -> Tensor:
    if type(value) is Tensor or type(value) is Parameter:  # exactly: a subclass can lie
        return value
    raise NoTensor(
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


def in_form_of(value: Tensor, shape: Sequence[int]) -> Tensor | None:
    """A tensor in the form of another: with its axes of size 1, or with the first two exchanged.

    A check of its own is about the form of an output; what it computes is compared in the form that is due.

    Args:
        value: the tensor.
        shape: of the other.

    Returns:
        the tensor as it is where the shape is its own; None where it has other sizes.
    """
    due = tuple(shape)
    if tuple(n for n in value.shape if n > 1) == tuple(n for n in due if n > 1):
        return value.reshape(due)
    exchanged = value.transpose(0, 1) if value.dim() > 1 else value
    return exchanged.contiguous() if tuple(exchanged.shape) == due else None


def require(holds: bool, message: str) -> None:
    """Require a condition that is not a comparison of two tensors.

    Raises:
        Violation: with `message`, when the condition is false.
    """
    if not holds:
        raise Violation(message)


def require_reach(answer: int, window: int, seen: Sequence[int], message: str) -> None:
    """Require that layers of windows reach so many positions; if not, the page draws who sees whom.

    Args:
        answer: the number of positions of the input that the code gives.
        window: how many positions a layer sees on each side.
        seen: how many positions the middle one depends on, from the last layer down to the input.
        message: for an answer that is not the last of `seen`.

    Raises:
        Violation: with `message`, when it is not.
    """
    if answer != seen[-1]:
        drawable = abs(answer) < MOST_DRAWN  # a wrong one may have any number of digits
        raise Violation(message, reach=Reach(window, tuple(seen), answer) if drawable else None)


def number(value: float) -> str:
    """A number with at most four significant digits, as the language writes it."""
    return language.number(value, ".4g")


def _within(values: Tensor, target: Target) -> bool:
    difference = (values - target.exact).abs()
    # Not "none exceeds": a comparison with NaN is false, and NaN must never pass. The least tolerance comes
    # first: most answers are within it, and to measure the whole takes long.
    return bool((difference <= target.least).all()) or bool((difference <= target.tolerance).all())


def _within_single(values: Tensor, target: Target) -> bool:
    return target.single > 0 and bool(((values - target.exact).abs() <= target.single).all())


def _is_rounded(actual: Any, expected: Tensor) -> bool:
    """Whether values of float64 are due, and these are there in float32."""
    plain = type(actual) is Tensor or type(actual) is Parameter
    due = expected.dtype == torch.float64 and plain and actual.is_floating_point()
    return due and torch.equal(actual.detach().float(), expected.detach().float())


def _subject(value_name: str | None) -> str:
    return value_name or tr("the output")


def _differ(actual: Tensor, target: Target, value_name: str | None) -> Never:
    values = actual.detach().double()
    difference = (values - target.exact).abs()
    wrong = ~(difference <= target.tolerance)
    # What is expected may be another answer of the same code: where it has NaN too, it is not shown.
    apart = difference.nan_to_num(nan=math.inf, posinf=math.inf)
    shows = bool((wrong & torch.isfinite(target.exact)).any())
    worst = _index(apart.masked_fill(~torch.isfinite(target.exact), -1.0) if shows else apart, values.shape)
    message = _difference_message(
        values, wrong, float(difference.detach().max()), target.tolerance, value_name
    )
    expected = target.exact.to(actual.dtype) if shows else None
    if expected is not None and expected[worst] == actual.detach()[worst]:
        expected = target.exact  # an answer in half precision, where double was due
    raise Violation(message, expected=expected, actual=actual, worst=worst)


def _difference_message(
    values: Tensor, wrong: Tensor, furthest: float, tolerance: float, value_name: str | None
) -> str:
    # In English one sentence serves singular and plural; in French the verb changes.
    values_of_message = {
        "all": language.number(values.numel(), ","),
        "what": _subject(value_name),
        "largest": number(furthest),
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
