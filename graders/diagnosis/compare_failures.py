"""Whether a known mistake makes a check fail as the student's code does, on one draw."""

import enum
import math
import re

from torch import Tensor

from graders.candidate.parameter_mapping.mapping import Undecidable
from graders.check_api.candidate import Raised
from graders.check_api.compare import OtherParameters, Violation
from graders.check_api.sentence_shape import shape_of
from graders.diagnosis.by_values import SMALLEST

NEAR = 1e-3  # the largest difference that the rounding of float32 explains, as a share of the largest value
CLEARLY = 30.0  # how many times closer than to what is due
_PRECISION = re.compile(r"(torch\.(?:float|int))64\b")  # a mistake is the same in both
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")


class Likeness(enum.IntEnum):
    """How a mistake's failure is like that of the code; what is larger says more for the mistake.

    HOLDS: the check holds for the mistake. UNLIKE: it fails in another way. OTHER: with other numbers, where
    they should be the same. ALIKE: in the same way, where numbers or weights are not the same. SAME: by the
    same answer.
    """

    HOLDS = 0
    UNLIKE = 1
    OTHER = 2
    ALIKE = 3
    SAME = 4


def compare_failures(theirs: Exception, ours: Exception | None, comparable: bool) -> Likeness:
    """How a mistake's failure on a draw is like that of the code.

    Args:
        theirs: how the check failed on the code.
        ours: how it failed on the mistake; None where it holds.
        comparable: whether both had the same weights, so that their answers should be the same.
    """
    if ours is None:
        return Likeness.HOLDS
    if isinstance(theirs, Raised) or isinstance(ours, Raised):
        shapes = [failure.shape if isinstance(failure, Raised) else None for failure in (theirs, ours)]
        return Likeness.ALIKE if shapes[0] == shapes[1] else Likeness.UNLIKE
    about_parameters = [isinstance(f, OtherParameters | Undecidable) for f in (theirs, ours)]
    if any(about_parameters):
        return Likeness.ALIKE if all(about_parameters) else Likeness.UNLIKE
    if not isinstance(theirs, Violation) or not isinstance(ours, Violation):
        return Likeness.UNLIKE
    if theirs.actual is not None and ours.actual is not None:
        same = _is_nearest(ours.actual, theirs.actual, theirs.expected)
        of_one_shape = theirs.actual.shape == ours.actual.shape
    else:
        same = _says_the_same(str(theirs), str(ours))
        of_one_shape = theirs.actual is ours.actual
    if same and comparable and of_one_shape:
        return Likeness.SAME
    if shape_of(str(theirs)) != shape_of(str(ours)) or not of_one_shape:
        return Likeness.UNLIKE
    return Likeness.OTHER if comparable else Likeness.ALIKE


def _says_the_same(theirs: str, ours: str) -> bool:
    """Whether two sentences are the same, numbers but for their rounding, and dtypes for their precision."""
    theirs, ours = (_PRECISION.sub(r"\g<1>32", text) for text in (theirs, ours))
    if shape_of(theirs) != shape_of(ours):
        return False
    pairs = zip(_NUMBER.findall(theirs), _NUMBER.findall(ours), strict=False)
    return all(math.isclose(float(a), float(b), rel_tol=NEAR, abs_tol=1e-9) for a, b in pairs)


def _is_nearest(ours: Tensor, theirs: Tensor, due: Tensor | None) -> bool:
    """Whether the mistake's answer is the code's, and far closer to it than what is due."""
    far = _difference(ours, theirs)
    return far <= NEAR and (due is None or CLEARLY * far <= _difference(due, theirs))


def _difference(first: Tensor, second: Tensor) -> float:
    """The largest difference as a share of the largest value; infinite where one alone is not finite."""
    if first.shape != second.shape:
        return math.inf
    if not first.numel():
        return 0.0
    a, b = first.detach().double(), second.detach().double()
    finite = a.isfinite()
    if not bool((finite == b.isfinite()).all()):
        return math.inf
    a, b = a[finite], b[finite]
    return float((a - b).abs().max()) / max(float(a.abs().max()), SMALLEST) if a.numel() else 0.0
