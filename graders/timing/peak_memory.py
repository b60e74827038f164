"""The peak memory of a call, before any is timed: while timing, a process keeps all memory it has had."""

from collections.abc import Callable, Sequence

from graders.check_api.candidate import Raised
from graders.check_api.timed_call import Timed
from graders.timing.contestant import draw_arguments
from graders.timing.rounds import MIN_ROWS, Answers, InterleavedBenchmark

AT_REST = 8  # positions: with so few, a call needs what every call needs, and hardly more


def measure_peaks(
    timed: Callable[..., Timed],
    benchmark: InterleavedBenchmark,
    judged: int,
    names: Sequence[str],
    most: int,
    beside: Sequence[str] = (),
) -> dict[str, dict[int, int]]:
    """Peak bytes of a forward call by contestant and length, beyond those at rest.

    Args:
        timed: describes a call of a length.
        benchmark: its contestants have made no calls yet.
        judged: the length that counts; half and double of it are measured too, from short to long, as a
            process's peak only rises. Code that raises beyond it loses nothing by that.
        names: of the contestants.
        most: a length is left out where four times the peak at the one before is more.
        beside: contestants that answer the same calls, to compare with, and keep their memory: half the time.
    """
    peaks: dict[str, dict[int, int]] = {name: {} for name in names}
    for length in (AT_REST, judged // 2, judged, 2 * judged):
        if any(4 * size > most for by_length in peaks.values() for size in by_length.values()):
            break
        arguments = draw_arguments(timed(length), MIN_ROWS, benchmark.dtype).for_request(MIN_ROWS)
        answers = Answers()
        for name in (*names, *beside):
            contestant = benchmark.contestants[name]
            try:
                sample = contestant.time_calls(arguments, backward=False, keep_memory=name in beside)
            except Raised:
                if length <= judged:
                    raise
                break
            benchmark.seconds_left -= sample.seconds
            answers.keep(name, sample.digests)
            if name in beside:
                continue
            if length == AT_REST:
                contestant.note_memory_at_rest()
            else:
                peaks[name][length] = contestant.peak_memory()
        answers.require_same()
    return peaks
