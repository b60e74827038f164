"""The steps of a run over a class: take the results that still hold, grade the others, draw, publish.

Only a step that grades imports PyTorch.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from graders.batch.class_options import ClassOptions
from graders.batch.class_results import ClassResults
from graders.batch.class_run import ClassRun, TakenClass
from graders.batch.errors import FolderChanged, MachinesLost, RunStopped
from graders.batch.events import (
    ClassDone,
    ClassTaken,
    DrawingBegan,
    Event,
    GradingBegan,
    PageFailed,
    SubmissionBroken,
    SubmissionDrawn,
    SubmissionGraded,
    SubmissionReused,
    SubmissionToGrade,
)
from graders.batch.load_class import load_class
from graders.batch.missing_results import describe_missing
from graders.batch.part_record import PartRecord, digest_of, write_part
from graders.batch.process_pool import WorkerDied, spread
from graders.batch.publish_class import publish_class
from graders.batch.save_results import CacheLookup
from graders.classroom.count_attempts import count_class
from graders.classroom.intake.download import Entry
from graders.classroom.marks import Marker
from graders.classroom.run_marks import MarkRules, compute_run_marks
from graders.language import tr
from graders.results.compact import share
from graders.results.result import Result
from graders.results.store import read_result
from graders.sandbox.interpreter import BoxBroken
from reports.pages import code_listing, templating

if TYPE_CHECKING:
    from graders.batch.grade_all import ClassPlan, Elsewhere  # import PyTorch


def take_steps(
    run: ClassRun,
    options: ClassOptions,
    *,
    marker: Marker,
    rules: MarkRules,
    on_event: Callable[[Event], None],
) -> ClassResults:
    """Take all steps of a run.

    Raises:
        RunStopped: a step cannot be taken.
    """
    steps = _Steps(run=run, options=options, rules=rules, on_event=on_event)
    elsewhere = options.elsewhere and options.elsewhere(run)
    drawing = options.draw and options.draw(run)
    with _telling_why_it_stops(steps):
        if left := steps.take_cached():
            templating.load()  # once, and not in each process
            code_listing.load()
            steps.grade(left, run.plan, elsewhere)
        if drawing is not None:
            steps.draw(drawing)
        notes = steps.publish()
    return steps.end(marker, notes)


def reuse_all(
    taken: TakenClass,
    options: ClassOptions,
    *,
    marker: Marker,
    rules: MarkRules,
    on_event: Callable[[Event], None],
) -> ClassResults | None:
    """Take all results that are there; None as soon as one is met that does not hold.

    Raises:
        RunStopped: a step cannot be taken.
    """
    steps = _Steps(run=taken, options=options, rules=rules, on_event=on_event)
    with _telling_why_it_stops(steps):
        if steps.take_cached(to_the_first_left=True):
            return None
        notes = steps.publish()
    return steps.end(marker, notes)


@contextmanager
def _telling_why_it_stops(steps: "_Steps") -> Iterator[None]:
    """Publish what there is where a run is stopped.

    Raises:
        RunStopped: a step cannot be taken.
    """
    try:
        yield
    except OSError as error:
        steps.require_all_there(error)
        reason = tr("cannot write results: {reason}", reason=error)
        raise RunStopped(reason, **steps.reached()) from error
    except BoxBroken as error:
        raise RunStopped(str(error)) from error
    except MachinesLost as error:
        with suppress(OSError):
            steps.publish()
        raise RunStopped(str(error), **steps.reached()) from error
    except KeyboardInterrupt:
        with suppress(OSError):
            steps.publish()
        raise


@dataclass
class _ResultsSoFar:
    """The results so far, in compact form, and the ids of those that were there before."""

    results: list[Result] = field(default_factory=list)
    reused: list[str] = field(default_factory=list)
    stale: list[str] = field(default_factory=list)

    def freeze(self, run: TakenClass, marker: Marker, notes: Iterable[str], out: Path | None) -> ClassResults:
        """What the run returns; where nothing is kept in a folder, with the whole results."""
        latest = sorted(self.results, key=lambda result: result.submission.id)
        ids = [result.submission.id for result in latest]
        counted = count_class(run.writer.out, latest, marker.attempt_rules)
        whole = {} if out else {id: read_result(run.writer.out, id) for id in ids}  # noqa: A001
        return ClassResults(
            results=tuple(counted.results),
            attempts=counted.attempts,
            graded=tuple(sorted(set(ids) - set(self.reused))),
            reused=tuple(sorted(self.reused)),
            stale=tuple(sorted(self.stale)),
            notes=tuple(notes),
            seed=run.settings.seed,
            level=run.settings.level,
            out=out,
            marker=marker,
            whole={id: result for id, result in whole.items() if result is not None},  # noqa: A001
        )


@dataclass(frozen=True, kw_only=True)
class _Steps:
    """The steps of a run, with what they share."""

    run: TakenClass
    options: ClassOptions
    rules: MarkRules
    on_event: Callable[[Event], None]
    done: _ResultsSoFar = field(default_factory=_ResultsSoFar)

    def end(self, marker: Marker, notes: list[str]) -> ClassResults:
        """What the run returns, with sentences for the instructor."""
        self.require_all_there()
        self.on_event(ClassDone(notes=tuple(notes)))
        out = None if self.options.out is None else Path(self.options.out)
        return self.done.freeze(self.run, marker, notes, out)

    def take_cached(self, *, to_the_first_left: bool = False) -> list[Entry]:
        """Take the results that still hold; returns the submissions to grade, with their keys.

        Args:
            to_the_first_left: end with the first submission that is to be graded, and return it alone.
        """
        todo, out = self.run.entries, self.run.writer.out
        self.on_event(ClassTaken(submissions=len(todo)))
        lookup = CacheLookup(
            writer=self.run.writer, run=digest_of(self.run.facts), policy=self.options.regrade
        )
        left = {entry.id: entry for entry in todo}
        keys = {entry.id: "" for entry in todo}
        for entry, found in spread(todo, lookup, self.run.jobs):
            if to_the_first_left and (isinstance(found, WorkerDied) or found.result is None):
                return [entry]
            if isinstance(found, WorkerDied):  # grading may succeed, and otherwise reports the failure
                self.on_event(SubmissionToGrade(id=entry.id))
                continue
            left[entry.id] = found.entry
            keys[entry.id] = found.entry.key
            if found.result is None:
                self.on_event(SubmissionToGrade(id=entry.id))
                continue
            del left[entry.id]
            self._reuse(share(found.result), stale=found.stale, page_failed=found.page_failed)
        if self.options.part is not None:
            record = PartRecord(self.options.part, lookup.run, dict(self.run.facts), keys)
            write_part(out, record)
        return list(left.values())

    def _reuse(self, result: Result, *, stale: bool, page_failed: str) -> None:
        name = result.submission.id
        self.done.results.append(result)
        self.done.reused.append(name)
        self.done.stale += [name] if stale else []
        self.on_event(SubmissionReused(result=result, stale=stale))
        self._report_page(name, page_failed)

    def grade(self, left: list[Entry], plan: "ClassPlan", elsewhere: "Elsewhere | None") -> None:
        """Grade the submissions that are left."""
        from graders.batch.grade_all import grade_all

        self.on_event(GradingBegan(submissions=len(left), level=plan.level))
        for kept in grade_all(left, plan, self.run.jobs, elsewhere):
            result = share(kept.result)
            self.done.results.append(result)
            self.on_event(
                SubmissionBroken(result=result) if result.softmark_failed else SubmissionGraded(result=result)
            )
            self._report_page(result.submission.id, kept.page_failed)

    def _report_page(self, name: str, reason: str) -> None:
        if reason:
            self.on_event(PageFailed(id=name, reason=reason))

    def draw(self, drawing: Iterable[str | None]) -> None:
        """Draw beside the results."""
        self.on_event(DrawingBegan(submissions=len(self.run.entries)))
        for problem in drawing:
            self.on_event(SubmissionDrawn(problem=problem))

    def publish(self) -> list[str]:
        """Write the pages and tables of the whole class; a part has none."""
        writer = self.run.writer
        if self.options.part is not None:
            return []
        if not writer.pages:
            return compute_run_marks(writer.out, self.done.results, self.rules).notes
        by_id = {result.submission.id: result for result in self.done.results}
        publish = partial(_publish_all, by_id=by_id, rules=self.rules, run=digest_of(self.run.facts))
        # In its own process, so that the memory for the page of a large class is freed afterwards.
        for _, notes in spread([writer.out], publish, 1):
            if isinstance(notes, WorkerDied):
                raise OSError(tr("the class's page could not be made: {reason}", reason=notes))
            return notes
        return []

    def require_all_there(self, error: OSError | None = None) -> None:
        """Require that nobody has removed results meanwhile.

        Raises:
            FolderChanged: somebody has.
        """
        ids = [result.submission.id for result in self.done.results]
        if missing := describe_missing(self.run.writer.out, ids):
            raise FolderChanged(missing) from error

    def reached(self) -> dict[str, int]:
        """How many submissions of how many are done."""
        return {"done": len(self.done.results), "total": len(self.run.entries)}


def _publish_all(out: Path, by_id: dict[str, Result], rules: MarkRules, run: str) -> list[str]:
    results, unread = load_class(out, by_id)
    return publish_class(out, results, unread, rules, run)
