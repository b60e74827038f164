"""What an assignment asks for, as its files say it, and which checks it has, without loading them.

Loading a checks file loads torch, which takes seconds; who only names checks reads the text.
"""

import ast
import difflib
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from typing import Any

from graders.course.check_points import share_of_points
from graders.course.course_file import read_course
from graders.language import line, spoken, tr, translatable
from graders.locations import ASSIGNMENTS, CHECKS

MAKERS = ("check", "criterion")  # what makes a function of a checks file a check
FOR_TIME = "is_fast_enough"


class UnknownName(Exception):
    """There is no assignment or exercise of this name. The text lists those there are."""

    @classmethod
    def of(cls, what: str, name: str, known: Iterable[str]) -> "UnknownName":
        """The error for `name`, of which `what` says that it is not there, with the nearest known names."""
        names = list(known)
        near = difflib.get_close_matches(name, names, n=3)
        docstring_part = (
            translatable("{what}: did you mean {names}?")
            if near
            else translatable("{what}: there are {names}")
        )
        return cls(tr(docstring_part, what=tr(what, name=repr(name)), names=", ".join(near or names)))


@dataclass(frozen=True)
class CheckOutline:
    """A check's name, its docstring and the points that it brings."""

    name: str
    doc: str
    points: float

    @property
    def says(self) -> str:
        """Its line in the report, in the language that is spoken."""
        return line(self.doc, spoken())


@dataclass(frozen=True)
class ExerciseOutline:
    """An exercise as far as it can be told without its checks: as in `course.exercise.Exercise`."""

    name: str
    title: str
    symbol: str
    points: float
    handed_out: str
    checks: tuple[CheckOutline, ...]


def assignment_names() -> list[str]:
    """The assignments of the course, in its order."""
    return list(read_course())


def entry(name: str) -> dict[str, Any]:
    """What course.toml says of an assignment.

    Raises:
        UnknownName: the course has no such assignment.
    """
    known = read_course()
    if name not in known:
        raise UnknownName.of(translatable("there is no assignment {name}"), name, known)
    found: dict[str, Any] = known[name]
    return found


def outlines(name: str) -> tuple[ExerciseOutline, ...]:
    """The exercises of an assignment.

    Raises:
        UnknownName: the course has no such assignment.
    """
    return tuple(_outline(each) for each in entry(name)["exercises"])


def chosen(name: str, exercises: Iterable[str]) -> tuple[ExerciseOutline, ...]:
    """These exercises of an assignment in its order, all of them if none is named.

    Raises:
        UnknownName: there is no such assignment, or no such exercise in it.
    """
    found = outlines(name)
    known = [outline.name for outline in found]
    wanted = list(exercises)
    for each in wanted:
        if each not in known:
            raise UnknownName.of(translatable("there is no exercise {name}"), each, known)
    return tuple(outline for outline in found if not wanted or outline.name in wanted)


def exercises_of(name: str) -> dict[str, str]:
    """An assignment's exercises and the symbol of each."""
    return {each["name"]: definition(each["name"]).name for each in read_course()[name]["exercises"]}


def symbols_of(name: str) -> set[str]:
    """The symbols that an assignment asks for."""
    return set(exercises_of(name).values())


def recognise(symbols: Set[str]) -> str | None:
    """The assignment that asks for most of these symbols; None where none asks for any."""
    found = {name: len(symbols & symbols_of(name)) for name in read_course()}
    name = max(found, key=lambda name: found[name])
    return name if found[name] else None


def title(entry: dict[str, Any]) -> str:
    """An assignment's or an exercise's title, in the language that is spoken."""
    return str(entry.get(f"title_{spoken()}", entry["title"]))


def handed_out(exercise: str) -> str:
    """The text that students get."""
    return (ASSIGNMENTS / f"{exercise}.py").read_text(encoding="utf-8")


def definition(exercise: str) -> ast.FunctionDef | ast.ClassDef:
    """The last definition in what is handed out: the one that students complete.

    Raises:
        SyntaxError: the file is no Python, or defines nothing.
    """
    path = ASSIGNMENTS / f"{exercise}.py"
    tree = ast.parse(handed_out(exercise), str(path))
    definitions = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    if not definitions:
        raise SyntaxError(
            tr("it defines no function and no class: write the stub last"), (str(path), 1, 1, "")
        )
    return definitions[-1]


def _outline(entry: dict[str, Any]) -> ExerciseOutline:
    name = str(entry["name"])
    tree = ast.parse((CHECKS / f"{name}.py").read_text(encoding="utf-8"))
    points = float(entry["points"])
    for_time = float(entry["timing"]["points"]) if "timing" in entry else 0.0
    found = list(_made(tree))
    whole = sum(weight for _, _, weight in found)
    checks = [CheckOutline(n, doc, share_of_points(points, for_time, w, whole)) for n, doc, w in found]
    if for_time:
        checks.append(CheckOutline(FOR_TIME, FOR_TIME.replace("_", " "), for_time))
    symbol = _symbol(tree) or definition(name).name
    return ExerciseOutline(name, title(entry), symbol, points, handed_out(name), tuple(checks))


def _made(tree: ast.Module) -> Iterator[tuple[str, str, float]]:
    """Name, docstring and weight of each check."""
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef):
            continue
        for maker in node.decorator_list:
            if isinstance(maker, ast.Call) and isinstance(maker.func, ast.Name) and maker.func.id in MAKERS:
                weight = next(k.value for k in maker.keywords if k.arg == "points")
                yield node.name, ast.get_docstring(node) or "", float(ast.literal_eval(weight))


def _symbol(tree: ast.Module) -> str | None:
    """What the file says of the symbol, where it is not the last one that is handed out."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and [ast.unparse(target) for target in node.targets] == ["SYMBOL"]:
            return str(ast.literal_eval(node.value))
    return None
