"""`softmark new`: begin an exercise."""

import re
from pathlib import Path

import click

from graders import locations
from graders.cli.language_option import lang_option
from graders.cli.option_purpose import Purpose
from graders.cli.translated_command import Command, option
from graders.course.course_file import read_course
from graders.course.outline import UnknownName, entry
from graders.course.skeleton import NewExercise, add_line
from graders.language import tr, translatable

_PLACES = ("assignments", "graders/checks", "solutions")


@click.command(cls=Command)
@click.argument("name", metavar="NAME")
@option(Purpose.WORK, "--assignment", required=True, help=translatable("The assignment that it belongs to."))
@option(
    Purpose.WORK,
    "--symbol",
    help=translatable("What students define; with a capital, a module.  [default: NAME]"),
)
@option(Purpose.WORK, "--title", help=translatable("Its title in English.  [default: NAME]"))
@option(Purpose.WORK, "--title-fr", help=translatable("Its title in French.  [default: the English one]"))
@option(
    Purpose.WORK,
    "--points",
    type=click.FloatRange(min=0, min_open=True),
    default=1,
    show_default=True,
    help=translatable("Its points."),
)
@lang_option
def new(
    name: str, assignment: str, symbol: str | None, title: str | None, title_fr: str | None, points: float
) -> None:
    """Begin an exercise: the skeletons of its files, and its line in course.toml. Nothing is written over.

    fr: Commencer un exercice : les ébauches de ses fichiers, et sa ligne dans course.toml. Rien n'est écrasé.
    """
    title = title or name
    exercise = NewExercise(name, symbol or name, title, title_fr or title, points)
    _refuse_names(exercise, assignment)
    files = {_place(file): text for file, text in exercise.files().items()}
    for path in files:
        if path.exists():
            raise click.UsageError(tr("{file} is there already: choose another name", file=path))
    course = locations.ASSIGNMENTS / "course.toml"
    try:
        text = add_line(course.read_text(encoding="utf-8"), assignment, exercise.course_line)
    except ValueError:
        text = None
    try:
        for path, skeleton in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(skeleton, encoding="utf-8")
        if text is not None:
            course.write_text(text, encoding="utf-8")
    except OSError as error:
        raise click.UsageError(
            tr("cannot write {file}: {reason}", file=error.filename, reason=error.strerror)
        ) from error
    for path in files:
        click.echo(tr("written: {path}", path=path))
    message = translatable("added to {file}, in [{assignment}]: {line}")
    if text is None:
        message = translatable("add to {file}, in [{assignment}]: {line}")
    click.echo(tr(message, file=course, assignment=assignment, line=exercise.course_line.strip()))
    click.echo(tr("Now write the exercise; `softmark audit {name}` says what is missing.", name=name))


def _refuse_names(exercise: NewExercise, assignment: str) -> None:
    """Raise a usage error where a name cannot be one, or is taken, or there is no such assignment."""
    if not re.fullmatch(r"[a-z][a-z0-9_]*", exercise.name):
        raise click.UsageError(
            tr("{name} is no name of an exercise: use small letters, digits and _", name=repr(exercise.name))
        )
    if not exercise.symbol.isidentifier():
        raise click.UsageError(tr("{symbol} is no name in Python", symbol=repr(exercise.symbol)))
    for text in (exercise.title, exercise.title_fr):
        if re.search(r'["\\\x00-\x1f]', text):
            raise click.UsageError(tr("a title must not have quotation marks, backslashes or line breaks"))
    try:
        entry(assignment)
    except UnknownName as error:
        raise click.UsageError(str(error)) from error
    existing = {
        e.get("name"): other for other, table in read_course().items() for e in table.get("exercises", [])
    }
    if exercise.name in existing:
        raise click.UsageError(
            tr(
                "{name} is there already, in the assignment {assignment}: choose another name",
                name=exercise.name,
                assignment=existing[exercise.name],
            )
        )
    if locations.solutions() is None:
        raise click.UsageError(
            tr("There is no folder solutions/ here, in which the reference would be written.")
        )


def _place(file: str) -> Path:
    """Where a file lies that is named as in a checkout."""
    solutions = locations.solutions()
    assert solutions is not None
    folders = dict(zip(_PLACES, (locations.ASSIGNMENTS, locations.CHECKS, solutions), strict=True))
    place = next(place for place in _PLACES if file.startswith(f"{place}/"))
    return folders[place] / file.removeprefix(f"{place}/")
