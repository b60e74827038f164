"""The folders where softmark keeps what it would otherwise compute again; in each, the oldest files go first.

Who may write there decides what softmark computes with: a file counts only if it is a plain one of this
user's, in a folder that nobody else may change. Student code behind a wall cannot reach it. A digest is no
proof of who wrote a file.
"""

import contextlib
import os
import stat
from dataclasses import dataclass
from pathlib import Path

from graders import locations
from graders.results.atomic_write import PART, write_atomically

OTHERS_MAY_WRITE = 0o022
STALE_S = 3600.0  # after so long, a file that was not finished belongs to a process that was killed


@dataclass(frozen=True)
class KeptFolder:
    """A folder of kept files.

    Attributes:
        name: its name in softmark's cache folder.
        most_bytes: of all its files.
        largest: bytes of a file; a larger one counts as none.
    """

    name: str
    most_bytes: int
    largest: int = 1 << 30

    @property
    def path(self) -> Path | None:
        """Where it lies; it may not be there yet. None where nothing is to be kept."""
        whole = locations.cache_folder()
        return None if whole is None else whole / self.name

    def read(self, name: str) -> bytes | None:
        """The bytes that were kept under a name; None where there are none that count."""
        folder = self.path
        if folder is None or not is_ours(folder):
            return None
        with contextlib.suppress(OSError):
            data = _read_ours(folder / name, self.largest)
            if data is not None:
                os.utime(folder / name)  # it is used
            return data
        return None

    def has(self, name: str) -> bool:
        """Whether bytes are kept under a name."""
        return self.path is not None and is_ours(self.path) and (self.path / name).is_file()

    def keep(self, name: str, data: bytes) -> None:
        """Keep bytes under a name. A folder that cannot be written costs time later, no more."""
        folder = self.path
        if folder is None or len(data) > self.largest:
            return
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            if is_ours(folder):
                write_atomically(folder / name, data)
                self._forget_oldest()

    def size(self) -> int:
        """The bytes of all its files."""
        return sum(status.st_size for status, _ in self._files())

    def clear(self) -> None:
        """Remove all its files.

        Raises:
            OSError: one cannot be removed.
        """
        for _, path in self._files():
            path.unlink(missing_ok=True)

    def _forget_oldest(self) -> None:
        files = sorted(self._files(), key=lambda pair: -pair[0].st_mtime)
        total, now = 0, max((status.st_mtime for status, _ in files), default=0.0)
        for status, path in files:
            total += status.st_size
            is_left_over = path.name.endswith(PART) and status.st_mtime < now - STALE_S
            if total > self.most_bytes or is_left_over:
                path.unlink(missing_ok=True)

    def _files(self) -> list[tuple[os.stat_result, Path]]:
        """The plain files in it; those that other processes remove meanwhile are left out."""
        found: list[tuple[os.stat_result, Path]] = []
        if self.path is None or not is_ours(self.path):
            return found
        for path in self.path.iterdir():
            with contextlib.suppress(OSError):
                status = path.lstat()
                if stat.S_ISREG(status.st_mode):
                    found.append((status, path))
        return found


def is_ours(folder: Path) -> bool:
    """Whether this is a folder of this user's, which nobody else may change, and no link to one."""
    try:
        status = folder.lstat()
    except OSError:
        return False
    may_others = hasattr(os, "geteuid") and status.st_mode & OTHERS_MAY_WRITE
    return stat.S_ISDIR(status.st_mode) and _is_own(status) and not may_others


def _read_ours(path: Path, largest: int) -> bytes | None:
    """The bytes of a plain file of this user's; None for anything else.

    Raises:
        OSError: there is none, or it cannot be read.
    """
    flags = (getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"))
    with open(os.open(path, os.O_RDONLY | sum(flags)), "rb") as file:  # noqa: PTH123 - of a descriptor
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode) or not _is_own(status) or status.st_size > largest:
            return None
        return file.read()


def _is_own(status: os.stat_result) -> bool:
    # On Windows, profiles are closed to other users.
    return not hasattr(os, "geteuid") or status.st_uid == os.geteuid()


WORK = KeptFolder("work", most_bytes=512 << 20, largest=32 << 20)  # of runs
KEYS = KeptFolder("keys", most_bytes=2 << 30)  # of handouts
LEVELS = KeptFolder("levels", most_bytes=1 << 20)  # which isolation levels held
TEMPLATES = KeptFolder("templates", most_bytes=4 << 20, largest=1 << 20)  # of pages, compiled: code
FOLDERS = (WORK, KEYS, LEVELS, TEMPLATES)
