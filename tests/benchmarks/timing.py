"""How exact the stopwatch is, and what it costs.

    .venv/bin/python -m tests.benchmarks.timing [RUNS [brief|full|short]]
    .venv/bin/python -m tests.benchmarks.timing class

The first: RUNS (20) of the reference against itself, and against itself with a fifth more work, as the
machine is and with all other cores busy; the load is printed. The bars, for 19 of 20 runs: the ratio of the
reference to itself lies in 0.95 to 1.05, and that of a slowdown of 1.2 above 1.10. The second: CPU seconds
for each submission of the sample class, all processes counted, without timing, with it, and in full.
"""

import multiprocessing
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

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
from tests.benchmarks.line import HANDED_IN, spent

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


PLANS = {
    "brief": Plan(),
    "full": replace(Plan(), full=True, lengths=(512,)),
    "short": Plan(
        judged_length=64,
        curve_lengths=(64,),
        brief_request_s=0.002,
        brief_rounds=(6, 6),
        even_ratios=(0.0, 100.0),
    ),
}


def measure_exactness(runs: int, plan: Plan) -> None:
    """Print a table: the load, the planted slowdown, the measured ratios, how many of them reach the bar."""
    exercise = load_assignment("attention").only([NAME]).exercises[0]
    own = sources.read_reference_source(NAME, exercise.symbol)
    assert own is not None
    with best(Limits())[0] as box:
        watch = Stopwatch(box, Draws(1), plan)
        for load, spinners in (("as it is", 0), ("busy", max(1, (os.cpu_count() or 1) - 1))):
            for slower, source in ((1.0, own), (1.2, slower_source())):
                with busy_cores(spinners):
                    before = spent(os.getpid())
                    timings = [watch.time(exercise, source) for _ in range(runs)]
                    cost = (spent(os.getpid()) - before) / runs
                    show(f"{load}, load {os.getloadavg()[0]:.1f}", slower, timings)
                    print(f"    {cost:.2f} CPU s each")  # noqa: T201
        watch.close()


def show(load: str, slower: float, timings: list[Timing]) -> None:
    """Print a line for each of forward and backward."""
    low, high = BARS[slower]
    uneven = sum(timing.skipped is not None for timing in timings)
    for mode in ("forward", "backward"):
        ratios = [
            c.ratio
            for timing in timings
            for c in timing.clocked
            if (c.length, c.mode) == (timing.judged, mode)
        ]
        if ratios:
            middle = statistics.median(ratios)
            within = sum(low <= ratio <= high for ratio in ratios)
            print(  # noqa: T201
                f"{load}  planted {slower:.1f}  {mode:8}  {min(ratios):.3f} {middle:.3f} {max(ratios):.3f}"
                f"  {within} of {len(ratios)} within {low:.2f} to {high:.2f}, "
                f"{uneven} of {len(timings)} uneven"
            )
    bands = Counter(timing.band or "in doubt" for timing in timings if timing.skipped is None)
    print(f"    {dict(bands)}")  # noqa: T201
    for reason in {timing.skipped or timing.refused for timing in timings} - {None}:
        print(f"    {reason}")  # noqa: T201


def measure_class() -> None:
    """Print the CPU seconds for each submission of the sample class, in three ways of timing."""
    count = len(list(HANDED_IN.iterdir()))
    for words in (["--no-timing"], ["--timing"], ["--timing", "full"]):
        with tempfile.TemporaryDirectory() as out, counted_group() as group:
            command = [Path(sys.executable).with_name("softmark"), "grade", HANDED_IN, "--out", out, *words]
            more = ["--assignment", "attention", "--seed", "1", "--unsafe"]
            environment = {name: value for name, value in os.environ.items() if name != "SOFTMARK_TIMING"}
            started = time.monotonic()
            subprocess.run(
                [*command, *more],
                check=False,
                env=environment,
                stdout=subprocess.DEVNULL,
                preexec_fn=lambda to=group / "cgroup.procs": to.write_text(str(os.getpid())),
            )
            wall = time.monotonic() - started
            each = f"{seconds_of(group) / count:.2f} CPU s and {wall / count:.2f} s per submission"
            print(f"{' '.join(words):14}  {each}, load {os.getloadavg()[0]:.1f}", flush=True)  # noqa: T201


@contextmanager
def counted_group() -> Iterator[Path]:
    """A control group of version 1, which counts the CPU time of all processes that ever were in it."""
    group = Path("/sys/fs/cgroup/cpuacct") / f"softmark-{os.getpid()}"
    try:
        group.mkdir()
    except OSError as error:  # ended processes of a sandbox show in no other count
        raise SystemExit(f"needs the right to make control groups of version 1: {error}") from error
    try:
        yield group
    finally:
        time.sleep(0.5)
        group.rmdir()


def seconds_of(group: Path) -> float:
    """CPU seconds of a control group."""
    return int((group / "cpuacct.usage").read_text(encoding="ascii")) / 1e9


if __name__ == "__main__":
    words = sys.argv[1:]
    if words == ["class"]:
        measure_class()
    else:
        measure_exactness(int(words[0]) if words else 20, PLANS[words[1] if len(words) > 1 else "brief"])
