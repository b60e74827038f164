"""Names for a new exercise and its symbol: which can be none, and which are taken."""

import builtins
import contextlib
import importlib.util
import keyword
import re
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path

from graders import locations
from graders.course.course_file import read_course
from graders.course.course_table import COURSE
from graders.course.outline import definition
from graders.language import tr, translatable

MOST_LETTERS = 40  # so that no line of a skeleton is too long
_RESERVED = {*keyword.kwlist, *keyword.softkwlist}
# Names that code of the course gives to modules.
_ALIASES = {"F": "torch.nn.functional", "nn": "torch.nn", "np": "numpy", "plt": "matplotlib.pyplot"}


class BadName(Exception):
    """A name that a new exercise cannot have. Text for people."""


def refuse_name(name: str) -> None:
    """Refuse what cannot be the name of an exercise, or is taken.

    Raises:
        BadName: it is no name, Python has another meaning for it, or an exercise or a file is called so.
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or "__" in name:
        raise BadName(
            tr("{name} is no name of an exercise: use small letters, digits and _", name=repr(name))
        )
    _refuse_taken_by_python(name)
    _refuse_taken_by_the_course(name)


def refuse_symbol(symbol: str, assignment: str) -> None:
    """Refuse what cannot be the name of what students define, or what they define already.

    Raises:
        BadName: it is no name, Python has another meaning for it, or the assignment has it already.
    """
    if not symbol.isidentifier() or not symbol.isascii():
        raise BadName(tr("{symbol} is no name in Python", symbol=repr(symbol)))
    if "__" in symbol or symbol.startswith("_"):
        message = tr(
            "{symbol} cannot be what students define: symbol__mistake is a known mistake", symbol=symbol
        )
        raise BadName(message)
    _refuse_taken_by_python(symbol)
    for row in read_course().get(assignment, {}).get("exercises", []):
        with contextlib.suppress(OSError, SyntaxError):  # another exercise that is not finished
            if definition(str(row.get("name"))).name == symbol:
                message = translatable(
                    "{symbol} is what students define in {exercise} already: choose another --symbol"
                )
                raise BadName(tr(message, symbol=symbol, exercise=row["name"]))


def refuse_assignment(assignment: str) -> None:
    """Refuse what cannot be the name of a new assignment.

    Raises:
        BadName: it is no name, or that of an exercise or of a table that a course's file has for itself.
    """
    if not re.fullmatch(r"[a-z][a-z0-9_-]*", assignment) or len(assignment) > MOST_LETTERS:
        message = tr(
            "{name} is no name of an assignment: use small letters, digits, - and _", name=assignment
        )
        raise BadName(message)
    if assignment == COURSE or any(folder.has(assignment) for folder in locations.course().folders):
        raise BadName(tr("{name} cannot be an assignment: choose another name", name=assignment))


def refuse_outside(paths: Iterable[Path]) -> None:
    """Refuse to write anywhere but into the folder of a course, or into a checkout of softmark.

    Raises:
        BadName: there is no such folder here, or one of the paths leads out of it.
    """
    course = locations.course()
    if not course.is_own:
        if str(locations.ROOT) in sysconfig.get_paths().values():
            message = tr("softmark is installed as a package here: --course names a course of your own")
            raise BadName(message)
        if not course.own.solutions.is_dir():
            raise BadName(tr("There is no folder solutions/ here, in which the reference would be written."))
        return
    folder = course.own.assignments.parent
    for path in paths:
        if not path.resolve().is_relative_to(folder):
            raise BadName(tr("{file} is a link that leads out of the course's folder", file=path))


def refuse_files(paths: Iterable[Path]) -> None:
    """Refuse to write over a file or into a folder of another exercise.

    Raises:
        BadName: one of them is there.
    """
    for path in paths:
        if path.exists():
            raise BadName(tr("{file} is there already: choose another name", file=path))


def _refuse_taken_by_python(name: str) -> None:
    if len(name) > MOST_LETTERS:
        raise BadName(tr("{name} is too long: use {most} letters at most", name=name, most=MOST_LETTERS))
    if name in _RESERVED:
        raise BadName(tr("{name} is a word of Python's own: choose another name", name=name))
    if name in dir(builtins):
        raise BadName(tr("{name} is a function of Python's own: choose another name", name=name))
    if name in _ALIASES:
        message = translatable("{name} stands for {module} in students' code: choose another name")
        raise BadName(tr(message, name=name, module=_ALIASES[name]))
    if name in sys.stdlib_module_names or importlib.util.find_spec(name) is not None:
        raise BadName(tr("{name} is a module that Python imports: choose another name", name=name))


def _refuse_taken_by_the_course(name: str) -> None:
    for assignment, table in read_course().items():
        if name == assignment:
            raise BadName(tr("{name} is an assignment: choose another name", name=name))
        if name in [row.get("name") for row in table.get("exercises", [])]:
            message = tr(
                "{name} is there already, in the assignment {assignment}: choose another name",
                name=name,
                assignment=assignment,
            )
            raise BadName(message)
    if any(folder.has(name) for folder in locations.course().folders):
        raise BadName(tr("{name} is an exercise already: choose another name", name=name))
    own = locations.course().own
    refuse_files(own.solutions / folder / name for folder in ("right", "deviations"))
