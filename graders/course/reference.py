"""The only door to `solutions/`: references, and the mistakes under them.

`solutions/` is opened by path and is in no wheel; `graders/locations.py` knows where it lies. Without it,
whatever needs a reference is skipped. A course that extends another one may add to its solutions: such a file
is run after the other and sees its names, as if it stood below it; its `HINTS` are other hints for mistakes.
"""

import contextlib
import importlib.util
import re
import sys
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any

from graders import locations
from graders.course.gravity import Gravity
from graders.course.import_files import import_solution, take_up_solutions
from graders.language import tr

_SOLUTION_NAMES = re.compile(r"^\s*(?:from|import) solutions\.(\w+)", re.MULTILINE)


def reference(exercise: str, symbol: str) -> Any | None:
    """The reference's function or class, or None where there is no solution to the exercise."""
    module = _module(exercise)
    return None if module is None else getattr(module, symbol)


def mistakes(exercise: str, symbol: str) -> dict[str, Any]:
    """The known mistakes of an exercise by name: all that its solution calls `symbol__mistake`.

    They come from a new copy of the module, since some mistakes remember their first call.
    """
    return mistakes_in(copy_of(exercise), symbol)


def copy_of(exercise: str) -> dict[str, Any]:
    """The names of a new copy of a solution, which its functions look up; none where there is no solution."""
    module = _module(exercise)
    if module is None:
        return {}
    spec = module.__spec__
    assert spec is not None
    assert spec.loader is not None
    take_up_solutions()
    fresh = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(fresh)
    return vars(fresh)


def copy_around(exercise: str, parts: Mapping[str, Any]) -> dict[str, Any] | None:
    """The names of a new copy of a solution that has other classes in the place of its parts, at any depth.

    None where the solution has no such part.

    Args:
        exercise: the name of the solution.
        parts: the classes by the names of those that they stand for.
    """
    changed: dict[str, Any] = {}
    for name, value in vars(_module(exercise)).items():
        package, _, below = str(getattr(value, "__module__", "")).partition(".")
        if package != "solutions" or below == exercise or "__" in name or not isinstance(value, type):
            continue
        around = parts if name in parts else copy_around(below, parts)
        if around is not None:
            changed[name] = around[name]
    if not changed:
        return None
    names = copy_of(exercise)
    names.update(changed)
    return names


def mistakes_in(names: Mapping[str, Any], symbol: str) -> dict[str, Any]:
    """The known mistakes of a symbol among the names of a solution."""
    return {name: value for name, value in names.items() if name.startswith(f"{symbol}__")}


def gravities(exercise: str, symbol: str) -> dict[str, Gravity]:
    """How grave known mistakes are: a solution names some in `WHOLE`, `HALF` and `SMALL`, without the symbol.

    Raises:
        ValueError: the solution has no such mistake, or names it twice.
    """
    names, known = vars(_module(exercise)), mistakes(exercise, symbol)
    found: dict[str, Gravity] = {}
    for gravity in Gravity:
        for short in names.get(gravity.name, ()):
            name = f"{symbol}__{short}"
            if name not in known or name in found:
                raise ValueError(
                    tr(
                        "{gravity}: {name} is no mistake here, or stands twice",
                        gravity=gravity.name,
                        name=short,
                    )
                )
            found[name] = gravity
    return found


def names_as_hand_ins(exercise: str, symbol: str) -> dict[str, frozenset[str]]:
    """The names that known mistakes get as hand-ins, where these are not their own alone.

    A solution says it without the symbol: `TOLD` names those of which a check tells all by itself, so that
    they get no name; `ALSO` has, by a mistake, others that are true of it as well.

    Raises:
        ValueError: the solution has no such mistake, or names it twice.
    """
    names, known = vars(_module(exercise)), mistakes(exercise, symbol)
    said = [("TOLD", short, None) for short in names.get("TOLD", ())]
    said += [("ALSO", short, others) for short, others in names.get("ALSO", {}).items()]
    found: dict[str, frozenset[str]] = {}
    for where, short, others in said:
        several = [f"{symbol}__{each}" for each in (short, *(others or ()))]
        for name in several:
            if name not in known or several[0] in found:
                raise ValueError(
                    tr("{gravity}: {name} is no mistake here, or stands twice", gravity=where, name=short)
                )
        found[several[0]] = frozenset() if others is None else frozenset(several)
    return found


@contextlib.contextmanager
def rebound(part: Any, stand_in: Any, copy: dict[str, Any] | None = None) -> Iterator[None]:
    """In the block, all solutions have something else in the place of a function of theirs.

    A `copy` of a solution (`copy_of`) has it too: no list of modules leads to copies.
    """
    loaded = [vars(module) for name, module in sys.modules.items() if name.startswith("solutions.")]
    loaded += [] if copy is None else [copy]
    bound = [(names, name) for names in loaded for name, value in names.items() if value is part]
    try:
        for namespace, name in bound:
            namespace[name] = stand_in
        yield
    finally:
        for namespace, name in bound:
            namespace[name] = part


def text(exercise: str) -> str | None:
    """The text of a solution with what a course adds to it, or None where there is none."""
    files = locations.course().solution_files(exercise)
    return "\n\n".join(file.read_text(encoding="utf-8") for file in files) if files else None


def texts_below(exercise: str) -> dict[str, str]:
    """The texts of a solution and of all solutions that it imports, by exercise."""
    found: dict[str, str] = {}
    waiting = [exercise]
    while waiting:
        name = waiting.pop()
        solution = None if name in found else text(name)
        if solution is not None:
            found[name] = solution
            waiting += _SOLUTION_NAMES.findall(solution)
    return found


def texts() -> dict[str, str]:
    """The texts of all solutions, right answers too, by path; those of a course that is extended come first.

    What a course adds to them is in a folder `added`, where a handout's wheel finds it.
    """
    found: dict[str, str] = {}
    *above, base = (folder.solutions for folder in locations.course().folders)
    for place, folder in (("", base), *((f"{locations.ADDED}/", folder) for folder in above)):
        for file in sorted(folder.rglob("*.py")):
            name = place + file.relative_to(folder).as_posix()
            found[name] = file.read_text(encoding="utf-8")
    return found


@locations.once_per_course
def _module(exercise: str) -> ModuleType | None:
    return import_solution(exercise)
