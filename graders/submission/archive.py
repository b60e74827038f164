"""Read the archive of a submission in memory, a zip or a tar: no member is ever written to the disk."""

from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from graders.language import tr
from graders.results.result import Remark
from graders.submission.archive_member import BROKEN, Member
from graders.submission.decode import HEAD, Unreadable, begins_as_notebook, is_json
from graders.submission.files import (
    FILE_LIMIT,
    TOTAL_LIMIT,
    SubmissionBytes,
    is_archive,
    is_read,
    is_skipped,
    limit_of,
    read_head,
    tidy_name,
)
from graders.submission.tar_members import tar_members
from graders.submission.zip_members import zip_members

ARCHIVE_LIMIT = 64_000_000  # bytes of an archive in an archive
ARCHIVES = 20  # archives inside one folder or archive that are opened
NESTED_LIMIT = 2  # archives inside archives

_OTHERS = {b"Rar!": "RAR", b"7z\xbc\xaf": "7z", b"\xfd7zX": "xz", b"BZh": "bzip2"}
_TAR_AT = 257  # where a tar says that it is one
_SAYS_KIND = 512  # bytes at the beginning, which say of which kind an archive is


def read_archive(file: Path | bytes, name: str, nested: int = 0, bytes_read: int = 0) -> SubmissionBytes:
    """Read the notebooks, modules and checkpoints in an archive, and the names of its other files.

    Args:
        file: the archive, as a path or as its bytes.
        name: its name.
        nested: the number of archives around it.
        bytes_read: what was read before of the same submission.

    Raises:
        Unreadable: it is broken, locked, of another kind, or has members that would land outside its folder.
    """
    gathered = SubmissionBytes(bytes_read=bytes_read)
    head = b""
    try:
        head = _head(file)
        open_inner(gathered, _gather(gathered, _members(file, head, name), name), nested)
    except Unreadable:
        raise
    except BROKEN:
        raise Unreadable(
            tr(
                "{name} is a broken {kind}. Make it again from the folder with your files and hand it in.",
                name=name,
                kind="tar" if _is_tar(head) else "zip",
            )
        ) from None
    return gathered


def _members(file: Path | bytes, head: bytes, name: str) -> Iterator[Member]:
    """The members of an archive, of whichever kind it is: people give an archive another ending."""
    for mark, kind in _OTHERS.items():
        if head.startswith(mark):
            message = tr(
                "{name} is of the kind {kind}, which is not opened here: hand in a zip, or the files.",
                name=name,
                kind=kind,
            )
            raise Unreadable(message)
    return tar_members(file) if _is_tar(head) else zip_members(file)


def _head(file: Path | bytes) -> bytes:
    return file[:_SAYS_KIND] if isinstance(file, bytes) else read_head(file, _SAYS_KIND)


def _is_tar(head: bytes) -> bool:
    """Whether these are the first bytes of a tar, or of what gzip has packed."""
    return head.startswith(b"\x1f\x8b") or head[_TAR_AT : _TAR_AT + 5] == b"ustar"


def open_inner(gathered: SubmissionBytes, inner: Mapping[str, Path | bytes], nested: int = 0) -> None:
    """Read the archives that lie in a folder or archive; where there is code beside them, only name them.

    Args:
        gathered: what was read of the folder or archive, to which their files are added.
        inner: the archives by name.
        nested: the number of archives around them.
    """
    beside_code = gathered.holds_code
    _refuse_too_many(gathered, inner)
    for name, file in sorted(inner.items()) if nested < NESTED_LIMIT and len(inner) <= ARCHIVES else ():
        if beside_code:
            if _lists_code(file, name):
                message = tr(
                    "{name} was not opened, since there are notebooks or modules beside it. "
                    "Hand in the files that count, without a zip.",
                    name=name,
                )
                gathered.refuse(name, message)
            continue
        gathered.others.remove(name)
        try:
            inside = read_archive(file, name, nested + 1, gathered.bytes_read)
        except Unreadable as problem:
            gathered.refuse(name, str(problem))
            continue
        above = _without_endings(name) if len(inner) > 1 else PurePosixPath(name).parent
        gathered.take(inside, "" if str(above) == "." else f"{above}/")


