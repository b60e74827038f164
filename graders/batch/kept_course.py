"""The copy of the course's own file that a run keeps beside its results."""

from pathlib import Path

from graders.course.course_file import own_course
from graders.results.atomic_write import write_atomically

KEPT = "course.toml"  # in the folder of a run's results


def kept_course(out: Path) -> Path | None:
    """The course's file that an earlier run kept in `out`; None if it kept none."""
    path = out / KEPT
    return path if path.is_file() else None


def keep_course(out: Path) -> None:
    """Keep the course's own file in `out`, so that later commands give the same marks."""
    own = own_course()
    if own is not None and own != out / KEPT:
        write_atomically(out / KEPT, own.read_bytes())
