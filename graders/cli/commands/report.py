"""`softmark report`: the pages again, without grading."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from graders.batch.errors import CannotGrade
from graders.batch.folder_lock import lock_folder
from graders.batch.kept_course import keep_course
from graders.batch.process_pool import WorkerDied
from graders.batch.publish_class import publish_class
from graders.batch.publish_page import describe_page_failure, publish_page
from graders.batch.spread_blocks import spread_blocks
from graders.classroom.marks import Marker
from graders.classroom.run_marks import make_marker
from graders.cli import run_summary
from graders.cli.course_option import course_option, use_kept_course
from graders.cli.exit_status import ALL_PASSED, OURS, fail
from graders.cli.jobs_option import jobs_option
from graders.cli.language_option import lang_option, speak_as_results
from graders.cli.option_purpose import Purpose
from graders.cli.part_option import refuse_part
from graders.cli.progress import follow
from graders.cli.translated_command import Command, option
from graders.language import tr, translatable, trn
from graders.results.compact import PackedResult, pack, unpack
from graders.results.result import Result
from reports import publish


@click.command(cls=Command)
@click.argument("out", type=click.Path(exists=True, file_okay=False, path_type=Path))
@jobs_option
@option(
    Purpose.OUTPUT, "--force", is_flag=True, help=translatable("Make pages again that would not change, too.")
)
@course_option
@lang_option
def report(out: Path, jobs: int, force: bool) -> None:
    """Make the pages and grades.csv in OUT again from its results, without grading again.

    fr: Refaire les pages et grades.csv dans OUT à partir de ses résultats, sans corriger de nouveau.
    """
    speak_as_results(out)
    refuse_part(out)
    use_kept_course(out)
    try:
        with lock_folder(out):
            keep_course(out)
            results, notes = _publish(out, jobs, force)
    except CannotGrade as error:
        raise click.UsageError(str(error)) from error
    except OSError as error:
        fail(tr("cannot write pages: {reason}", reason=error))
    page = out / "index.html"
    click.echo(trn("{n} page: {path}", "{n} pages: {path}", len(results), path=page))
    sys.exit(OURS if notes else ALL_PASSED)


@dataclass(frozen=True)
class _Remake:
    """Makes the pages of one submission; returns its packed result, or why it cannot be read.

    With the result, it says why the pages could not be made, if they could not.
    """

    force: bool
    marker: Marker

    def __call__(self, path: Path) -> tuple[PackedResult, str] | str:
        result = publish.read(path)
        if isinstance(result, str):
            return result
        out, name = path.parent.parent, result.submission.id
        failed = publish_page(out, *self.marker.count(out, result), force=self.force)
        return pack(result), describe_page_failure(name, failed) if failed else ""


def _publish(out: Path, jobs: int, force: bool) -> tuple[list[Result], list[str]]:
    marker, _ = make_marker(out)
    remake, paths = _Remake(force, marker), sorted(out.glob("*/result.json"))
    remade = _remake_each(paths, remake, jobs)
    label = trn("{n} result", "{n} results", len(paths))
    outcomes = follow(remade, len(paths), label, lambda outcome: isinstance(outcome, str), _unread)
    results, notes = list[Result](), list[str]()
    for outcome in outcomes:
        if isinstance(outcome, str):
            notes.append(outcome)
        else:
            results.append(outcome[0])
            notes += filter(None, outcome[1:])
    results.sort(key=lambda result: result.submission.id)
    notes.sort()
    for note in run_summary.shorten_notes(publish_class(out, results, notes), out):
        click.echo(note, err=True)
    return results, notes


def _unread(count: int) -> str:
    return trn("{n} not readable", "{n} not readable", count)


def _remake_each(paths: list[Path], remake: _Remake, jobs: int) -> Iterator[tuple[Result, str] | str]:
    for path, outcome in spread_blocks(paths, remake, jobs, few=1, reads=lambda path: (path,)):
        died = translatable("{id}: its pages were not made: {reason}")
        if isinstance(outcome, WorkerDied):
            yield tr(died, id=path.parent.name, reason=outcome)
        else:
            yield outcome if isinstance(outcome, str) else (unpack(outcome[0]), outcome[1])
