"""The command `softmark`: the only place where grading and reports meet.

Exit status: 0 all passed, 1 some did not, 2 wrong usage, 3 softmark itself failed somewhere.
"""

import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from graders import audit as audits
from graders import doctor as doctors
from graders.audited import AuditedExercise
from graders.batch import Class, Entry, default_jobs, entries, grade_all
from graders.exercise import Assignment, UnknownName, assignment_names, load_assignment, symbols_of
from graders.extract import study
from graders.grade import Grader
from graders.options import asked, box_options
from graders.progress import followed
from graders.reading.bounds import bounded
from graders.result import Outcome, Result
from graders.sandbox import BoxBroken
from graders.store import write, write_whole
from graders.submission import Unreadable, read
from graders.wall.rung import Rung
from reports import audit as audit_report
from reports import publish, terminal

SEED = 1
ALL_PASSED, SOME_DID_NOT, WRONG_USAGE, OURS = 0, 1, 2, 3


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="softmark")
def main() -> None:
    """Grade the code of a Transformers course: notebooks and modules in, findings out."""


@main.command()
@click.argument("file", type=click.Path(exists=True, path_type=Path))
@click.option("--assignment", help="The assignment's name; found by the symbols in FILE if not given.")
@click.option("--exercise", "exercises", multiple=True, help="Check this exercise alone; may be given again.")
@click.option("--seed", default=SEED, show_default=True, help="Which draws the checks make.")
@box_options
def check(file: Path, assignment: str | None, exercises: tuple[str, ...], seed: int, **options: Any) -> None:
    """Check one's own work: a notebook, a module, a folder or a zip of these."""
    console = Console()
    chosen = _assignment(assignment or _recognised(file), exercises)
    wanted = asked(**options)
    box, steps = wanted.box()
    for says in (*(f"not {step.rung}: {step.problem}" for step in steps), *_open_banner(box.rung)):
        console.print(says, style="yellow", markup=False)
    try:
        with box:
            result = Grader(chosen, wanted.deck(seed), box).grade(file, _name_of(file))
    except BoxBroken as error:
        _fail(str(error))
    terminal.show(console, result)
    sys.exit(_status([result]))


@main.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--assignment", required=True, help="The assignment's name.")
@click.option(
    "--out", required=True, type=click.Path(file_okay=False, path_type=Path), help="Where results go."
)
@click.option("--jobs", default=default_jobs(), show_default="all processors", type=click.IntRange(1, 256))
@click.option("--seed", default=SEED, show_default=True, help="Which draws the checks make, for all alike.")
@click.option("--notebooks", is_flag=True, help="Show each notebook itself beside its report.")
@click.option("--unsafe", is_flag=True, help="Grade even where no box can be built around the code.")
@box_options
def grade(
    folder: Path,
    assignment: str,
    out: Path,
    jobs: int,
    seed: int,
    notebooks: bool,
    unsafe: bool,
    **options: Any,
) -> None:
    """Grade a class: FOLDER holds one folder or file per submission."""
    todo = entries(folder)
    if not todo:
        raise click.UsageError(f"there is no submission in {folder}: no folder, notebook, module or zip")
    chosen, wanted = _assignment(assignment, ()), asked(**options)
    box, steps = wanted.box()
    box.close()  # each job has its own
    if box.rung is Rung.OPEN and not unsafe:
        says = "Without a box, other people's code is graded only with --unsafe."
        raise click.UsageError("\n".join([*(f"{step.rung}: {step.problem}" for step in steps), says]))
    for step in steps:
        click.echo(f"not {step.rung}: {step.problem}", err=True)
    keep = _Keep(out, notebooks)
    plan = Class(chosen, wanted.deck(seed), box.rung, box.limits, box.device, keep)
    started = time.monotonic()
    try:
        out.mkdir(parents=True, exist_ok=True)
        graded = grade_all(todo, plan, min(jobs, len(todo)))
        results = followed(graded, len(todo), f"submissions, sandbox: {box.rung}", _failures)
        _publish(out)
    except OSError as error:
        _fail(f"cannot write results: {error}")
    except KeyboardInterrupt:
        _publish(out)
        _fail("interrupted; the results so far are in place")
    _summary(results, out, time.monotonic() - started)
    sys.exit(_status(results))


@main.command()
@click.argument("out", type=click.Path(exists=True, file_okay=False, path_type=Path))
def report(out: Path) -> None:
    """Make the pages and grades.csv in OUT again from its results, without grading again."""
    results, notes = publish.load(out)
    for result in results:
        publish.publish_one(out, result)
    publish.publish_class(out, results, notes)
    for note in notes:
        click.echo(note, err=True)
    click.echo(f"{len(results)} pages: {out / 'index.html'}")
    sys.exit(OURS if notes else ALL_PASSED)


