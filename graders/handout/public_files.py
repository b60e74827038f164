"""The files that students may see: softmark's own, and the stubs and checks of somebody's own course."""

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from graders import locations

_SHIPPED = ("assignments", "graders", "reports", "softmark_worker")


def public_files() -> dict[PurePosixPath, str]:
    """The texts of these files by their paths in softmark's wheel."""
    found = {
        place_in_wheel(path): path.read_text(encoding="utf-8")
        for folder in _SHIPPED
        for path in sorted((locations.ROOT / folder).rglob("*.py"))
    }
    own = {path: file.read_text(encoding="utf-8") for path, file in files_of_course()}
    return found | own


def files_of_course() -> Iterator[tuple[PurePosixPath, Path]]:
    """The stubs and checks of somebody's own course, by their paths in softmark's wheel."""
    course = locations.course()
    folders = {"assignments": course.own.assignments, "checks": course.own.checks} if course.is_own else {}
    for name, folder in folders.items():
        for file in sorted(folder.glob("*.py")):
            yield place_in_wheel(locations.HANDED_OUT / name / file.name), file


def place_in_wheel(path: Path) -> PurePosixPath:
    """The path in softmark's wheel of a file that lies, or would lie, beside softmark's."""
    return PurePosixPath(path.relative_to(locations.ROOT))
