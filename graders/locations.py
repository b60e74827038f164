"""The folders of softmark, and where the course lies whose work is graded: the one place that knows.

A course is a folder with one file per exercise in each of `assignments/`, `checks/` and `solutions/`.
softmark ships one, and a course of one's own may extend it: then it has both folders, its own first.
A process has one course, as it has one language, and so have those that it forks.
"""

import os
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import ParamSpec, TypeVar

import platformdirs

GRADERS = Path(__file__).parent
ROOT = GRADERS.parent  # the checkout; once installed, the folder of site packages
STANDARD_CHECKS = GRADERS / "check_api" / "standard_checks"
WORKER = ROOT / "softmark_worker"
CATALOGUES = GRADERS / "locale"
HELP = GRADERS / "help"
FRENCH_CORPUS = GRADERS / "corpora" / "french.txt"
SOLUTIONS_VARIABLE = "SOFTMARK_SOLUTIONS"
CACHE_VARIABLE = "SOFTMARK_CACHE"
CACHE_OFF = "off"  # its value where nothing is to be kept
COURSE_FILE = "course.toml"
HANDED_OUT = GRADERS / "own_course"  # in a handout's wheel: somebody's own course, without its solutions
ADDED = "added"  # among solutions that go along with such a wheel: those of that course

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True)
class CourseFolder:
    """The folders of a course's exercises: what students get, the checks, and the solutions.

    Attributes:
        assignments: one file per exercise.
        checks: the checks, one file of the same name.
        solutions: references and known mistakes, one file of the same name; the folder need not be there.
        package: the package of which the checks are modules.
        places: how these three folders are called to people, in this order.
    """

    assignments: Path
    checks: Path
    solutions: Path
    package: str
    places: tuple[str, str, str]

    @property
    def named(self) -> tuple[tuple[str, Path], ...]:
        """The three folders with what they are called."""
        return tuple(zip(self.places, (self.assignments, self.checks, self.solutions), strict=True))

    def has(self, exercise: str) -> bool:
        """Whether an exercise begins here: solutions alone add something to another course's."""
        return any((folder / f"{exercise}.py").is_file() for folder in (self.assignments, self.checks))


@dataclass(frozen=True)
class Course:
    """Where a course lies.

    Attributes:
        file: its course.toml.
        folders: its own folder, then those of the courses that it extends, the nearest first.
        name: how its file is called to people.
    """

    file: Path
    folders: tuple[CourseFolder, ...]
    name: str

    @property
    def own(self) -> CourseFolder:
        """Where its own exercises lie."""
        return self.folders[0]

    @property
    def is_own(self) -> bool:
        """Whether it is somebody's own course, with a folder beside softmark's."""
        return self.own.package != SHIPPED.package

    def home(self, exercise: str) -> CourseFolder:
        """The folder from which an exercise's checks and reference come; the course's own where none has it.

        A course may have its own text for students over the checks of another one.
        """
        with_checks = (folder for folder in self.folders if (folder.checks / f"{exercise}.py").is_file())
        of_stub = (folder for folder in self.folders if folder.has(exercise))
        return next(with_checks, None) or next(of_stub, self.own)

    def stub(self, exercise: str) -> Path:
        """The file of an exercise that students get."""
        files = [folder.assignments / f"{exercise}.py" for folder in self._down_to_home(exercise)]
        return next((path for path in files if path.is_file()), files[-1])

    def checks(self, exercise: str) -> Path:
        """The file of an exercise's checks."""
        return self.home(exercise).checks / f"{exercise}.py"

    def checks_module(self, exercise: str) -> str:
        """The module that is made of the file of an exercise's checks."""
        return f"{self.home(exercise).package}.{exercise}"

    def solution(self, exercise: str) -> Path:
        """The file of an exercise's reference; it need not be there."""
        return self.home(exercise).solutions / f"{exercise}.py"

    def solution_files(self, name: str) -> tuple[Path, ...]:
        """The files of a solution: that of the reference, then those that add to it; none without the first.

        A solution that no exercise is called by, which others import, comes from the nearest folder.
        """
        if not any(folder.has(name) for folder in self.folders):
            found = (folder.solutions / f"{name}.py" for folder in self.folders)
            return tuple([path for path in found if path.is_file()][:1])
        files = [folder.solutions / f"{name}.py" for folder in reversed(self._down_to_home(name))]
        return tuple(path for path in files if path.is_file()) if files[0].is_file() else ()

    def answer_folders(self, kind: str, exercise: str) -> tuple[Path, ...]:
        """The folders of further answers to an exercise that are there: of kind "right" or "deviations"."""
        folders = [folder.solutions / kind / exercise for folder in self._down_to_home(exercise)]
        return tuple(folder for folder in reversed(folders) if folder.is_dir())

    def additions(self, exercise: str) -> tuple[Path, ...]:
        """The files that add to an exercise's solution, whether that is here or not."""
        files = [folder.solutions / f"{exercise}.py" for folder in self._down_to_home(exercise)[:-1]]
        return tuple(path for path in files if path.is_file())

    @property
    def solution_folders(self) -> tuple[Path, ...]:
        """The folders of solutions that are there, the nearest first."""
        return tuple(folder.solutions for folder in self.folders if folder.solutions.is_dir())

    def describe(self, path: Path) -> str | None:
        """What one of the course's files is called to people; None where it is another file."""
        for folder in self.folders:
            for place, lies_in in folder.named:
                if path.is_relative_to(lies_in):
                    return f"{place}/{path.relative_to(lies_in).as_posix()}"
        return self.name if path == self.file else None

    def _down_to_home(self, exercise: str) -> tuple[CourseFolder, ...]:
        """The folders that may have something of an exercise, the nearest first."""
        return self.folders[: self.folders.index(self.home(exercise)) + 1]


