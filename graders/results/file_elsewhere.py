"""A file of another folder that has been read, and is to stand in one of ours too."""

import os
import stat
from dataclasses import dataclass, field
from pathlib import Path

from graders.results.atomic_write import part_of, require_plain, write_atomically

_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


@dataclass(frozen=True)
class FileElsewhere:
    """What a file contained when it was read.

    Attributes:
        path: its path.
        data: its content.
        status: its status after that, which tells whether it is still the same file.
    """

    path: Path
    data: bytes = field(repr=False)
    status: os.stat_result = field(repr=False)

    @property
    def text(self) -> str:
        """Its content as text, without the byte order mark that some editors write.

        Raises:
            UnicodeError: it is none.
        """
        return self.data.decode("utf-8-sig")

    def place(self, path: Path) -> None:
        """Let `path` be this file: a second name of it (a hard link) where that is safe, else a copy.

        A name takes neither disk nor time. A file that somebody else owns or may write to is copied, since
        it could be changed after it was examined; so is one on another disk.
        """
        if not self._is_ours() or not self._link(path):
            write_atomically(path, self.data)

    def _is_ours(self) -> bool:
        user = os.geteuid() if hasattr(os, "geteuid") else None  # Windows does not say whose a file is
        return self.status.st_uid == user and not self.status.st_mode & _OTHERS_WRITE

    def _link(self, path: Path) -> bool:
        """Give the file a second name; False if it cannot have one, or another file has its path now."""
        part = part_of(path)
        try:
            os.link(self.path, part, follow_symlinks=False)
        except OSError:
            return False
        try:
            if not _same(self.status, part.lstat()):
                return False
            require_plain(path)
            part.replace(path)
        finally:
            # It is still there where it is another file, or where `path` was a name of this one before.
            part.unlink(missing_ok=True)
        return True


def _same(one: os.stat_result, other: os.stat_result) -> bool:
    """Whether both are the status of one file that nobody has written to in between."""
    names = ("st_dev", "st_ino", "st_size", "st_mtime_ns")
    return all(getattr(one, name) == getattr(other, name) for name in names)
