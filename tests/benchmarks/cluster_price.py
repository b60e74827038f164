"""What Dask costs: a class on a cluster of two workers with one slot each, and by two processes, in turns.

    .venv/bin/python -m tests.benchmarks.cluster_price [COUNT] [--rounds N] [--small]

The class is made as for `thousand`; `--small` has one exercise, so that a submission takes a tenth of a
second and the price shows most. Times are of the clock from the start of the command to its end, and from its
first result to its last. CPU seconds are of all processes, from a control group (cpuacct, as root); workers
are started before. On a busy machine the ratios of CPU seconds tell more.
"""

import argparse
import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.thousand import make, say
from tests.support.clusters import Program, grade_words, hand_in, loopback_cluster

GROUPS = Path("/sys/fs/cgroup/cpuacct")
CALL = "from graders.cli.start import run; run()"


@dataclass(frozen=True)
class Cost:
    """Of a run: seconds of the clock, those from the first result to the last, CPU seconds."""

    clock: float
    steady: float
    cpu: float


class Meter:
    """Counts the CPU seconds of all processes that are started within, dead ones too; 0 where it cannot."""

    def __init__(self, name: str) -> None:
        self.group = GROUPS / f"softmark-{name}-{os.getpid()}"
        self.works = os.access(GROUPS, os.W_OK)
        if self.works:
            self.group.mkdir()

    def add(self, pid: int) -> None:
        """Count a process, and all that it starts from now on."""
        if self.works:
            (self.group / "cgroup.procs").write_text(str(pid), encoding="ascii")

    def seconds(self) -> float:
        """So far."""
        if not self.works:
            return 0.0
        return int((self.group / "cpuacct.usage").read_text(encoding="ascii")) / 1e9

    def close(self) -> None:
        """Remove the group; its processes have ended."""
        if self.works:
            time.sleep(1)
            self.group.rmdir()


def run(start: Callable[[], int], await_end: Callable[[], int], meter: Meter, out: Path) -> Cost:
    """The cost of a run that `start` starts."""
    before, began = meter.seconds(), time.monotonic()
    meter.add(start())
    status = await_end()
    ended = time.monotonic()
    assert status == 1, status
    written = sorted(path.stat().st_mtime for path in out.glob("*/result.json"))
    return Cost(ended - began, written[-1] - written[0], meter.seconds() - before)


def main(root: Path, count: int, rounds: int, small: bool) -> None:
    """Grade the class in both ways, as often as is wanted."""
    if small:
        hand_in(root / "in", count)
    else:
        make(root / "in", count)
    costs: dict[str, list[Cost]] = {"pool": [], "cluster": []}
    meters = {name: Meter(name) for name in costs}
    with loopback_cluster(root / "cluster") as cluster:
        for program in (cluster.start_scheduler(), cluster.start_worker(), cluster.start_worker()):
            meters["cluster"].add(program.process.pid)
        for number in range(rounds):
            for name in costs if number % 2 == 0 else reversed(costs):
                out = root / f"{name}{number}"
                words = grade_words(root / "in", out)
                if not small:
                    words = [word for word in words if word not in ("--course", root / "course.toml")]
                given = ["--jobs", "2"] if name == "pool" else ["--cluster", cluster.address]
                started: list[Program] = []

                def start(words: list[object] = [*words, *given]) -> int:  # noqa: B006
                    started.append(cluster.start(*words))  # noqa: B023
                    return started[0].process.pid  # noqa: B023

                costs[name].append(run(start, lambda: started[0].process.wait(), meters[name], out))  # noqa: B023
                say(f"round {number + 1}, {name}: {costs[name][-1]}")
                shutil.rmtree(out)
    for meter in meters.values():
        meter.close()
    for measure in ("clock", "steady", "cpu"):
        medians = {
            name: statistics.median(getattr(cost, measure) for cost in found) for name, found in costs.items()
        }
        if medians["pool"]:
            say(f"{measure}: cluster / pool = {medians['cluster'] / medians['pool']:.3f} ({medians})")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=400)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--small", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="softmark-price-") as name:
        main(Path(name), asked.count, asked.rounds, asked.small)
