"""Which files of this machine student code sees: the system's libraries and Python, but not softmark."""

import sys
from collections.abc import Iterable
from pathlib import Path

from graders import locations

SYSTEM = (Path("/usr"), Path("/lib"), Path("/lib64"), Path("/bin"), Path("/etc/alternatives"))
DEVICES = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom")
ENV = Path("/env")  # where bubblewrap puts a virtual environment, since /tmp and /home are covered


def python() -> dict[Path, Path]:
    """The folders of the interpreter and its packages, and where bubblewrap puts them."""
    base, prefix = Path(sys.base_prefix), Path(sys.prefix)
    places = {} if any(base.is_relative_to(folder) for folder in SYSTEM) else {base: base}
    return places | ({prefix: ENV} if prefix != base else {})


def path_in_box(path: Path) -> Path:
    """Where bubblewrap puts a path of the interpreter."""
    for folder, place in python().items():
        if path.is_relative_to(folder):
            return place / path.relative_to(folder)
    return path


def ours() -> list[Path]:
    """The folders of checks, references and softmark itself, which student code must never see."""
    names = ("graders", "softmark_worker", "reports", "assignments", "solutions", "tests")
    folders = [locations.ROOT.resolve() / name for name in names]
    of_courses = [path.resolve() for folder in locations.course().folders for _, path in folder.named]
    return [path for path in dict.fromkeys((*folders, *of_courses)) if path.is_dir()]


def within(folder: Path, hidden: Iterable[Path]) -> list[Path]:
    """Which of the hidden paths lie in `folder`, relative to it."""
    whole = folder.resolve()
    return [path.relative_to(whole) for path in hidden if path.is_relative_to(whole)]


def around(folder: Path, hidden: Iterable[Path]) -> list[Path]:
    """Paths that together make up `folder` without the hidden ones."""
    inside = within(folder, hidden)
    if not inside:
        return [folder]
    if Path() in inside:
        return []
    return [path for child in sorted(folder.iterdir()) for path in around(child, hidden)]
