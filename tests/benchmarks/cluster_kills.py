"""Kill -9 what a cluster consists of, again and again: the results must be those of one process.

    .venv/bin/python -m tests.benchmarks.cluster_kills [COUNT] [--workers N] [--kills TIMES]

Scheduler and workers run on this machine. By turns a worker, a slot, a box is killed while a class of small
submissions is graded; now and then the scheduler, and the run itself. A worker that was killed is replaced.
After a kill of the scheduler everything of its cluster must be gone within 15 s; then a new cluster, and the
same command again.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.benchmarks.thousand import say
from tests.support.clusters import (
    LoopbackCluster,
    Program,
    await_end_of,
    count_results,
    grade_words,
    hand_in,
    loopback_cluster,
    results,
    words_of,
)
from tests.support.processes import alive

ROUND = ("worker", "slot", "box", "slot", "client", "worker", "box", "slot", "worker", "scheduler")
HANGS_S = 600.0  # without a new result


class Mishap:
    """A cluster with a run on it, which is killed part by part."""

    def __init__(self, cluster: LoopbackCluster, root: Path, workers: int) -> None:
        self.cluster, self.root, self.count = cluster, root, workers
        self.seen: set[int] = set()
        self.start_cluster()
        self.start_run()

    def start_cluster(self) -> None:
        """A scheduler and its workers."""
        self.scheduler = self.cluster.start_scheduler()
        self.workers = [self.cluster.start_worker() for _ in range(self.count)]

    def start_run(self) -> None:
        """The command that grades the class, or goes on with it."""
        self.run = self.cluster.grade(self.root / "in", self.root / "out")

    def look(self) -> None:
        """Remember which processes there are."""
        for program in (self.scheduler, self.run, *self.workers):
            self.seen |= program.look()

    def kill(self, what: str) -> None:
        """Kill a part, and set up what is needed to go on."""
        self.look()
        if what == "worker":
            worker = self.workers.pop(random.randrange(len(self.workers)))
            kill_program(worker)
            await_end_of(worker.seen)
            self.workers.append(self.cluster.start_worker())
        elif what == "client":
            kill_program(self.run)
            await_end_of(self.run.seen)
            self.start_run()
        elif what == "scheduler":
            kill_program(self.scheduler)
            say(f"  the run ended with {self.run.process.wait(60)}: {self.run.says().splitlines()[-1]}")
            for worker in self.workers:
                worker.process.wait(15)
            await_end_of(self.seen)
            self.start_cluster()
            self.start_run()
        else:
            words = {"slot": "grading_process", "box": "bwrap"}[what]
            processes = [pid for worker in self.workers for pid in worker.look() if words in words_of(pid)]
            if processes:
                os.kill(random.choice(processes), signal.SIGKILL)

    def await_results(self, count: int) -> None:
        """Wait until there are so many, or the run ends."""
        before, since = -1, time.monotonic()
        while (now := count_results(self.root / "out")) < count and self.run.process.poll() is None:
            if now != before:
                before, since = now, time.monotonic()
            assert time.monotonic() - since < HANGS_S, self.run.says()
            time.sleep(0.2)
            self.look()


def kill_program(program: Program) -> None:
    """Kill the process that was started, and no other."""
    program.look()
    program.process.kill()
    program.process.wait()


def main(root: Path, count: int, workers: int, kills: int) -> None:
    """Kill as often as is wanted, then compare with an undisturbed run of one process."""
    hand_in(root / "in", count)
    began = time.monotonic()
    with loopback_cluster(root / "cluster") as cluster:
        mishap = Mishap(cluster, root, workers)
        for number in range(kills):
            mishap.await_results((number + 1) * count // (kills + 2))
            what = ROUND[number % len(ROUND)]
            say(f"kill {number + 1}: {what}, with {count_results(root / 'out')} results")
            mishap.kill(what)
        status = mishap.run.process.wait()
        say(f"the run ended with {status} after {time.monotonic() - began:.0f} s")
        told = mishap.run.says().splitlines()
        say(f"refused or broken: {[line for line in told if 'refused' in line or 'broken' in line]}")
        mishap.look()
        kill_program(mishap.scheduler)
        for worker in mishap.workers:
            worker.process.wait(15)
        await_end_of(mishap.seen)
        say(f"of {len(mishap.seen)} processes that were seen, left: {sum(map(alive, mishap.seen))}")
    words = [*map(str, grade_words(root / "in", root / "one")), "--jobs", "1"]
    call = "from graders.cli.start import run; run()"
    subprocess.run([sys.executable, "-P", "-c", call, *words], check=False, capture_output=True)
    found, expected = results(root / "out"), results(root / "one")
    say(f"{len(found)} results of {count}; the same as one process gives: {found == expected}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=2000)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--kills", type=int, default=20)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="softmark-kills-") as name:
        main(Path(name), asked.count, asked.workers, asked.kills)
