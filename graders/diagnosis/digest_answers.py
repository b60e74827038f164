"""A digest of what a candidate answers: candidates that compute the same have the same."""

import hashlib
import math
from collections.abc import Iterator, Sequence

from torch import Tensor

from graders.diagnosis.fingerprint import Fingerprint
from graders.diagnosis.projection import sums_along

DIGITS = 4  # of a sum, beside the length of its values: another order of summation changes none of them
MOST = 4_096  # values of a tensor that count, evenly spread: more would take the host much memory
LENGTH = 16  # characters of a digest


def digest_answers(seen: Sequence[Fingerprint]) -> str | None:
    """The digest of a candidate's fingerprints on draws; None where none of them has an answer.

    Values count by a few random sums of them, rounded. So code that computes the same in another order, or in
    another precision, has the same digest but for rare chance. What a call does beside its answer (gradients,
    dropout, arguments that it changes) and the names of parameters do not count.
    """
    if not any(theirs.values or theirs.form for theirs in seen):
        return None
    text = "\n".join(part for theirs in seen for part in _describe(theirs))
    return hashlib.sha256(text.encode()).hexdigest()[:LENGTH]


def _describe(seen: Fingerprint) -> Iterator[str]:
    yield f"{seen.stopped} {seen.settled}"
    for tensor in seen.values:
        yield f"{tuple(tensor.shape)} {_rounded_sums(tensor)}"


def _rounded_sums(tensor: Tensor) -> tuple[float, ...]:
    """The number of finite values, and sums of them along random directions, of as many digits as agree."""
    values = tensor.detach().reshape(-1)
    values = values[:: 1 + values.numel() // MOST].double()
    finite = values[values.isfinite()]
    length = float(finite.norm())
    unit = 10.0 ** (math.floor(math.log10(length)) - DIGITS) if length > 0 else 1.0
    return (finite.numel(), *(round(total / unit) for total in (*sums_along(finite), length)))
