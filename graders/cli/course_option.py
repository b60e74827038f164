"""`--course`: the course's own file of assignments, and the copy of it that a run keeps."""

from pathlib import Path

import click

from graders.batch.kept_course import kept_course
from graders.cli.option_purpose import Purpose
from graders.cli.translated_command import option
from graders.course.course_file import BadCourse, own_course, require_course, use_course
from graders.language import translatable


def _use(context: click.Context, parameter: click.Parameter, value: Path | None) -> None:  # noqa: ARG001
    use_course(value)
    if value is not None:
        _require()


course_option = option(
    Purpose.GENERAL,
    "--course",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    is_eager=True,
    expose_value=False,
    callback=_use,
    help=translatable("The course's own course.toml: its titles, points, due dates and late rules."),
)


def use_kept_course(out: Path) -> None:
    """Without `--course`, use the file that an earlier command kept in `out`, if there is one.

    Raises:
        click.UsageError: the course's file, whichever it is, cannot be read.
    """
    if own_course() is None:
        use_course(kept_course(out))
    _require()


def _require() -> None:
    try:
        require_course()
    except BadCourse as error:
        raise click.UsageError(str(error)) from error
