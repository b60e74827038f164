"""Read the files in a folder, within limits. Links are not followed, and devices are not opened."""

import os
import stat
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from graders.language import tr, translatable
from graders.results.result import Remark
from graders.safe_text import safe_text
from graders.submission.decode import (
    HEAD,
    begins_as_notebook,
    is_checkpoint,
    is_json,
    is_markdown,
    kind_of,
)
from graders.submission.versions import order_in_time

NOTEBOOK_LIMIT = 200_000_000  # bytes with outputs, which are not parsed; `decode.CODE_LIMIT` is without them
NAME_LIMIT = 200  # characters of a name that is shown
MODULE_LIMIT = 2_000_000  # bytes
CHECKPOINT_LIMIT = 64_000_000  # bytes; it is sent into the box in one message
TOTAL_LIMIT = 250_000_000  # bytes of all files together, damaged ones included
FILE_LIMIT = 2_000  # files and folders of all kinds
DEPTH_LIMIT = 20  # folders inside folders

# Copies, caches and installed packages; names that begin with a dot are skipped as well.
_SKIPPED = frozenset({"__pycache__", "__MACOSX", "venv", "node_modules", "site-packages"})


@dataclass
class SubmissionBytes:
    """The bytes of notebooks, modules and checkpoints by name, the names of other files, and the remarks.

    `bytes_read` counts all bytes read so far, also those of files that were not kept. `times` are when files
    were written, in seconds, as far as the archive or the folder says it. `texts` are other files that hold
    Markdown without code.
    """

    files: dict[str, bytes] = field(default_factory=dict)
    others: list[str] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    bytes_read: int = 0
    times: dict[str, float] = field(default_factory=dict)
    texts: dict[str, bytes] = field(default_factory=dict)
    _keys: dict[str, str] = field(default_factory=dict)

    def refuse(self, name: str, message: str) -> None:
        """Add a remark that says why a file was left out."""
        self.remarks.append(Remark(message, file=name))

    def add(self, name: str, data: bytes, written: float | None = None) -> None:
        """Keep a file. Of two of one name the later one counts, as wherever an archive is unpacked.

        Two whose names only some file systems tell apart are both kept, since either may be the answer.
        """
        self.bytes_read += len(data)
        first = self._keys.setdefault(_key(name), name)
        if first in self.files and self.files[first] != data:
            message = translatable(
                "{name} is there twice; the last one was read. Give each file a name of its own."
            )
            if first != name:
                message = translatable(
                    "{name} has the same name as {first} on some computers. Give each file a name of its own."
                )
            self.refuse(name, tr(message, name=name, first=first))
        self.files[name] = data
        if written is None:
            self.times.pop(name, None)
        else:
            self.times[name] = written

    def take(self, others: "SubmissionBytes", folder: str) -> None:
        """Take over what was read of a zip, as if it lay in a folder: "" or a name that ends in a slash."""
        for name, data in others.files.items():
            self.add(folder + name, data, others.times.get(name))
        self.others += [folder + name for name in others.others]
        self.remarks += others.remarks
        self.bytes_read = others.bytes_read

    @property
    def holds_code(self) -> bool:
        """Whether a notebook or a module was read, or refused."""
        named = [*self.files, *(remark.file or "" for remark in self.remarks)]
        return any(kind_of(name) is not None and not is_markdown(name) for name in named)

    def has_room_for(self, name: str, size: int) -> bool:
        """Whether a file of `size` bytes may still be added; adds a remark if not."""
        if is_markdown(name) and size > limit_of(name):
            self.others.append(name)  # a text that is no notebook
            return False
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
        if size + self.bytes_read > TOTAL_LIMIT:
            message = tr(
                "{name} was not read: there is too much in this submission. Hand in less.", name=name
            )
            self.refuse(name, message)
            return False
        return True


def limit_of(name: str) -> int:
    """The largest size of a notebook, module or checkpoint, in bytes."""
    if is_checkpoint(name):
        return CHECKPOINT_LIMIT
    return NOTEBOOK_LIMIT if kind_of(name) == "notebook" else MODULE_LIMIT


def _key(name: str) -> str:
    # macOS and Windows ignore case, Windows drops dots at the end, and macOS writes accents as separate
    # characters.
    parts = unicodedata.normalize("NFC", name).casefold().split("/")
    return "/".join(part.rstrip(" .") for part in parts)


