"""What a download shows of each hand-in, before anybody is looked up in a roster."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from graders.classroom.class_record import Unmatched
from graders.classroom.find_student import Identity

SUFFIXES = (".ipynb", ".py", ".zip")


@dataclass(frozen=True, slots=True)
class Entry:
    """One submission of a class: its id, unique and fit for a folder, and where it lies.

    `key` is a digest of all that its result follows from, where that is known (`graders/batch/cache_key.py`).
    """

    id: str
    path: Path
    key: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """One hand-in.

    Attributes:
        label: what its id is made of, and `or_else` where another has that id.
        source: its path in the download, as the instructor sees it.
        path: where it lies; None where its files lie among those of others.
        pieces: these files, with the names that the student gave them.
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


@dataclass(frozen=True, slots=True)
class Download:
    """All that was found under a folder: hand-ins, and what is none with the reason."""

    layout: str
    found: tuple[Found, ...]
    unmatched: tuple[Unmatched, ...] = ()
