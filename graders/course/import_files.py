"""Import the files of a course that are programs: checks and solutions, each by the name of its file.

`solutions` is a package made by hand: solutions may import one another by name, and nobody else can. So is
`checks`, where a course has its own; those that softmark ships are in `graders.checks`.
"""

import importlib
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType

from graders import locations
from graders.course.gravity import Gravity

HINTS = "HINTS"  # in a file that adds to a solution: other hints, by the names of mistakes
LEFT_OUT = "LEFT_OUT"  # likewise: the names of mistakes that are none in this course
_SOLUTIONS = "solutions"
Folders = tuple[str, ...]
# The modules of courses that were used before, by their folders: a module's classes stay what they are.
_kept: dict[tuple[str, Folders], dict[str, ModuleType]] = {}
_taken: dict[str, Folders] = {}  # the folders from which a package's modules among `sys.modules` come


def import_checks(exercise: str) -> ModuleType:
    """The module of an exercise's checks.

    Raises:
        Exception: whatever the file raises.
    """
    course = locations.course()
    home, name = course.home(exercise), course.checks_module(exercise)
    if home.package == locations.SHIPPED.package:
        return importlib.import_module(name)
    with _in_place_of_others(home.package, (str(home.checks),)):
        return importlib.import_module(name)


def import_solution(exercise: str) -> ModuleType | None:
    """The module of a solution; None where there is none.

    Raises:
        Exception: whatever its files raise.
    """
    course = locations.course()
    if not course.solution_files(exercise):
        return None
    take_up_solutions()
    if _FINDER not in sys.meta_path:
        sys.meta_path.insert(0, _FINDER)
    return importlib.import_module(f"{_SOLUTIONS}.{exercise}")


def take_up_solutions() -> None:
    """Let solutions find those of the current course by name, whichever course was used before."""
    _take_up(_SOLUTIONS, tuple(map(str, locations.course().solution_folders)))


class _Solutions(MetaPathFinder):
    """Finds solutions: the file of the reference, and those that add to it."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,  # noqa: ARG002 - as Python calls it
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> ModuleSpec | None:
        """The spec of a solution; None for all else."""
        package, _, name = fullname.partition(".")
        files = locations.course().solution_files(name) if package == _SOLUTIONS and name else ()
        if len(files) < 2:
            return None  # one file is found in the package's folders, as any module
        return spec_from_file_location(fullname, files[0], loader=_OneAfterAnother(files))


class _OneAfterAnother(Loader):
    """Runs several files as one module: each sees the names of those before it.

    What they say of how grave mistakes are counts together, and a later file may have other hints for the
    mistakes of an earlier one, and leave some out.
    """

    def __init__(self, files: Sequence[Path]) -> None:
        self._files = files

    def create_module(self, spec: ModuleSpec) -> None:
        """As Python makes modules."""

    def exec_module(self, module: ModuleType) -> None:
        """Run the files."""
        names = vars(module)
        said: dict[str, tuple[str, ...]] = dict.fromkeys(Gravity.__members__, ())
        for file in self._files:
            exec(compile(file.read_bytes(), str(file), "exec"), names)  # noqa: S102 - as Python does
            said = {gravity: (*said[gravity], *names.pop(gravity, ())) for gravity in said}
        names.update(said)
        for mistake, hint in names.get(HINTS, {}).items():
            names[mistake].__doc__ = hint
        for mistake in names.get(LEFT_OUT, ()):
            del names[mistake]


_FINDER = _Solutions()


def _take_up(package: str, folders: Folders) -> None:
    """Let the modules of a package be those of these folders, as far as they are imported already."""
    before = _taken.get(package, ())
    if folders == before and package in sys.modules:
        return
    _kept[package, before] = _modules_of(package)
    for name in _kept[package, before]:
        del sys.modules[name]
    _taken[package] = folders
    sys.modules.update(_kept.get((package, folders), {}))
    sys.modules.setdefault(package, ModuleType(package)).__path__ = list(folders)


@contextmanager
def _in_place_of_others(package: str, folders: Folders) -> Iterator[None]:
    """In the block, a package's modules are ours; afterwards those that a notebook has imported are back."""
    before = _modules_of(package)
    others = {
        name: module for name, module in before.items() if not _lies_in(module, _taken.get(package, ()))
    }
    for name in others:
        del sys.modules[name]
    _take_up(package, folders)
    try:
        yield
    finally:
        sys.modules.update(others)


def _modules_of(package: str) -> dict[str, ModuleType]:
    """A package among `sys.modules`, and all modules in it."""
    return {name: m for name, m in sys.modules.items() if name == package or name.startswith(f"{package}.")}


def _lies_in(module: ModuleType, folders: Folders) -> bool:
    places = list(getattr(module, "__path__", ())) or [str(Path(str(module.__file__)).parent)]
    return bool(folders) and places == list(folders)
