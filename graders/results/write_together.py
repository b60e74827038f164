"""Write several files: all of them or none."""

import contextlib
import errno
import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from graders.results.atomic_write import part_of, require_plain


def write_together(new: Mapping[Path, str], changed: Mapping[Path, str]) -> None:
    """Write new files, and others anew; whatever stops it, all are then as they were.

    Every text is written beside its place first, so that a full disk shows before any file has its name.

    Args:
        new: the texts of files that must not be there; their folders are made.
        changed: the texts of files that are there.

    Raises:
        OSError: one of them cannot be written.
    """
    with contextlib.ExitStack() as undo:
        for path in new:
            for folder in _make_folders(path.parent):
                undo.callback(_remove_folder, folder)
        for path, text in {**new, **changed}.items():
            undo.callback(part_of(path).unlink, missing_ok=True)
            _write_part(path, text, path in changed)
        for path in changed:
            shutil.copymode(path, part_of(path))
        for path in new:
            undo.callback(path.unlink, missing_ok=True)
            part_of(path).replace(path)
        for path in changed:
            before = path.read_bytes()
            part_of(path).replace(path)
            undo.callback(path.write_bytes, before)
        undo.pop_all()


def _write_part(path: Path, text: str, is_there: bool) -> None:
    """Write a text beside its place; an error names the place."""
    if not is_there and os.path.lexists(path):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
    require_plain(path)
    try:
        if is_there:
            path.open("r+b").close()  # to give another file this name would pass over that it is read-only
        part_of(path).write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


def _make_folders(folder: Path) -> Iterator[Path]:
    """Make a folder and those above it that are missing, and give each that is made, the uppermost first."""
    missing = [place for place in (folder, *folder.parents) if not place.exists()]
    for place in reversed(missing):
        place.mkdir()
        yield place


def _remove_folder(folder: Path) -> None:
    with contextlib.suppress(OSError):  # somebody has put a file into it
        folder.rmdir()
