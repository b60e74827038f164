"""The members of a zip, within limits on its table of contents and on how densely they are packed."""

import calendar
import io
import stat
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from graders.submission.archive_member import Member
from graders.submission.files import is_archive

RATIO_LIMIT = 300  # content size / packed size; text compresses far less than this
RATIO_FREE = 1_000_000  # bytes; smaller members may have any ratio
DIRECTORY_LIMIT = 4_000_000  # bytes of the table of contents, which is read at once
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # the other methods use memory that no limit here counts

_NO_TIME = (1980, 1, 1, 23, 59, 59)  # packers without a clock write the first day that a zip knows


class BoundedReader(io.BufferedReader):
    """A file with a bound on each read, so that a forged table of contents cannot fill the memory."""

    def __init__(self, file: Path | bytes, limit: int) -> None:
        super().__init__(io.BytesIO(file) if isinstance(file, bytes) else io.FileIO(file))
        self.limit = limit

    def read(self, size: int | None = -1, /) -> bytes:
        """Read up to `size` bytes; refuse a size that only a forged table of contents asks for."""
        wanted = self.limit + 1 if size is None or size < 0 else size
        if wanted > self.limit:
            here = self.tell()
            wanted = self.seek(0, io.SEEK_END) - here
            self.seek(here)
        if wanted > self.limit:
            raise zipfile.BadZipFile("a table of contents larger than any submission needs")
        return super().read(wanted)


def zip_members(file: Path | bytes) -> Iterator[Member]:
    """The members of a zip in the order of their names; archives last: large ones leave room for all else.

    Raises:
        BROKEN: it is no zip, or is damaged.
    """
    with BoundedReader(file, DIRECTORY_LIMIT) as opened, zipfile.ZipFile(opened) as archive:
        for info in sorted(archive.infolist(), key=lambda info: (is_archive(info.filename), info.filename)):
            yield Member(
                name=info.filename.replace("\\", "/"),
                size=info.file_size,
                source=_OnDemand(archive, info).read,
                written=_written(info),
                is_folder=info.is_dir(),
                is_plain=not is_special(info),
                is_locked=bool(info.flag_bits & 0x1),
                is_odd=_is_packed_oddly(info),
            )


def is_special(info: zipfile.ZipInfo) -> bool:
    """Whether a member is a link, a device or anything else that is not a plain file."""
    # Zips from Windows have 0 here.
    return stat.S_IFMT(info.external_attr >> 16) not in (0, stat.S_IFREG)


class _OnDemand:
    """The bytes of a member, which is opened when they are asked for."""

    def __init__(self, archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> None:
        self.archive, self.info = archive, info
        self.file: IO[bytes] | None = None

    def read(self, size: int) -> bytes:
        """The next so many bytes."""
        self.file = self.file or self.archive.open(self.info)
        return self.file.read(size)


def _is_packed_oddly(info: zipfile.ZipInfo) -> bool:
    too_dense = info.file_size > max(RATIO_FREE, RATIO_LIMIT * info.compress_size)
    return info.compress_type not in METHODS or too_dense


def _written(info: zipfile.ZipInfo) -> float | None:
    """When a member was written, by the clock of whoever packed it; None where the zip does not say."""
    try:
        at = calendar.timegm((*info.date_time, 0, 0, 0))
    except ValueError:
        return None
    return float(at) if info.date_time > _NO_TIME else None
