"""What `softmark audit` does once its options are known to be right."""

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, NoReturn, TypeVar

import click
from rich.console import Console

from graders.audit import audit as audits
from graders.audit.depth import Depth
from graders.audit.load_exercises import ExercisesToAudit, load_exercises
from graders.audit.names.tell_apart import tell_apart
from graders.audit.names.try_neighbours import try_neighbours
from graders.audit.styles.try_styles import try_styles
from graders.audit.try_draws import try_draws
from graders.audit.try_seeds import try_seeds
from graders.batch.grade_all import ClassPlan, WarmBox
from graders.batch.prepare_run import make_draws
from graders.cli.exit_status import ALL_PASSED, SOME_DID_NOT, fail
from graders.cli.grading_options import open_box
from graders.cli.progress import follow
from graders.course.exercise import Assignment
from graders.help.topics import with_topic
from graders.judging.draws import Draws
from graders.language import tr, trn
from graders.results.audit_result import (
    AuditedExercise,
    DrawnExercise,
    NamedExercise,
    NeighbouredExercise,
    SeededExercise,
    StyledExercise,
)
from graders.sandbox.box import Box
from graders.sandbox.box_options import BoxOptions
from reports import audit as audit_report
from reports import draws as draws_report
from reports import names as names_report
from reports import seeds as seeds_report
from reports import styles as styles_report
from reports import words

Tried = (
    AuditedExercise | StyledExercise | SeededExercise | NamedExercise | NeighbouredExercise | DrawnExercise
)
T = TypeVar("T", bound=Tried)


def audit_exercises(
    name: str | None, out: Path | None, jobs: int, seed: int, depth: Depth, asked: BoxOptions
) -> NoReturn:
    """Audit exercises, show what was found, and end with the status.

    Raises:
        tomllib.TOMLDecodeError: course.toml is no TOML.
        click.UsageError: there are no solutions here.
    """
    loaded = load_exercises(name)
    total = len(loaded.exercises) + len(loaded.faulty)
    audited: list[AuditedExercise] = []
    try:
        with open_box(asked)[0] as box:
            plan = _plan(loaded, make_draws(asked, seed, box.level, tries=0), box)
            results = tell_gaps(audits.audit(loaded, plan, jobs, depth), _in_gaps)
            label = trn("{n} exercise", "{n} exercises", total)
            for exercise in follow(results, total, label, _in_gaps, _gaps):
                audited.append(exercise)
    except audits.NoSolutions as error:
        raise click.UsageError(with_topic(error, "reference")) from error
    except KeyboardInterrupt:
        _show(loaded, audited, complete=False)
        fail(tr("interrupted with {done} of {total} exercises done", done=len(audited), total=total))
    shown = _show(loaded, audited)
    if out is not None:
        click.echo(tr("page: {path}", path=audit_report.publish(out, shown)))
    sys.exit(SOME_DID_NOT if any(exercise.gaps for exercise in shown) else ALL_PASSED)


def audit_styles(
    name: str | None, out: Path | None, jobs: int, seed: int, count: int, asked: BoxOptions
) -> NoReturn:
    """Try known answers in other styles, show whose verdict changed, and end with the status.

    Raises:
        tomllib.TOMLDecodeError: course.toml is no TOML.
        click.UsageError: there are no solutions here.
    """
    tried = _try_all(name, seed, asked, lambda loaded, plan: try_styles(loaded, plan, jobs, count), _changed)
    styles_report.show(Console(), tried.exercises, complete=tried.complete)
    for folder in styles_report.publish(out, tried.exercises) if out is not None else ():
        click.echo(tr("code: {path}", path=folder))
    tried.end(any(e.changed or e.gaps for e in tried.exercises))


def audit_seeds(name: str | None, jobs: int, seed: int, count: int, asked: BoxOptions) -> NoReturn:
    """Grade known answers under several seeds, show whose points change, and end with the status.

    Raises:
        tomllib.TOMLDecodeError: course.toml is no TOML.
        click.UsageError: there are no solutions here.
    """
    tried = _try_all(name, seed, asked, lambda loaded, plan: try_seeds(loaded, plan, jobs, count), _in_gaps)
    seeds_report.show(Console(), tried.exercises, count)
    tried.end(any(exercise.gaps for exercise in tried.exercises))


def audit_names(name: str | None, out: Path | None, jobs: int, seed: int, asked: BoxOptions) -> NoReturn:
    """Show what tells known mistakes apart from their neighbours, and end with the status.

    Raises:
        tomllib.TOMLDecodeError: course.toml is no TOML.
        click.UsageError: there are no solutions here.
    """
    tried = _try_all(name, seed, asked, lambda loaded, plan: tell_apart(loaded, plan, jobs), _in_gaps)
    names_report.show(Console(), tried.exercises, complete=tried.complete)
    for path in names_report.publish(out, tried.exercises) if out is not None else ():
        click.echo(tr("page: {path}", path=path))
    tried.end(any(exercise.gaps for exercise in tried.exercises))


