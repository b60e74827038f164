"""Whose points a new exercise takes, so that its assignment keeps its total."""

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import click

from graders.cli.option_purpose import Purpose
from graders.cli.translated_command import option
from graders.course.course_edit import givers, surplus
from graders.course.course_file import course_path, course_table
from graders.course.outline import UnknownName
from graders.language import tr, translatable

points_from_option = option(
    Purpose.WORK,
    "--points-from",
    metavar="EXERCISE",
    help=translatable("The exercise that gives its points.  [default: ask on a terminal]"),
)


class BadGiver(Exception):
    """The exercise that should give points cannot, or need not. Text for people."""


@dataclass(frozen=True)
class Gift:
    """The points that a new exercise takes from another one of its assignment.

    Attributes:
        points: how many, 0 where the assignment has room for the new exercise.
        giver: who gives them; None where nobody need, or nobody was named.
        kept: the exercises that could give so many, with the points that each would keep.
    """

    points: float
    giver: str | None
    kept: Mapping[str, float]


def choose_giver(table: Mapping[str, Any], assignment: str, points: float, giver: str | None) -> Gift:
    """Whose points an exercise of so many points takes; asks where somebody is at the terminal.

    Args:
        table: the assignment's in course.toml.
        assignment: its name.
        points: of the new exercise.
        giver: as the option says; None without it.

    Raises:
        UnknownName: the assignment has no such exercise.
        BadGiver: it has too few points, or the assignment has room for the new exercise.
    """
    taken = surplus(table, points, course_table().points)
    gift = Gift(taken, giver, givers(table, taken) if taken else {})
    if giver is not None:
        _refuse_giver(gift, giver, assignment, [str(row.get("name")) for row in table["exercises"]])
    elif gift.kept and is_terminal():
        return Gift(taken, _ask(gift, assignment), gift.kept)
    return gift


def say_gift(gift: Gift, assignment: str, is_changed: bool) -> Iterator[str]:
    """What has become of the points, or what somebody is to change: `is_changed` if course.toml is."""
    file, whole = course_path(), course_table().points
    if gift.giver is not None:
        points = f"{gift.kept[gift.giver]:g}"
        now = translatable("changed in {file}, in [{assignment}]: {exercise} has {points} points now")
        by_hand = translatable("change in {file}, in [{assignment}]: give {exercise} {points} points")
        message = now if is_changed else by_hand
        yield tr(message, file=file, assignment=assignment, exercise=gift.giver, points=points)
    elif gift.kept:
        exercise = max(gift.kept, key=lambda name: gift.kept[name])
        yield tr(
            "change in {file}, in [{assignment}]: the points sum to {sum}, not {all}; take {points} from"
            " another exercise, for example points = {kept} for {exercise}",
            file=file,
            assignment=assignment,
            sum=f"{whole + gift.points:g}",
            all=f"{whole:g}",
            points=f"{gift.points:g}",
            kept=f"{gift.kept[exercise]:g}",
            exercise=exercise,
        )
    elif gift.points:
        yield tr(
            "change in {file}, in [{assignment}]: the points sum to {sum}, not {all}; take {points} from"
            " several exercises, since none has so many",
            file=file,
            assignment=assignment,
            sum=f"{whole + gift.points:g}",
            all=f"{whole:g}",
            points=f"{gift.points:g}",
        )


def is_terminal() -> bool:
    """Whether somebody can be asked."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def _refuse_giver(gift: Gift, giver: str, assignment: str, names: list[str]) -> None:
    if giver not in names:
        raise UnknownName.of(translatable("there is no exercise {name}"), giver, names)
    if not gift.points:
        message = tr(
            "[{assignment}] has room for the new exercise: leave out --points-from", assignment=assignment
        )
        raise BadGiver(message)
    if giver not in gift.kept:
        raise BadGiver(
            tr(
                "{exercise} cannot give {points} points and keep some",
                exercise=giver,
                points=f"{gift.points:g}",
            )
        )


def _ask(gift: Gift, assignment: str) -> str:
    question = tr(
        "The exercises of [{assignment}] have {all} points together. Which one gives {points}?",
        assignment=assignment,
        all=f"{course_table().points:g}",
        points=f"{gift.points:g}",
    )
    giver: str = click.prompt(question, type=click.Choice(list(gift.kept)))
    return giver
