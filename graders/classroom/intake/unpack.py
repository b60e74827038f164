"""Unpack the zip of a whole class into a folder of the run, streaming and within limits.

The platform made the zip, but students chose the names and contents of its files: no member may leave the
folder, be a link or fill the disk, and names that some file systems refuse are changed.
"""

import calendar
import contextlib
import os
import re
import zipfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from graders.classroom.class_record import Unmatched
from graders.language import tr, translatable
from graders.submission.archive_member import BROKEN
from graders.submission.files import is_archive, may_be_handed_in, tidy_name
from graders.submission.zip_members import METHODS, RATIO_FREE, RATIO_LIMIT, BoundedReader, is_special

MEMBER_LIMIT = 200_000  # files of a class
DIRECTORY_LIMIT = 64_000_000  # bytes of the table of contents
STUDENT_LIMIT = 1_000_000_000  # bytes of one student's files, checkpoints included
TOTAL_LIMIT = 50_000_000_000  # bytes of a class
NAME_LIMIT = 200  # bytes of a part of a path; file systems take 255
CHUNK = 1_000_000

_UNFIT = re.compile('[\x00-\x1f\x7f<>:"|?*\\\\\ud800-\udfff]')


class NotUnpacked(Exception):
    """A zip cannot be unpacked. The message tells the instructor why."""


def unpack(path: Path, into: Path) -> list[Unmatched]:
    """Unpack the zip at `path` into the folder `into`; returns the members left out, with the reasons.

    Raises:
        NotUnpacked: it is broken or locked, or larger than the download of a class can be.
        OSError: the disk is full.
    """
    try:
        if not zipfile.is_zipfile(path) and is_archive(path.name) and not path.name.lower().endswith(".zip"):
            message = translatable("{file} is no zip: unpack it, and give the folder.")
            raise NotUnpacked(tr(message, file=path.name))
        with BoundedReader(path, DIRECTORY_LIMIT) as file, zipfile.ZipFile(file) as archive:
            infos = [info for info in archive.infolist() if not info.is_dir()]
            if len(infos) > MEMBER_LIMIT:
                message = translatable("{file} holds more than {most} files, which is too many for a class.")
                raise NotUnpacked(tr(message, file=path.name, most=MEMBER_LIMIT))
            if sum(info.compress_size for info in infos) > path.stat().st_size:
                raise NotUnpacked(
                    tr("{file} is a broken zip (its members share their bytes).", file=path.name)
                )
            if any(info.flag_bits & 0x1 for info in infos):
                raise NotUnpacked(tr("{file} is locked with a password.", file=path.name))
            return _UnpackState(
                archive, into, len(_common_folders([_name(info) for info in infos]))
            ).unpack_all(infos)
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        message = translatable("{file} is a broken zip ({reason}): download it again.")
        raise NotUnpacked(tr(message, file=path.name, reason=error)) from None


class _UnpackState:
    """The state of unpacking one zip: bytes by student, names in use, members left out."""

    def __init__(self, archive: zipfile.ZipFile, into: Path, shared: int) -> None:
        self.archive, self.into, self.shared = archive, into, shared
        self.left_out: list[Unmatched] = []
        self.taken: Counter[str] = Counter()
        self.keys: dict[str, str] = {}
        self.again: Counter[str] = Counter()

    def unpack_all(self, infos: Sequence[zipfile.ZipInfo]) -> list[Unmatched]:
        for info in infos:
            if why := self._unpack_member(info):
                self.left_out.append(Unmatched(tidy_name(_name(info)), why))
        return self.left_out

    def _unpack_member(self, info: zipfile.ZipInfo) -> str | None:
        """Unpack a member; returns the reason if it is left out."""
        name = _name(info)
        parts = PurePosixPath(name).parts
        if name.startswith("/") or ".." in parts or re.match("[A-Za-z]:", name) or not parts:
            return tr("its path leads out of the zip")
        if is_special(info):
            return tr("it is a link or a device, not a file")
        if info.compress_type not in METHODS or info.file_size > max(
            RATIO_FREE, RATIO_LIMIT * info.compress_size
        ):
            return tr("it is packed in a way that is not accepted")
        whose = parts[min(self.shared, len(parts) - 1)]
        if why := self._check_room(whose, info.file_size):
            return why
        place = self._choose_path(parts)
        try:
            return self._write(info, place, whose)
        except OSError:
            raise  # the disk is full
        except BROKEN:
            place.unlink(missing_ok=True)
            return tr("it is damaged inside the zip")

    def _check_room(self, whose: str, size: int) -> str | None:
        if self.taken[whose] + size > STUDENT_LIMIT:
            return tr("there is more than {most} MB of this student", most=STUDENT_LIMIT // 1_000_000)
        much = self.taken.total() + size > TOTAL_LIMIT
        return tr("the zip holds more than any class") if much else None

    def _choose_path(self, parts: Sequence[str]) -> Path:
        """Choose the path of a member, so that no file is overwritten on any file system."""
        safe = [_make_portable(part) for part in parts]
        first, name = "/".join(safe).casefold(), safe[-1]
        while (key := "/".join([*safe[:-1], name]).casefold()) in self.keys:
            path, self.again[first] = PurePosixPath(safe[-1]), self.again[first] + 1
            # Of two members of one name the last counts: "(2)" is read as the later version. Of names that
            # differ in their capitals neither does, as of a file and its copy.
            is_again = self.keys.get(first) == "/".join(parts)
            mark = f"({self.again[first] + 1})" if is_again else f"copy {self.again[first] + 1}"
            name = f"{path.stem} {mark}{path.suffix}"
        self.keys[key] = "/".join(parts)
        return self.into.joinpath(*safe[:-1], name)

    def _write(self, info: zipfile.ZipInfo, place: Path, whose: str) -> str | None:
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            target = place.open("xb")
        except (FileExistsError, NotADirectoryError, IsADirectoryError):
            return tr("its name is another file's or folder's")
        with target, self.archive.open(info) as source:
            # The size in the table of contents may be wrong.
            while chunk := source.read(CHUNK):
                if why := self._check_room(whose, len(chunk)):
                    place.unlink()
                    return why
                self.taken[whose] += len(chunk)
                target.write(chunk)
        with contextlib.suppress(ValueError, OverflowError):
            # The time of the zip, so that unpacking again gives identical files.
            when = calendar.timegm((*info.date_time, 0, 0, 0))
            os.utime(place, (when, when))
        return None


def _name(info: zipfile.ZipInfo) -> str:
    name = info.filename
    if not info.flag_bits & 0x800:
        # Older platforms write UTF-8 without the flag for it; zipfile then decodes it as cp437.
        with contextlib.suppress(UnicodeError):
            name = name.encode("cp437").decode("utf-8")
    return name.replace("\\", "/")


def _common_folders(names: Sequence[str]) -> tuple[str, ...]:
    """The folders that contain all members, such as `submitted`."""
    folders = [PurePosixPath(name).parts[:-1] for name in names] or [()]
    count = 0
    while all(len(parts) > count and parts[count] == folders[0][count] for parts in folders):
        count += 1
    return folders[0][:count]


def _make_portable(part: str) -> str:
    """Change a name so that every file system accepts it; keep its suffix."""
    part = _UNFIT.sub("_", part)
    part = part if part.strip(" .") else "_"
    if len(part.encode()) <= NAME_LIMIT:
        return part
    path = PurePosixPath(part)
    ending = path.suffix if may_be_handed_in(part) else ""
    room = NAME_LIMIT - len(ending)
    return os.fsencode(path.stem)[:room].decode("utf-8", "ignore") + ending