def is_archive(name: str) -> bool:
    """Whether a name is that of a zip or a tar."""
    return name.lower().endswith((".zip", ".tar", ".tar.gz", ".tgz"))


def may_be_handed_in(name: str) -> bool:
    """Whether a name is that of a file which is a hand-in by itself: a notebook, a module, a zip or a tar."""
    is_code = kind_of(name) is not None and not is_markdown(name) and not is_json(name)
    return is_code or is_archive(name)


def without_endings(name: str) -> str:
    """The name of such a file without what says its kind: `alice` of `alice.ipynb.txt`, of `alice.tar.gz`."""
    while may_be_handed_in(name) and "." in name.strip("."):
        name = name.rpartition(".")[0]
    return name


def is_read(name: str) -> bool:
    """Whether a name is that of a notebook, a module, Markdown or a checkpoint: only these are read."""
    return (kind_of(name) is not None and not is_json(name)) or is_checkpoint(name)


def is_read_file(path: Path) -> bool:
    """Whether a file is read: JSON if it is a notebook, by its first bytes, and others by their names."""
    if not is_json(path.name):
        return is_read(path.name)
    try:
        return begins_as_notebook(read_head(path, HEAD))
    except OSError:
        return False


def tidy_name(name: str) -> str:
    """A file name that is safe to show: one line without control characters, long ones without their middle.

    The end stays, since it says of which kind the file is.
    """
    if len(name) > NAME_LIMIT:
        half = NAME_LIMIT // 2
        name = f"{name[:half]}\u2026{name[1 - half :]}"
    return safe_text(name, limit=NAME_LIMIT).replace("\n", " ")


def is_skipped(name: str) -> bool:
    """Whether a path lies in a cache, a hidden folder or a virtual environment."""
    return any(part in _SKIPPED or part.startswith((".", "~")) for part in PurePosixPath(name).parts)


def read_folder(root: Path) -> SubmissionBytes:
    """Read the files below a folder, in the order of their names."""
    gathered = SubmissionBytes()
    for path in files_below(root, gathered):
        name = tidy_name(path.relative_to(root).as_posix())
        if not is_read_file(path):
            gathered.others.append(name)
        else:
            add_file(gathered, path, name)
    return gathered


def add_file(gathered: SubmissionBytes, path: Path, name: str) -> None:
    """Read one file into `gathered`, at most one byte more than its limit."""
    try:
        with open_file(path) as file:
            data, written = file.read(limit_of(name) + 1), os.fstat(file.fileno()).st_mtime
    except OSError:
        message = tr("{name} cannot be opened: hand in the file itself, not a link to it.", name=name)
        gathered.refuse(name, message)
        return
    if gathered.has_room_for(name, len(data)):
        gathered.add(name, data, written)


def files_below(root: Path, gathered: SubmissionBytes) -> list[Path]:
    """The plain files below a folder, sorted, without skipped ones, within the limits on number and depth."""
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
            if is_skipped(entry.name) or entry.is_symlink():
                continue
            if entry.is_dir() and depth < DEPTH_LIMIT:
                waiting.append((entry, depth + 1))
            elif entry.is_file():
                paths.append(entry)
    return sorted(paths)


def rank_in_time(paths: Sequence[Path]) -> dict[Path, int]:
    """The rank in time of each file that is read, by when it was changed; see `versions.order_in_time`."""
    times = {path: path.lstat().st_mtime for path in paths if is_read_file(path)}
    return order_in_time(times)


def open_file(path: Path) -> BinaryIO:
    """Open a plain file for reading.

    Raises:
        OSError: it is not a plain file, or cannot be opened.
    """
    # Not Path.open, which waits for ever on a named pipe and follows links.
    flags = [getattr(os, flag, 0) for flag in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY")]
    file = os.fdopen(os.open(path, os.O_RDONLY | sum(flags)), "rb")
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError("not a plain file")
    return file


def read_head(path: Path, size: int) -> bytes:
    """Read the first `size` bytes of a plain file.

    Raises:
        OSError: it is not a plain file, or cannot be opened.
    """
    with open_file(path) as file:
        return file.read(size)
