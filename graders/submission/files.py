"""The bytes of the files in a folder, within bounds. Links are not followed, devices not opened."""

import os
import stat
import unicodedata
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from graders.language import tr, translatable
from graders.results.result import Remark
from graders.safe_text import safe_text
from graders.submission.decode import is_checkpoint, kind_of

NOTEBOOK_LIMIT = 20_000_000  # bytes; plots of a long notebook fit, a model saved in an output does not
MODULE_LIMIT = 2_000_000  # bytes
CHECKPOINT_LIMIT = 64_000_000  # bytes; it goes into the box in one message
TOTAL_LIMIT = 100_000_000  # bytes of all that is read, also of what proves damaged
FILE_LIMIT = 2_000  # files and folders of all kinds
DEPTH_LIMIT = 20  # folders inside folders

# Copies, caches and other people's code; names that begin with a dot are left out as well.
_SKIPPED = frozenset({"__pycache__", "__MACOSX", "venv", "node_modules", "site-packages"})


@dataclass
class Gathered:
    """The bytes of notebooks, modules and checkpoints by name, the names of everything else, what went wrong.

    `taken` counts the bytes read so far, kept or not.
    """

    files: dict[str, bytes] = field(default_factory=dict)
    others: list[str] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    taken: int = 0
    _keys: dict[str, str] = field(default_factory=dict)

    def refuse(self, name: str, message: str) -> None:
        """Say why a file was left out."""
        self.remarks.append(Remark(message, file=name))

    def add(self, name: str, data: bytes) -> None:
        """Keep a file, unless it would land on another one where names are compared less strictly."""
        self.taken += len(data)
        first = self._keys.setdefault(_key(name), name)
        if first in self.files:
            message = translatable(
                "{name} is there twice; one of them was not read. Give each file a name of its own."
            )
            if first != name:
                message = translatable(
                    "{name} has the same name as {first} on some computers; one of them was not read. "
                    "Give each file a name of its own."
                )
            self.refuse(name, tr(message, name=name, first=first))
        else:
            self.files[name] = data

    def room_for(self, name: str, size: int) -> bool:
        """Whether a file of `size` bytes may still be added; a remark where it may not."""
        if size > limit_of(name):
            message = translatable(
                "{name} is larger than {most} MB and was not read: "
                "clear the outputs, save it and hand it in again."
            )
            if is_checkpoint(name):
                message = translatable(
                    "{name} is larger than {most} MB and was not read: "
                    "hand in a smaller model and hand it in again."
                )
            self.refuse(name, tr(message, name=name, most=limit_of(name) // 1_000_000))
            return False
        if size + self.taken > TOTAL_LIMIT:
            message = tr(
                "{name} was not read: there is too much in this submission. Hand in less.", name=name
            )
            self.refuse(name, message)
            return False
        return True


def limit_of(name: str) -> int:
    """How many bytes a notebook, module or checkpoint may have."""
    if is_checkpoint(name):
        return CHECKPOINT_LIMIT
    return NOTEBOOK_LIMIT if kind_of(name) == "notebook" else MODULE_LIMIT


def _key(name: str) -> str:
    # macOS and Windows do not tell capitals apart, Windows drops dots at the end, and a Mac writes an
    # accent as a character of its own.
    parts = unicodedata.normalize("NFC", name).casefold().split("/")
    return "/".join(part.rstrip(" .") for part in parts)


def is_read(name: str) -> bool:
    """Whether a file of this name is read at all: a notebook, a module or a checkpoint."""
    return kind_of(name) is not None or is_checkpoint(name)


def tidy_name(name: str) -> str:
    """A file's name as it can be shown: one line without control characters."""
    return safe_text(name, limit=200).replace("\n", " ")


def is_passed_over(name: str) -> bool:
    """Whether a path lies in a cache, a hidden folder or an environment."""
    return any(part in _SKIPPED or part.startswith((".", "~")) for part in PurePosixPath(name).parts)


def folder(root: Path) -> Gathered:
    """What a folder holds, files sorted by name."""
    gathered = Gathered()
    for path in files_below(root, gathered):
        name = tidy_name(path.relative_to(root).as_posix())
        if not is_read(name):
            gathered.others.append(name)
        else:
            add_file(gathered, path, name)
    return gathered


def add_file(gathered: Gathered, path: Path, name: str) -> None:
    """Read one file, never more of it than its limit."""
    try:
        data = head(path, limit_of(name) + 1)
    except OSError:
        message = tr("{name} cannot be opened: hand in the file itself, not a link to it.", name=name)
        gathered.refuse(name, message)
        return
    if gathered.room_for(name, len(data)):
        gathered.add(name, data)


def files_below(root: Path, gathered: Gathered) -> list[Path]:
    """The plain files below a folder that count, sorted, within the limits on their number and depth."""
    paths: list[Path] = []
    waiting, seen = [(root, 0)], 0
    while waiting:
        place, depth = waiting.pop()
        for entry in sorted(place.iterdir()):
            seen += 1
            if seen > FILE_LIMIT:
                message = tr("There are more than {most} files: the rest was not read.", most=FILE_LIMIT)
                gathered.refuse(root.name, message)
                return sorted(paths)
            if is_passed_over(entry.name) or entry.is_symlink():
                continue
            if entry.is_dir() and depth < DEPTH_LIMIT:
                waiting.append((entry, depth + 1))
            elif entry.is_file():
                paths.append(entry)
    return sorted(paths)


def open_file(path: Path) -> BinaryIO:
    """A plain file, open for reading.

    Raises:
        OSError: it is none, or cannot be opened.
    """
    # Not Path.open: a named pipe in its place would wait for ever, and a link would be followed.
    flags = [getattr(os, flag, 0) for flag in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY")]
    file = os.fdopen(os.open(path, os.O_RDONLY | sum(flags)), "rb")
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError("not a plain file")
    return file


def head(path: Path, size: int) -> bytes:
    """The first `size` bytes of a plain file.

    Raises:
        OSError: it is none, or cannot be opened.
    """
    with open_file(path) as file:
        return file.read(size)
