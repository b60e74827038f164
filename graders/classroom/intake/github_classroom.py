"""Read repositories named by GitHub Classroom or Classroom 50: `[<classroom>-]<assignment>-<username>`.

Only the name says whose a repository is: its content was written by the student, who might claim to be
somebody else. The hand-in time is the later of the last commit and the time in Classroom 50's `result.json`;
the student can forge both, so a roster with a column of times replaces them.
"""

import json
import os
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from graders.classroom.find_student import Identity
from graders.classroom.intake.download import Download, DownloadedSubmission
from graders.classroom.intake.git import committed_at, is_checkout
from graders.classroom.intake.plain_folder import make_hand_in, make_unmatched
from graders.classroom.intake.timestamps import parse_time
from graders.submission.files import read_head, tidy_name

RESULT_LIMIT = 2_000_000  # bytes of a result.json


def fits(paths: Sequence[Path]) -> bool:
    """Whether most folders are checkouts with a hyphen in their name."""
    folders = [path for path in paths if path.is_dir()]
    checkouts = [path for path in folders if is_checkout(path) and "-" in path.name]
    return 2 * len(checkouts) > len(folders)


def read(paths: Sequence[Path], assignment: str) -> Download:
    """Read each folder as a hand-in: repositories by username, other folders by their name."""
    folders = [path for path in paths if path.is_dir()]
    prefix = _prefix([path.name for path in folders if is_checkout(path)], assignment)
    submissions = [_repository(path, prefix) if is_checkout(path) else make_hand_in(path) for path in folders]
    return Download(
        "classroom", tuple(submissions), tuple(make_unmatched(path) for path in paths if path not in folders)
    )


def _prefix(names: Sequence[str], assignment: str) -> str:
    """The prefix before the username that all names share, in lower case."""
    common = os.path.commonprefix([name.casefold() for name in names])  # noqa: RUF071 - of names, not of paths
    before, middle, _ = common.rpartition(f"{assignment.casefold().replace('_', '-')}-")
    if middle and (not before or before.endswith("-")):
        return before + middle
    return common[: common.rfind("-") + 1] if len(names) > 1 else ""


def _repository(path: Path, prefix: str) -> DownloadedSubmission:
    parts = path.name.split("-")
    # A username may contain hyphens: try every ending of the name, the longest first.
    usernames = tuple("-".join(parts[i:]) for i in range(len(parts)))
    label = path.name[len(prefix) :] if path.name.casefold().startswith(prefix) else ""
    times = [("commit", committed_at(path)), ("result.json", _submitted_at(path / "result.json"))]
    with_time = [(at, clock) for clock, at in times if at]
    submission = DownloadedSubmission(
        label or path.name,
        tidy_name(path.name),
        Identity(names=usernames),
        path,
        or_else=path.name,
        checkout=path,
    )
    if not with_time:
        return submission
    at, clock = max(with_time)
    return replace(submission, at=at, clock=clock)


def _submitted_at(path: Path) -> datetime | None:
    try:
        data: Any = json.loads(read_head(path, RESULT_LIMIT))
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(data, dict) or not str(data.get("schema", "")).startswith("classroom50/"):
        return None
    return parse_time(str(data.get("datetime", "")), UTC)
