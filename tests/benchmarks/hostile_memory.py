"""The most memory that each process of the host takes while all attacks are graded as a class.

    .venv/bin/python -m tests.benchmarks.hostile_memory [OPTION...]

Three classes: attacks that are modules, those that are archives or notebooks, and those that are checkpoints.
Each is handed in beside a sample class, and `softmark grade` grades it with two jobs, the default limits and
the options given. Every 50 ms the peaks of all its processes are read; those in a box are counted apart.
"""

import importlib
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from graders.results.result import from_json
from tests.hostile.corpus import FAMILIES
from tests.support.processes import below

HOSTILE = Path(__file__).parents[1] / "hostile"
CLASSES = Path(__file__).parents[1] / "handed_in"
TRAINED = CLASSES / "minigpt/anna"
BOXED_IN = "user"  # a process of a box lies in a user namespace of its own


def main(options: list[str]) -> None:
    """Print for each class the outcomes, and the peaks of processes of the host and of the boxes in MB."""
    measure("attention", modules, options)
    measure("attention", archives_and_notebooks, options)
    measure("minigpt", checkpoints, ["--corpus", "french", *options])


def measure(assignment: str, attacks: Callable[[Path], list[Path]], options: list[str]) -> None:
    """Grade the attacks and a sample class, and print what it took."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "made").mkdir()
        count = hand_in(
            Path(folder) / "in", [*attacks(Path(folder) / "made"), *(CLASSES / assignment).iterdir()]
        )
        out = Path(folder) / "out"
        given = ["--assignment", assignment, "--out", out, "--jobs", "2", "--no-timing", *options]
        command = [Path(sys.executable).with_name("softmark"), "grade", Path(folder) / "in", *given]
        started = time.monotonic()
        run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        host, boxes = watch(run)
        results = [from_json(p.read_text(encoding="utf-8")) for p in out.glob("*/result.json")]
        print(f"{attacks.__name__}: {count} submissions, {len(results)} results, status {run.returncode}")  # noqa: T201
        print(f"{time.monotonic() - started:.0f} s; exercises:")  # noqa: T201
        print(Counter(str(e.outcome) for result in results for e in result.exercises))  # noqa: T201
        print("host, MB:", sorted(host.values(), reverse=True)[:8])  # noqa: T201
        print("boxes, MB:", sorted(boxes.values(), reverse=True)[:4], f"of {len(boxes)}", flush=True)  # noqa: T201


def hand_in(folder: Path, paths: list[Path]) -> int:
    """Copy these, each under a name of its own; returns how many."""
    folder.mkdir()
    for path in paths:
        subprocess.run(["cp", "-r", path, folder / path.name], check=True)
    return len(paths)


def modules(folder: Path) -> list[Path]:
    """The attacks that are modules, renamed after their families."""
    written = []
    for family in FAMILIES:
        for path in (HOSTILE / family).glob("*.py"):
            written.append(folder / f"{family}-{path.name}")
            written[-1].write_bytes(path.read_bytes())
    return written


def archives_and_notebooks(folder: Path) -> list[Path]:
    """The attacks that are files of another kind."""
    made = [make(folder, family, path.stem) for family in ("archive", "notebook") for path in files(family)]
    return [path if path.is_dir() else path.rename(f"{path.parent}-file{path.suffix}") for path in made]


def checkpoints(folder: Path) -> list[Path]:
    """A right answer for each attack, with a hostile checkpoint beside it."""
    for path in files("checkpoint"):
        made = make(folder, "checkpoint", path.stem)
        shutil.copytree(
            TRAINED, made.parent, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.safetensors")
        )
    return list(folder.iterdir())


def files(family: str) -> list[Path]:
    """The attacks of a family."""
    return sorted((HOSTILE / family).glob("[a-z]*.py"))


def make(folder: Path, family: str, name: str) -> Path:
    """Make an attack's file, alone in a folder of its own."""
    (folder / f"{family}-{name}").mkdir()
    module = importlib.import_module(f"tests.hostile.{family}.{name}")
    made: Path = module.make(folder / f"{family}-{name}")
    return made


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
