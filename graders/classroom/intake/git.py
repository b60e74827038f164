"""When the last commit of a checkout was made, read so that nothing in the checkout can run.

A repository's own settings can name programs for git to start (`core.fsmonitor`, `gpg.program`, a helper of
a remote), and a folder that was handed in may hold any. So git is never started in it: `HEAD` and the
references are read here, and the commit by a git that is told of an empty repository of ours and of the
checkout's objects alone, which are data.
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
COMMIT_LIMIT = 1_000_000  # bytes of a commit, its message with it

_ID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_REFERENCE = re.compile(r"ref: (?P<name>refs(?:/[\w+@=,-][\w+@=,.-]*)+)")
_COMMITTER = re.compile(rb"^committer .*> (?P<seconds>\d{1,11}) (?P<sign>[+-])(?P<h>\d\d)(?P<m>\d\d)$", re.M)


def is_checkout(folder: Path) -> bool:
    """Whether a folder is a checkout with its repository in it."""
    place = folder / ".git"
    return place.is_dir() and not place.is_symlink()


def committed_at(folder: Path) -> datetime | None:
    """When the commit that a checkout is at was made, as its committer's clock said."""
    place = folder / ".git"
    try:
        id = _commit_at_head(place)  # noqa: A001 - what git calls it
        objects = place / "objects"
        if id is None or objects.is_symlink() or not objects.is_dir():
            return None
        return _date(_commit(objects, id))
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
        return _packed(place, match["name"])
    return loose if _ID.fullmatch(loose) else None


def _packed(place: Path, name: str) -> str | None:
    for line in read_head(place / "packed-refs", REF_LIMIT).decode("utf-8", "replace").splitlines():
        id, _, ref = line.partition(" ")  # noqa: A001
        if ref == name and _ID.fullmatch(id):
            return id
    return None


def _commit(objects: Path, id: str) -> bytes:  # noqa: A002
    with tempfile.TemporaryDirectory(prefix="softmark-git-") as ours:
        _empty(Path(ours), "sha256" if len(id) == 64 else "sha1")
        _, kind, size = _git(ours, objects, id, "cat-file", "--batch-check").split()
        if kind != b"commit" or int(size) > COMMIT_LIMIT:
            raise ValueError("no commit of an ordinary size")
        return _git(ours, objects, id, "cat-file", "commit", id)


def _empty(place: Path, kind: str) -> None:
    for name in ("objects", "refs"):
        (place / name).mkdir()
    (place / "HEAD").write_text("ref: refs/heads/none\n", encoding="ascii")
    version, extension = (1, f"[extensions]\nobjectFormat = {kind}\n") if kind != "sha1" else (0, "")
    settings = f"[core]\nrepositoryFormatVersion = {version}\nbare = true\n{extension}"
    (place / "config").write_text(settings, encoding="ascii")


def _git(ours: str, objects: Path, said: str, *arguments: str) -> bytes:
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
    command, line = ["git", *arguments], f"{said}\n".encode()
    done = subprocess.run(
        command, cwd=ours, env=settings, input=line, capture_output=True, check=True, timeout=SECONDS
    )
    return done.stdout


def _date(commit: bytes) -> datetime | None:
    match = _COMMITTER.search(commit.partition(b"\n\n")[0])
    if match is None:
        return None
    offset = timedelta(hours=int(match["h"]), minutes=int(match["m"]))
    zone = timezone(-offset if match["sign"] == b"-" else offset)
    return datetime.fromtimestamp(int(match["seconds"]), zone)
