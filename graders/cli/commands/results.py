"""`softmark results`: the results of a class as tables for people who analyse."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from graders.batch.spread_blocks import spread_reading
from graders.classroom.marks import Marker
from graders.classroom.run_marks import make_marker
from graders.cli.course_option import course_option, use_kept_course
from graders.cli.exit_status import ALL_PASSED, OURS, fail
from graders.cli.jobs_option import jobs_option
from graders.cli.language_option import lang_option, speak_as_results
from graders.cli.option_purpose import Purpose
from graders.cli.part_option import refuse_part
from graders.cli.translated_command import Command, option
from graders.language import tr, translatable, trn
from graders.results.atomic_write import replace_atomically
from reports import publish
from reports.tables import sqlite
from reports.tables.rows import Rows, absent_rows, rows_of

WRITTEN = 2_000  # results that are written at a time
SUFFIXES = (".parquet", ".sqlite")


@click.command(cls=Command)
@click.argument("out", type=click.Path(exists=True, file_okay=False, path_type=Path))
@option(
    Purpose.OUTPUT,
    "--to",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help=translatable(
        "The file to write: FILE.sqlite; or FILE.parquet, with the checks in FILE.checks.parquet beside it."
    ),
)
@jobs_option
@course_option
@lang_option
def results(out: Path, to: Path, jobs: int) -> None:
    """Write the results in OUT as tables to analyse: a row per exercise of a submission, and a row per check.

    fr: Écrire les résultats de OUT comme des tableaux à analyser : une ligne par exercice d'un rendu, et une
        ligne par vérification.
    """
    speak_as_results(out)
    refuse_part(out)
    use_kept_course(out)
    if to.suffix not in SUFFIXES:
        raise click.UsageError(
            tr("--to needs a name that ends with {names}", names=tr(" or ").join(SUFFIXES))
        )
    if to.suffix == ".parquet":
        _require_pyarrow()
    reading = _ClassRows(out, make_marker(out)[0], jobs)
    try:
        written = _write(to, reading)
    except OSError as error:
        fail(tr("cannot write: {reason}", reason=error))
    for note in reading.notes:
        click.echo(note, err=True)
    names = ", ".join(map(str, written))
    count = len(reading.ids)
    click.echo(trn("{n} submission: {path}", "{n} submissions: {path}", count, path=names))
    sys.exit(OURS if reading.notes else ALL_PASSED)


@dataclass(frozen=True)
class _ReadRows:
    """Reads the result of a submission that counts: its id and its rows, or why it cannot be read."""

    out: Path
    marker: Marker

    def __call__(self, path: Path) -> tuple[str, Rows] | str:
        result = publish.read(path)
        if isinstance(result, str):
            return result
        return result.submission.id, rows_of(*self.marker.count(self.out, result))


class _ClassRows:
    """Yields the rows of a class, and keeps the ids, to tell who handed in nothing."""

    def __init__(self, out: Path, marker: Marker, jobs: int) -> None:
        self.ids: set[str] = set()
        self.notes: list[str] = []
        self._out = out
        self._read, self._jobs = _ReadRows(out, marker), jobs

    def blocks(self) -> Iterator[Rows]:
        """Yield the rows of some thousand results at a time, sorted by id."""
        rows = Rows([], [])
        handed_in = self._read.marker.is_handed_in
        paths = [path for path in sorted(self._out.glob("*/result.json")) if handed_in(path.parent.name)]
        for number, read in enumerate(spread_reading(paths, self._read, self._jobs), 1):
            if isinstance(read, str):
                self.notes.append(read)
                continue
            self.ids.add(read[0])
            rows.exercises.extend(read[1].exercises)
            rows.checks.extend(read[1].checks)
            if number % WRITTEN == 0:
                yield rows
                rows = Rows([], [])
        rows.exercises.extend(absent_rows(self._read.marker.mark_others(self.ids)))
        yield rows


def _write(to: Path, reading: _ClassRows) -> list[Path]:
    if to.suffix == ".sqlite":
        with replace_atomically(to) as part:
            sqlite.write(part, reading.blocks())
        return [to]
    from reports.tables import parquet  # only here: most have no pyarrow

    checks = to.with_suffix(".checks.parquet")
    with replace_atomically(to) as first, replace_atomically(checks) as second:
        parquet.write((first, second), reading.blocks())
    return [to, checks]


def _require_pyarrow() -> None:
    try:
        import pyarrow  # noqa: F401
    except ImportError as error:
        message = translatable(
            "Parquet needs pyarrow: pip install 'softmark[parquet]'. Or write a file that ends with .sqlite"
        )
        raise click.UsageError(tr(message)) from error
