"""Read the zip of a submission in memory: no member is ever written to the disk."""

import io
import stat
import zipfile
import zlib
from pathlib import Path, PurePosixPath

from graders.language import tr
from graders.submission.decode import Unreadable
from graders.submission.files import FILE_LIMIT, SubmissionBytes, is_read, is_skipped, limit_of, tidy_name

RATIO_LIMIT = 300  # content size / packed size; text compresses far less than this
RATIO_FREE = 1_000_000  # bytes; smaller members may have any ratio
DIRECTORY_LIMIT = 4_000_000  # bytes of the table of contents, which is read at once
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # the other methods use memory that no limit here counts

BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError, RuntimeError)


class BoundedReader(io.BufferedReader):
    """A file with a bound on each read, so that a forged table of contents cannot fill the memory."""

    def __init__(self, path: Path, limit: int) -> None:
        super().__init__(io.FileIO(path))
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


def read_zip(path: Path, name: str) -> SubmissionBytes:
    """Read the notebooks, modules and checkpoints in the zip at `path`, and the names of its other files.

    Raises:
        Unreadable: the zip is broken, locked, or has members that would land outside its folder.
    """
    try:
        with BoundedReader(path, DIRECTORY_LIMIT) as file, zipfile.ZipFile(file) as archive:
            return _gather(archive, name)
    except Unreadable:
        raise
    except BROKEN:
        raise Unreadable(
            tr(
                "{name} is a broken zip. Make it again from the folder with your files and hand it in.",
                name=name,
            )
        ) from None


def _gather(archive: zipfile.ZipFile, name: str) -> SubmissionBytes:
    infos = archive.infolist()
    if len(infos) > FILE_LIMIT:
        raise Unreadable(
            tr(
                "{name} holds more than {most} files: hand in only your notebooks and modules.",
                name=name,
                most=FILE_LIMIT,
            )
        )
    gathered = SubmissionBytes()
    for info in sorted(infos, key=lambda info: info.filename):
        member = tidy_name(info.filename.replace("\\", "/"))
        _raise_if_unsafe(info, member, name)
        if info.is_dir() or is_skipped(member):
            continue
        if not is_read(member):
            gathered.others.append(member)
        elif is_special(info):
            message = tr(
                "{name} is a link, not a file, and was not read. "
                "Make it again from the folder with your files and hand it in.",
                name=member,
            )
            gathered.refuse(member, message)
        else:
            _add(gathered, archive, info, member)
    return gathered


def _raise_if_unsafe(info: zipfile.ZipInfo, member: str, name: str) -> None:
    if info.flag_bits & 0x1:
        raise Unreadable(tr("{name} is locked with a password. Make it again without one.", name=name))
    if member.startswith("/") or ":" in member.split("/")[0] or ".." in PurePosixPath(member).parts:
        message = tr(
            "{name} holds {member}, a path that leads out of the zip. "
            "Make it again from the folder with your files and hand it in.",
            name=name,
            member=member,
        )
        raise Unreadable(message)


def is_special(info: zipfile.ZipInfo) -> bool:
    """Whether a member is a link, a device or anything else that is not a plain file."""
    # Zips from Windows have 0 here.
    return stat.S_IFMT(info.external_attr >> 16) not in (0, stat.S_IFREG)


def _add(gathered: SubmissionBytes, archive: zipfile.ZipFile, info: zipfile.ZipInfo, member: str) -> None:
    if not gathered.has_room_for(member, info.file_size):
        return
    if info.compress_type not in METHODS or info.file_size > max(
        RATIO_FREE, RATIO_LIMIT * info.compress_size
    ):
        message = tr(
            "{name} is packed in a way that is not accepted: zip it in the ordinary way.", name=member
        )
        gathered.refuse(member, message)
        return
    try:
        with archive.open(info) as file:
            # The size in the table of contents may be wrong: one byte beyond the limit shows it.
            data = file.read(limit_of(member) + 1)
    except BROKEN:
        # Count the damaged member too: thousands of members may share the same damaged bytes.
        gathered.bytes_read += info.file_size
        message = tr(
            "{name} is damaged inside the zip. Make it again from the folder with your files and hand it in.",
            name=member,
        )
        gathered.refuse(member, message)
        return
    if gathered.has_room_for(member, len(data)):
        gathered.add(member, data)
