"""`--timing full`: all contestants, at all lengths, with and without gradients."""

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product

from graders.check_api.candidate import Raised
from graders.check_api.timed_call import Timed
from graders.language import tr
from graders.safe_text import safe_text
from graders.sandbox.process_lost import ProcessLost
from graders.timing.cpu_clock import NoClock
from graders.timing.loops import find_loops
from graders.timing.measurement import Evenness, Measurement, TimesByLength
from graders.timing.plan import Plan
from graders.timing.rounds import (
    CONTROL,
    STUDENT,
    Budget,
    InterleavedBenchmark,
    OursFailed,
    RoundTimes,
    TooSlow,
)


def measure_fully(
    timed: Callable[..., Timed], benchmark: InterleavedBenchmark, base: str, plan: Plan
) -> Measurement:
    """Measure everything.

    Raises:
        Uneven: the control took another time than the reference.
        NoClock: there is not the time for any length.
    """
    loops = find_loops(timed, benchmark, base, plan.loop_factor)
    benchmark.build_modules(timed(plan.judged_length))
    benchmark.warm_up(timed)
    judged, times = _time_judged_length(timed, benchmark, base, plan)
    names = [name for name in benchmark.contestants if name != CONTROL]
    memory = {name: benchmark.contestants[name].peak_memory() for name in names}
    stopped = _time_other_lengths(
        timed=timed, benchmark=benchmark, names=names, judged=judged, times=times, plan=plan
    )
    return Measurement(
        times=times, memory=memory, base=base, loops=loops, judged=judged, stopped=stopped, peaks={}
    )


def _time_judged_length(
    timed: Callable[..., Timed], benchmark: InterleavedBenchmark, base: str, plan: Plan
) -> tuple[int, TimesByLength]:
    """The length that points depend on, and its times."""
    evenness = Evenness(base, plan.even_ratios)

    def is_enough(times: RoundTimes) -> bool:
        return evenness.holds(times) and all(
            times.ratio_is_certain(name, base) for name in (STUDENT, CONTROL)
        )

    budget = Budget(2 * plan.rounds, plan.judged_request_s, plan.max_rounds, enough=is_enough)
    # About a third of the time forward, a third backward, and a third for the other lengths.
    forward = replace(budget, reserve_s=0.65 * plan.cpu_s)
    budgets = {False: forward, True: replace(budget, reserve_s=0.35 * plan.cpu_s)}
    for length in sorted((n for n in plan.lengths if n <= plan.judged_length), reverse=True):
        with contextlib.suppress(TooSlow):
            times = {
                (length, backward): benchmark.time_rounds(
                    timed(length), backward, budgets[backward], list(benchmark.contestants)
                )
                for backward in budgets
            }
            for round_times in times.values():
                evenness.require(round_times)
            return length, times
    raise NoClock(tr("even the shortest input takes longer than the time for the whole measurement"))


def _time_other_lengths(
    timed: Callable[..., Timed],
    benchmark: InterleavedBenchmark,
    names: Sequence[str],
    judged: int,
    times: TimesByLength,
    plan: Plan,
) -> tuple[int, str] | None:
    """Add the times of all other lengths to `times`; the length that was not finished, and the reason."""
    stopped: tuple[int, str] | None = None
    for length, backward in product(plan.lengths, (False, True)):
        if length != judged and (stopped is None or length < stopped[0]):
            rounds = plan.rounds if length < judged else plan.rounds_beyond
            budget = Budget(rounds, plan.request_s, rounds)
            try:
                times[length, backward] = benchmark.time_rounds(timed(length), backward, budget, names)
            except TooSlow:
                stopped = length, tr("there was no time left for it")
            except (ProcessLost, Raised, OursFailed) as lost:  # above the judged length, this costs no points
                if length < judged:
                    raise
                stopped = length, safe_text(str(lost), 200)
                break
    return stopped
