"""What each run would make again for itself: kept on the disk, for one seed and one state of the code.

A `Shelf` has what is kept of one exercise. Processes share it: each adds what it has made, under a lock, to
what others have added, and replaces the file as a whole. What cannot be read, or was damaged, is made again.
"""

import contextlib
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from graders.answer_key.pack import BadKey, NotPackable, Packer, Unpacker
from graders.course.exercise import Exercise
from graders.judging.kept.made_from import made_from
from graders.judging.kept.records import Record, read_records, write_records
from graders.results.atomic_write import require_plain
from graders.results.kept_folder import WORK, KeptFolder

try:
    import fcntl
except ImportError:  # Windows has none: there the last one to write wins, and the rest is made again
    fcntl = None  # type: ignore[assignment]

LOCK = ".lock"
FULL = 0.9  # of the largest file, to leave room for the names
Version = tuple[int, int]  # of a file: which one it is, and its size


class Shelf:
    """What is kept of one exercise, by keys.

    Args:
        name: of its file.
        folder: where that lies.
    """

    def __init__(self, name: str, folder: KeptFolder = WORK) -> None:
        self._name, self._folder = name, folder
        self._records: dict[str, Record] = {}
        self._new: dict[str, Record] = {}
        self._version: Version | None = None
        self._size = 0  # bytes of what is kept, and of what will be
        self.refresh()

    def find(self, key: str) -> Any:
        """What is kept under a key; None where there is nothing, or nothing that is whole."""
        record = self._new.get(key) or self._records.get(key)
        if record is None:
            return None
        try:
            if record.is_whole:
                return Unpacker(record.numbers, _unnamed).unpack(record.text.decode())
        except (BadKey, UnicodeDecodeError, RuntimeError, OverflowError):
            pass
        self._records.pop(key, None)  # damaged: it is made again
        return None

    def find_or_make(self, key: str, make: Callable[[], Any], are_same: Callable[[Any, Any], bool]) -> Any:
        """What is kept under a key; else what `make` gives, which is kept if it can be.

        Args:
            key: the key.
            make: makes it; its value is never None.
            are_same: whether a value and what is read of it are the same: only then it is kept.
        """
        found = self.find(key)
        if found is not None:
            return found
        made = make()
        if self.put(key, made) and not are_same(made, self.find(key)):
            del self._new[key]
        return made

    def put(self, key: str, value: Any) -> bool:
        """Keep a value under a key until `save`; whether it is data that can be kept, and there is room."""
        packer = Packer(lambda _: None)
        try:
            text = json.dumps(packer.pack(value), separators=(",", ":")).encode()
        except (NotPackable, TypeError, ValueError, RecursionError):
            return False
        record = Record.of(text, packer.numbers())
        self._size += record.size
        if self._size > self._folder.largest * FULL:
            return False
        self._new[key] = record
        return True

    def save(self) -> None:
        """Add what is new to the file, and take what others have added."""
        if self._new:
            with _locked(self._folder) as is_locked:
                if is_locked:
                    self.refresh()
                    self._records |= self._new
                    self._new = {}
                    self._folder.keep(self._name, write_records(self._records))
                    self._version = self._version_now()
                    return
        self.refresh()

    def refresh(self) -> None:
        """Take what others have added to the file since it was read."""
        version = self._version_now()
        if version is not None and version != self._version:
            self._records = read_records(self._folder.read(self._name) or b"")
            self._size = sum(record.size for each in (self._records, self._new) for record in each.values())
            self._version = version

    def _version_now(self) -> Version | None:
        path = self._folder.path
        try:
            status = path and (path / self._name).lstat()
        except OSError:
            return None
        return (status.st_ino, status.st_size) if status else None


class KeptWork:
    """The shelves of a run."""

    def __init__(self) -> None:
        self._shelves: dict[str, Shelf] = {}

    def shelf(
        self, exercise: Exercise, seed: int | None, sizes: tuple[str, ...] = (), part: str = ""
    ) -> Shelf:
        """The shelf of an exercise.

        Args:
            exercise: one of the current course, with the checks of its file.
            seed: that of the draws; None for what is the same under each.
            sizes: the arguments that have their usual values.
            part: what of the exercise, if it has a file of its own.
        """
        name = f"{'+'.join((exercise.name, *sizes))}-{part or 'draws'}-{made_from(exercise, seed)}"
        if name not in self._shelves:
            self._shelves[name] = Shelf(name)
        return self._shelves[name]

    def save(self) -> None:
        """Save all shelves. A folder that cannot be written costs time later, no more."""
        for shelf in self._shelves.values():
            shelf.save()


def _unnamed(name: str) -> Any:
    raise BadKey(f"no data: {name}"[:100])


@contextlib.contextmanager
def _locked(folder: KeptFolder) -> Iterator[bool]:
    """In the block, no other process adds to a file here; False where one does, or there is no folder."""
    path = folder.path
    try:
        lock = None if path is None else _open_lock(path)
    except OSError:
        lock = None
    if lock is None:
        yield False
        return
    try:
        yield _lock(lock)
    finally:
        os.close(lock)


def _open_lock(folder: Path) -> int:
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    require_plain(folder / LOCK)
    return os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)


def _lock(descriptor: int) -> bool:
    if fcntl is None:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False  # another process adds to it: this one adds later
    return True