def audit_neighbours(
    name: str | None, out: Path | None, jobs: int, seed: int, count: int, asked: BoxOptions
) -> NoReturn:
    """Try code beside known answers, show what was named falsely, and end with the status.

    Raises:
        tomllib.TOMLDecodeError: course.toml is no TOML.
        click.UsageError: there are no solutions here.
    """
    tried = _try_all(
        name, seed, asked, lambda loaded, plan: try_neighbours(loaded, plan, jobs, count), _untrue
    )
    names_report.show_neighbours(Console(), tried.exercises, complete=tried.complete)
    for folder in names_report.publish_neighbours(out, tried.exercises) if out is not None else ():
        click.echo(tr("code: {path}", path=folder))
    tried.end(any(e.false or e.gaps for e in tried.exercises))


def audit_draws(
    name: str | None, out: Path | None, jobs: int, seed: int, count: int, asked: BoxOptions
) -> NoReturn:
    """Show which draws of each check show which wrong answers, and end with the status.

    Raises:
        tomllib.TOMLDecodeError: course.toml is no TOML.
        click.UsageError: there are no solutions here.
    """
    tried = _try_all(name, seed, asked, lambda loaded, plan: try_draws(loaded, plan, jobs, count), _in_gaps)
    draws_report.show(Console(), tried.exercises, complete=tried.complete)
    for path in draws_report.publish(out, tried.exercises) if out is not None else ():
        click.echo(tr("page: {path}", path=path))
    tried.end(any(exercise.gaps for exercise in tried.exercises))


@dataclass(frozen=True)
class _Tried(Generic[T]):
    """The results of the exercises that were tried, in the course's order, and how many there are in all."""

    exercises: list[T]
    total: int
    complete: bool

    def end(self, has_gaps: bool) -> NoReturn:
        """End the command with the status."""
        if not self.complete:
            done = len(self.exercises)
            fail(tr("interrupted with {done} of {total} exercises done", done=done, total=self.total))
        sys.exit(SOME_DID_NOT if has_gaps else ALL_PASSED)


def _try_all(
    name: str | None,
    seed: int,
    asked: BoxOptions,
    start: Callable[[ExercisesToAudit, ClassPlan], Iterator[T]],
    count: Callable[[T], int],
) -> _Tried[T]:
    """Try all exercises that are asked for, or those before an interruption.

    Progress shows the sum of `count`.
    """
    _refuse_without_solutions()
    loaded = load_exercises(name)
    total, done, complete = len(loaded.exercises), list[T](), True
    try:
        with open_box(asked)[0] as box:
            plan = _plan(loaded, make_draws(asked, seed, box.level, tries=0), box)
            results = tell_gaps(start(loaded, plan), count)
            for exercise in follow(results, total, trn("{n} exercise", "{n} exercises", total), count, _gaps):
                done.append(exercise)
    except KeyboardInterrupt:
        complete = False
    done.sort(key=lambda exercise: loaded.order.index(exercise.name))
    return _Tried(done, total, complete)


def _changed(exercise: StyledExercise) -> int:
    return len(exercise.changed) + len(exercise.gaps)


def _in_gaps(exercise: AuditedExercise | SeededExercise | NamedExercise | DrawnExercise) -> int:
    return len(exercise.gaps)


def _untrue(exercise: NeighbouredExercise) -> int:
    return len(exercise.false) + len(exercise.gaps)


def _refuse_without_solutions() -> None:
    try:
        audits.refuse_without_solutions()
    except audits.NoSolutions as error:
        raise click.UsageError(with_topic(error, "reference")) from error


def _plan(loaded: ExercisesToAudit, draws: Draws, box: Box) -> ClassPlan:
    exercises = tuple(exercise for _, exercise in loaded.exercises)
    return ClassPlan(
        assignment=Assignment("audit", "audit", exercises),
        draws=draws,
        level=box.level,
        limits=box.limits,
        device=box.device,
        keep=lambda *_: None,
        warm_box=WarmBox(box),
    )


def _show(
    loaded: ExercisesToAudit, audited: list[AuditedExercise], *, complete: bool = True
) -> list[AuditedExercise]:
    """Print what was found, in the course's order, and return it in that order."""
    shown = sorted(audited, key=lambda exercise: loaded.order.index(exercise.name))
    audit_report.show(Console(), shown, complete=complete)
    return shown


def tell_gaps(exercises: Iterable[T], count: Callable[[T], int]) -> Iterator[T]:
    """The same exercises; which has gaps is said on standard error as soon as it ends, for a run is long."""
    for exercise in exercises:
        if gaps := count(exercise):
            click.secho(words.about(exercise.name, _gaps(gaps)), fg="red", err=True)
        yield exercise


def _gaps(count: int) -> str:
    return trn("{n} gap", "{n} gaps", count)
