"""What an assignment asks for and which checks it has, read from its files without running them.

Running a checks file imports torch, which takes seconds; naming the checks needs only the text.
"""

import ast
import contextlib
import difflib
from collections.abc import Collection, Iterable, Set
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from graders.course.check_points import share_of_points
from graders.course.checks_file import read_checks_file
from graders.course.course_file import read_course
from graders.course.faults import fault_of, last_definition
from graders.course.loss_policy import LossPolicy, loss_policy_of
from graders.course.speed_policy import SpeedPolicy, speed_policy_of
from graders.language import current_language, line, tr, translatable
from graders.locations import course

FOR_TIME = "is_fast_enough"
CHANGES = ("other_names", "tolerance", "activations")  # keys of an entry that change how code is judged


class UnknownName(Exception):
    """There is no assignment or exercise of this name. The text lists those there are."""

    @classmethod
    def of(cls, what: str, name: str, known: Iterable[str]) -> "UnknownName":
        """The error for an unknown `name`: `what` says what is missing; the nearest known names follow."""
        names = list(known)
        near = difflib.get_close_matches(name, names, n=3)
        sentence = (
            translatable("{what}: did you mean {names}?")
            if near
            else translatable("{what}: there are {names}")
        )
        return cls(tr(sentence, what=tr(what, name=repr(name)), names=", ".join(near or names)))


@dataclass(frozen=True)
class CheckOutline:
    """A check's name, its docstring and the points that it brings."""

    name: str
    doc: str
    points: float

    @property
    def says(self) -> str:
        """Its line in the report, in the current language."""
        return line(self.doc, current_language())


@dataclass(frozen=True)
class ExerciseOutline:
    """An exercise without running its checks; the fields are those of `course.exercise.Exercise`.

    Where one of its files is broken, `fault` says which, and there is no more than its name.
    """

    name: str
    title: str
    symbol: str
    points: float
    handed_out: str
    checks: tuple[CheckOutline, ...]
    other_names: tuple[str, ...] = ()
    fault: str | None = None
    rule: LossPolicy | None = None
    speed_policy: SpeedPolicy | None = None
    changed: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class AssignmentOutline:
    """An assignment without running any checks; the fields are those of `course.exercise.Assignment`."""

    name: str
    title: str
    exercises: tuple[ExerciseOutline, ...]

    def measured_on(self, corpus: str | None) -> "AssignmentOutline":
        """The assignment with trained models measured on another corpus, if one is named."""
        kept = tuple(replace(e, rule=e.rule and e.rule.on(corpus)) for e in self.exercises)
        return replace(self, exercises=kept)


def assignment_names() -> list[str]:
    """The assignments of the course, in its order."""
    return list(read_course())


def entry(name: str) -> dict[str, Any]:
    """What course.toml says of an assignment.

    Raises:
        UnknownName: the course has no such assignment.
    """
    tables = read_course()
    if name not in tables:
        raise UnknownName.of(translatable("there is no assignment {name}"), name, tables)
    table: dict[str, Any] = tables[name]
    return table


def outlines(name: str) -> tuple[ExerciseOutline, ...]:
    """The exercises of an assignment.

    Raises:
        UnknownName: the course has no such assignment.
    """
    return outline_assignment(name).exercises


def outline_assignment(name: str) -> AssignmentOutline:
    """An assignment with all its exercises.

    Raises:
        UnknownName: the course has no such assignment.
    """
    table = entry(name)
    return AssignmentOutline(name, title(table), tuple(outline(row, table) for row in table["exercises"]))


