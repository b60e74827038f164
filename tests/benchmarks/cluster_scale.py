"""Where a cluster stops being faster: measured costs, and a simulation of 1 to 256 workers.

    .venv/bin/python -m tests.benchmarks.cluster_scale [--seconds S] [--count N] [--jobs J] [--measured N]

First it measures on this machine, with workers that answer at once, how many CPU seconds a submission costs
the scheduler, the process that speaks to Dask, the host itself, and the host's processes that read answers
and write pages. Then it simulates a class on workers of one slot. A submission takes `--seconds` on average,
every fiftieth runs to its limit of 20 s, and each passes through these four in turn, of which only the last
are several (`--jobs`). Printed are the time of the class, the speed-up over one worker, and the busiest part.
"""

import argparse
import heapq
import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import deque
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.line import HANDED_IN, spent
from tests.benchmarks.thousand import edit, say
from tests.support.clusters import Program, loopback_cluster, words_of
from tests.support.processes import below

START_S = 12.0  # until a worker has imported PyTorch and made the draws, on an idle machine
HANGS_S, EVERY = 20.0, 50
WINDOW = 4
WORKERS = (1, 2, 4, 8, 16, 32, 64, 128, 256)
FEW = 20


@dataclass(frozen=True)
class Costs:
    """CPU seconds of a submission, and the bytes that its answer has."""

    scheduler: float
    client: float
    host: float
    readers: float


def own(pid: int) -> float:
    """CPU seconds of a process alone."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def measure(root: Path, count: int, jobs: int) -> Costs:
    """The costs that grow with the class: those of many submissions less those of a few."""
    for name, size in (("few", FEW), ("many", FEW + count)):
        (root / name).mkdir()
        for number in range(size):
            shutil.copy(HANDED_IN / "alice.ipynb", root / name / f"s{number:05}.ipynb")
            edit(root / name / f"s{number:05}.ipynb", number)
    words = ["--assignment", "attention", "--seed", "1", "--no-timing", "--jobs", str(jobs)]
    call = "from graders.cli.start import run; run()"
    given = ["grade", str(root / "few"), *words, "--only", "s00000", "--out", str(root / "one")]
    subprocess.run([sys.executable, "-P", "-c", call, *given], check=False, capture_output=True)
    answer = root / "one/s00000/result.json"
    say(f"an answer has {answer.stat().st_size / 1000:.0f} KB")
    with loopback_cluster(root / "cluster") as cluster:
        scheduler = cluster.start_scheduler()
        workers = cluster.start_python("-m", "tests.benchmarks.instant_workers", cluster.address, answer, 4)
        workers.await_line("all are at work")
        seen = []
        for name in ("few", "many"):
            before = own(scheduler.process.pid)
            run = cluster.start(
                "grade", root / name, *words, "--cluster", cluster.address, "--out", root / f"{name}-out"
            )
            client, host, whole = watch(run)
            seen.append((own(scheduler.process.pid) - before, client, host, whole - client - host))
            assert run.process.returncode == 0, run.says()
    return Costs(*((many - few) / count for few, many in zip(*seen, strict=True)))


def watch(run: Program) -> tuple[float, float, float]:
    """CPU seconds of the process that speaks to Dask, of the host alone, and of all, until the end."""
    client = host = whole = 0.0
    while run.process.poll() is None:
        try:
            for pid in below(run.process.pid):
                if "dask_client" in words_of(pid):
                    client = max(client, own(pid))
            host, whole = own(run.process.pid), max(whole, spent(run.process.pid))
        except OSError:
            break
        time.sleep(0.1)
    run.process.wait()
    return client, host, whole


@dataclass
class Station:
    """A part that serves one submission after the other, or several at a time."""

    free: list[float]
    busy: float = 0.0

    def serve(self, now: float, seconds: float) -> float:
        """When a submission that comes now has been served."""
        began = max(now, heapq.heappop(self.free))
        heapq.heappush(self.free, began + seconds)
        self.busy += seconds
        return began + seconds


def simulate(costs: Costs, workers: int, times: list[float], jobs: int) -> tuple[float, str]:
    """Seconds for a class, and the busiest part with its share of the time."""
    stations = {
        "scheduler": Station([0.0]),
        "client": Station([0.0]),
        "host": Station([0.0]),
        "readers": Station([0.0] * jobs),
        "workers": Station([START_S] * workers),
    }
    # Halves of what the scheduler, the client and the host do come before the worker's part, and after it.
    route = [
        ("host", costs.host / 2),
        ("client", costs.client / 2),
        ("scheduler", costs.scheduler / 2),
        ("workers", 0.0),
        ("scheduler", costs.scheduler / 2),
        ("client", costs.client / 2),
        ("host", costs.host / 2),
        ("readers", costs.readers),
    ]
    waiting, events, end = deque(times), [], 0.0
    number = 0
    while waiting and number < WINDOW * workers:
        heapq.heappush(events, (0.0, number, 0, waiting.popleft()))
        number += 1
    while events:
        now, item, step, seconds = heapq.heappop(events)
        name, cost = route[step]
        done = stations[name].serve(now, seconds if name == "workers" else cost)
        if step + 1 < len(route):
            heapq.heappush(events, (done, item, step + 1, seconds))
            continue
        end = max(end, done)
        if waiting:
            heapq.heappush(events, (done, number, 0, waiting.popleft()))
            number += 1
    shares = {name: station.busy / end / len(station.free) for name, station in stations.items()}
    busiest = max(shares, key=lambda name: shares[name])
    return end, f"{busiest} {shares[busiest]:.0%}"


def submission_times(count: int, mean: float) -> list[float]:
    """Seconds that the box needs for each submission of a class."""
    chosen = random.Random(1)
    times = [chosen.lognormvariate(0, 0.6) * mean / 1.197 for _ in range(count)]
    return [HANGS_S if number % EVERY == EVERY - 1 else time for number, time in enumerate(times)]


def main(seconds: float, count: int, jobs: int, measured: int) -> None:
    """Measure, then simulate."""
    with tempfile.TemporaryDirectory(prefix="softmark-scale-") as name:
        costs = measure(Path(name), measured, jobs)
    say("CPU ms of a submission: " + json.dumps({k: round(1000 * v, 1) for k, v in vars(costs).items()}))
    times = submission_times(count, seconds)
    one = simulate(costs, 1, times, jobs)[0]
    say(f"{count} submissions of {seconds} s on average, {jobs} processes that read:")
    for workers in WORKERS:
        took, busiest = simulate(costs, workers, times, jobs)
        say(f"{workers:4} workers: {took:8.0f} s, {one / took:6.1f} times as fast as one, {busiest}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--jobs", type=int, default=8)
    parser.add_argument("--measured", type=int, default=200)
    asked = parser.parse_args()
    main(asked.seconds, asked.count, asked.jobs, asked.measured)
