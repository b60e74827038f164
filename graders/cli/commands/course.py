"""`softmark course`: begin a course of one's own."""

from pathlib import Path

import click

from graders.cli.exit_status import fail
from graders.cli.language_option import lang_option
from graders.cli.option_purpose import Purpose
from graders.cli.translated_command import Command, Group, option
from graders.course.begin_course import course_text
from graders.language import LANGUAGES, Language, tr, translatable
from graders.locations import COURSE_FILE
from graders.results.write_together import write_together

FOLDERS = ("assignments", "checks", "solutions")


class _Commands(Group):
    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Show the line of each command in the current language."""
        with formatter.section(tr("Commands")):
            formatter.write_dl([("new", tr("Begin a course in a new folder."))])


@click.group(cls=_Commands)
def course() -> None:
    """Teach with exercises, points and dates of one's own: a folder that extends softmark's course.

    fr: Enseigner avec ses propres exercices, points et dates : un dossier qui étend le cours de softmark.
    """


@course.command(cls=Command)
@click.argument("folder", type=click.Path(path_type=Path))
@option(Purpose.WORK, "--title", help=translatable("Its title.  [default: the folder's name]"))
@option(
    Purpose.WORK,
    "--in",
    "languages",
    multiple=True,
    type=click.Choice(LANGUAGES),
    help=translatable("The language of its exercises; may be given again.  [default: both]"),
)
@lang_option
def new(folder: Path, title: str | None, languages: tuple[Language, ...]) -> None:
    """Begin a course in FOLDER: a course.toml, and the folders of its exercises.

    fr: Commencer un cours dans FOLDER : un course.toml, et les dossiers de ses exercices.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise click.UsageError(tr("{folder} is not empty: name a new folder", folder=folder))
    chosen = tuple(language for language in LANGUAGES if language in languages) or LANGUAGES
    text = course_text(title or folder.resolve().name, chosen)
    try:
        write_together({folder / COURSE_FILE: text}, {})
        for name in FOLDERS:
            (folder / name).mkdir(exist_ok=True)
    except OSError as error:
        fail(tr("cannot write {out}: {reason}", out=folder, reason=error.strerror))
    click.echo(tr("written: {path}", path=folder / COURSE_FILE))
    said = translatable(
        "Commands in this folder know the course: `softmark new NAME --assignment tp1` begins an exercise."
    )
    click.echo(tr(said))
