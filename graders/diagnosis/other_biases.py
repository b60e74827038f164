"""Find the known mistake by which a module has more biases, or fewer, than the reference.

Under names of the code's own, biases too many are zero, and those that it lacks are zero in the reference: no
value tells that they are there, whatever else is wrong. What is counted does.
"""

import math
from collections.abc import Iterable

from graders.candidate.parameter_mapping.mapping import Shape
from graders.candidate.parameter_mapping.names import says_bias
from graders.check_api.candidate import Candidate, Raised
from graders.diagnosis.possible_mistake import PossibleMistake


def find_mistake_of_biases(
    candidate: Candidate, right: PossibleMistake, alone: Iterable[PossibleMistake]
) -> str | None:
    """The name of the only mistake with the candidate's number of biases, and the reference's matrices.

    None where the candidate differs in more than biases, or in none. Where the reference has no bias at all,
    a mistake that has some is that of a candidate with any number of them.

    Args:
        candidate: is constructed in the configuration of the first diagnostic draw.
        right: the reference.
        alone: its mistakes, and they in each variant.
    """
    try:
        theirs = candidate.construct(**right.draws[0].config).shapes()
    except Raised:
        return None
    due = right.shapes()
    more = _vectors(theirs.values()) - _vectors(due)
    if not more or _matrices(theirs.values()) != _matrices(due) or _has_further_layers(candidate):
        return None
    # As many values may be the gains of norms: a mistake about biases says so in its name.
    alone = (mistake for mistake in alone if "bias" in mistake.names[0].partition("__")[2])
    known = [m for m in alone if m.variant is None and not m.of_values and len(m.names) == 1]
    plain = {m.names[0]: m.shapes() for m in known}
    alike = {n: _vectors(s) - _vectors(due) for n, s in plain.items() if _matrices(s) == _matrices(due)}
    found = [name for name, size in alike.items() if size == more]
    others = _vectors(shape for name, shape in theirs.items() if not says_bias(name))
    if not found and others == _vectors(due):
        found = [name for name, size in alike.items() if size > 0]
    return found[0] if len(found) == 1 else None


def _has_further_layers(candidate: Candidate) -> bool:
    """Whether the candidate is known to have layers or norms too many, and not biases alone."""
    mapping = candidate.mapper.mapping
    return mapping is not None and bool(mapping.ones or mapping.foreign)


def _vectors(shapes: Iterable[Shape]) -> int:
    return sum(math.prod(shape) for shape in shapes if len(shape) == 1)


def _matrices(shapes: Iterable[Shape]) -> int:
    return sum(math.prod(shape) for shape in shapes if len(shape) > 1)
