"""What was handed in as one deterministic archive of its bytes, and back."""

import io
import os
import shutil
import tarfile
from pathlib import Path, PurePosixPath

from graders.submission.files import SubmissionBytes, files_below, open_file, rank_in_time
from graders.submission.versions import GAP_S

MOST_BYTES = 20_000_000  # the scheduler holds what waits for a worker in its memory


class NotPacked(Exception):
    """It is graded on the host instead: too large, or something that only the host's files show."""


def pack_submission(path: Path) -> bytes:
    """The archive of a file, or of the plain files below a folder.

    Raises:
        NotPacked: it is too large, cannot be read, or has too many files.
    """
    gathered = SubmissionBytes()
    packed = io.BytesIO()
    try:
        if path.is_symlink():
            raise NotPacked("a link is not followed")
        files = files_below(path, gathered) if path.is_dir() else [path]
        if gathered.remarks:
            raise NotPacked(gathered.remarks[0].says)
        left, ranks = MOST_BYTES, rank_in_time(files)
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
            if path.is_dir():
                archive.addfile(_folder(path.name))
            for file in files:
                with open_file(file) as opened:
                    data = opened.read(left + 1)
                left -= len(data)
                if left < 0:
                    raise NotPacked(f"more than {MOST_BYTES // 1_000_000} MB")
                member = tarfile.TarInfo((Path(path.name) / file.relative_to(path)).as_posix())
                member.size = len(data)
                # Not the time itself: only which files are later than which others counts.
                member.mtime = 2 * int(GAP_S) * ranks.get(file, 0)
                archive.addfile(member, io.BytesIO(data))
    except (OSError, ValueError) as error:
        raise NotPacked(str(error)) from error
    return packed.getvalue()


def unpack_submission(packed: bytes, folder: Path) -> None:
    """Write the files of an archive into an empty folder, and nothing outside of it.

    Raises:
        ValueError: it is no such archive.
    """
    try:
        with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
            for member in archive:
                _write(archive, member, folder)
    except (tarfile.TarError, OSError) as error:
        raise ValueError(str(error)) from error


def _write(archive: tarfile.TarFile, member: tarfile.TarInfo, folder: Path) -> None:
    """Write a file or a folder of an archive: `TarFile.extractall` is safe since Python 3.11.4 alone."""
    name = PurePosixPath(member.name)
    if name.is_absolute() or ".." in name.parts or not (member.isreg() or member.isdir()):
        raise ValueError(f"{member.name} is no file below the folder")
    path = folder / name
    (path if member.isdir() else path.parent).mkdir(parents=True, exist_ok=True)
    if member.isreg():
        content = archive.extractfile(member)
        assert content is not None
        with path.open("xb") as file:
            shutil.copyfileobj(content, file)
        os.utime(path, (member.mtime, member.mtime))


def _folder(name: str) -> tarfile.TarInfo:
    folder = tarfile.TarInfo(name)
    folder.type, folder.mode = tarfile.DIRTYPE, 0o700
    return folder