@main.command()
@click.argument("name", required=False)
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Write the page here too.")
@click.option("--jobs", default=default_jobs(), show_default="all processors", type=click.IntRange(1, 256))
@click.option("--seed", default=SEED, show_default=True, help="Which draws the checks make.")
@box_options
def audit(name: str | None, out: Path | None, jobs: int, seed: int, **options: Any) -> None:
    """Do the checks bite? NAME is an assignment or an exercise; without it, all are audited."""
    chosen = _audited(name)
    wanted = asked(**options)
    box, _ = wanted.box()
    box.close()  # each job has its own
    exercises = [(assignment.name, e) for assignment in chosen for e in assignment.exercises]
    whole = Assignment("audit", "audit", tuple(e for _, e in exercises))
    plan = Class(whole, wanted.deck(seed, 0), box.rung, box.limits, box.device, lambda *_: None)
    try:
        came = followed(audits.audit(exercises, plan, jobs), len(exercises), "exercises", _gaps)
    except audits.NoSolutions as error:
        raise click.UsageError(str(error)) from error
    order = [e.name for _, e in exercises]
    found = sorted(came, key=lambda audited: order.index(audited.name))
    audit_report.show(Console(), found)
    if out is not None:
        click.echo(f"page: {audit_report.publish(out, found)}")
    sys.exit(SOME_DID_NOT if any(e.gaps for e in found) else ALL_PASSED)


@main.command()
def doctor() -> None:
    """Say what this machine offers, which box is in force, and what to install."""
    console = Console()
    found = doctors.facts()
    for fact in found:
        mark, style = ("ok", "green") if fact.well else ("!!", "yellow")
        console.print(f"[{style}]{mark}[/] [bold]{fact.what:<11}[/] ", end="")
        console.print(fact.found, markup=False, highlight=False, soft_wrap=True)
        if fact.advice:
            console.print(f"   {'':<11} {fact.advice}", markup=False, highlight=False, soft_wrap=True)
    sys.exit(ALL_PASSED if all(fact.well for fact in found) else SOME_DID_NOT)


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


def _open_banner(rung: Rung) -> list[str]:
    return ["NOT BOXED: it runs with all your rights. Only for your own code."] if rung is Rung.OPEN else []


def _name_of(path: Path) -> str:
    whole = path.resolve()
    return whole.name if path.is_dir() else whole.stem


def _notebook(path: Path) -> bytes | None:
    try:
        with bounded():
            files = read(path).files
    except Unreadable:
        return None
    return next((file.data for file in files if file.kind == "notebook"), None)


def _assignment(name: str, exercises: tuple[str, ...]) -> Assignment:
    try:
        return load_assignment(name).only(exercises)
    except UnknownName as error:
        raise click.UsageError(str(error)) from error


def _audited(name: str | None) -> list[Assignment]:
    """The assignments of the course, or those parts of them that `name` names."""
    every = [load_assignment(one) for one in assignment_names()]
    if name is None or name in assignment_names():
        return [assignment for assignment in every if name in (None, assignment.name)]
    holding = [a for a in every if name in {e.name for e in a.exercises}]
    if not holding:
        known = [*assignment_names(), *(e.name for a in every for e in a.exercises)]
        raise click.UsageError(str(UnknownName.of("assignment or exercise", name, known)))
    return [assignment.only([name]) for assignment in holding]


def _gaps(found: list[AuditedExercise]) -> str:
    return f"{sum(len(e.gaps) for e in found)} gaps"


def _recognised(file: Path) -> str:
    """The assignment most of whose symbols the file has."""
    try:
        with bounded():
            symbols = study(read(file)).symbols
    except Unreadable as error:
        raise click.UsageError(str(error)) from error
    found = {name: len(symbols & symbols_of(name)) for name in assignment_names()}
    name = max(found, key=lambda name: found[name])
    if not found[name]:
        known = ", ".join(assignment_names())
        raise click.UsageError(
            f"{file} defines nothing that an assignment asks for; --assignment names one ({known})"
        )
    return name


def _failures(results: list[Result]) -> str:
    return f"{sum(not _passed(result) for result in results)} with something wrong"


def _publish(out: Path) -> None:
    publish.publish_class(out, *publish.load(out))


def _summary(results: list[Result], out: Path, seconds: float) -> None:
    for result in sorted(results, key=lambda result: result.submission.id):
        click.echo(f"  {result.points:5.2f} / {result.max_points:g}  {result.submission.id}")
    broken = [r.submission.id for r in results if _broken(r)]
    if broken:
        click.echo(f"softmark itself failed on: {', '.join(broken)}", err=True)
    click.echo(f"{len(results)} submissions in {seconds:.1f} s; pages: {out / 'index.html'}")


def _passed(result: Result) -> bool:
    return all(e.outcome in (Outcome.PASSED, Outcome.SKIPPED) for e in result.exercises)


def _broken(result: Result) -> bool:
    return any(e.outcome is Outcome.BROKEN for e in result.exercises)


def _status(results: list[Result]) -> int:
    if any(map(_broken, results)):
        return OURS
    return ALL_PASSED if all(map(_passed, results)) else SOME_DID_NOT


def _fail(says: str) -> None:
    click.echo(f"softmark: {says}", err=True)
    sys.exit(OURS)
