"""Identify a known mistake that changes no value, in code that is exact to float32's rounding only.

Such a mistake accepts sizes that do not fit, passes no gradient on, or changes its input. The same code may
compute a softmax in float32, so that its values are neither those of the mistake nor those of the reference
to float64's rounding. Then facts decide: where it raises, what forms its answers have, what it leaves
unchanged, and what gets a gradient. Values are compared to float32's rounding.
"""

from collections.abc import Iterable, Sequence

from torch import Tensor

from graders.diagnosis.by_values import ROUGH, Possible, compared_draws, difference
from graders.diagnosis.closeness import CLOSE
from graders.diagnosis.fingerprint import Fingerprint


def agreeing_by_facts(
    seen: Sequence[Fingerprint], right: Sequence[Possible], possible: Iterable[Possible]
) -> list[tuple[str, ...]]:
    """The names of the mistakes with the candidate's facts; none where these are the reference's.

    Args:
        seen: the candidate's fingerprints on all draws.
        right: the reference in each variant.
        possible: the mistakes in each variant.
    """
    if not compared_draws(seen, right) or any(_has_facts_of(p, seen) for p in right):
        return []
    alike = (p for p in possible if _changes_no_value(p, right[0], len(seen)) and _has_facts_of(p, seen))
    return list(dict.fromkeys(p.names for p in alike))


def _changes_no_value(possible: Possible, right: Possible, draws: int) -> bool:
    """Whether a mistake gives the reference's values wherever both answer."""
    pairs = ((_values(possible, number), _values(right, number)) for number in range(draws))
    return all(difference(ours, due, due[0]) <= CLOSE for ours, due in pairs if ours and due)


def _values(possible: Possible, number: int) -> Sequence[Tensor]:
    return possible.values(number, frozenset())


def _has_facts_of(possible: Possible, seen: Sequence[Fingerprint]) -> bool:
    return all(_same_facts(theirs, possible.fingerprint(number)) for number, theirs in enumerate(seen))


def _same_facts(theirs: Fingerprint, ours: Fingerprint) -> bool:
    if not theirs.loosely_matches(ours) or theirs.settled != ours.settled:
        return False
    if bool(theirs.values) != bool(ours.values) or _without_gradient(theirs) != _without_gradient(ours):
        return False
    return not ours.values or difference(theirs.values, ours.values, ours.values[0]) <= ROUGH


def _without_gradient(seen: Fingerprint) -> set[str]:
    return {name for name, gradient in (seen.gradients or {}).items() if gradient is None}
