"""The folder for a worker's temporary files, students' code among them; the next worker sweeps it."""

import contextlib
import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

PREFIX = "softmark-worker-"
YOUNG_S = 60.0  # a folder may be there before its worker has locked it


@contextlib.contextmanager
def worker_folder() -> Iterator[Path]:
    """A new folder, in which all temporary files of this process lie; it is removed at the end.

    The folder is locked while the process lives, so that those of killed workers are known: they are removed
    now.
    """
    sweep(Path(tempfile.gettempdir()))
    with tempfile.TemporaryDirectory(prefix=PREFIX) as name:
        descriptor = os.open(name, os.O_RDONLY)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        before, tempfile.tempdir = tempfile.tempdir, name
        try:
            yield Path(name)
        finally:
            tempfile.tempdir = before
            os.close(descriptor)


def sweep(parent: Path) -> None:
    """Remove the folders that this user's killed workers have left in `parent`."""
    for folder in parent.glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):  # another user's, locked, or gone meanwhile
            descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                status = os.fstat(descriptor)
                is_old = time.time() - status.st_mtime > YOUNG_S
                if status.st_uid == os.getuid() and is_old:
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(descriptor)
