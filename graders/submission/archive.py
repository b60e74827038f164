"""Read the zip of a submission in memory: no member is ever written to the disk."""

import calendar
import io
import stat
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from graders.language import tr
from graders.results.result import Remark
from graders.submission.decode import Unreadable
from graders.submission.files import (
    FILE_LIMIT,
    TOTAL_LIMIT,
    SubmissionBytes,
    is_archive,
    is_read,
    is_skipped,
    limit_of,
    tidy_name,
)

RATIO_LIMIT = 300  # content size / packed size; text compresses far less than this
RATIO_FREE = 1_000_000  # bytes; smaller members may have any ratio
DIRECTORY_LIMIT = 4_000_000  # bytes of the table of contents, which is read at once
ARCHIVE_LIMIT = 64_000_000  # bytes of a zip in a zip
ARCHIVES = 20  # zips inside one folder or zip that are opened
NESTED_LIMIT = 2  # zips inside zips
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # the other methods use memory that no limit here counts

_NO_TIME = (1980, 1, 1, 23, 59, 59)  # packers without a clock write the first day that a zip knows

BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError, RuntimeError)


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


def read_zip(file: Path | bytes, name: str, nested: int = 0, bytes_read: int = 0) -> SubmissionBytes:
    """Read the notebooks, modules and checkpoints in a zip, and the names of its other files.

    Args:
        file: the zip, as a path or as its bytes.
        name: its name.
        nested: the number of zips around it.
        bytes_read: what was read before of the same submission.

    Raises:
        Unreadable: the zip is broken, locked, or has members that would land outside its folder.
    """
    gathered = SubmissionBytes(bytes_read=bytes_read)
    try:
        with BoundedReader(file, DIRECTORY_LIMIT) as opened, zipfile.ZipFile(opened) as archive:
            open_inner(gathered, _gather(gathered, archive, name), nested)
    except Unreadable:
        raise
    except BROKEN:
        raise Unreadable(
            tr(
                "{name} is a broken zip. Make it again from the folder with your files and hand it in.",
                name=name,
            )
        ) from None
    return gathered


def open_inner(gathered: SubmissionBytes, inner: Mapping[str, Path | bytes], nested: int = 0) -> None:
    """Read the zips that lie in a folder or zip; where there is code beside them, only name them.

    Args:
        gathered: what was read of the folder or zip, to which their files are added.
        inner: the zips by name.
        nested: the number of zips around them.
    """
    beside_code = gathered.holds_code
    _refuse_too_many(gathered, inner)
    for name, file in sorted(inner.items()) if nested < NESTED_LIMIT and len(inner) <= ARCHIVES else ():
        if beside_code:
            if _lists_code(file):
                message = tr(
                    "{name} was not opened, since there are notebooks or modules beside it. "
                    "Hand in the files that count, without a zip.",
                    name=name,
                )
                gathered.refuse(name, message)
            continue
        gathered.others.remove(name)
        try:
            inside = read_zip(file, name, nested + 1, gathered.bytes_read)
        except Unreadable as problem:
            gathered.refuse(name, str(problem))
            continue
        above = PurePosixPath(name).with_suffix("") if len(inner) > 1 else PurePosixPath(name).parent
        gathered.take(inside, "" if str(above) == "." else f"{above}/")


def _refuse_too_many(gathered: SubmissionBytes, inner: Mapping[str, Path | bytes]) -> None:
    # None of them is read: which few of them are would be decided by their names.
    if len(inner) > ARCHIVES and not gathered.holds_code:
        message = tr(
            "There are {count} zips, and no more than {most} are opened: hand in the files that count.",
            count=len(inner),
            most=ARCHIVES,
        )
        gathered.remarks.append(Remark(message))


def _lists_code(file: Path | bytes) -> bool:
    """Whether the table of contents of a zip has notebooks or modules."""
    try:
        with BoundedReader(file, DIRECTORY_LIMIT) as opened, zipfile.ZipFile(opened) as archive:
            names = [name for name in archive.namelist() if not is_skipped(name)]
    except BROKEN:
        return False
    return any(name.lower().endswith((".ipynb", ".py")) for name in names)


def _gather(gathered: SubmissionBytes, archive: zipfile.ZipFile, name: str) -> dict[str, Path | bytes]:
    """Add the members of a zip to what was gathered; returns the zips in it."""
    infos = archive.infolist()
    if len(infos) > FILE_LIMIT:
        raise Unreadable(
            tr(
                "{name} holds more than {most} files: hand in only your notebooks and modules.",
                name=name,
                most=FILE_LIMIT,
            )
        )
    inner: dict[str, Path | bytes] = {}
    # Zips last: where they are large, they leave room for all else.
    for info in sorted(infos, key=lambda info: (is_archive(info.filename), info.filename)):
        member = tidy_name(info.filename.replace("\\", "/"))
        _raise_if_unsafe(info, member, name)
        if info.is_dir() or is_skipped(member):
            continue
        if not is_read(member):
            gathered.others.append(member)
            inner |= _inner_zip(gathered, archive, info, member)
        elif is_special(info):
            message = tr(
                "{name} is a link, not a file, and was not read. "
                "Make it again from the folder with your files and hand it in.",
                name=member,
            )
            gathered.refuse(member, message)
        else:
            _add(gathered, archive, info, member)
    return inner


def _inner_zip(
    gathered: SubmissionBytes, archive: zipfile.ZipFile, info: zipfile.ZipInfo, member: str
) -> dict[str, Path | bytes]:
    """A zip in a zip, by its name; empty for another file, and for one that is too large."""
    fits = info.file_size <= min(ARCHIVE_LIMIT, TOTAL_LIMIT - gathered.bytes_read)
    if not is_archive(member) or not fits or _is_packed_oddly(info) or is_special(info):
        return {}
    try:
        with archive.open(info) as file:
            data = file.read(ARCHIVE_LIMIT)
    except BROKEN:
        return {}
    gathered.bytes_read += len(data)
    return {member: data}


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


def _is_packed_oddly(info: zipfile.ZipInfo) -> bool:
    too_dense = info.file_size > max(RATIO_FREE, RATIO_LIMIT * info.compress_size)
    return info.compress_type not in METHODS or too_dense


def _add(gathered: SubmissionBytes, archive: zipfile.ZipFile, info: zipfile.ZipInfo, member: str) -> None:
    if not gathered.has_room_for(member, info.file_size):
        return
    if _is_packed_oddly(info):
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
        gathered.add(member, data, _written(info))


def _written(info: zipfile.ZipInfo) -> float | None:
    """When a member was written, by the clock of whoever packed it; None where the zip does not say."""
    try:
        at = calendar.timegm((*info.date_time, 0, 0, 0))
    except ValueError:
        return None
    return float(at) if info.date_time > _NO_TIME else None
