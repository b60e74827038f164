"""What a large class costs, graded by the real command; and that runs which are killed lose nothing.

    .venv/bin/python -m tests.benchmarks.thousand [COUNT] [--kill TIMES]

The class is made of the sample class, by turns: right answers, wrong ones, some that are nearly empty, a
broken file, a liar; and every fiftieth hangs. Each copy is edited, so that no two have the same bytes.
Costs are those of a block of submissions after the first result, when all boxes are warm. Run it on an
idle machine, and install nothing meanwhile: what is installed is part of a result's key.
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.benchmarks.line import HANDED_IN, spent
from tests.support.processes import alive, below

HANGS, EVERY = "hugo.py", 50
BLOCK = 100  # submissions whose cost is compared: the first and the last so many
COMMAND = [sys.executable, "-c", "from graders.cli.main import main; main()", "grade"]


@dataclass
class Seen:
    """Samples of the running command: one row per sample, and every process of it."""

    rows: list[tuple[int, float, float, int, int]] = field(default_factory=list)
    processes: set[int] = field(default_factory=set)

    def observed_call(self, process: int, out: Path) -> None:
        """How many are done, wall and CPU seconds, bytes and descriptors of the host."""
        count = sum(1 for _ in out.glob("*/result.json"))
        self.processes |= below(process)
        try:
            status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
            files = len(os.listdir(f"/proc/{process}/fd"))  # noqa: PTH208
        except OSError:
            return
        words = dict(line.split(":", 1) for line in status.splitlines())
        if "VmRSS" in words:
            size = int(words["VmRSS"].split()[0]) * 1024
            self.rows.append((count, time.monotonic(), spent(process), size, files))

    def at(self, count: int) -> tuple[int, float, float, int, int]:
        """The first look at which so many were done."""
        return next(row for row in self.rows if row[0] >= count)

    def cost(self, first: int, last: int) -> tuple[float, float]:
        """CPU and wall seconds of a submission, from one count to another."""
        begun, ended = self.at(first), self.at(last)
        count = max(1, ended[0] - begun[0])
        return (ended[2] - begun[2]) / count, (ended[1] - begun[1]) / count


def make(folder: Path, count: int) -> None:
    """So many submissions."""
    kinds = sorted(path for path in HANDED_IN.iterdir() if path.name != HANGS)
    folder.mkdir()
    for number in range(count):
        source = HANDED_IN / HANGS if number % EVERY == EVERY - 1 else kinds[number % len(kinds)]
        path = folder / f"s{number:04}-{source.name}"
        if source.is_dir():
            shutil.copytree(source, path)
            for module in path.glob("*.py"):
                edit(module, number)
        else:
            shutil.copy(source, path)
            edit(path, number)


def edit(path: Path, number: int) -> None:
    """Give a file bytes of its own: a module a comment, a notebook some space at its end."""
    more = f"\n# copy {number}\n" if path.suffix == ".py" else " " * (number + 1)
    path.write_bytes(path.read_bytes() + more.encode())


def command(root: Path, name: str, jobs: int) -> list[str]:
    """Grade the class into a folder of this name."""
    out = ["--out", str(root / name), "--jobs", str(jobs)]
    return [*COMMAND, str(root / "in"), "--assignment", "attention", "--seed", "1", *out]


def start(root: Path, name: str, jobs: int) -> "subprocess.Popen[bytes]":
    """The real command, its temporary files in a folder of its own."""
    (root / "tmp").mkdir(exist_ok=True)
    log = (root / f"{name}.log").open("ab")
    environment = {**os.environ, "TMPDIR": str(root / "tmp")}
    return subprocess.Popen(command(root, name, jobs), stdout=log, stderr=log, env=environment)


def watched(root: Path, name: str, jobs: int) -> Seen:
    """Run it to its end, looking at it all the time."""
    seen = Seen()
    with start(root, name, jobs) as process:
        while process.poll() is None:
            seen.observed_call(process.pid, root / name)
            time.sleep(0.1)
    assert process.returncode == 1, f"it ended with {process.returncode}: see {root / name}.log"
    return seen


def results(out: Path) -> dict[str, Any]:
    """All results, without what may differ from run to run."""
    results = {path.parent.name: json.loads(path.read_bytes()) for path in out.glob("*/result.json")}
    for result in results.values():
        del result["graded_at"], result["seconds"], result["digest"]
    return results


def left(root: Path, seen: Seen) -> dict[str, int]:
    """What outlives a run."""
    return {
        "processes": sum(alive(pid) for pid in seen.processes),
        "temporary files": sum(1 for _ in (root / "tmp").rglob("*")),
        "unfinished files": sum(1 for _ in (root / "whole").rglob(".*")),
    }


def large(root: Path, count: int) -> None:
    """The whole class once: what a submission costs early and late, and what the host has grown."""
    seen = watched(root, "whole", 2)
    block = min(BLOCK, count // 2)
    end = count - 2  # with the last ones, processes end whose CPU time is nobody's
    for label, first, last in (("first", 1, block), ("last", end - block, end)):
        cpu, wall = seen.cost(first, last)
        say(f"{label} {block} of {count}: {cpu:.3f} CPU s and {wall:.3f} s per submission, two jobs")
    early, late = seen.at(block), seen.rows[-1]
    most = max(row[3] for row in seen.rows)
    say(f"host after {block}: {early[3] / 1e6:.1f} MB and {early[4]} descriptors")
    say(f"host at the end: {late[3] / 1e6:.1f} MB and {late[4]} descriptors; at most {most / 1e6:.1f} MB")
    say(f"left: {left(root, seen)}")


def again(root: Path) -> None:
    """The same once more, with nothing to do."""
    began = time.monotonic()
    with start(root, "whole", 2):
        pass
    say(f"a second run with nothing to do: {time.monotonic() - began:.1f} s")


def speed(root: Path, count: int) -> None:
    """One job and two on the same submissions."""
    walls = [watched(root, f"jobs{jobs}", jobs).cost(1, count)[1] for jobs in (1, 2)]
    say(f"two jobs are {walls[0] / walls[1]:.2f} times as fast as one")


def killed(root: Path, times: int, count: int) -> None:
    """Kill and resume, and compare with the undisturbed run: some time after some more are done."""
    done = 0
    for _ in range(times):
        enough = done + random.randint(0, 2 * count // times - 1)
        with start(root, "killed", 2) as process:
            while process.poll() is None and done < enough:
                time.sleep(0.1)
                done = sum(1 for _ in (root / "killed").glob("*/result.json"))
            time.sleep(random.uniform(0, 4))
            process.kill()
        say(f"killed with {len(results(root / 'killed'))} done")
    with start(root, "killed", 2):
        pass
    same = results(root / "killed") == results(root / "whole")
    unfinished = sum(1 for _ in (root / "killed").rglob(".*"))
    say(f"killed {times} times: the same results: {same}; unfinished files: {unfinished}")


def say(text: str) -> None:
    """Print one line immediately."""
    print(text, flush=True)  # noqa: T201


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=1000)
    parser.add_argument("--kill", type=int, default=0, help="kill a run so many times, and resume it")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="softmark-thousand-") as folder:
        make(Path(folder) / "in", asked.count)
        large(Path(folder), asked.count)
        again(Path(folder))
        if asked.kill:
            killed(Path(folder), asked.kill, asked.count)
        shutil.rmtree(Path(folder) / "in")
        make(Path(folder) / "in", min(asked.count, BLOCK))
        speed(Path(folder), min(asked.count, BLOCK))
