"""`softmark export`: the marks of a run as the file that a learning platform takes."""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

import click

from graders.batch.load_class import load_class
from graders.batch.process_pool import default_jobs
from graders.batch.spread_blocks import spread_reading
from graders.classroom.csv_table import BadTable
from graders.classroom.csv_table import read as read_table
from graders.classroom.intake.roster_columns import BadRoster
from graders.classroom.marks import Mark, Marker
from graders.classroom.run_marks import compute_run_marks, make_marker, read_class
from graders.cli.course_option import course_option, use_kept_course
from graders.cli.exit_status import ALL_PASSED
from graders.cli.language_option import lang_option, speak_as_results
from graders.cli.option_purpose import Purpose
from graders.cli.part_option import refuse_part
from graders.cli.plain_file import PlainFile
from graders.cli.translated_command import Command, option
from graders.language import list_names, number, tr, translatable, trn
from graders.results.atomic_write import open_atomically, write_atomically
from graders.results.result import Result
from reports import publish
from reports.gradebook import grades, gradescope, junit
from reports.gradebook.fill_table import fill_table
from reports.gradebook.filled import NoColumn

TEMPLATES = {
    "moodle": translatable('the worksheet of "Download grading worksheet", which is filled in'),
    "canvas": translatable(
        'the gradebook of "Export entire gradebook", whose columns and ids Canvas wants back'
    ),
}
NAMES = {
    "moodle": "moodle.csv",
    "canvas": "canvas.csv",
    "junit": "junit.xml",
    "excel": "grades-excel.csv",
}
FORMATS = ["moodle", "canvas", "gradescope", "junit", "excel"]

T = TypeVar("T")


@dataclass(frozen=True)
class _ExportOptions:
    out: Path
    format: str
    template: Path | None
    column: str | None
    only: str | None


