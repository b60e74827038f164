"""`softmark export`: the marks of a run as the file that a learning platform takes."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from graders.classroom.csv_table import BadTable
from graders.classroom.csv_table import read as read_table
from graders.classroom.intake.roster import BadRoster
from graders.classroom.marks import Mark
from graders.classroom.match_rows import assign_rows
from graders.classroom.run_marks import compute_run_marks, read_class
from graders.cli.course_option import course_option, use_kept_course
from graders.cli.exit_status import ALL_PASSED
from graders.cli.language_option import lang_option, speak_as_results
from graders.cli.load_class import load_class
from graders.cli.part_option import refuse_part
from graders.cli.translated_command import Command
from graders.language import tr, translatable, trn
from graders.results.atomic_write import open_atomically, write_atomically
from graders.results.result import Result
from reports import publish
from reports.gradebook import canvas, gradescope, junit, moodle
from reports.gradebook.filled import NoColumn

TEMPLATES = {
    "moodle": translatable('the worksheet of "Download grading worksheet", which is filled in'),
    "canvas": translatable(
        'the gradebook of "Export entire gradebook", whose columns and ids Canvas wants back'
    ),
}
NAMES = {"moodle": "moodle.csv", "canvas": "canvas.csv", "junit": "junit.xml"}


@dataclass(frozen=True)
class _Asked:
    out: Path
    format: str
    template: Path | None
    column: str | None
    only: str | None


@click.command(cls=Command)
@click.argument("out", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("format_", metavar="FORMAT", type=click.Choice(["moodle", "canvas", "gradescope", "junit"]))
@click.option(
    "--template",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help=translatable("The platform's own table as it was downloaded, for moodle and canvas."),
)
@click.option(
    "--to",
    type=click.Path(path_type=Path),
    help=translatable("The file to write; for gradescope a folder, or with --only a file."),
)
@click.option(
    "--column",
    help=translatable("The title of the grades' column, or the assignment's title or id in Canvas."),
)
@click.option("--only", metavar="ID", help=translatable("This submission alone, for gradescope and junit."))
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
    asked = _Asked(out, format_, template, column, only)
    try:
        if format_ in TEMPLATES:
            _table(asked, to or out / NAMES[format_])
        elif format_ == "junit":
            _junit(asked, to or out / NAMES[format_])
        else:
            _gradescope(asked, to)
    except (BadTable, BadRoster, NoColumn) as error:
        raise click.UsageError(str(error)) from error
    except OSError as error:
        raise click.UsageError(tr("cannot write: {reason}", reason=error)) from error
    sys.exit(ALL_PASSED)


def _table(asked: _Asked, to: Path) -> None:
    if asked.template is None:
        raise click.UsageError(tr("--template FILE is needed: {what}", what=tr(TEMPLATES[asked.format])))
    results, marks = _read_marks(asked.out)
    table, name = read_table(asked.template), asked.template.name
    rows, notes = assign_rows(table, name, marks, read_class(asked.out, results)[0], results)
    if asked.format == "moodle":
        filled = moodle.fill(table, rows, asked.column)
    else:
        titles = [text for r in results[:1] for text in (r.title, r.assignment)]
        filled = canvas.fill(table, rows, asked.column, titles)
    write_atomically(to, filled.data)
    for note in (*notes, *filled.notes):
        click.echo(note, err=True)
    counted = sum(mark.points is not None for mark in marks)
    message = trn(
        "{n} of {marks} grades filled in: {path}",
        "{n} of {marks} grades filled in: {path}",
        filled.count,
        marks=counted,
        path=to,
    )
    click.echo(message)


def _gradescope(asked: _Asked, to: Path | None) -> None:
    if to is None:
        raise click.UsageError(tr("--to is needed: a folder, or with --only ID a file"))
    count = 0
    for result, mark in _marked_results(asked):
        path = to if asked.only else to / f"{result.submission.id}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, gradescope.results_json(result, mark).encode())
        count += 1
    click.echo(trn("{n} submission: {path}", "{n} submissions: {path}", count, path=to))


def _junit(asked: _Asked, to: Path) -> None:
    with open_atomically(to) as file:
        junit.write_junit(file, _marked_results(asked))
    click.echo(tr("written: {path}", path=to))


def _read_marks(out: Path) -> tuple[list[Result], list[Mark]]:
    results, notes = load_class(out)
    for note in notes:
        click.echo(note, err=True)
    marks: Sequence[Mark] = compute_run_marks(out, results)[0]
    return results, list(marks)


def _marked_results(asked: _Asked) -> Iterator[tuple[Result, Mark]]:
    """Yield each complete result with its mark, reading one at a time."""
    _, marks = _read_marks(asked.out)
    by_id = {mark.id: mark for mark in marks if mark.machine is not None}
    if asked.only is not None and asked.only not in by_id:
        message = translatable("there is no result of {id} in {folder}")
        raise click.UsageError(tr(message, id=repr(asked.only), folder=asked.out))
    for name in [asked.only] if asked.only is not None else sorted(by_id):
        result = publish.read(asked.out / name / "result.json")
        if isinstance(result, Result):
            yield result, by_id[name]
