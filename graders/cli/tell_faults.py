"""Say at once which exercises of a course are broken: they stay undecided, and the others are judged."""

import click

from graders.cli.start import is_parsed_again
from graders.course.course_file import read_course
from graders.course.faults import fault_of
from graders.language import tr
from graders.locations import course

_TOLD = "graders.faults told"  # in the context of a command


def tell_faults() -> None:
    """Say what is wrong in the files of somebody's own course; each sentence once for a command."""
    if not course().is_own:
        return  # what softmark ships is tested
    for table in read_course().values():
        for row in table["exercises"]:
            if fault := fault_of(row["name"]):
                tell_fault(row["name"], fault)


def tell_fault(exercise: str, fault: str) -> None:
    """Say that an exercise is broken, unless the command has said so already."""
    tell_once(tr("{fault}. The exercise {exercise} stays undecided.", fault=fault, exercise=exercise))


def tell_once(sentence: str) -> None:
    """Say something on standard error, unless the command has said it already."""
    told: set[str] = click.get_current_context().find_root().meta.setdefault(_TOLD, set())
    if sentence not in told and not is_parsed_again():
        click.echo(sentence, err=True)
    told.add(sentence)
