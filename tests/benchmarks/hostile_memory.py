"""The most memory that each process of the host takes while all attacks are graded as a class.

    .venv/bin/python -m tests.benchmarks.hostile_memory [OPTION...]

Attacks that are modules are handed in beside the sample class, and `softmark grade` grades them with two jobs
and the options given. Every 50 ms the peaks of all its processes are read; those in a box are counted apart.
"""

import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from graders.results.result import from_json
from tests.hostile.corpus import FAMILIES
from tests.support.processes import below

HOSTILE = Path(__file__).parents[1] / "hostile"
CLASS = Path(__file__).parents[1] / "handed_in/attention"
LIMITS = ("--limit", "call=1s", "--limit", "submission=5s", "--limit", "memory=512MB")
BOXED_IN = "user"  # a process of a box lies in a user namespace of its own


def main(options: list[str]) -> None:
    """Print the outcomes, and the peaks of processes of the host and of the boxes in MB."""
    with tempfile.TemporaryDirectory() as folder:
        count = hand_in(Path(folder) / "in")
        out = Path(folder) / "out"
        given = ["--assignment", "attention", "--out", out, "--jobs", "2", "--no-timing", *LIMITS, *options]
        command = [Path(sys.executable).with_name("softmark"), "grade", Path(folder) / "in", *given]
        started = time.monotonic()
        run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        host, boxes = watch(run)
        results = [from_json(p.read_text(encoding="utf-8")) for p in out.glob("*/result.json")]
        print(f"{count} submissions, {len(results)} results, status {run.returncode}")  # noqa: T201
        print(f"{time.monotonic() - started:.0f} s; exercises:")  # noqa: T201
        print(Counter(str(e.outcome) for result in results for e in result.exercises))  # noqa: T201
        print("host, MB:", sorted(host.values(), reverse=True)[:8])  # noqa: T201
        print("boxes, MB:", sorted(boxes.values(), reverse=True)[:4], f"of {len(boxes)}")  # noqa: T201


def hand_in(folder: Path) -> int:
    """The attacks and the sample class in a folder; returns how many."""
    folder.mkdir()
    attacks = [path for family in FAMILIES for path in (HOSTILE / family).glob("*.py")]
    for path in attacks:
        (folder / f"{path.parent.name}-{path.name}").write_bytes(path.read_bytes())
    honest = list(CLASS.iterdir())
    for path in honest:
        subprocess.run(["cp", "-r", path, folder / path.name], check=True)
    return len(attacks) + len(honest)


def watch(run: "subprocess.Popen[bytes]") -> tuple[dict[int, int], dict[int, int]]:
    """The peaks of the processes of a run in MB, by process id: on the host, and in boxes."""
    own = namespace(run.pid)
    host, boxes = dict[int, int](), dict[int, int]()
    while run.poll() is None:
        for pid in {run.pid, *below(run.pid)}:
            peak = peak_of(pid)
            where = boxes if namespace(pid) != own else host
            where[pid] = max(peak, where.get(pid, 0))
        time.sleep(0.05)
    return host, boxes


def namespace(pid: int) -> str:
    try:
        return str(Path(f"/proc/{pid}/ns/{BOXED_IN}").readlink())
    except OSError:
        return ""


def peak_of(pid: int) -> int:
    """MB, as the kernel keeps them; 0 of a process that has ended."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) >> 10 for line in lines if line.startswith("VmHWM")), 0)


if __name__ == "__main__":
    main(sys.argv[1:])
