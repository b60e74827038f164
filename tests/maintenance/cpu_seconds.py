"""CPU seconds of a command and of all that it starts, and how often one could import PyTorch in that time.

    .venv/bin/python -m tests.maintenance.cpu_seconds COMMAND [ARGUMENT...]

`make test` prints its own. Seconds say as much of the machine as of the tests; the ratio to `import torch`,
which is measured before and after, compares runs on several machines, or on one that is busy. Processes whose
parent ends first are waited for here. Only of what ignores how its children end nothing is known.
"""

import ctypes
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence

PR_SET_CHILD_SUBREAPER = 36  # linux/prctl.h
LINGERING_S = 2.0  # for processes that end after the command


def seconds_of(command: Sequence[str]) -> tuple[float, int]:
    """CPU seconds of a command and of all that it starts, and its exit status."""
    before = _waited_for()
    process = subprocess.Popen(command)
    ended, status = -1, 0
    # Whoever has ended is taken away at once: left there, it would keep the first process of its namespace.
    while ended != process.pid:
        ended, status = os.waitpid(-1, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    _wait_for_orphans()
    return _waited_for() - before, process.returncode


def seconds_of_torch() -> float:
    """CPU seconds of a Python that imports PyTorch."""
    return seconds_of([sys.executable, "-c", "import torch"])[0]


def adopt_orphans() -> None:
    """Make this process wait for those whose parent ends first; Linux alone can do that."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _waited_for() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _wait_for_orphans() -> None:
    until = time.monotonic() + LINGERING_S
    while time.monotonic() < until:
        try:
            ended, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if not ended:
            time.sleep(0.01)


def main() -> None:
    """Run the command and say what it cost."""
    adopt_orphans()
    imports = [seconds_of_torch(), seconds_of_torch()]
    seconds, status = seconds_of(sys.argv[1:])
    imports.append(seconds_of_torch())
    torch = statistics.median(imports)
    ratio = seconds / torch
    sys.stderr.write(f"{seconds:.0f} CPU seconds: {ratio:.0f} times `import torch` ({torch:.2f} s)\n")
    sys.exit(status if status >= 0 else 128 - status)


if __name__ == "__main__":
    main()
