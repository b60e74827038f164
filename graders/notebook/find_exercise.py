"""Which exercise a name or an object in a notebook stands for."""

from collections.abc import Collection, Mapping
from typing import Any

import torch

from graders.course.course_file import read_course
from graders.course.outline import UnknownName, exercises_of
from graders.language import tr, translatable
from graders.locations import once_per_course


class NotCheckable(Exception):
    """What was asked for cannot be checked here. The text is for the person who asked."""


@once_per_course
def symbols_by_exercise() -> Mapping[str, Mapping[str, str]]:
    """Assignment -> exercise -> symbol, for the whole course."""
    return {assignment: exercises_of(assignment) for assignment in read_course()}


def find_by_name(name: str, names: Collection[str], assignment: str | None = None) -> tuple[str, str]:
    """The assignment and the exercise of a name, which is an exercise's or its symbol's.

    Where several exercises ask for the symbol, choose the assignment with most of its symbols in `names`.

    Args:
        name: the name that was typed.
        names: all names that the notebook has defined.
        assignment: the assignment to look in; None for all.

    Raises:
        UnknownName: there is no such exercise, or no such assignment.
        NotCheckable: several exercises fit equally well.
    """
    course = _symbols_of(assignment)
    fits = [(a, e) for a, exercises in course.items() for e in exercises if e == name]
    fits = fits or [(a, e) for a, exercises in course.items() for e, s in exercises.items() if s == name]
    if not fits:
        valid_names = {name for exercises in course.values() for pair in exercises.items() for name in pair}
        raise UnknownName.of(translatable("there is no exercise {name}"), name, sorted(valid_names))
    defined = {a: len(set(symbols_by_exercise()[a].values()) & set(names)) for a, _ in fits}
    best = [(a, e) for a, e in fits if defined[a] == max(defined.values())]
    if len(best) == 1:
        return best[0]
    raise NotCheckable(
        tr(
            "{name} is asked for in {assignments}: say which, as in %check --assignment {first} {name}",
            name=name,
            assignments=", ".join(a for a, _ in best),
            first=best[0][0],
        )
    )


def find_defined(names: Collection[str], assignment: str | None = None) -> list[tuple[str, str]]:
    """All exercises of an assignment whose symbol is defined; by default, of the one with most of them.

    Raises:
        UnknownName: there is no such assignment.
        NotCheckable: no symbol is defined.
    """
    defined = {
        a: [(a, e) for e, symbol in exercises.items() if symbol in names]
        for a, exercises in _symbols_of(assignment).items()
    }
    best = max(defined.values(), key=len)
    if best:
        return best
    raise NotCheckable(tr("nothing is defined here yet that an exercise asks for"))


def name_of(value: Any, names: Mapping[str, Any]) -> str:
    """The name of an exercise or symbol that an object has: its own, or that of a variable.

    Raises:
        NotCheckable: there is no such name; the text says what to give instead.
    """
    symbols = {
        name for exercises in symbols_by_exercise().values() for pair in exercises.items() for name in pair
    }
    own = getattr(value, "__name__", None)
    bound = [name for name, bound_value in names.items() if bound_value is value and name in symbols]
    if own in symbols:
        return str(own)
    if bound:
        return bound[0]
    require_checkable(value)
    raise NotCheckable(
        tr('{name} is no exercise\'s name; check({name}, "concat_heads") says which one it is', name=own)
        if own
        else tr("give the function or the class, or the name of an exercise: check(concat_heads)")
    )


def require_checkable(value: Any) -> None:
    """Require a function, a class or a variable, and not an instance of a module.

    Raises:
        NotCheckable: it is an instance of a module.
    """
    if isinstance(value, torch.nn.Module):
        raise NotCheckable(
            tr(
                "a module that was made already cannot be checked; give its class, {kind}: modules are made "
                "of it in the sizes that the checks need, and yours stays as it is",
                kind=type(value).__name__,
            )
        )


def _symbols_of(assignment: str | None) -> Mapping[str, Mapping[str, str]]:
    if assignment is None:
        return symbols_by_exercise()
    if assignment not in symbols_by_exercise():
        raise UnknownName.of(translatable("there is no assignment {name}"), assignment, symbols_by_exercise())
    return {assignment: symbols_by_exercise()[assignment]}
