"""`softmark grade`: a class, every submission of it that is not graded yet."""

import difflib
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from graders import key
from graders.batch import Class, grade_all
from graders.claim import Taken, claimed
from graders.commands import summary
from graders.commands.exits import fail, passed, status
from graders.commands.handed_in import handed_in
from graders.commands.jobs import jobs_option
from graders.commands.keep import Again, Keep, Known, Look
from graders.commands.published import publish_marked
from graders.intake.found import Entry
from graders.marking import marker_of, save
from graders.options import Wanted, asked, box_options, chosen, seed_option
from graders.pool import spread
from graders.progress import followed
from graders.result import Result
from graders.sandbox import BoxBroken
from graders.wall.rung import Rung
from reports import publish

GO_ON = "the results so far are in place, and the same command goes on from there"


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
@jobs_option
@seed_option
@click.option("--notebooks", is_flag=True, help="Show each notebook itself beside its report.")
@click.option("--only", multiple=True, metavar="ID", help="This submission alone; may be given again.")
@click.option(
    "--only-failed",
    is_flag=True,
    help="Grade again those that have not passed all; leave the others as they are.",
)
@click.option("--force", is_flag=True, help="Grade again what has not changed, too.")
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
    only: tuple[str, ...],
    only_failed: bool,
    force: bool,
    unsafe: bool,
    **options: Any,
) -> None:
    """Grade a class: WHAT is a folder with one folder or file per submission, or a platform's download.

    What has a result already, from the same files and settings, is not graded again.
    """
    if only_failed and force:
        raise click.UsageError("--force grades all again, and --only-failed some: give one of the two")
    again = Again.ALL if force else Again.FAILED if only_failed else Again.CHANGED
    asks, wanted = chosen(assignment, ()), asked(**options)
    rung = _rung(wanted, unsafe)
    settings = key.Settings(seed, wanted.device, str(wanted.dtype), wanted.limits, rung)
    try:
        with claimed(out), handed_in(what, asks, out, roster) as intake:
            todo = _only(intake.entries, only)
            save(out, intake.klass)
            keep = Keep(out, notebooks, marker_of(out)[0])
            plan = Class(asks, wanted.deck(seed), rung, wanted.limits, wanted.device, keep)
            done = _graded(todo, _Run(plan, Look(keep, key.of_run(asks, settings), again), jobs), out)
    except Taken as error:
        raise click.UsageError(str(error)) from error
    sys.exit(status(done.results))


@dataclass(frozen=True)
class _Run:
    plan: Class
    look: Look
    jobs: int

    def done(self, todo: list[Entry], done: summary.Done) -> Iterator[Result]:
        """Each submission's result, taken from the last run or made now, and noted in `done`."""
        left = {entry.id: entry for entry in todo}
        for entry, known in spread(todo, self.look, self.jobs):
            if isinstance(known, Known) and known.result is not None:
                done.results.append(known.result)
                done.cached.append(entry.id)
                done.stale += [entry.id] if known.stale else []
                del left[entry.id]
                yield known.result
            elif isinstance(known, Known):  # else looking at it killed a process, and grading may, too
                left[entry.id] = known.entry
        for result in grade_all(list(left.values()), self.plan, self.jobs):
            done.results.append(result)
            yield result


def _graded(todo: list[Entry], run: _Run, out: Path) -> summary.Done:
    done = summary.Done()
    started = time.monotonic()
    try:
        says = f"submissions, sandbox: {run.plan.rung}"
        for _ in followed(run.done(todo, done), len(todo), says, _wrong, "with something wrong"):
            pass
        _publish(out, done)
    except OSError as error:
        fail(f"cannot write results: {error}; {len(done.results)} of {len(todo)} are done: {GO_ON}")
    except BoxBroken as error:
        fail(str(error))
    except KeyboardInterrupt:
        _publish(out, done)
        fail(f"interrupted with {len(done.results)} of {len(todo)} submissions done; {GO_ON}")
    for line in summary.lines(done):
        click.echo(line)
    seconds = time.monotonic() - started
    click.echo(f"{len(done.results)} submissions in {seconds:.1f} s; pages: {out / 'index.html'}")
    return done


def _only(found: list[Entry], ids: tuple[str, ...]) -> list[Entry]:
    known = {entry.id: entry for entry in found}
    for name in ids:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=3)
            hint = f"did you mean {', '.join(near)}?" if near else f"there are {summary.some(list(known))}"
            raise click.UsageError(f"there is no submission {name!r}: {hint}")
    return [entry for entry in found if not ids or entry.id in ids]


def _rung(wanted: Wanted, unsafe: bool) -> Rung:
    """The box that each job will have.

    Raises:
        click.UsageError: there is none, and nobody said that this is well.
    """
    box, steps = wanted.box()
    box.close()
    if box.rung is Rung.OPEN and not unsafe:
        says = "Without a box, other people's code is graded only with --unsafe."
        raise click.UsageError("\n".join([*(f"{step.rung}: {step.problem}" for step in steps), says]))
    for step in steps:
        click.echo(f"not {step.rung}: {step.problem}", err=True)
    return box.rung


def _wrong(result: Result) -> int:
    return int(not passed(result))


def _publish(out: Path, done: summary.Done) -> None:
    known = {result.submission.id: result for result in done.results}
    for note in publish_marked(out, *publish.load(out, known)):
        click.echo(note, err=True)
