"""`--course`: the course's folder or file, and the copy of its file that a run keeps."""

from pathlib import Path

import click

from graders.batch.kept_course import kept_course
from graders.cli.option_purpose import Purpose
from graders.cli.plain_file import PlainFile
from graders.cli.tell_faults import tell_faults, tell_once
from graders.cli.translated_command import option
from graders.course.course_file import require_course
from graders.course.course_table import BadCourse
from graders.course.open_course import find_course, open_course, tell_handed_in
from graders.language import tr, translatable
from graders.locations import Course, chosen_course, course, use_course

_NAMED = "graders.course is named"  # in the context of a command: whether `--course` is


def _use(context: click.Context, parameter: click.Parameter, value: Path | None) -> None:  # noqa: ARG001
    context.meta[_NAMED] = value is not None
    found = None if value else find_course(Path.cwd())
    use_course(None)
    if path := value or found:
        _use_at(path)
        _require()
        tell_faults()


course_option = option(
    Purpose.GENERAL,
    "--course",
    metavar="COURSE",
    type=PlainFile(or_folder=True),
    is_eager=True,
    expose_value=False,
    callback=_use,
    help=translatable(
        "The course: its folder, or a course.toml with other titles, points, due dates and late rules.  "
        "[default: the one around the current folder, else softmark's]"
    ),
)


def use_kept_course(out: Path, *, with_files: bool = False) -> None:
    """Without `--course`, use the file that an earlier command kept in `out`, if there is one.

    Where that is a copy of the course that was found around the current folder, that one's file is read, with
    what was changed in it since.

    Args:
        out: the folder of a run.
        with_files: whether the exercises of the course are needed.

    Raises:
        click.UsageError: the course's file, whichever it is, cannot be read.
    """
    kept, found = _kept(out), chosen_course()
    if kept is not None and not click.get_current_context().meta.get(_NAMED):
        _use_at(kept)
        if found is not None and found.own == course().own:
            use_course(found)
    _require(with_files=with_files)


def refuse_course_of_part(part: Path) -> None:
    """Require that a course with checks of its own, by which a part was graded, was named or found here too.

    Checks are programs, and a part may come from another machine: what it says must lead to no code.

    Raises:
        click.UsageError: it was not.
    """
    kept, found = _kept(part), chosen_course()
    if kept is None or click.get_current_context().meta.get(_NAMED):
        return
    said = _open(kept)
    if said.is_own and (found is None or found.own != said.own):
        message = translatable(
            "{part} was graded by the course in {folder}, which has checks of its own: name the course with "
            "--course, since what a part says leads to no code"
        )
        raise click.UsageError(tr(message, part=part, folder=said.own.assignments.parent))


def _kept(out: Path) -> Path | None:
    try:
        return kept_course(out)
    except BadCourse as error:
        raise click.UsageError(str(error)) from error


def settle_course(handed_in: Path, out: Path | None = None) -> None:
    """Choose the course by which code of others is judged, and say which was found around this folder.

    None that lies in what is handed in: its checks would run outside of the box.

    Args:
        handed_in: what is judged.
        out: the folder of a run, which may have kept a course.

    Raises:
        click.UsageError: the course's file cannot be read.
    """
    found, is_named = chosen_course(), click.get_current_context().meta.get(_NAMED)
    if found is not None and not is_named and (said := tell_handed_in(found, handed_in)):
        use_course(None)
        tell_once(said)
    if out is not None:
        use_kept_course(out, with_files=True)
    if not is_named and found is not None and chosen_course() == found:
        tell_once(tr("The course is that of {file}.", file=found.file))


def _use_at(path: Path) -> None:
    use_course(_open(path))


def _open(path: Path) -> Course:
    try:
        return open_course(path)
    except BadCourse as error:
        raise click.UsageError(str(error)) from error


def _require(*, with_files: bool = True) -> None:
    try:
        require_course(with_files=with_files)
    except BadCourse as error:
        raise click.UsageError(str(error)) from error
