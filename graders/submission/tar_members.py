"""The members of a tar, plain or packed by gzip, read forwards once.

Not `tarfile.open`, which reads headers of any size into memory, and seeks backwards in what gzip has packed.
"""

import gzip
import io
import tarfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import IO

from graders.submission.archive_member import Member

BLOCK = 512
CHUNK = 1_000_000
HEADER_LIMIT = 100_000  # bytes of a name that has a member of its own
STREAM_LIMIT = 1_000_000_000  # unpacked bytes of all members, also of those that are not read

_ABOUT_NEXT = (tarfile.XHDTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK)
_PLAIN = (tarfile.REGTYPE, tarfile.AREGTYPE, tarfile.CONTTYPE)


class _Stream:
    """The unpacked bytes of a tar, read forwards."""

    def __init__(self, file: IO[bytes] | gzip.GzipFile) -> None:
        self.file, self.place = file, 0

    def take(self, size: int) -> bytes:
        """Read exactly so many bytes; fewer at the end of the file."""
        self.place += size
        if self.place > STREAM_LIMIT:
            raise tarfile.ReadError("more bytes than any submission needs")
        parts = []
        while size > 0 and (part := self.file.read(min(size, CHUNK))):
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def take_before(self, end: int, size: int) -> bytes:
        """Read so many bytes, and none from `end` on."""
        return self.take(max(0, min(size, end - self.place)))

    def go_to(self, place: int) -> None:
        """Leave out what lies before a place."""
        while self.place < place:
            self.take(min(place - self.place, CHUNK))


def tar_members(file: Path | bytes) -> Iterator[Member]:
    """The members of a tar in its order.

    Raises:
        BROKEN: it is no tar, or is damaged.
    """
    with io.BytesIO(file) if isinstance(file, bytes) else file.open("rb") as raw:
        packed = raw.read(2) == b"\x1f\x8b"
        raw.seek(0)
        stream = _Stream(gzip.GzipFile(fileobj=raw) if packed else raw)
        about: dict[str, str] = {}
        while (block := stream.take(BLOCK)).strip(b"\0"):
            info = tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
            if info.type == tarfile.XGLTYPE:  # about all members: it has no name
                stream.go_to(_end(stream.place, info.size))
                continue
            if info.type in _ABOUT_NEXT:
                about |= _read_about(stream, info)
                continue
            size, start = int(about.get("size", info.size)), stream.place
            name = about.get("path", info.name)
            yield Member(
                name=name.replace("\\", "/"),
                size=size,
                source=partial(stream.take_before, start + size),
                written=float(about.get("mtime", info.mtime)) or None,
                is_folder=info.isdir() or name.endswith("/"),
                is_plain=info.type in _PLAIN,
                is_odd=any(key.startswith("GNU.sparse") for key in about),
            )
            has_bytes = info.isreg() or info.type not in tarfile.SUPPORTED_TYPES
            stream.go_to(_end(start, size) if has_bytes else start)
            about = {}


def _read_about(stream: _Stream, info: tarfile.TarInfo) -> dict[str, str]:
    """What a member says about the next one: its whole name, say."""
    if not 0 <= info.size <= HEADER_LIMIT:
        raise tarfile.ReadError("a header larger than any submission needs")
    start = stream.place
    data = stream.take(info.size)
    stream.go_to(_end(start, info.size))
    if info.type == tarfile.GNUTYPE_LONGNAME:
        return {"path": data.rstrip(b"\0").decode("utf-8", "surrogateescape")}
    return {} if info.type == tarfile.GNUTYPE_LONGLINK else dict(_records(data))


def _records(data: bytes) -> Iterator[tuple[str, str]]:
    """The records of a header of POSIX: `<length> <key>=<value>` and a newline, each."""
    while data:
        length = int(data.split(b" ", 1)[0])
        if length <= 0:
            raise tarfile.ReadError("a header that does not end")
        record, data = data[:length], data[length:]
        key, _, value = record.split(b" ", 1)[1].rstrip(b"\n").partition(b"=")
        yield key.decode("utf-8", "replace"), value.decode("utf-8", "surrogateescape")


def _end(start: int, size: int) -> int:
    """Where the next header begins."""
    if size < 0:
        raise tarfile.ReadError("a size below zero")
    return start + -(-size // BLOCK) * BLOCK
