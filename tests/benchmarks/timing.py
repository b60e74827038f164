"""How exact the stopwatch is: the reference against itself, and against itself with a fifth more work.

    .venv/bin/python -m tests.benchmarks.timing [RUNS [SECONDS]]

RUNS of each of the two, on an idle machine and with all other cores busy; SECONDS bound the CPU time of a
run. The bars, for every run: the ratio of the reference to itself lies in 0.95 to 1.05, and that of a
slowdown of 1.2 above 1.10.
"""

import multiprocessing
import os
import statistics
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from graders.course.exercise import load_assignment
from graders.extraction.extract import Source, extract, study
from graders.judging.draws import Draws
from graders.results.measurements import Timing
from graders.sandbox.isolation.choose_level import best
from graders.sandbox.limits import Limits
from graders.submission.decode import decode
from graders.submission.read import Submission
from graders.timing import sources
from graders.timing.plan import Plan
from graders.timing.stopwatch import Stopwatch

NAME = "scaled_dot_product_attention"
BARS = {1.0: (0.95, 1.05), 1.2: (1.10, 99.0)}
SLOWER_CODE = '''
import math
import time

import torch


def reference(Q, K, V, mask=None):
    scores = torch.einsum("...qd,...kd->...qk", Q, K) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return torch.einsum("...qk,...kv->...qv", weights, V), weights


def scaled_dot_product_attention(Q, K, V, mask=None):
    """Answers a fifth of the queries twice."""
    part = Q.shape[-2] // 5
    if Q.shape[-2] >= 64:
        output, _ = reference(Q[..., :part, :], K, V, mask)
        Q = torch.cat([Q[..., :part, :] + 0 * output[..., : Q.shape[-1]], Q[..., part:, :]], dim=-2)
    return reference(Q, K, V, mask)
'''


def slower_source() -> Source:
    """The source of the reference with a fifth more work."""
    file, _ = decode("planted.py", SLOWER_CODE.encode())
    source = extract(study(Submission("planted", (file,), "", (), ())), NAME, None)
    assert isinstance(source, Source)
    return source


def spin() -> None:
    """Keep a core busy."""
    while True:
        pass


@contextmanager
def busy_cores(spinners: int) -> Iterator[None]:
    """Run this many processes that only use CPU time."""
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=spin, daemon=True) for _ in range(spinners)]
    for process in processes:
        process.start()
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.join()


def main(runs: int, seconds: float) -> None:
    """Print a table: the load, the planted slowdown, the measured ratios, how many of them reach the bar."""
    exercise = load_assignment("attention").only([NAME]).exercises[0]
    own = sources.read_reference_source(NAME, exercise.symbol)
    assert own is not None
    settings = (
        {"judged_request_s": 0.002, "rounds": 2, "max_rounds": 4, "even_ratios": (0.0, 100.0)}
        if seconds < 1
        else {}
    )
    plan = replace(Plan(), lengths=(64,) if seconds < 1 else (512,), cpu_s=max(seconds, 4.0), **settings)
    plan = replace(plan, judged_length=plan.lengths[0])
    with best(Limits())[0] as box:
        watch = Stopwatch(box, Draws(1), plan)
        for load, spinners in (("idle", 0), ("busy", max(1, (os.cpu_count() or 1) - 1))):
            for slower, source in ((1.0, own), (1.2, slower_source())):
                with busy_cores(spinners):
                    show(load, slower, [watch.time(exercise, source) for _ in range(runs)])
        watch.close()


def show(load: str, slower: float, timings: list[Timing]) -> None:
    """Print a line for each of forward and backward."""
    low, high = BARS[slower]
    uneven = sum(timing.skipped is not None for timing in timings)
    for mode in ("forward", "backward"):
        ratios = [c.ratio for timing in timings for c in timing.clocked if c.mode == mode]
        if ratios:
            middle = statistics.median(ratios)
            within = sum(low <= ratio <= high for ratio in ratios)
            print(  # noqa: T201
                f"{load}  planted {slower:.1f}  {mode:8}  {min(ratios):.3f} {middle:.3f} {max(ratios):.3f}"
                f"  {within} of {len(ratios)} within {low:.2f} to {high:.2f}, "
                f"{uneven} of {len(timings)} uneven"
            )
    for reason in {timing.skipped or timing.refused for timing in timings} - {None}:
        print(f"    {reason}")  # noqa: T201


if __name__ == "__main__":
    numbers = [float(word) for word in sys.argv[1:]]
    main(int(numbers[0]) if numbers else 20, numbers[1] if len(numbers) > 1 else 7.0)
