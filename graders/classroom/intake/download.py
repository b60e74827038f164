"""The hand-ins in a download, before students are looked up in a roster."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from graders.classroom.class_record import Student, Unmatched
from graders.classroom.find_student import Identity
from graders.course.late_policy import LatePolicy
from graders.language import tr, translatable
from graders.safe_text import composed

_OF_ANOTHER = translatable(
    "it was not graded, since its assignment is {there}, and not {name}: --named {there} takes it"
)


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
        students: those who handed it in, where the platform names them itself: several for a team.
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
    students: tuple[Student, ...] = ()


@dataclass(frozen=True, slots=True)
class Download:
    """The contents of a downloaded folder: the hand-ins, and everything else with the reason."""

    layout: str
    submissions: tuple[DownloadedSubmission, ...]
    unmatched: tuple[Unmatched, ...] = ()


def choose_assignment(names: Collection[str], assignment: str, named: str | None) -> str:
    """Which of a platform's assignments is graded: the one named, else ours by name, else the only one."""
    wanted = named or assignment
    fitting = sorted(name for name in names if composed(name).casefold() == composed(wanted).casefold())
    if fitting:
        return fitting[0]
    return next(iter(names)) if named is None and len(names) == 1 else wanted


def not_of_assignment(wanted: str, there: str) -> str:
    """Why a hand-in for another assignment is left out, and how it is taken."""
    return tr(_OF_ANOTHER, name=repr(wanted), there=repr(there))
