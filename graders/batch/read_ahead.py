"""Ask the system for files that are read soon, so that the disk works while the processor does."""

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path


def read_ahead(paths: Iterable[Path]) -> None:
    """Begin to read files in the background, those that are there; nothing waits for them.

    Where the system has no such call, nothing happens.
    """
    if not hasattr(os, "posix_fadvise"):
        return
    for path in paths:
        with contextlib.suppress(OSError):
            # Not to wait for ever on a named pipe.
            file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            try:
                os.posix_fadvise(file, 0, 0, os.POSIX_FADV_WILLNEED)
            finally:
                os.close(file)