def _without_endings(name: str) -> PurePosixPath:
    path = PurePosixPath(name).with_suffix("")
    return path.with_suffix("") if path.suffix.lower() == ".tar" else path


def _refuse_too_many(gathered: SubmissionBytes, inner: Mapping[str, Path | bytes]) -> None:
    # None of them is read: which few of them are would be decided by their names.
    if len(inner) > ARCHIVES and not gathered.holds_code:
        message = tr(
            "There are {count} zips, and no more than {most} are opened: hand in the files that count.",
            count=len(inner),
            most=ARCHIVES,
        )
        gathered.remarks.append(Remark(message))


def _lists_code(file: Path | bytes, name: str) -> bool:
    """Whether an archive has notebooks or modules."""
    try:
        names = [member.name for member in _members(file, _head(file), name) if not is_skipped(member.name)]
    except (Unreadable, *BROKEN):
        return False
    return any(name.lower().endswith((".ipynb", ".py")) for name in names)


def _gather(gathered: SubmissionBytes, members: Iterator[Member], name: str) -> dict[str, Path | bytes]:
    """Add the members of an archive to what was gathered; returns the archives in it."""
    inner: dict[str, Path | bytes] = {}
    for number, info in enumerate(members):
        if number >= FILE_LIMIT:
            raise Unreadable(
                tr(
                    "{name} holds more than {most} files: hand in only your notebooks and modules.",
                    name=name,
                    most=FILE_LIMIT,
                )
            )
        member = tidy_name(info.name)
        _raise_if_unsafe(info, member, name)
        if info.is_folder or is_skipped(member):
            continue
        if is_json(member) and not _is_notebook(info):
            gathered.others.append(member)
        elif is_read(member) or is_json(member):
            _add(gathered, info, member)
        else:
            gathered.others.append(member)
            inner |= _inner_archive(gathered, info, member)
    return inner


def _inner_archive(gathered: SubmissionBytes, info: Member, member: str) -> dict[str, Path | bytes]:
    """An archive in an archive, by its name; empty for another file, and for one that is too large."""
    fits = info.size <= min(ARCHIVE_LIMIT, TOTAL_LIMIT - gathered.bytes_read)
    if not is_archive(member) or not fits or info.is_odd or not info.is_plain:
        return {}
    try:
        data = info.read(ARCHIVE_LIMIT)
    except BROKEN:
        return {}
    gathered.bytes_read += len(data)
    return {member: data}


def _raise_if_unsafe(info: Member, member: str, name: str) -> None:
    if info.is_locked:
        raise Unreadable(tr("{name} is locked with a password. Make it again without one.", name=name))
    if member.startswith("/") or ":" in member.split("/")[0] or ".." in PurePosixPath(member).parts:
        message = tr(
            "{name} holds {member}, a path that leads out of the archive. "
            "Make it again from the folder with your files and hand it in.",
            name=name,
            member=member,
        )
        raise Unreadable(message)


def _is_notebook(info: Member) -> bool:
    """Whether a file of JSON is a notebook, by its first bytes."""
    try:
        return info.is_plain and not info.is_odd and begins_as_notebook(info.peek(HEAD))
    except BROKEN:
        return False


def _add(gathered: SubmissionBytes, info: Member, member: str) -> None:
    if not info.is_plain:
        message = tr(
            "{name} is a link, not a file, and was not read. "
            "Make it again from the folder with your files and hand it in.",
            name=member,
        )
        gathered.refuse(member, message)
        return
    if not gathered.has_room_for(member, info.size):
        return
    if info.is_odd:
        message = tr(
            "{name} is packed in a way that is not accepted: zip it in the ordinary way.", name=member
        )
        gathered.refuse(member, message)
        return
    try:
        # The size in the table of contents may be wrong: one byte beyond the limit shows it.
        data = info.read(limit_of(member) + 1)
    except BROKEN:
        # Count the damaged member too: thousands of members may share the same damaged bytes.
        gathered.bytes_read += info.size
        message = tr(
            "{name} is damaged inside the archive. "
            "Make it again from the folder with your files and hand it in.",
            name=member,
        )
        gathered.refuse(member, message)
        return
    if gathered.has_room_for(member, len(data)):
        gathered.add(member, data, info.written)
