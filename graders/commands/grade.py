"""`softmark grade`: a class, every submission of it."""

import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from graders.batch import Class, default_jobs, grade_all
from graders.commands.exits import broken, fail, passed, status
from graders.commands.handed_in import handed_in
from graders.commands.published import publish_marked
from graders.intake.found import Entry
from graders.marking import save
from graders.options import asked, box_options, chosen, seed_option
from graders.progress import followed
from graders.reading.bounds import bounded
from graders.result import Result
from graders.store import write, write_whole
from graders.submission import Unreadable, read
from graders.wall.rung import Rung
from reports import publish


@click.command()
@click.argument("what", type=click.Path(exists=True, path_type=Path))
@click.option("--assignment", required=True, help="The assignment's name.")
@click.option(
    "--out", required=True, type=click.Path(file_okay=False, path_type=Path), help="Where results go."
)
@click.option(
    "--roster",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A CSV with ids, names, e-mails: any list, or Moodle's, Canvas's, Classroom 50's.",
)
@click.option("--jobs", default=default_jobs(), show_default="all processors", type=click.IntRange(1, 256))
@seed_option
@click.option("--notebooks", is_flag=True, help="Show each notebook itself beside its report.")
@click.option("--unsafe", is_flag=True, help="Grade even where no box can be built around the code.")
@box_options
def grade(
    what: Path,
    assignment: str,
    out: Path,
    roster: Path | None,
    jobs: int,
    seed: int,
    notebooks: bool,
    unsafe: bool,
    **options: Any,
) -> None:
    """Grade a class: WHAT is a folder with one folder or file per submission, or a platform's download."""
    asks, wanted = chosen(assignment, ()), asked(**options)
    intake = handed_in(what, asks, out, roster)
    todo = intake.entries
    box, steps = wanted.box()
    box.close()  # each job has its own
    if box.rung is Rung.OPEN and not unsafe:
        says = "Without a box, other people's code is graded only with --unsafe."
        raise click.UsageError("\n".join([*(f"{step.rung}: {step.problem}" for step in steps), says]))
    for step in steps:
        click.echo(f"not {step.rung}: {step.problem}", err=True)
    keep = _Keep(out, notebooks)
    plan = Class(asks, wanted.deck(seed), box.rung, box.limits, box.device, keep)
    started = time.monotonic()
    try:
        save(out, intake.klass)
        graded = grade_all(todo, plan, min(jobs, len(todo)))
        results = followed(graded, len(todo), f"submissions, sandbox: {box.rung}", _failures)
        _say(publish_marked(out))
    except OSError as error:
        fail(f"cannot write results: {error}")
    except KeyboardInterrupt:
        publish_marked(out)
        fail("interrupted; the results so far are in place")
    _summary(results, out, time.monotonic() - started)
    sys.exit(status(results))


@dataclass(frozen=True)
class _Keep:
    """Writes a result and its page, in the process that graded it."""

    out: Path
    notebooks: bool

    def __call__(self, entry: Entry, result: Result) -> None:
        folder = write(self.out, result)
        if self.notebooks and (data := _notebook(entry.path)):
            write_whole(folder / "notebook.ipynb", data)
        try:
            publish.publish_one(self.out, result)
        except OSError:
            raise
        except Exception as error:  # the result is kept; one page must not stop the class
            click.echo(f"softmark: no page for {result.submission.id}: {error!r}", err=True)


def _notebook(path: Path) -> bytes | None:
    try:
        with bounded():
            files = read(path).files
    except Unreadable:
        return None
    return next((file.data for file in files if file.kind == "notebook"), None)


def _failures(results: list[Result]) -> str:
    return f"{sum(not passed(result) for result in results)} with something wrong"


def _say(notes: list[str]) -> None:
    for note in notes:
        click.echo(note, err=True)


def _summary(results: list[Result], out: Path, seconds: float) -> None:
    for result in sorted(results, key=lambda result: result.submission.id):
        click.echo(f"  {result.points:5.2f} / {result.max_points:g}  {result.submission.id}")
    ours = [r.submission.id for r in results if broken(r)]
    if ours:
        click.echo(f"softmark itself failed on: {', '.join(ours)}", err=True)
    click.echo(f"{len(results)} submissions in {seconds:.1f} s; pages: {out / 'index.html'}")
