"""Python loops over positions, heads or a batch: they show at sizes that cost nothing else."""

from collections.abc import Callable

from graders.check_api.timed_call import Timed
from graders.language import translatable
from graders.timing.rounds import STUDENT, Budget, InterleavedBenchmark, RoundTimes

SMALL = 8  # positions
REQUEST_S = 0.003
ROUNDS = (7, 15)  # an apparent loop is measured a second time, since it may be chance
GROWTH_SHARE = 0.4  # time grows with a size if it grows by at least this share of the size's factor
GROWTH_OVER_BASE = 2.0  # and by at least this many times as much as the base's time


def find_loops(
    timed: Callable[..., Timed], benchmark: InterleavedBenchmark, base: str, factor: int
) -> tuple[str, ...]:
    """The sizes with which the student's time grows, so small that the base's time hardly grows."""
    names = list(benchmark.contestants)  # all take turns, since earlier work of a process slows it down
    calls = {
        "": timed(SMALL),
        translatable("positions"): timed(SMALL * factor),
        translatable("heads"): timed(SMALL, heads=4 * factor),
        translatable("sequences in a batch"): timed(SMALL, batch=factor),
    }
    suspected = set(calls) - {""}
    for rounds in ROUNDS:
        times = {}
        for size in [size for size in calls if suspected and size in suspected | {""}]:
            benchmark.build_modules(calls[size])
            times[size] = benchmark.time_rounds(calls[size], False, Budget(rounds, REQUEST_S, rounds), names)
        suspected = {size for size in suspected if grows(times[size], times[""], base, factor)}
    return tuple(size for size in calls if size in suspected)


def grows(larger: RoundTimes, smaller: RoundTimes, base: str, factor: int) -> bool:
    """Whether the student's time grows with a size that grew by `factor`, and the base's time does not."""
    student = larger.minimum(STUDENT) / smaller.minimum(STUDENT)
    over_base = larger.median_ratio(STUDENT, base) / smaller.median_ratio(STUDENT, base)
    return student >= GROWTH_SHARE * factor and over_base >= GROWTH_OVER_BASE
