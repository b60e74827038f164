"""No right answer fails the check of cost by chance: all styles under load, and answers that cost too much.

    .venv/bin/python -m tests.benchmarks.growth [MEASURED [PROCESSES [ROUNDS [CAUGHT]]]]

The reference and all right answers of `local_attention` are measured in turn, so many times in all (1000),
while so many processes spin (8) and two more read and write all of the caches. Then each is timed for so many
rounds, without an early end (60), and each known mistake of cost is measured so many times (20).
"""

import contextlib
import math
import multiprocessing
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import torch

from graders.check_api.check import Check
from graders.course.exercise import load_exercise
from graders.course.outline import entry
from graders.extraction.extract import Source, extract, study
from graders.results.result import Outcome
from graders.sandbox.box import Box
from graders.sandbox.isolation.choose_level import best
from graders.sandbox.limits import Limits
from graders.submission.read import read
from graders.timing import growth_check
from graders.timing.growth_check import GrowthMeasurement, judge_growth
from graders.timing.sources import read_reference_source
from tests.support.busy_machine import busy_machine

NAME = "local_attention"
LARGE = 64 << 20  # bytes: more than the caches of most processors
RIGHT = Path(__file__).parents[2] / "solutions/right" / NAME


def _stream() -> None:
    os.setsid()
    block = bytearray(LARGE)
    while True:
        block[:] = bytes(block)


@contextlib.contextmanager
def streaming(processes: int) -> Iterator[None]:
    """Inside the block, so many processes fill the caches with memory of their own."""
    context = multiprocessing.get_context("fork")
    streams = [context.Process(target=_stream, daemon=True) for _ in range(processes)]
    for process in streams:
        process.start()
    try:
        yield
    finally:
        for process in streams:
            process.kill()
            process.join()


def right_answers() -> Iterator[tuple[str, Source]]:
    """The reference and all right answers, by name."""
    files = {path.stem: extract(study(read(path)), NAME, None) for path in sorted(RIGHT.glob("*.py"))}
    for name, source in {"reference": read_reference_source(NAME, NAME), **files}.items():
        assert isinstance(source, Source)
        yield name, source


def count_rounds(box: Box, check: Check, source: Source, rounds: int) -> tuple[list[float], list[float]]:
    """The ratios of times in so many rounds, and of peaks in a tenth as many processes.

    Both are over those that are due.
    """
    times, peaks = [], []
    measurement = GrowthMeasurement(box, check, source)
    due = growth_check.FACTOR
    for _ in range(max(1, rounds // 10)):
        with measurement._process() as contestant:
            by_length = measurement._climb(contestant, growth_check.NARROW, keep_memory=False)[0]
            *_, shorter, longest = by_length.values()
            peaks.append(longest / max(1, shorter) / due if longest > growth_check.LEAST_BYTES else 0.0)
            _, seconds = measurement._climb(contestant, growth_check.WIDE, keep_memory=True)
            calls = measurement._calls(seconds)
            times += [measurement._time_round(contestant, calls, n + 1)[0] / due for n in range(10)]
    return times, peaks


def measure_right_answers(box: Box, check: Check, measured: int) -> None:
    """Measure the right answers in turn, and print how many passed."""
    sources, started = dict(right_answers()), time.monotonic()
    outcomes = dict.fromkeys((Outcome.PASSED, Outcome.SKIPPED, Outcome.FAILED), 0)
    for number in range(measured):
        name = list(sources)[number % len(sources)]
        verdict = judge_growth(box, check, sources[name])
        outcomes[verdict.outcome] += 1
        if verdict.outcome is not Outcome.PASSED:
            say(f"{name}: {verdict}")
    counts = ", ".join(f"{outcome} {count}" for outcome, count in outcomes.items())
    say(f"{measured} right answers: {counts}; {time.monotonic() - started:.0f} s on the wall")


def measure_rounds(box: Box, check: Check, rounds: int) -> None:
    """Time so many rounds of each right answer, and print how far the ratios are from those that are due."""
    bound = math.sqrt(growth_check.FACTOR)  # over the ratio that is due
    above, count, greatest = 0, 0, 0.0
    for name, source in right_answers() if rounds else ():
        times, peaks = count_rounds(box, check, source, rounds)
        above, count = above + sum(ratio > bound for ratio in times), count + len(times)
        greatest = max(greatest, *peaks)
        say(f"  {name}: {sum(times) / len(times):.2f} in mean, {max(times):.2f} at most of {len(times)}")
    say(f"rounds above the bound {bound:.1f}: {above} of {count}; peaks: {greatest:.2f} at most")


def measure_mistakes(box: Box, check: Check, times: int) -> None:
    """Measure the known mistakes of cost, and print how often they are caught as themselves."""
    assert check.grows_as is not None
    for mistake in check.grows_as.mistakes:
        source = read_reference_source(NAME, f"{NAME}__{mistake}")
        assert source is not None
        verdicts = [judge_growth(box, check, source) for _ in range(times)]
        caught = sum(v.outcome is Outcome.FAILED and v.mistake == mistake for v in verdicts)
        say(f"{mistake}: {caught} of {times} caught as itself")


def say(sentence: str) -> None:
    """Print now: all takes long."""
    print(sentence, flush=True)  # noqa: T201


def main(measured: int, processes: int, rounds: int, caught: int) -> None:
    """Measure under load."""
    torch.set_num_threads(1)
    table = entry("efficient")
    [row] = [row for row in table["exercises"] if row["name"] == NAME]
    [check] = [check for check in load_exercise(row, table).checks if check.grows_as is not None]
    box, _ = best(Limits())
    with box, busy_machine(processes), streaming(2 if processes else 0):
        measure_right_answers(box, check, measured)
        measure_rounds(box, check, rounds)
        measure_mistakes(box, check, caught)


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:]]
    main(*(given + [1000, 8, 60, 20][len(given) :]))
