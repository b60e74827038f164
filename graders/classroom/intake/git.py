"""Read the commits of a checkout and the files of one of them, without running anything in the checkout.

The settings of a repository can name programs that git starts (`core.fsmonitor`, `gpg.program`, a helper of
a remote), and a folder that was handed in may contain such settings. So git never runs in it: this module
reads `HEAD` and the references itself; git reads the commit from an empty repository of ours, which uses the
objects of the checkout, and these are only data.
"""

import contextlib
import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path, PurePosixPath

from graders.submission.decode import is_json
from graders.submission.files import (
    FILE_LIMIT,
    TOTAL_LIMIT,
    is_archive,
    is_read,
    is_skipped,
    limit_of,
    read_head,
)

SECONDS = 20.0
REF_LIMIT = 4_000_000  # bytes of packed references
COMMIT_LIMIT = 1_000_000  # bytes of a commit with its message
COMMITS = 5_000  # that are looked at, from the last one back
LISTING_LIMIT = 4_000_000  # bytes of the list of a commit's files

_ID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_REFERENCE = re.compile(r"ref: (?P<name>refs(?:/[\w+@=,-][\w+@=,.-]*)+)")
_UNREADABLE = (OSError, subprocess.SubprocessError, ValueError, OverflowError)
_LIST = ("ls-tree", "-r", "-z", "-l", "--full-tree")
_COMMITTER = re.compile(rb"^committer .*> (?P<seconds>\d{1,11}) (?P<sign>[+-])(?P<h>\d\d)(?P<m>\d\d)$", re.M)


def is_checkout(folder: Path) -> bool:
    """Whether a folder is a checkout that contains its repository."""
    place = folder / ".git"
    return place.is_dir() and not place.is_symlink()


@dataclass(frozen=True)
class Commit:
    """A commit, and its time by the committer's clock, which the student may have set."""

    id: str
    at: datetime


def committed_at(folder: Path) -> datetime | None:
    """The time of the commit that is checked out, by the committer's clock; None if it cannot be read."""
    try:
        with _reading(folder) as repository:
            return _parse_date(_read_commit(repository))
    except _UNREADABLE:
        return None


def last_commit(folder: Path, until: datetime) -> Commit | None:
    """The last commit up to a time on the way back from the one that is checked out; None if there is none.

    Of a merge, the way goes on with what it was merged into. A commit on top of a later one came after it,
    whatever its own time says.
    """
    try:
        with _reading(folder) as repository:
            format_ = f"--max-count={COMMITS}", "--first-parent", "--format=%H %ct"
            listed = repository.git("log", *format_, repository.head).decode("ascii").split("\n")
    except _UNREADABLE:
        return None
    commits = [Commit(id, _moment(seconds)) for id, seconds in (line.split() for line in listed if line)]  # noqa: A001
    late = [number for number, commit in enumerate(commits) if commit.at > until]
    return next(iter(commits[late[-1] + 1 :] if late else commits), None)


def write_files(folder: Path, commit: Commit, into: Path) -> bool:
    """Write the files of a commit that softmark reads into a new folder; false if they cannot be read.

    Links and what is too large are left out.
    """
    try:
        with _reading(folder) as repository:
            listing = repository.git(*_LIST, commit.id)
            if len(listing) > LISTING_LIMIT:
                return False
            into.mkdir(parents=True)
            for name, blob in _files_to_write(listing.decode("utf-8", "replace")):
                (into / name).parent.mkdir(parents=True, exist_ok=True)
                (into / name).write_bytes(repository.git("cat-file", "blob", blob))
                os.utime(into / name, (commit.at.timestamp(),) * 2)
    except _UNREADABLE:
        return False
    return True


def _files_to_write(listing: str) -> Iterator[tuple[PurePosixPath, str]]:
    left, number = TOTAL_LIMIT, 0
    for line in listing.split("\0"):
        about, _, text = line.partition("\t")
        mode, kind, blob, size = (about.split() + [""] * 4)[:4]
        name = PurePosixPath(text)
        is_plain = kind == "blob" and mode.startswith("100") and size.isdecimal()
        if not is_plain or name.is_absolute() or ".." in name.parts or is_skipped(text):
            continue
        most = limit_of(text) if is_read(text) or is_json(text) else TOTAL_LIMIT if is_archive(text) else 0
        if int(size) <= min(most, left) and number < FILE_LIMIT:
            left, number = left - int(size), number + 1
            yield name, blob


