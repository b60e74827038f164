"""CPU seconds of a command and of all that it starts, and how often one could import PyTorch in that time.

    .venv/bin/python -m tests.maintenance.cpu_seconds COMMAND [ARGUMENT...]

`make test` prints its own. Seconds say as much of the machine as of the tests; the ratio to `import torch`,
which is measured before and after, compares runs on several machines, or on one that is busy. Counted is what
somebody has waited for: not the interpreters of boxes, which the kernel takes away, nor those whose parent
ends first.
"""

import resource
import statistics
import subprocess
import sys
from collections.abc import Sequence


def seconds_of(command: Sequence[str]) -> tuple[float, int]:
    """CPU seconds of a command and of all that it starts, and its exit status."""
    before = _waited_for()
    status = subprocess.run(command, check=False).returncode
    return _waited_for() - before, status


def seconds_of_torch() -> float:
    """CPU seconds of a Python that imports PyTorch."""
    return seconds_of([sys.executable, "-c", "import torch"])[0]


def _waited_for() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    """Run the command and say what it cost."""
    imports = [seconds_of_torch(), seconds_of_torch()]
    seconds, status = seconds_of(sys.argv[1:])
    imports.append(seconds_of_torch())
    torch = statistics.median(imports)
    ratio = seconds / torch
    sys.stderr.write(f"{seconds:.0f} CPU seconds: {ratio:.0f} times `import torch` ({torch:.2f} s)\n")
    sys.exit(status if status >= 0 else 128 - status)


if __name__ == "__main__":
    main()
