"""Which exercise is meant: by a name, by an object, by what else the namespace has."""

import functools
from collections.abc import Collection, Mapping
from typing import Any

import torch

from graders.course.course_file import read_course
from graders.course.outline import UnknownName, exercises_of
from graders.language import tr, translatable


class NotMeant(Exception):
    """Nothing that can be checked here is meant. A sentence for whoever typed it."""


@functools.cache
def known() -> Mapping[str, Mapping[str, str]]:
    """The symbol of each exercise of each assignment."""
    return {assignment: exercises_of(assignment) for assignment in read_course()}


def named(name: str, names: Collection[str], assignment: str | None = None) -> tuple[str, str]:
    """The assignment and the exercise that a name means: an exercise's own, or that of its symbol.

    Where several exercises ask for the symbol, it is the one whose assignment's other symbols are there.

    Args:
        name: what was typed.
        names: those that are defined where it was typed.
        assignment: the one that was asked for, if any.

    Raises:
        UnknownName: there is no such exercise, or no such assignment.
        NotMeant: several exercises fit, and nothing tells which.
    """
    asked = _asked(assignment)
    found = [(a, e) for a, exercises in asked.items() for e in exercises if e == name]
    found = found or [(a, e) for a, exercises in asked.items() for e, s in exercises.items() if s == name]
    if not found:
        typed = {name for exercises in asked.values() for pair in exercises.items() for name in pair}
        raise UnknownName.of(translatable("there is no exercise {name}"), name, sorted(typed))
    there = {a: len(set(known()[a].values()) & set(names)) for a, _ in found}
    most = [(a, e) for a, e in found if there[a] == max(there.values())]
    if len(most) == 1:
        return most[0]
    raise NotMeant(
        tr(
            "{name} is asked for in {assignments}: say which, as in %check --assignment {first} {name}",
            name=name,
            assignments=", ".join(a for a, _ in most),
            first=most[0][0],
        )
    )


def at_work(names: Collection[str], assignment: str | None = None) -> list[tuple[str, str]]:
    """All exercises of an assignment that are defined; without its name of the one that most is there of.

    Raises:
        UnknownName: there is no such assignment.
        NotMeant: nothing is there of any.
    """
    there = {
        a: [(a, e) for e, symbol in exercises.items() if symbol in names]
        for a, exercises in _asked(assignment).items()
    }
    most = max(there.values(), key=len)
    if most:
        return most
    raise NotMeant(tr("nothing is defined here yet that an exercise asks for"))


def name_of(made: Any, names: Mapping[str, Any]) -> str:
    """The name of an object: its own where an exercise has it, else the one it is bound to.

    Raises:
        NotMeant: it is nothing that can be checked; the sentence says what to give.
    """
    symbols = {name for exercises in known().values() for pair in exercises.items() for name in pair}
    own = getattr(made, "__name__", None)
    bound = [name for name, value in names.items() if value is made and name in symbols]
    if own in symbols:
        return str(own)
    if bound:
        return bound[0]
    checkable(made)
    raise NotMeant(
        tr('{name} is no exercise\'s name; check({name}, "concat_heads") says which one it is', name=own)
        if own
        else tr("give the function or the class, or the name of an exercise: check(concat_heads)")
    )


def checkable(made: Any) -> None:
    """Require a function, a class or a variable, and not what one of them made.

    Raises:
        NotMeant: it is a module that was made, or what a call answered with.
    """
    if isinstance(made, torch.nn.Module):
        raise NotMeant(
            tr(
                "a module that was made already cannot be checked; give its class, {kind}: modules are made "
                "of it in the sizes that the checks need, and yours stays as it is",
                kind=type(made).__name__,
            )
        )


def _asked(assignment: str | None) -> Mapping[str, Mapping[str, str]]:
    if assignment is None:
        return known()
    if assignment not in known():
        raise UnknownName.of(translatable("there is no assignment {name}"), assignment, known())
    return {assignment: known()[assignment]}
