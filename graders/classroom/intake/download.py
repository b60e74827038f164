"""The hand-ins in a download, before students are looked up in a roster."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from graders.classroom.class_record import Unmatched
from graders.classroom.find_student import Identity
from graders.course.late_policy import LatePolicy

SUFFIXES = (".ipynb", ".py", ".zip")


@dataclass(frozen=True, slots=True)
class InTime:
    """The last state in time of a repository with late commits: it counts, unless the late one gives more.

    Attributes:
        path: the folder with its files.
        at: the time of its commit.
        late_at: the time of the late commit.
        late: what lateness costs.
    """

    path: Path
    at: datetime
    late_at: datetime
    late: LatePolicy


@dataclass(frozen=True, slots=True)
class Entry:
    """One submission of a class: its id, unique and valid as a folder name, and its path.

    `key` is the cache key of its result, where it is known (`graders/batch/cache_key.py`). `in_time` is what
    may count in place of what lies at `path`.
    """

    id: str
    path: Path
    key: str = ""
    in_time: InTime | None = None


@dataclass(frozen=True, slots=True)
class DownloadedSubmission:
    """One hand-in of a download.

    Attributes:
        label: the text from which its id is made; `or_else` is used instead if another hand-in has that id.
        source: its path in the download, as the instructor sees it.
        path: its file or folder; None if its files lie in a folder with those of others.
        pieces: in that case its files, each with the name that the student gave it.
        checkout: the repository that it is, if it is one.
    """

    label: str
    source: str
    who: Identity
    path: Path | None = None
    pieces: tuple[tuple[str, Path], ...] = ()
    or_else: str = ""
    at: datetime | None = None
    clock: str = ""
    late: bool = False
    checkout: Path | None = None


@dataclass(frozen=True, slots=True)
class Download:
    """The contents of a downloaded folder: the hand-ins, and everything else with the reason."""

    layout: str
    submissions: tuple[DownloadedSubmission, ...]
    unmatched: tuple[Unmatched, ...] = ()
