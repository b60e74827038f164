"""How the operations of a call grow with its length: counted, so that no load of the machine changes it.

The code's own process counts, and code that changes the count can but make it smaller: what is counted can
fail an answer, and never passes it. That is left to the clock.
"""

import math

import torch

from graders.candidate.student_error import RaisedByStudent
from graders.check_api.check import Check
from graders.check_api.grows_as import bound
from graders.judging.growth_finding import GrowthVerdict
from graders.language import number, tr
from graders.results.result import Outcome
from graders.timing.contestant import Contestant
from softmark_worker.argument_shapes import as_arguments

COLUMNS = 4  # few, so that pairs of positions are most of what is counted
MILLION = 1e6


def judge_operations(contestant: Contestant, check: Check, lengths: list[int]) -> GrowthVerdict | None:
    """The verdict where operations grow too fast; None where they do not, or cannot be counted.

    Shorter calls are counted first: what computes less than a number for each pair of positions does not
    compare all pairs, and takes time only because Python does.

    Args:
        contestant: the code in its process.
        check: with `grows_as`, where S is due and S * S is wrong.
        lengths: from short to long, those that do not take too long.

    Raises:
        ProcessLost: the code ends its process.
    """
    growth, counted = check.grows_as, list[tuple[int, int]]()
    assert growth is not None
    try:
        for length in lengths:
            timed = check.body(length, COLUMNS)
            inputs = as_arguments([torch.randn(shape) for shape in timed.shapes], timed.inputs)
            counted.append(contestant.count_operations([*inputs, *timed.further]))
            if counted[-1][0] < length ** (growth.time + 1):
                return None
    except RaisedByStudent:  # code of another package, say, that cannot be counted
        return None
    work, largest = (_exponent(values, lengths) for values in zip(*counted, strict=True))
    *_, first, last = lengths
    if largest > bound(growth.memory):
        message = tr(
            "the largest tensor should grow as S^{due}, and grows as S^{exponent} from S = {first} to {last}:"
            " it has {n} million numbers with {last} positions",
            due=growth.memory,
            exponent=number(largest, ".1f"),
            first=first,
            last=last,
            n=math.ceil(counted[-1][1] / MILLION),
        )
        return GrowthVerdict(Outcome.FAILED, message, growth.too_much_memory)
    if work > bound(growth.time):
        message = tr(
            "the operations should grow as S^{due}, and grow as S^{exponent} from S = {first} to {last}: they"
            " compute {n} million numbers with {last} positions",
            due=growth.time,
            exponent=number(work, ".1f"),
            first=first,
            last=last,
            n=math.ceil(counted[-1][0] / MILLION),
        )
        return GrowthVerdict(Outcome.FAILED, message, growth.too_much_time)
    return None


def _exponent(counts: tuple[int, ...], lengths: list[int]) -> float:
    """The exponent between the last two lengths."""
    return math.log(max(1, counts[-1]) / max(1, counts[-2]), lengths[-1] / lengths[-2])