def changes_of(entry: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    """What an exercise's entry in the course's file changes in how code is judged."""
    return tuple((key, str(entry[key])) for key in CHANGES if key in entry)


def rule_of(has_criteria: bool, assignment: dict[str, Any]) -> LossPolicy | None:
    """What an exercise's trained model is measured against, if it asks for one."""
    return loss_policy_of(assignment["trained"]) if has_criteria else None


def speed_of(entry: dict[str, Any]) -> SpeedPolicy | None:
    """What slowness costs in an exercise, if it is timed."""
    return speed_policy_of(entry["timing"], float(entry["points"])) if "timing" in entry else None


def choose(name: str, exercises: Iterable[str]) -> tuple[ExerciseOutline, ...]:
    """These exercises of an assignment in its order, all of them if none is named.

    Raises:
        UnknownName: there is no such assignment, or no such exercise in it.
    """
    all_outlines = outlines(name)
    known = [outline.name for outline in all_outlines]
    wanted = list(exercises)
    for exercise in wanted:
        if exercise not in known:
            raise UnknownName.of(translatable("there is no exercise {name}"), exercise, known)
    return tuple(outline for outline in all_outlines if not wanted or outline.name in wanted)


def refuse_unknown(name: str) -> None:
    """Refuse what is neither an assignment nor an exercise of the course.

    Raises:
        UnknownName: there is no such assignment or exercise.
        tomllib.TOMLDecodeError: course.toml is no TOML.
    """
    tables = read_course()
    rows = [row for table in tables.values() for row in table.get("exercises", [])]
    known = [*tables, *(str(row["name"]) for row in rows if "name" in row)]
    if name not in known:
        raise UnknownName.of(translatable("there is no assignment or exercise {name}"), name, known)


def exercises_of(name: str) -> dict[str, str]:
    """An assignment's exercises and the symbol of each; one whose file cannot be read is left out."""
    symbols: dict[str, str] = {}
    for row in read_course()[name]["exercises"]:
        with contextlib.suppress(OSError, SyntaxError, ValueError):  # it costs itself alone
            symbols[row["name"]] = definition(row["name"]).name
    return symbols


def symbols_of(name: str) -> set[str]:
    """The symbols that an assignment asks for, and the other names that the course's file has for them."""
    others = {other for row in read_course()[name]["exercises"] for other in row.get("other_names", ())}
    return others.union(exercises_of(name).values())


def recognise(symbols: Set[str], exercises: Collection[str] = ()) -> str | None:
    """The assignment that asks for most of these symbols; None where none asks for any.

    Of those that have all the named exercises, where there are such.
    """
    course = read_course()
    having = [n for n, table in course.items() if {*exercises} <= {row["name"] for row in table["exercises"]}]
    counts = {name: len(symbols & symbols_of(name)) for name in having or course}
    name = max(counts, key=lambda name: counts[name])
    return name if counts[name] else None


def title(entry: dict[str, Any]) -> str:
    """An assignment's or an exercise's title, in the current language."""
    return str(entry.get(f"title_{current_language()}", entry["title"]))


def handed_out(exercise: str) -> str:
    """The text that students get."""
    return course().stub(exercise).read_text(encoding="utf-8")


def definition(exercise: str) -> ast.FunctionDef | ast.ClassDef:
    """The last definition in what is handed out: the one that students complete.

    Raises:
        SyntaxError: the file is no Python, or defines nothing.
    """
    return last_definition(handed_out(exercise), course().stub(exercise))


@lru_cache(128)  # as of a checks file
def _last_symbol(text: str, path: Path) -> str:
    return last_definition(text, path).name


def outline(entry: dict[str, Any], assignment: dict[str, Any]) -> ExerciseOutline:
    """An exercise, from its entry and its assignment's in the course's file."""
    name, points = str(entry["name"]), float(entry["points"])
    fault = fault_of(name) if course().is_own else None
    try:
        if fault is None:
            return _outline(entry, assignment)
    except (OSError, SyntaxError, ValueError) as error:
        fault = fault_of(name) or str(error)
    return ExerciseOutline(
        name=name, title=title(entry), symbol=name, points=points, handed_out="", checks=(), fault=fault
    )


def _outline(entry: dict[str, Any], assignment: dict[str, Any]) -> ExerciseOutline:
    name = str(entry["name"])
    checks_file = read_checks_file(course().checks(name).read_text(encoding="utf-8"))
    points = float(entry["points"])
    for_time = float(entry["timing"]["points"]) if "timing" in entry else 0.0
    read = checks_file.checks
    whole = sum(weight for _, _, weight in read)
    checks = [CheckOutline(n, doc, share_of_points(points, for_time, w, whole)) for n, doc, w in read]
    if for_time:
        checks.append(CheckOutline(FOR_TIME, FOR_TIME.replace("_", " "), for_time))
    text, others = handed_out(name), (*checks_file.other_names, *entry.get("other_names", ()))
    symbol = checks_file.symbol or _last_symbol(text, course().stub(name))
    return ExerciseOutline(
        name=name,
        title=title(entry),
        symbol=symbol,
        points=points,
        handed_out=text,
        checks=tuple(checks),
        other_names=others,
        rule=rule_of(checks_file.has_criteria, assignment),
        speed_policy=speed_of(entry),
        changed=changes_of(entry),
    )
