"""Lock a folder of results, so that one run writes there at a time."""

import contextlib
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from graders.batch.errors import CannotGrade
from graders.language import tr, translatable
from graders.results.atomic_write import sweep

try:
    import fcntl
except ImportError:  # Windows has none: there nothing is locked
    fcntl = None  # type: ignore[assignment]

PATIENCE_S = 3.0  # the processes of a run that was just killed may need a moment to end
OTHERS = 0o007  # rights of users who are neither the owner nor in the group
NOT_THE_OWNER = 0o077


class FolderInUse(CannotGrade):
    """Another run writes there. Text for whoever started this one."""


class NotWritable(CannotGrade):
    """The folder cannot be made or opened. Text for whoever started the run."""


@contextmanager
def lock_folder(out: Path) -> Iterator[None]:
    """Lock `out`, and remove the half-written files of killed runs, before and after.

    The folder itself is locked, so no lock file can be left behind. The lock ends with the last process of
    the run, however it ends.

    It holds the seed and marks: a new folder is for its owner alone. One that is there keeps the rights of
    its group, and other users lose theirs. What is written within the context gives no more rights than it.

    Raises:
        FolderInUse: another run has locked it.
        NotWritable: it cannot be made or opened.
    """
    try:
        _make_private(out)
        descriptor = os.open(out, os.O_RDONLY) if fcntl else None
    except OSError as error:
        raise NotWritable(tr("cannot write {out}: {reason}", out=out, reason=error.strerror)) from error
    if descriptor is None:
        yield
        return
    try:
        _lock(descriptor, out)
        sweep(out)
        try:
            with _rights_of(out):
                yield
        finally:
            sweep(out)
    finally:
        os.close(descriptor)


def _make_private(out: Path) -> None:
    if not out.is_dir():
        out.mkdir(mode=0o700, parents=True, exist_ok=True)
        return
    rights = stat.S_IMODE(out.stat().st_mode)
    if rights & OTHERS:
        with contextlib.suppress(OSError):  # another user's folder, or a file system without rights
            out.chmod(rights & ~OTHERS)


@contextmanager
def _rights_of(out: Path) -> Iterator[None]:
    """Within the context, new files and folders give others no more rights than `out` does."""
    withheld = NOT_THE_OWNER & ~out.stat().st_mode
    before = os.umask(0)
    os.umask(before | withheld)
    try:
        yield
    finally:
        os.umask(before)


def _lock(descriptor: int, out: Path) -> None:
    until = time.monotonic() + PATIENCE_S
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until:
                sentence = translatable(
                    "another run of softmark is writing to {folder}: "
                    "wait for its end, or choose another folder"
                )
                raise FolderInUse(tr(sentence, folder=out)) from None
            time.sleep(0.05)
        except OSError:  # some network file systems cannot lock a folder: go on without
            return
        else:
            return
