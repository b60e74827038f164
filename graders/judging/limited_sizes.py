"""Judge code that works at its full length alone, or at even widths alone, within that limit.

It adds a vector for each of the positions that it has, or turns the features of a head in pairs: other sizes
raise in every check. One check fails, for the limit; all others use draws within it.
"""

import contextlib
from dataclasses import replace
from functools import partial

from graders.check_api.candidate import Raised
from graders.check_api.usual_sizes import UsualSize
from graders.judging.fixed_sizes import Judged, judge_at, points_of
from graders.judging.judge import Judge
from graders.results.result import Finding, Outcome
from graders.sandbox.process_lost import ProcessLost

RAISING = 2  # checks that raise, from which on a limit is looked for


def judge_at_limited_sizes(free: Judge, judged: Judged) -> Judged:
    """What was judged; or all checks within a limit of the code's, if that explains more.

    Args:
        free: the judge whose draws have any sizes.
        judged: at the sizes that the code fixes, if it fixes some.
    """
    tried = [f for f in judged.findings if f.check not in judged.about_sizes]
    raising = [f.check for f in tried if f.outcome is Outcome.RAISED]
    if judged.judge.gives_up or len(raising) < RAISING:
        return judged
    for size in _limits(judged):
        about = next((f for f in judged.findings if f.check == size.check), None)
        if about is None:
            continue
        with contextlib.suppress(Raised, ProcessLost):  # the checks met it too, and said so
            within = _judge_within(free, {**judged.fixed, size.limited(): about}, raising[0])
            if within is not None and points_of(within.findings) > points_of(judged.findings):
                return within
    before = judged.judge
    before.candidate.use_mapping_draws(partial(before.draws.mapping_draws, before.exercise))
    return judged


def _limits(judged: Judged) -> list[UsualSize]:
    """The sizes of the exercise that may have a limit: those that the code takes and does not fix."""
    fixed = {size.argument for size in judged.fixed}
    free = [size for size in judged.judge.exercise.options.sizes if size.argument not in fixed]
    lengths, widths = [s for s in free if s.positions], [s for s in free if s.is_width]
    return [*lengths, *(size for size in widths if size.sharing not in fixed)]


def _judge_within(free: Judge, fixed: dict[UsualSize, Finding], raising: str) -> Judged | None:
    """All checks within the limit; None where one that raises does so there too."""
    exercise, draws = free.exercise.at_usual_sizes([*fixed]), free.draws.at_usual_sizes([*fixed])
    free.candidate.use_mapping_draws(partial(draws.mapping_draws, exercise))
    judge = replace(free, exercise=exercise, draws=draws, failures={})
    still = judge.try_named(raising).outcome in (Outcome.RAISED, Outcome.TIMED_OUT)
    return None if still else judge_at(free, fixed)
