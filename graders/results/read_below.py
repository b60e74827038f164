"""Read a file below a folder that others may have written in: a plain file, bounded, behind no link.

A link could lead to any file of the reader's, a device never ends, and a named pipe waits for ever.
"""

import os
import stat
from pathlib import Path
from typing import BinaryIO

from graders.language import tr
from graders.results.file_elsewhere import FileElsewhere


def read_below(folder: Path, limit: int, *names: str) -> FileElsewhere:
    """A plain file below a folder, with its content.

    Raises:
        OSError: it cannot be opened, is no plain file, or is larger than `limit`.
    """
    with open_below(folder, *names) as file:
        # Python allocates as much as is asked for, which took longer than to read.
        size = min(os.fstat(file.fileno()).st_size, limit)
        data = file.read(size + 1)
        if len(data) > size:  # it has grown meanwhile
            data += file.read(limit + 1 - len(data))
        status = os.fstat(file.fileno())
    if len(data) > limit:
        raise OSError(tr("it is larger than {most} MB", most=limit // 1_000_000))
    return FileElsewhere(folder.joinpath(*names), data, status)


def open_below(folder: Path, *names: str) -> BinaryIO:
    """Open a plain file in a folder, or in folders in it, none of which may be a link.

    Raises:
        OSError: it is not a plain file, or cannot be opened.
    """
    if not hasattr(os, "O_NOFOLLOW"):
        return _open_plain(folder.joinpath(*names))
    place = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for name in names[:-1]:
            inner = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=place)
            os.close(place)
            place = inner
        # Not to wait for ever on a named pipe.
        file = os.fdopen(os.open(names[-1], os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=place), "rb")
    finally:
        os.close(place)
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(tr("not a plain file"))
    return file


def _open_plain(path: Path) -> BinaryIO:
    """The same where a system cannot refuse links itself, as Windows."""
    if not stat.S_ISREG(path.lstat().st_mode):
        raise OSError(tr("not a plain file"))
    return path.open("rb")
