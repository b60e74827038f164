"""What `softmark grade` does once its options are known to be right."""

import contextlib
import difflib
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import click

from graders.batch import cache_key
from graders.batch.folder_lock import FolderInUse, NotWritable, lock_folder
from graders.batch.grade_class import Class, Elsewhere, WarmBox, grade_all
from graders.batch.part_record import Part, PartRecord, digest_of, write_part
from graders.batch.process_pool import WorkerDied, spread
from graders.batch.run_seed import run_seed
from graders.classroom.intake.download import Entry
from graders.classroom.run_marks import make_marker
from graders.cli import run_summary
from graders.cli.draw_heads import HeadsToDraw, open_heads
from graders.cli.elapsed import seconds_running
from graders.cli.exit_status import fail, status
from graders.cli.grade_on_cluster import on_cluster
from graders.cli.grading_options import dtype_of, load_chosen, make_draws
from graders.cli.load_class import load_class
from graders.cli.missing_results import describe_missing
from graders.cli.open_class import open_class
from graders.cli.open_walled import open_walled
from graders.cli.parse_options import Wanted
from graders.cli.progress import follow
from graders.cli.publish_class import publish_class
from graders.cli.regrade_policy import RegradePolicy
from graders.cli.save_results import CachedSubmission, CacheLookup, ResultWriter
from graders.cluster.addresses import Cluster
from graders.cluster.connection import ClusterLost
from graders.heads.request import Request
from graders.language import current_language, number, tr, translatable, trn
from graders.results.compact import share
from graders.results.result import Result
from graders.sandbox.interpreter import BoxBroken
from graders.sandbox.isolation.choose_level import Started
from reports.pages import templating

GO_ON = translatable("the results so far are in place, and the same command goes on from there")


@dataclass(frozen=True)
class Asked:
    """What the command line asks for.

    Attributes:
        part: the part of the class that is graded; None for all of it.
        only: ids of submissions; empty for all.
        again: which submissions that have a result are graded again.
        unsafe: whether to grade where no box works.
        threads: with how many threads correct answers are timed; 0 times nothing.
        full: whether timing measures everything.
        wanted: the box, its limits, the device and the precision.
        cluster: whose workers grade; None for this machine.
        heads: the sentence on which attention is drawn, if one was given.
    """

    assignment: str
    out: Path
    roster: Path | None
    jobs: int
    corpus: str | None
    seed: int | None
    part: Part | None
    notebooks: bool
    only: tuple[str, ...]
    again: RegradePolicy
    unsafe: bool
    threads: int
    full: bool
    wanted: Wanted
    cluster: Cluster | None = None
    heads: Request | None = None


def grade_submissions(path: Path, asked: Asked, started: Started) -> NoReturn:
    """Grade the class at `path`, in the interpreter that was `started`, and end with the status.

    Raises:
        click.UsageError: the class, its roster or the folder for the results cannot be used.
    """
    assignment = load_chosen(asked.assignment, ()).measured_on(asked.corpus)
    try:
        with (
            open_walled(asked.wanted, asked.unsafe, started) as box,
            lock_folder(asked.out),
            open_class(path, assignment, asked.out, asked.roster) as intake,
        ):
            todo = _select(intake.entries, asked.only, asked.part)
            heads = open_heads(asked.heads, box.level)
            keep = ResultWriter(asked.out, asked.notebooks, make_marker(asked.out)[0])
            wanted, draws = asked.wanted, make_draws(asked.wanted, _seed(asked.out, asked.seed))
            settings = cache_key.Settings(
                draws.seed,
                wanted.device,
                str(dtype_of(wanted)),
                wanted.limits,
                box.level,
                asked.threads,
                asked.full,
                current_language(),
            )
            plan = Class(
                assignment,
                draws,
                box.level,
                wanted.limits,
                wanted.device,
                keep,
                asked.threads,
                asked.full,
                warm_box=WarmBox(box),
            )
            facts = cache_key.facts_of_run(assignment, settings)
            cached = CacheLookup(keep, digest_of(facts), asked.again)
            elsewhere = None
            if asked.cluster is not None:
                elsewhere = on_cluster(asked.cluster, plan, settings, facts, asked.corpus, asked.jobs)
            run = _Run(plan, cached, asked.jobs, elsewhere, asked.part, facts, heads)
            done = _grade_class(todo, run, asked.out)
    except (FolderInUse, NotWritable) as error:
        raise click.UsageError(str(error)) from error
    sys.exit(status(done.results))


