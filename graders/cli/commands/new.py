"""`softmark new`: begin an exercise."""

import contextlib
import math
import re
import signal
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from graders.audit.french_spaces import write_spaces
from graders.cli.course_option import course_option
from graders.cli.language_option import lang_option
from graders.cli.option_purpose import Purpose
from graders.cli.points_of_new import BadGiver, Gift, choose_giver, points_from_option, say_gift
from graders.cli.translated_command import Command, option
from graders.course.course_edit import OtherForm, add_assignment, add_exercise, set_points
from graders.course.course_file import course_languages, course_path, read_course
from graders.course.course_table import BadCourse
from graders.course.new_names import (
    BadName,
    refuse_assignment,
    refuse_files,
    refuse_name,
    refuse_outside,
    refuse_symbol,
)
from graders.course.outline import UnknownName, entry
from graders.course.skeleton import NewExercise, keep_cells
from graders.handout.docstrings import keep_language
from graders.language import Language, tr, translatable
from graders.locations import course
from graders.results.write_together import write_together

MOST_POINTS = 1_000  # neither infinity nor a slip of the hand
LONGEST_TITLE = 80  # letters: it stands in a line of a file


def _require_number(context: click.Context, parameter: click.Parameter, value: float) -> float:  # noqa: ARG001
    if math.isnan(value):  # which is in every range
        raise click.BadParameter(tr("{name}: points must be a number above 0", name="--points"))
    return value


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
    type=click.FloatRange(min=0, min_open=True, max=MOST_POINTS),
    default=1,
    show_default=True,
    callback=_require_number,
    help=translatable("Its points."),
)
@points_from_option
@course_option
@lang_option
def new(
    name: str,
    assignment: str,
    symbol: str | None,
    title: str | None,
    title_fr: str | None,
    points: float,
    points_from: str | None,
) -> None:
    """Begin an exercise: files that work, and its line in course.toml. Nothing is written over.

    fr: Commencer un exercice : des fichiers qui fonctionnent, et sa ligne dans course.toml. Rien n'est
        écrasé.
    """
    try:
        table, languages = _table_of(assignment), course_languages()
        exercise = _exercise(name, symbol, (title, title_fr), points, languages)
        refuse_name(name)
        refuse_symbol(exercise.symbol, assignment)
        files = _files(exercise, languages)
        refuse_files(files)
        refuse_outside(files)
        gift = choose_giver(table, assignment, points, points_from)
    except (BadCourse, BadGiver, BadName, UnknownName) as error:
        raise click.UsageError(str(error)) from error
    except tomllib.TOMLDecodeError as error:
        message = tr("{file} is no TOML: correct it: {error}", file=course().name, error=error)
        raise click.UsageError(message) from error
    is_changed = _write(files, assignment, exercise, gift)
    for path in files:
        click.echo(tr("written: {path}", path=path))
    added = translatable("added to {file}, in [{assignment}]: {line}")
    by_hand = translatable("add to {file}, in [{assignment}]: {line}")
    line, message = exercise.course_line.strip(), added if is_changed else by_hand
    click.echo(tr(message, file=course_path(), assignment=assignment, line=line))
    for sentence in say_gift(gift, assignment, is_changed):
        click.echo(sentence)
    click.echo(tr("Now make it your own; `softmark audit {name}` says what is missing.", name=name))


def _table_of(assignment: str) -> dict[str, Any]:
    """What the course's file says of an assignment; in somebody's own course it may be a new one.

    Raises:
        BadName: it is new, and cannot be called so.
        UnknownName: softmark's course has no such assignment.
    """
    if not course().is_own or assignment in read_course():
        return entry(assignment)
    refuse_assignment(assignment)
    return {"exercises": []}


def _exercise(
    name: str,
    symbol: str | None,
    titles: tuple[str | None, str | None],
    points: float,
    languages: tuple[Language, ...],
) -> NewExercise:
    title, title_fr = titles[0] or name, None
    if len(languages) == 2:
        title_fr = write_spaces(titles[1] or title)
    elif titles[1]:
        raise click.UsageError(tr("the course is in one language: leave out --title-fr"))
    elif languages == ("fr",):
        title = write_spaces(title)
    for text in (title, title_fr or ""):
        if re.search(r'["\\\x00-\x1f]', text) or len(text) > LONGEST_TITLE:
            message = translatable(
                "a title has no quotation marks, backslashes or line breaks, and {most} letters at most"
            )
            raise click.UsageError(tr(message, most=LONGEST_TITLE))
    return NewExercise(name, symbol or name, title, title_fr, points)


def _files(exercise: NewExercise, languages: tuple[Language, ...]) -> dict[Path, str]:
    """The texts of its files by their paths, in the languages of the course."""
    files = {}
    for path, text in exercise.files(course().own).items():
        for language in languages if len(languages) == 1 else ():
            text = keep_language(keep_cells(text, language), language)
        files[path] = text
    return files


def _write(files: Mapping[Path, str], assignment: str, exercise: NewExercise, gift: Gift) -> bool:
    """Write the files and course.toml, all or none; return whether course.toml could be changed."""
    file = course_path()
    before = text = file.read_bytes().decode()
    if assignment not in read_course():
        text = add_assignment(text, assignment, course_languages())
    try:
        text = add_exercise(text, assignment, exercise.course_line)
        if gift.giver is not None:
            text = set_points(text, assignment, gift.giver, gift.kept[gift.giver])
    except OtherForm:
        text = before
    try:
        with _as_ctrl_c("SIGTERM", "SIGHUP"):
            write_together(files, {} if text == before else {file: text})
    except OSError as error:
        message = tr("cannot write {file}: {reason}", file=error.filename, reason=error.strerror)
        raise click.UsageError(message) from error
    return text != before


@contextlib.contextmanager
def _as_ctrl_c(*names: str) -> Iterator[None]:
    """Let these signals do in the block what Ctrl-C does: what is written is taken back."""
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    before = {number: signal.signal(number, signal.default_int_handler) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