SHIPPED = CourseFolder(
    assignments=ROOT / "assignments",
    checks=GRADERS / "checks",
    solutions=ROOT / "solutions",
    package="graders.checks",
    places=("assignments", "graders/checks", "solutions"),
)
"""The exercises that softmark ships, without what the environment says of their solutions: `shipped()`."""
SHIPPED_FILE = SHIPPED.assignments / COURSE_FILE
OWN_PLACES = ("assignments", "checks", "solutions")

_current: Course | None = None


def shipped_folder() -> CourseFolder:
    """The exercises that softmark ships.

    The environment variable `SOFTMARK_SOLUTIONS` names the folder of their solutions; by default it lies
    beside `graders/`, as in a checkout. The wheel does not contain it.
    """
    named = os.environ.get(SOLUTIONS_VARIABLE)
    return replace(SHIPPED, solutions=Path(named)) if named else SHIPPED


def shipped_course(file: Path | None = None) -> Course:
    """The course that comes with softmark, or with another file of its assignments, points and dates.

    It is the one that softmark ships, or in a handout's wheel the course of which students got the handout.
    """
    handed_out = HANDED_OUT / COURSE_FILE
    if handed_out.is_file():
        return Course(file or handed_out, _folders_handed_out(handed_out), (file or handed_out).name)
    name = "assignments/course.toml" if file in (None, SHIPPED_FILE) else file.name
    return Course(file or SHIPPED_FILE, (shipped_folder(),), name)


def _folders_handed_out(file: Path) -> tuple[CourseFolder, ...]:
    shipped, own = shipped_folder(), own_folder(file.parent)
    if not _extends(file):
        return (replace(own, solutions=shipped.solutions),)
    return (replace(own, solutions=shipped.solutions / ADDED), shipped)


@cache
def _extends(file: Path) -> bool:
    return "extends" in tomllib.loads(file.read_text(encoding="utf-8"))["course"]


def own_folder(folder: Path) -> CourseFolder:
    """The exercises in the folder of somebody's own course."""
    places = {name: folder / name for name in OWN_PLACES}
    return CourseFolder(**places, package="checks", places=OWN_PLACES)


def course() -> Course:
    """The course of this process: the shipped one, unless another one was chosen."""
    return _current or shipped_course()


def chosen_course() -> Course | None:
    """The course that was chosen for this process; None while it is the shipped one."""
    return _current


def use_course(chosen: Course | None) -> None:
    """Let this be the course of this process from now on; None is the shipped one."""
    global _current
    _current = chosen


@contextmanager
def using_course(chosen: Course | None) -> Iterator[None]:
    """Let this be the course within the context; None is the shipped one."""
    before = _current
    use_course(chosen)
    try:
        yield
    finally:
        use_course(before)


def once_per_course(function: Callable[P, R]) -> Callable[P, R]:
    """A function whose answers are kept, as by `functools.cache`, for each course apart."""

    @cache
    def answer(_course: Course, *arguments: P.args, **named: P.kwargs) -> R:
        return function(*arguments, **named)

    def ask(*arguments: P.args, **named: P.kwargs) -> R:
        return answer(course(), *arguments, **named)  # type: ignore[arg-type]  # hashable, as for any cache

    ask.cache_clear = answer.cache_clear  # type: ignore[attr-defined]
    return ask


def cache_folder() -> Path | None:
    """Where softmark keeps what it would otherwise compute again; it may not be there yet.

    The environment variable `SOFTMARK_CACHE` names it; by default it is the user's. None where it is `off`.
    """
    named = os.environ.get(CACHE_VARIABLE)
    if named == CACHE_OFF:
        return None
    return Path(named) if named else platformdirs.user_cache_path("softmark")
