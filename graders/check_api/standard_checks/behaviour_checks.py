"""Checks of models whose architecture is free: what holds at usual sizes must hold at others."""

from collections.abc import Callable, Sequence
from typing import Any

from graders.check_api.check import Candidate, Check, Stretched, Violation, check
from graders.check_api.strategies.lengths import EXTREME

Requires = Callable[[Candidate, Any], None]  # requires a fact of a draw's answer, and raises Violation


def answers_extreme_sizes(
    *,
    points: float,
    facts: Sequence[Requires],
    usual: Callable[[int], Any],
    answers_its_input: Requires,
    fixed: Sequence[Callable[[int], Any]],
    stretched: Sequence[Stretched],
) -> Check:
    """A check of sizes that are large or equal: a fact that holds at usual sizes holds there.

    Args:
        points: its weight.
        facts: each requires something of a draw's answer.
        usual: makes a draw of usual sizes from a seed.
        answers_its_input: requires signs that the model computes.
        fixed: make draws of sizes that are equal, from a seed.
        stretched: make draws in which one size is large.
    """

    @check(points=points, fixed=fixed, stretched=stretched, kept_because=EXTREME)
    def answers_extreme_sizes(candidate: Candidate, draw: Any) -> None:
        """large sizes, and sizes that are equal, are answered as others are

        fr: de grandes tailles, et des tailles égales, reçoivent la même réponse que les autres
        """
        for requires in facts:
            try:
                requires(candidate, draw)
            except Violation:
                if _holds(requires, candidate, usual(draw.seed)):
                    raise
        answers_its_input(candidate, draw)

    return answers_extreme_sizes


def _holds(requires: Requires, candidate: Candidate, draw: Any) -> bool:
    try:
        requires(candidate, draw)
    except Violation:
        return False
    return True
