"""Write files atomically: a file is complete or absent, whenever a run is killed.

Only a plain file is replaced, or none: a device would become a file, and a link could lead anywhere.
"""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from graders.language import tr, translatable

PART = ".part"  # how the name of a file ends while it is written


class NotPlain(OSError):
    """Something that is no plain file, or no plain folder, has the name of one that is to be written."""


def write_atomically(path: Path, data: bytes, *, durable: bool = False) -> None:
    """Write a file so that its name always has either the whole new content or the old one.

    Args:
        path: the file; its folder exists.
        data: its new content.
        durable: wait until the data is on disk, so that it survives a power cut. Some file systems
            report only then that they are full.

    Raises:
        OSError: it cannot be written, or something else than a plain file has its name.
    """
    with open_atomically(path) as file:
        file.write(data)
        if durable:
            file.flush()
            os.fsync(file.fileno())


@contextmanager
def open_atomically(path: Path) -> Iterator[BinaryIO]:
    """The same for a file that is written piece by piece: it has its name once the `with` block ends well."""
    with replace_atomically(path) as part, part.open("xb") as file:
        yield file


@contextmanager
def replace_atomically(path: Path) -> Iterator[Path]:
    """The same for a file that a library writes: to the yielded path, which becomes `path` at the end."""
    require_plain(path)
    part = part_of(path)
    part.unlink(missing_ok=True)  # of a killed process of this number; or a link that another user planted
    try:
        yield part
        require_plain(path)
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def require_plain(path: Path) -> None:
    """Require that `path` is a plain file or free, in a folder that is there.

    Raises:
        OSError: it is not; a `NotPlain` where something else has the name.
    """
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        if path.parent.is_dir():
            return
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path.parent)) from None
    if stat.S_ISDIR(mode):
        raise NotPlain(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(mode):
        reason = translatable("a link, a device or a pipe has this name, and only plain files are replaced")
        raise NotPlain(errno.EEXIST, tr(reason), str(path))


def make_plain_folder(path: Path) -> None:
    """Make a folder, unless it is there, and those above it: what is written to it lies in no other one.

    Raises:
        OSError: it cannot be made, or something that is no folder has its name, or a link to one.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
        is_plain = stat.S_ISDIR(path.lstat().st_mode)
    except FileExistsError:
        is_plain = False
    if not is_plain:
        raise NotPlain(errno.EEXIST, tr("something that is no folder has this name"), str(path))


def part_of(path: Path) -> Path:
    """The name that a file has in this process until it is complete."""
    return path.with_name(f".{path.name}.{os.getpid()}{PART}")


def sweep(out: Path) -> None:
    """Remove the unfinished files that killed runs have left in `out` and the folders in it."""
    for pattern in (f".*{PART}", f"*/.*{PART}"):
        for part in out.glob(pattern):
            part.unlink(missing_ok=True)
