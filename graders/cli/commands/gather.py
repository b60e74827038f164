"""`softmark gather`: the parts of a class, graded on several machines, as the results of one run."""

import sys
from collections.abc import Sequence
from itertools import product
from pathlib import Path

import click

from graders.batch.errors import CannotGrade
from graders.batch.folder_lock import lock_folder
from graders.batch.kept_course import keep_course
from graders.batch.load_class import load_class
from graders.batch.match_parts import missing_parts, require_one_run
from graders.batch.missing_results import describe_missing
from graders.batch.publish_class import publish_class
from graders.batch.read_part import BadPartFolder, PartFolder, read_class_of, read_part_folder
from graders.batch.run_seed import run_seed
from graders.classroom.extensions import NAME as EXTENSIONS
from graders.classroom.overrides import NAME as OVERRIDES
from graders.classroom.run_marks import compute_run_marks, make_marker, save_next_class
from graders.cli import run_summary
from graders.cli.course_option import course_option, refuse_course_of_part, use_kept_course
from graders.cli.exit_status import fail, status
from graders.cli.gather_parts import PartResult, TakeResult, list_results, take_results
from graders.cli.jobs_option import jobs_option
from graders.cli.language_option import lang_option, speak_as
from graders.cli.option_purpose import Purpose
from graders.cli.part_option import refuse_part
from graders.cli.progress import follow
from graders.cli.translated_command import Command, option
from graders.language import list_names, tr, translatable, trn
from graders.results.result import Result
from reports.pages import templating


@click.command(cls=Command)
@click.argument(
    "parts", nargs=-1, required=True, type=click.Path(exists=True, file_okay=False, path_type=Path)
)
@option(
    Purpose.OUTPUT,
    "--out",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help=translatable("The folder for the results."),
)
@option(
    Purpose.SUBMISSIONS,
    "--incomplete",
    is_flag=True,
    help=translatable("Gather even if parts, or results in them, are missing."),
)
@jobs_option
@course_option
@lang_option
def gather(parts: tuple[Path, ...], out: Path, incomplete: bool, jobs: int) -> None:
    """Put PARTS together, the folders that `softmark grade --part` wrote, as if one run had graded the class.

    Parts of different runs are refused. OUT gets what `softmark grade` writes.

    fr: Réunir PARTS, les dossiers écrits par `softmark grade --part`, comme si la classe avait été corrigée
        en une seule fois.

        Des parties de corrections différentes sont refusées. OUT reçoit ce qu'écrit `softmark grade`.
    """
    refuse_part(out)
    try:
        folders = [read_part_folder(path) for path in parts]
        require_one_run(folders)
        wanted = _list_wanted(folders, incomplete)
        speak_as(folders[0].record.facts.get("language", ""))
        with lock_folder(out):
            _begin(folders[0], out)
            results, problems = _take(wanted, folders, out, jobs)
            _refuse_problems(problems, incomplete)
            notes = [*_describe_missing_parts(folders), *problems]
            _publish(out, results, notes, run=folders[0].record.run)
    except (BadPartFolder, CannotGrade) as error:
        raise click.UsageError(str(error)) from error
    except OSError as error:
        fail(tr("cannot write results: {reason}", reason=error))
    _say_end(results, folders, out)
    sys.exit(status(results))


def _list_wanted(folders: Sequence[PartFolder], incomplete: bool) -> list[PartResult]:
    """The results to take.

    Raises:
        click.UsageError: parts or results are missing, and the command was not told to go on.
    """
    wanted, absent = list_results(folders)
    lines = list(_describe_missing_parts(folders))
    for folder, ids in absent.items():
        message = trn(
            "{folder}: {n} submission has no result: {names}",
            "{folder}: {n} submissions have no result: {names}",
            len(ids),
            folder=folder,
            names=list_names(ids),
        )
        lines.append(message)
    if lines and not incomplete:
        go_on = tr("Grade them first, each with its command again; --incomplete goes on without them.")
        raise click.UsageError("\n".join([*lines, go_on]))
    return wanted


def _describe_missing_parts(folders: Sequence[PartFolder]) -> list[str]:
    missing = [str(part) for part in missing_parts(folders)]
    if not missing:
        return []
    return [
        trn(
            "{n} part is missing: {names}",
            "{n} parts are missing: {names}",
            len(missing),
            names=list_names(missing),
        )
    ]


def _begin(first: PartFolder, out: Path) -> None:
    """Write what a run writes before it grades: the class, the seed and the course's own file."""
    refuse_course_of_part(first.path)
    use_kept_course(first.path if first.course is not None else out)
    keep_course(out)
    save_next_class(out, read_class_of(first)[0])
    run_seed(out, first.seed)


def _take(
    wanted: list[PartResult], folders: Sequence[PartFolder], out: Path, jobs: int
) -> tuple[list[Result], list[str]]:
    take = TakeResult(out, folders[0].seed, make_marker(out)[0])
    templating.load()  # once, and not in each process
    label = trn("{n} result", "{n} results", len(wanted))
    taken = follow(take_results(wanted, take, jobs), len(wanted), label, _count_problem, _not_taken)
    results, problems = list[Result](), list[str]()
    for outcome in taken:
        if isinstance(outcome, str):
            problems.append(outcome)
        else:
            results.append(outcome)
    return results, sorted(problems)


def _count_problem(outcome: Result | str) -> int:
    return int(isinstance(outcome, str))


def _not_taken(count: int) -> str:
    return trn("{n} not taken", "{n} not taken", count)


def _refuse_problems(problems: Sequence[str], incomplete: bool) -> None:
    if problems and not incomplete:
        go_on = tr("Grade them first, each with its command again; --incomplete goes on without them.")
        left = len(problems) - run_summary.IDS
        more = [trn("and {n} more", "and {n} more", left)] if left > 0 else []
        fail("\n".join([*problems[: run_summary.IDS], *more, go_on]))


def _publish(out: Path, results: Sequence[Result], notes: Sequence[str], run: str) -> None:
    every, unread = load_class(out, {result.submission.id: result for result in results})
    for note in run_summary.shorten_notes(publish_class(out, every, [*notes, *unread], run=run), out):
        click.echo(note, err=True)
    if missing := describe_missing(out, [result.submission.id for result in results]):
        fail(missing)


def _say_end(results: Sequence[Result], folders: Sequence[PartFolder], out: Path) -> None:
    for folder, name in product(folders, (OVERRIDES, EXTENSIONS)):
        if (folder.path / name).exists():
            message = translatable("{path} was not taken: what counts stands in {file}")
            click.echo(tr(message, path=folder.path / name, file=out / name), err=True)
    marks = compute_run_marks(out, results).marks
    for line in run_summary.describe_results(results, marks):
        click.echo(line)
    message = trn(
        "{n} submission of {parts} parts; pages: {path}",
        "{n} submissions of {parts} parts; pages: {path}",
        len(results),
        parts=folders[0].record.part.of,
        path=out / "index.html",
    )
    click.echo(message)
