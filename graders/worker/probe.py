"""Tries once whether a cage can be closed here, without torch: exit status 0 where it holds."""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import cage


def main() -> None:
    """Run the student's side of an empty cage and look around in it."""
    cage.leave_root()
    limits = {"memory_bytes": 1 << 30, "cpu_s": 5, "file_bytes": 1 << 20, "files": 64, "processes": 64}
    _, channel = os.pipe()
    _, output = os.pipe()
    reader, status = os.pipe()
    leash, _ = os.pipe()
    if os.fork() == 0:
        cage.warden(limits, True, channel, output, status, leash, run=_look_around)
    os.close(status)
    report = ""
    while chunk := os.read(reader, 4096):  # until the warden ends
        report += chunk.decode()
    if '"exit": 0,' not in report:
        sys.exit(report or "the cage said nothing")


def _look_around(_: int) -> None:
    alone = os.getpid() == 1 and not os.listdir("/proc") and not os.listdir("/tmp")  # noqa: PTH208, S108
    os._exit(0 if alone else 1)


if __name__ == "__main__":
    main()
