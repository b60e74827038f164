"""Commands that are killed, and two at once in one folder of results. Not collected by pytest.

    python -m tests.fuzz.kills --seconds 300 --seed 1

Whenever a command is killed, and whoever else writes there at that time, each result in the folder is
whole, and the same command again ends as if nothing had happened.
"""

import os
import random
import shutil
import signal
import threading
import time
from pathlib import Path

from graders.results.store import load_result
from tests.fuzz.forked_command import Ran, run_command
from tests.fuzz.fuzzing import fuzz
from tests.fuzz.results_folder import GATHER, GRADE, STUDENTS, MadeClass, made_class

COMMANDS = {
    "grade": (*GRADE, "--out", "out", "--force"),
    "report": ("report", "out", "--force", "--jobs", "2"),
    "gather": GATHER,
    "export": ("export", "out", "junit", "--to", "all.xml"),
    "results": ("results", "out", "--to", "all.sqlite"),
}
SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
LONGEST_S = 1.5  # before a kill


def main() -> None:
    """Kill commands until the time is up."""
    with made_class() as made:
        fuzz(lambda number: judge(made, number), __doc__)


def judge(made: MadeClass, number: int) -> str:
    """Kill a command, or run two at once; what was done and how the command ended afterwards."""
    draws = random.Random(number)
    folder = made.root / "copy"
    shutil.copytree(made.root / "made", folder, symlinks=True)
    name = draws.choice(list(COMMANDS))
    words = COMMANDS[name]
    try:
        if draws.random() < 0.3:
            other = draws.choice(("grade", "report"))
            both = _run_both(words, COMMANDS[other], folder)
            assert all(ran.fault is None for ran in both), [ran.said for ran in both]
            kind = f"{name} beside {other}"
        else:
            kind = f"{name} killed"
            _kill(words, folder, draws.random() ** 2 * LONGEST_S, draws.choice(SIGNALS))
        _require_whole(folder, kind)
        ran = run_command(words, folder)
        assert ran.fault is None and ran.status in (0, 1), f"{kind}: {ran.status}, {ran.said}"
        _require_whole(folder, kind)
        parts = [*folder.glob("out/**/*.part"), *folder.glob("all/**/*.part")]
        assert name in ("export", "results") or not parts, f"{kind}: {parts}"
        return f"{kind:24} {ran.status}"
    finally:
        shutil.rmtree(folder)


def _run_both(one: tuple[str, ...], other: tuple[str, ...], folder: Path) -> list[Ran]:
    (folder / "beside").mkdir()
    for name in ("in", "out", "part1", "part2", "roster.csv"):
        (folder / "beside" / name).symlink_to(folder / name)
    ended: list[Ran] = []
    beside = threading.Thread(target=lambda: ended.append(run_command(other, folder / "beside")))
    beside.start()
    ended.append(run_command(one, folder))
    beside.join()
    return ended


def _kill(words: tuple[str, ...], folder: Path, seconds: float, number: signal.Signals) -> None:
    started = os.fork()
    if started == 0:
        try:
            run_command(words, folder)
        finally:
            os._exit(0)
    time.sleep(seconds)
    children = Path(f"/proc/{started}/task/{started}/children").read_text(encoding="ascii").split()
    for child in children:
        os.kill(int(child), number)
    os.waitpid(started, 0)


def _require_whole(folder: Path, told: str) -> None:
    for out in ("out", "part1", "part2"):
        for student in STUDENTS:
            if (folder / out / student).is_dir():
                load_result(folder / out, student)
    assert len([*folder.glob("out/*/result.json")]) == len(STUDENTS), told


if __name__ == "__main__":
    main()
