"""How long this command has been running: from the start of its process, as a person sees it."""

import os
import time
from pathlib import Path

_IMPORTED = time.monotonic()


def seconds_running() -> float:
    """The seconds since the process was started; where that is not known, since this module was imported."""
    try:
        fields = Path("/proc/self/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        began = int(fields[19]) / os.sysconf("SC_CLK_TCK")  # proc(5): starttime, in ticks
        return time.clock_gettime(time.CLOCK_BOOTTIME) - began
    except (OSError, ValueError, IndexError, AttributeError):
        return time.monotonic() - _IMPORTED