def _commit_at_head(place: Path) -> str | None:
    at = read_head(place / "HEAD", 1000).decode("utf-8", "replace").strip()
    match = _REFERENCE.fullmatch(at)
    if match is None:
        return at if _ID.fullmatch(at) else None
    try:
        loose = read_head(place / match["name"], 100).decode("ascii", "replace").strip()
    except OSError:
        return _find_packed_ref(place, match["name"])
    return loose if _ID.fullmatch(loose) else None


def _find_packed_ref(place: Path, name: str) -> str | None:
    for line in read_head(place / "packed-refs", REF_LIMIT).decode("utf-8", "replace").splitlines():
        id, _, ref = line.partition(" ")  # noqa: A001
        if ref == name and _ID.fullmatch(id):
            return id
    return None


@dataclass(frozen=True)
class _Repository:
    """An empty repository of ours with the objects of a checkout, and the commit that is checked out."""

    ours: str
    objects: Path
    head: str

    def git(self, *arguments: str, says: str = "") -> bytes:
        """What git prints, run in the repository of ours."""
        return _git(self.ours, self.objects, says, *arguments)


@contextmanager
def _reading(folder: Path) -> Iterator[_Repository]:
    """Within the context, read the objects of a checkout.

    Raises:
        _UNREADABLE: it has no such objects, or git cannot read them.
    """
    place = folder / ".git"
    head, objects = _commit_at_head(place), place / "objects"
    # Objects that lie elsewhere on this machine are not the student's.
    if head is None or objects.is_symlink() or not objects.is_dir() or (objects / "info/alternates").exists():
        raise ValueError("no repository with objects of its own")
    with tempfile.TemporaryDirectory(prefix="softmark-git-") as ours:
        _make_empty_repository(Path(ours), "sha256" if len(head) == 64 else "sha1")
        _mark_where_history_ends(place, Path(ours))
        yield _Repository(ours, objects, head)


def _mark_where_history_ends(place: Path, ours: Path) -> None:
    """Where only the last commits were fetched, git has to know that their parents are absent."""
    with contextlib.suppress(OSError):
        ids = read_head(place / "shallow", REF_LIMIT).decode("ascii", "replace").split()
        (ours / "shallow").write_text("".join(f"{id}\n" for id in ids if _ID.fullmatch(id)), encoding="ascii")  # noqa: A001


def _read_commit(repository: _Repository) -> bytes:
    _, kind, size = repository.git("cat-file", "--batch-check", says=repository.head).split()
    if kind != b"commit" or int(size) > COMMIT_LIMIT:
        raise ValueError("no commit of an ordinary size")
    return repository.git("cat-file", "commit", repository.head)


def _moment(seconds: str) -> datetime:
    return datetime.fromtimestamp(int(seconds), UTC)


def _make_empty_repository(place: Path, kind: str) -> None:
    for name in ("objects", "refs"):
        (place / name).mkdir()
    (place / "HEAD").write_text("ref: refs/heads/none\n", encoding="ascii")
    version, extension = (1, f"[extensions]\nobjectFormat = {kind}\n") if kind != "sha1" else (0, "")
    settings = f"[core]\nrepositoryFormatVersion = {version}\nbare = true\n{extension}"
    (place / "config").write_text(settings, encoding="ascii")


def _git(ours: str, objects: Path, standard_input: str, *arguments: str) -> bytes:
    settings = {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": ours,
        "GIT_DIR": ours,
        "GIT_OBJECT_DIRECTORY": str(objects.resolve()),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_TERMINAL_PROMPT": "0",
    }
    command, line = ["git", *arguments], f"{standard_input}\n".encode()
    done = subprocess.run(
        command, cwd=ours, env=settings, input=line, capture_output=True, check=True, timeout=SECONDS
    )
    return done.stdout


def _parse_date(commit: bytes) -> datetime | None:
    match = _COMMITTER.search(commit.partition(b"\n\n")[0])
    if match is None:
        return None
    offset = timedelta(hours=int(match["h"]), minutes=int(match["m"]))
    zone = timezone(-offset if match["sign"] == b"-" else offset)
    return datetime.fromtimestamp(int(match["seconds"]), zone)
