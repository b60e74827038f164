"""Identify a known mistake by values alone, where code deviates in harmless ways too.

Such a deviation costs a check of its own: the output comes without the weights, a width is not refused,
biases are missing, dropout acts elsewhere, a constant is of float32. It must not hide the mistake. So only
the output is compared here, under weights in which absent biases are zero, on the draws that are answered.

Values agree to float64's rounding; or, for code with a constant of float32 in it, to that rounding, if one
mistake is far closer than all others and than the reference.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Protocol

import torch
from torch import Tensor

from graders.check_api.variants import Variant
from graders.diagnosis.closeness import CLOSE
from graders.diagnosis.fingerprint import Fingerprint

ROUGH = 1e-3  # the largest difference that float32's rounding explains, where scores are large
CLEARLY = 30.0  # how many times closer than all others, in float32
SMALLEST = 1e-3  # differences are measured against the largest value, or against this
LEAST = 3  # draws that must be answered


class Possible(Protocol):
    """A known mistake, or two at once, in one variant; or the reference."""

    @property
    def names(self) -> tuple[str, ...]:
        """Those of the mistakes."""

    @property
    def variant(self) -> Variant | None:
        """The accepted activation or epsilon in which it is tried; None as it stands."""

    def values(self, number: int, absent: frozenset[str]) -> Sequence[Tensor]:
        """Its answer to a draw, with these biases zero; empty where it raises."""

    def fingerprint(self, number: int) -> Fingerprint:
        """All that can be seen of it on a draw."""


def agreeing_by_values(
    seen: Sequence[Fingerprint], right: Sequence[Possible], possible: Iterable[Possible]
) -> list[tuple[str, ...]]:
    """The names of the mistakes whose output is the candidate's; none where that is in doubt.

    Args:
        seen: the candidate's fingerprints on all draws.
        right: the reference in each variant.
        possible: the mistakes in each variant.
    """
    draws = compared_draws(seen, right)
    if len(draws) < LEAST:
        return []
    nearest: dict[tuple[str, ...], tuple[float, Possible]] = {}
    for p in possible:
        far = distance(p, seen, right, draws)
        if far <= ROUGH and far < nearest.get(p.names, (math.inf, p))[0]:
            nearest[p.names] = far, p
    if not nearest:
        return []
    least, best = min(nearest.values(), key=lambda pair: pair[0])
    bound = CLOSE if least <= CLOSE else CLEARLY * least
    close = [p for far, p in nearest.values() if far <= bound]
    # One that needs another epsilon as well explains less: with one of nearly 0 nothing is done with it.
    close = [p for p in close if p.variant is None] or close
    if any(distance(p, seen, right, draws) <= bound for p in right):
        return []
    if not all(_same_values(p, best, seen, right, draws) for p in close):
        return []
    names = _most_alike(close, seen[0])
    due = sum(bool(right[0].values(number, frozenset())) for number in range(len(seen)))
    return names if len(draws) == due or len(names) == 1 else []


def compared_draws(seen: Sequence[Fingerprint], right: Sequence[Possible]) -> list[int]:
    """The numbers of the draws that the candidate and the reference answer; none if the first is not one."""
    draws = [
        number
        for number, fingerprint in enumerate(seen)
        if fingerprint.values and right[0].values(number, frozenset())
    ]
    return draws if draws and draws[0] == 0 else []


def distance(
    possible: Possible, seen: Sequence[Fingerprint], right: Sequence[Possible], draws: Sequence[int]
) -> float:
    """The largest difference on these draws; infinite where float32 does not explain it.

    Draws on which a mistake of ours gives NaN do not count: the code may hide with a number that gives none.
    Code that answers there as is due does not make the mistake.
    """
    largest, compared = 0.0, 0
    for number in draws:
        due = right[0].values(number, frozenset())[0]
        ours = possible.values(number, seen[number].absent)
        if ours and has_nan(ours, due) and not has_nan(seen[number].values, due):
            if difference(seen[number].values, [due], due) <= CLOSE:
                return math.inf
            continue
        compared += 1
        largest = max(largest, difference(seen[number].values, ours, due))
        if not largest <= ROUGH:
            return math.inf
    return largest if compared >= min(LEAST, len(draws)) else math.inf


def _same_values(
    first: Possible,
    second: Possible,
    seen: Sequence[Fingerprint],
    right: Sequence[Possible],
    draws: Sequence[int],
) -> bool:
    return all(
        difference(
            first.values(number, seen[number].absent),
            second.values(number, seen[number].absent),
            right[0].values(number, frozenset())[0],
        )
        <= CLOSE
        for number in draws
    )


def difference(theirs: Sequence[Tensor], ours: Sequence[Tensor], due: Tensor) -> float:
    """The largest difference of two outputs, as a share of the largest value; `due` has the right shape."""
    if not ours or not theirs:
        return math.inf
    mine, output = _output(theirs, due).double(), _output(ours, due).double()
    if mine.shape != output.shape:
        return math.inf
    if not output.numel():
        return 0.0
    # Where a number of either is not finite, the largest difference is none.
    largest, far = float(output.abs().max()), float((mine - output).abs().max())
    return far / max(largest, SMALLEST) if math.isfinite(far) else _where_finite(mine, output)


def _where_finite(mine: Tensor, output: Tensor) -> float:
    """The largest difference of the finite numbers, as a share; infinite where others are not finite."""
    finite = torch.isfinite(output)
    if not torch.equal(finite, torch.isfinite(mine)):
        return math.inf
    if not bool(finite.any()):
        return 0.0
    largest = max(float(output[finite].abs().max()), SMALLEST)
    return float((mine - output)[finite].abs().max()) / largest


def has_nan(answer: Sequence[Tensor], due: Tensor) -> bool:
    """Whether the output in an answer has a NaN; `due` has its shape."""
    return bool(_output(answer, due).isnan().any())


def _output(answer: Sequence[Tensor], due: Tensor) -> Tensor:
    """The tensor of the due shape among those of an answer, or the first; axes of size 1 do not count."""
    squeezed = [tensor.squeeze() for tensor in answer]
    return next((tensor for tensor in squeezed if tensor.shape == due.squeeze().shape), squeezed[0])


def _most_alike(possible: Sequence[Possible], seen: Fingerprint) -> list[tuple[str, ...]]:
    """The names of those that are most like the candidate in form and parameters too."""
    if len({p.names for p in possible}) == 1:
        return [possible[0].names]
    unlike = [(_unlike(p.fingerprint(0), seen), p.names) for p in possible]
    least = min(facts for facts, _ in unlike)
    return list(dict.fromkeys(names for facts, names in unlike if facts == least))


def _unlike(ours: Fingerprint, theirs: Fingerprint) -> tuple[bool, int]:
    counts = [sum(map(math.prod, fingerprint.shapes)) for fingerprint in (ours, theirs)]
    return (ours.form, ours.kept) != (theirs.form, theirs.kept), abs(counts[0] - counts[1])