@click.command(cls=Command)
@click.argument("out", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("format_", metavar="FORMAT", type=click.Choice(FORMATS))
@option(
    Purpose.OUTPUT,
    "--template",
    type=PlainFile(),
    help=translatable("The platform's own table as it was downloaded, for moodle and canvas."),
)
@option(
    Purpose.OUTPUT,
    "--to",
    type=click.Path(path_type=Path),
    help=translatable("The file to write; for gradescope a folder, or with --only a file."),
)
@option(
    Purpose.OUTPUT,
    "--column",
    help=translatable("The title of the grades' column, or the assignment's title or id in Canvas."),
)
@option(
    Purpose.SUBMISSIONS,
    "--only",
    metavar="ID",
    help=translatable("This submission alone, for gradescope and junit."),
)
@course_option
@lang_option
def export(
    out: Path, format_: str, template: Path | None, to: Path | None, column: str | None, only: str | None
) -> None:
    """Write the marks in OUT as a platform takes them: FORMAT is moodle, canvas, gradescope or junit.

    fr: Écrire les notes de OUT comme une plateforme les attend : FORMAT est moodle, canvas, gradescope ou
        junit.
    """
    speak_as_results(out)
    refuse_part(out)
    use_kept_course(out)
    asked = _ExportOptions(out, format_, template, column, only)
    try:
        if format_ in TEMPLATES:
            _table(asked, to or out / NAMES[format_])
        elif format_ == "junit":
            _junit(asked, to or out / NAMES[format_])
        elif format_ == "excel":
            _excel(asked, to or out / NAMES[format_])
        else:
            _gradescope(asked, to)
    except (BadTable, BadRoster, NoColumn) as error:
        raise click.UsageError(str(error)) from error
    except OSError as error:
        raise click.UsageError(tr("cannot write: {reason}", reason=error)) from error
    sys.exit(ALL_PASSED)


def _table(asked: _ExportOptions, to: Path) -> None:
    if asked.template is None:
        raise click.UsageError(tr("--template FILE is needed: {what}", what=tr(TEMPLATES[asked.format])))
    results, marks = _read_marks(asked.out)
    table, name = read_table(asked.template), asked.template.name
    class_record = read_class(asked.out, results)[0]
    filled = fill_table(table, name, marks, class_record, results, platform=asked.format, column=asked.column)
    write_atomically(to, filled.data)
    for note in filled.notes:
        click.echo(note, err=True)
    _tell_held(marks)
    due = [mark.of(who) for mark in marks for who in mark.team or (mark.student,)]
    counted = sum(mark.points is not None and not mark.held for mark in due)
    message = trn(
        "{n} of {marks} grades filled in: {path}",
        "{n} of {marks} grades filled in: {path}",
        filled.count,
        marks=number(counted, ","),
        path=to,
    )
    click.echo(message)


def _gradescope(asked: _ExportOptions, to: Path | None) -> None:
    if to is None:
        raise click.UsageError(tr("--to is needed: a folder, or with --only ID a file"))
    (to.parent if asked.only else to).mkdir(parents=True, exist_ok=True)
    export_one = _ExportGradescope(to, asked.only is not None)
    count = sum(1 for _ in _export_each(asked, export_one))
    click.echo(trn("{n} submission: {path}", "{n} submissions: {path}", count, path=to))


def _junit(asked: _ExportOptions, to: Path) -> None:
    suites = _export_each(asked, junit.suites_of)
    with open_atomically(to) as file:
        junit.write_junit(file, suites)
    click.echo(tr("written: {path}", path=to))


def _excel(asked: _ExportOptions, to: Path) -> None:
    results, marks = _read_marks(asked.out)
    write_atomically(to, grades.grades_for_excel(results, marks))
    _tell_held(marks)
    click.echo(tr("written: {path}", path=to))


@dataclass(frozen=True)
class _ExportGradescope:
    """Writes the file of one submission."""

    to: Path
    is_file: bool

    def __call__(self, result: Result, mark: Mark) -> None:
        path = self.to if self.is_file else self.to / f"{result.submission.id}.json"
        write_atomically(path, gradescope.results_json(result, mark).encode())


@dataclass(frozen=True)
class _ReadAndExport(Generic[T]):
    """Reads the result that counts and exports it; a sentence with the reason where it cannot be read."""

    out: Path
    marker: Marker
    export_one: Callable[[Result, Mark], T]

    def __call__(self, path: Path) -> T | str:
        result = publish.read(path)
        if isinstance(result, str):
            return result
        counted, mark = self.marker.count(self.out, result)
        if mark.held:
            return _held([mark.id])
        return self.export_one(counted, mark)


def _export_each(asked: _ExportOptions, export_one: Callable[[Result, Mark], T]) -> Iterator[T]:
    """Export each complete result, sorted by id, several at a time; says which cannot be read, or is held."""
    marker = make_marker(asked.out)[0]
    paths = [
        path for path in sorted(asked.out.glob("*/result.json")) if marker.is_handed_in(path.parent.name)
    ]
    if asked.only is not None:
        paths = [path for path in paths if path.parent.name == asked.only]
        if not paths:
            message = translatable("there is no result of {id} in {folder}")
            raise click.UsageError(tr(message, id=repr(asked.only), folder=asked.out))
    read_and_export = _ReadAndExport(asked.out, marker, export_one)
    for outcome in spread_reading(paths, read_and_export, default_jobs()):
        if not isinstance(outcome, str):
            yield outcome
        elif asked.only is None:
            click.echo(outcome, err=True)
        else:
            raise click.UsageError(outcome)


def _tell_held(marks: Sequence[Mark]) -> None:
    held = {mark.id for mark in marks for each in (mark, *mark.members) if each.held}
    if held:
        click.echo(_held(sorted(held)), err=True)


def _held(ids: Sequence[str]) -> str:
    return tr("held back, as overrides.csv says, and not exported: {names}", names=list_names(ids))


def _read_marks(out: Path) -> tuple[list[Result], list[Mark]]:
    results, notes = load_class(out)
    for note in notes:
        click.echo(note, err=True)
    run = compute_run_marks(out, results)
    return run.results, run.marks
