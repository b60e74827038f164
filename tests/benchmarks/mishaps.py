"""What can happen to a run: it is killed, the disk is full, another run wants the same folder.

    .venv/bin/python -m tests.benchmarks.mishaps [COUNT] [--kills TIMES]

The class is made as for `thousand`, and graded by the real command without timing, whose figures differ from
run to run. To fill a disk takes root: a small file system in memory is mounted for it.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.benchmarks.thousand import make, results, say

SOFTMARK = Path(sys.executable).with_name("softmark")
DISK = "1m"  # the results and pages of a few submissions


def command(root: Path, out: Path) -> list[Any]:
    """Grade the class into a folder."""
    given = ["--assignment", "attention", "--seed", "1", "--no-timing", "--jobs", "2"]
    return [SOFTMARK, "grade", root / "in", *given, "--out", out]


def whole(root: Path, out: Path) -> tuple[int, str]:
    """Run it to its end: the status, and the last line that it prints."""
    done = subprocess.run(command(root, out), capture_output=True, text=True)
    lines = (done.stdout + done.stderr).strip().splitlines()
    assert not any(line.startswith("Traceback") for line in lines), lines
    return done.returncode, lines[-1]


def kill_and_resume(root: Path, times: int) -> None:
    """Kill a run as soon as it has written results, again and again; then compare with an undisturbed one."""
    say(f"undisturbed: {whole(root, root / 'whole')}")
    expected, out = results(root / "whole"), root / "killed"
    for number in range(1, times + 1):
        before = results(out)
        with subprocess.Popen(
            command(root, out), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as run:
            while run.poll() is None and len(results(out)) <= len(before) < len(expected):
                time.sleep(0.05)
            time.sleep(random.uniform(0, 0.5))
            run.kill()
        after = results(out)
        kept = all(after.get(name) == result for name, result in before.items())
        say(f"kill {number}: {len(before)} results before, {len(after)} after; those before are kept: {kept}")
    say(f"then: {whole(root, out)}")
    unfinished = sum(1 for _ in out.rglob(".*"))
    say(f"the same results as undisturbed: {results(out) == expected}; unfinished files: {unfinished}")
    seeds = [(root / name / "seed.txt").read_text(encoding="ascii") for name in ("whole", "killed")]
    say(f"the same seed: {seeds[0] == seeds[1]}")


def fill_the_disk(root: Path) -> None:
    """Grade into a disk that gets full, then free some of it and go on."""
    expected = results(root / "whole")
    with small_disk(root / "disk") as disk:
        say(f"full: {whole(root, disk / 'out')}")
        before = results(disk / "out")
        say(f"{len(before)} results, each as undisturbed: {before.items() <= expected.items()}")
        say(f"full before it starts: {whole(root, disk / 'out')}")
        subprocess.run(["mount", "-o", "remount,size=256m", disk], check=True)
        say(f"with space again: {whole(root, disk / 'out')}")
        say(f"the same results as undisturbed: {results(disk / 'out') == expected}")


@contextmanager
def small_disk(folder: Path) -> Iterator[Path]:
    """A file system of DISK bytes."""
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK}", "softmark", folder], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", folder], check=True)


def two_at_once(root: Path) -> None:
    """Start two runs into one folder: one is refused, the other is not disturbed."""
    expected, out = results(root / "whole"), root / "two"
    with subprocess.Popen(command(root, out), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as first:
        while first.poll() is None and not results(out):
            time.sleep(0.05)
        say(f"the second: {whole(root, out)}")
        say(f"the first: {first.wait()}")
    say(f"the same results as undisturbed: {results(out) == expected}")
    pair = [subprocess.Popen(command(root, root / "pair"), stderr=subprocess.DEVNULL) for _ in range(2)]
    say(f"two started together: {sorted(run.wait() for run in pair)}")
    say(f"the same results as undisturbed: {results(root / 'pair') == expected}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=28)
    parser.add_argument("--kills", type=int, default=10)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="softmark-mishaps-") as name:
        make(Path(name) / "in", asked.count)
        kill_and_resume(Path(name), asked.kills)
        two_at_once(Path(name))
        if os.geteuid() == 0:
            fill_the_disk(Path(name))
