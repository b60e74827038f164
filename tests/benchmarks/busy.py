"""A class gets the same results on a busy machine as on an idle one, byte for byte but for its times.

    .venv/bin/python -m tests.benchmarks.busy [PROCESSES [TIMES]]

The sample class is graded by the command, then again under so many processes that spin (8).
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.benchmarks.line import HANDED_IN
from tests.support.busy_machine import busy_machine

OF_TIME = ("graded_at", "seconds", "key", "digest")
GRADE = "from graders.cli.main import main; main()"


def comparable(out: Path, name: str) -> dict[str, Any]:
    """A result as it is written, without its times."""
    result = json.loads((out / name / "result.json").read_text(encoding="utf-8"))
    return {key: value for key, value in result.items() if key not in OF_TIME}


def grade(handed_in: Path, out: Path, *more: str) -> float:
    """Grade a class by the command; seconds on the wall."""
    started = time.monotonic()
    arguments = ["grade", str(handed_in), "--assignment", "attention", "--seed", "1", "--no-timing", *more]
    command = [sys.executable, "-c", GRADE, *arguments, "--out", str(out)]
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return time.monotonic() - started


def different(idle: Path, busy: Path) -> list[str]:
    """The submissions whose results differ, with the first exercise in which they do."""
    names = []
    for path in sorted(idle.glob("*/result.json")):
        before, after = comparable(idle, path.parent.name), comparable(busy, path.parent.name)
        if before != after:
            both = zip(before["exercises"], after["exercises"], strict=True)
            names.append(f"{path.parent.name}: {next((a['name'] for a, b in both if a != b), '?')}")
    return names


def main(processes: int, times: int) -> None:
    """Grade idle, then busy so many times, and compare."""
    with tempfile.TemporaryDirectory() as folder:
        idle = Path(folder, "idle")
        seconds = grade(HANDED_IN, idle)
        count = len(list(idle.glob("*/result.json")))
        print(f"idle: {count} submissions in {seconds:.0f} s (load {os.getloadavg()[0]:.1f})", flush=True)  # noqa: T201
        for number in range(times):
            busy = Path(folder, f"busy {number}")
            with busy_machine(processes):
                seconds = grade(HANDED_IN, busy)
                load = os.getloadavg()[0]
            found = different(idle, busy) or "none"
            print(f"{processes} spinning: {seconds:.0f} s (load {load:.1f}); different: {found}", flush=True)  # noqa: T201


if __name__ == "__main__":
    asked = [int(word) for word in sys.argv[1:]]
    main(*(asked + [8, 1][len(asked) :]))
