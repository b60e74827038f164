"""Read the time of the last commit of a checkout, without running anything in the checkout.

The settings of a repository can name programs that git starts (`core.fsmonitor`, `gpg.program`, a helper of
a remote), and a folder that was handed in may contain such settings. So git never runs in it: this module
reads `HEAD` and the references itself; git reads the commit from an empty repository of ours, which uses the
objects of the checkout, and these are only data.
"""

import os
import re
import subprocess
import tempfile
from datetime import datetime, timedelta, timezone
from pathlib import Path

from graders.submission.files import read_head

SECONDS = 20.0
REF_LIMIT = 4_000_000  # bytes of packed references
COMMIT_LIMIT = 1_000_000  # bytes of a commit with its message

_ID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_REFERENCE = re.compile(r"ref: (?P<name>refs(?:/[\w+@=,-][\w+@=,.-]*)+)")
_COMMITTER = re.compile(rb"^committer .*> (?P<seconds>\d{1,11}) (?P<sign>[+-])(?P<h>\d\d)(?P<m>\d\d)$", re.M)


def is_checkout(folder: Path) -> bool:
    """Whether a folder is a checkout that contains its repository."""
    place = folder / ".git"
    return place.is_dir() and not place.is_symlink()


def committed_at(folder: Path) -> datetime | None:
    """The time of the commit that is checked out, by the committer's clock; None if it cannot be read."""
    place = folder / ".git"
    try:
        id = _commit_at_head(place)  # noqa: A001 - what git calls it
        objects = place / "objects"
        if id is None or objects.is_symlink() or not objects.is_dir():
            return None
        return _parse_date(_read_commit(objects, id))
    except (OSError, subprocess.SubprocessError, ValueError, OverflowError):
        return None


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


def _read_commit(objects: Path, id: str) -> bytes:  # noqa: A002
    with tempfile.TemporaryDirectory(prefix="softmark-git-") as ours:
        _make_empty_repository(Path(ours), "sha256" if len(id) == 64 else "sha1")
        _, kind, size = _git(ours, objects, id, "cat-file", "--batch-check").split()
        if kind != b"commit" or int(size) > COMMIT_LIMIT:
            raise ValueError("no commit of an ordinary size")
        return _git(ours, objects, id, "cat-file", "commit", id)


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
