"""Judge code that works at some sizes alone within that limit: its full length, one length, even widths.

It adds a vector for each of the positions that it has, reads keys in the shape of queries, or turns the
features of a head in pairs: other sizes raise in every check. One check fails, for the limit; all others use
draws within it. Where the constructor has no argument for the length, it is one of the numbers in the code.
"""

import contextlib
import itertools
from collections.abc import Collection
from dataclasses import replace
from functools import partial

from graders.candidate.remote_candidate import RemoteCandidate
from graders.check_api.candidate import Raised
from graders.check_api.usual_sizes import UsualSize
from graders.judging.fixed_sizes import Judged, judge_at, name_others, points_of
from graders.judging.judge import Judge
from graders.judging.one_by_one import OWNERS
from graders.judging.usual_sizes import is_absent
from graders.results.result import Finding, Outcome
from graders.sandbox.process_lost import ProcessLost

LENGTHS = range(4, 513)  # numbers in the code that may be its only length
MOST_LENGTHS = 8  # of them that are tried
RAISING = 2  # checks that raise, from which on a limit is looked for


def judge_at_limited_sizes(free: Judge, judged: Judged, names_mistakes: bool) -> Judged:
    """What was judged; or all checks within a limit of the code's, if that explains more.

    Args:
        free: the judge whose draws have any sizes.
        judged: at the sizes that the code fixes, if it fixes some.
        names_mistakes: whether the checks about limits get the known mistakes that explain them.
    """
    raising = _raising(judged)
    if judged.judge.gives_up or len(raising) < RAISING:
        return judged
    best, within_limits = judged, set[UsualSize]()
    for limits in _limits(judged):
        if not within_limits < set(limits):
            continue
        within = _try_within(free, judged, limits, raising[0])
        if within is not None and points_of(within.findings) > points_of(best.findings):
            best, within_limits = within, set(limits)
            if len(_raising(within)) < RAISING:
                break
    if within_limits and names_mistakes:
        best = _name_limits(free, best, within_limits)
    best.judge.candidate.use_mapping_draws(partial(best.judge.draws.mapping_draws, best.judge.exercise))
    return best


def _name_limits(free: Judge, best: Judged, limits: Collection[UsualSize]) -> Judged:
    """The same; the findings about limits with the known mistake that has them on draws of any sizes."""
    told = {f.check: f for f in best.findings}
    named = name_others(free, {size: told[size.check] for size in limits})
    told |= {
        size.check: replace(told[size.check], mistake=f.mistake, mistakes=f.mistakes)
        for size, f in named.items()
    }
    return replace(best, findings=[told[f.check] for f in best.findings])


def _raising(judged: Judged) -> list[str]:
    """The names of the checks that raise, without those about sizes."""
    tried = [f for f in judged.findings if f.check not in judged.about_sizes]
    return [f.check for f in tried if f.outcome is Outcome.RAISED]


def _try_within(free: Judge, judged: Judged, limits: list[UsualSize], raising: str) -> Judged | None:
    """All checks within these limits; None where one that raises does so there too."""
    about = {f.check: f for f in judged.findings}
    if not all(size.check in about for size in limits):
        return None
    with contextlib.suppress(Raised, ProcessLost):  # the checks met it too, and said so
        return _judge_within(free, {**judged.fixed, **{size: about[size.check] for size in limits}}, raising)
    return None


def _limits(judged: Judged) -> list[list[UsualSize]]:
    """Sizes of the exercise that the code does not fix, within limits that it may have: alone, and two."""
    fixed = {size.argument for size in judged.fixed}
    free = [size for size in judged.judge.exercise.options.sizes if size.argument not in fixed]
    lengths, widths = [s for s in free if s.positions], [s for s in free if s.is_width]
    even = [size.limited() for size in widths if size.sharing not in fixed]
    long = [limit for size in lengths for limit in _limits_of_length(size, judged.judge.candidate)]
    if judged.about_sizes.isdisjoint(OWNERS):  # else its axes are others, and lengths are no limit
        long += [size.limited() for size in free if size.as_long_as]
    both = itertools.product(long, even)
    return [*([limit] for limit in (*long, *even)), *map(list, both)]


def _limits_of_length(size: UsualSize, candidate: RemoteCandidate) -> list[UsualSize]:
    """The full length; or the lengths that the code may have, where it has no argument for them."""
    if not size.is_of_draws and not is_absent(size, candidate):
        return [size.limited()]
    taken = {int(value) for value in candidate.taken.values() if value.isdigit()}  # what it got for a length
    numbers = sorted(n for n in taken.union(candidate.source.constants) if n in LENGTHS)
    return [size.of_one_length(number) for number in numbers[:MOST_LENGTHS]]


def _judge_within(free: Judge, fixed: dict[UsualSize, Finding], raising: str) -> Judged | None:
    """All checks within the limit; None where one that raises does so there too."""
    exercise, draws = free.exercise.at_usual_sizes([*fixed]), free.draws.at_usual_sizes([*fixed])
    free.candidate.use_mapping_draws(partial(draws.mapping_draws, exercise))
    judge = replace(free, exercise=exercise, draws=draws, failures={})
    still = judge.try_named(raising).outcome in (Outcome.RAISED, Outcome.TIMED_OUT)
    return None if still else judge_at(free, fixed)