@dataclass(frozen=True)
class _Run:
    plan: Class
    lookup_cached: CacheLookup
    jobs: int
    elsewhere: Elsewhere | None
    part: Part | None
    facts: dict[str, str]
    heads: HeadsToDraw | None

    def take_cached(self, todo: list[Entry], done: run_summary.Done) -> list[Entry]:
        """Move the valid cached results into `done`; returns the submissions to grade, with their keys."""
        left = {entry.id: entry for entry in todo}
        keys = {entry.id: "" for entry in todo}
        looked = spread(todo, self.lookup_cached, self.jobs)
        label = trn("{n} submission", "{n} submissions", len(todo))
        for entry, lookup in follow(looked, len(todo), label, _count_to_grade, _to_grade):
            if isinstance(lookup, WorkerDied):  # grading may succeed, and otherwise reports the failure
                continue
            left[entry.id] = lookup.entry
            keys[entry.id] = lookup.entry.key
            if lookup.result is not None:
                del left[entry.id]
                done.cache(share(lookup.result), lookup.stale)
        if self.part is not None:
            record = PartRecord(self.part, self.lookup_cached.run, self.facts, keys)
            write_part(self.lookup_cached.writer.out, record)
        return list(left.values())

    def grade(self, left: list[Entry], done: run_summary.Done) -> None:
        """Grade the remaining submissions."""
        graded = grade_all(left, self.plan, self.jobs, self.elsewhere)
        label = tr("{n} to grade, sandbox: {level}", n=number(len(left), ","), level=self.plan.level)
        for result in follow(graded, len(left), label, _count_wrong, _with_something_wrong):
            done.results.append(share(result))

    def draw(self, todo: list[Entry]) -> None:
        """Draw what was asked for, on the pages of all submissions, graded now or before."""
        if self.heads is not None:
            self.heads.draw_class(todo, self.plan, self.facts, self.lookup_cached.writer, self.jobs)

    def publish(self, out: Path, done: run_summary.Done) -> None:
        """Write the pages and tables of the whole class; a part has none."""
        if self.part is None:
            _publish(out, done)


def _grade_class(todo: list[Entry], run: _Run, out: Path) -> run_summary.Done:
    done = run_summary.Done()
    try:
        if left := run.take_cached(todo, done):
            templating.load()  # once, and not in each process
            run.grade(left, done)
        run.draw(todo)
        run.publish(out, done)
    except OSError as error:
        if missing := describe_missing(out, [result.submission.id for result in done.results]):
            fail(missing)
        message = translatable("cannot write results: {reason}; {done} of {total} are done: {more}")
        fail(tr(message, reason=error, more=tr(GO_ON), **_reached(done, todo)))
    except BoxBroken as error:
        fail(str(error))
    except ClusterLost as error:
        with contextlib.suppress(OSError):
            run.publish(out, done)
        message = translatable("{reason}, with {done} of {total} submissions done; {more}")
        fail(tr(message, reason=error, more=tr(GO_ON), **_reached(done, todo)))
    except KeyboardInterrupt:
        with contextlib.suppress(OSError):
            run.publish(out, done)
        message = translatable("interrupted with {done} of {total} submissions done; {more}")
        fail(tr(message, more=tr(GO_ON), **_reached(done, todo)))
    if missing := describe_missing(out, [result.submission.id for result in done.results]):
        fail(missing)
    for line in run_summary.lines(done):
        click.echo(line)
    click.echo(_describe_end(len(done.results), run.part, out))
    return done


def _reached(done: run_summary.Done, todo: list[Entry]) -> dict[str, str]:
    """How many submissions of how many are done."""
    return {"done": number(len(done.results), ","), "total": number(len(todo), ",")}


def _describe_end(count: int, part: Part | None, out: Path) -> str:
    seconds = number(seconds_running(), ".1f")
    if part is None:
        return trn(
            "{n} submission in {seconds} s; pages: {path}",
            "{n} submissions in {seconds} s; pages: {path}",
            count,
            seconds=seconds,
            path=out / "index.html",
        )
    return trn(
        "{n} submission of part {part} in {seconds} s; softmark gather puts all parts together: {path}",
        "{n} submissions of part {part} in {seconds} s; softmark gather puts all parts together: {path}",
        count,
        part=part,
        seconds=seconds,
        path=out,
    )


def _select(entries: list[Entry], ids: tuple[str, ...], part: Part | None) -> list[Entry]:
    if part is not None:
        return [entry for entry in entries if part.has(entry.id)]
    by_id = {entry.id: entry for entry in entries}
    for name in ids:
        if name not in by_id:
            near = difflib.get_close_matches(name, by_id, n=3)
            message = translatable("there is no submission {name}: there are {names}")
            if near:
                message = translatable("there is no submission {name}: did you mean {names}?")
            names = ", ".join(near) or run_summary.some(list(by_id))
            raise click.UsageError(tr(message, name=repr(name), names=names))
    return [entry for entry in entries if not ids or entry.id in ids]


def _seed(out: Path, chosen: int | None) -> int:
    try:
        return run_seed(out, chosen)
    except OSError as error:
        raise click.UsageError(tr("cannot write results: {reason}", reason=error)) from error


def _count_to_grade(pair: tuple[Entry, CachedSubmission | WorkerDied]) -> int:
    return int(isinstance(pair[1], WorkerDied) or pair[1].result is None)


def _to_grade(count: int) -> str:
    return tr("{n} to grade", n=number(count, ","))


def _with_something_wrong(count: int) -> str:
    return tr("{n} with something wrong", n=number(count, ","))


def _count_wrong(result: Result) -> int:
    return int(not result.has_passed)


def _publish(out: Path, done: run_summary.Done) -> None:
    by_id = {result.submission.id: result for result in done.results}
    # In its own process, so that the memory for the page of a large class is freed afterwards.
    for _, notes in spread([out], lambda out: publish_class(out, *load_class(out, by_id)), 1):
        if isinstance(notes, WorkerDied):
            raise OSError(tr("the class's page could not be made: {reason}", reason=notes))
        for note in notes:
            click.echo(note, err=True)
