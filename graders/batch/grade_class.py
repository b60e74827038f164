"""Grade a class by one call: what `softmark grade` does, for Python, notebooks and other tools.

Student code runs in boxes alone, and nothing is written to the terminal. What happens meanwhile is told to
`on_event`, as data.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from graders.batch import cache_key
from graders.batch.class_options import USUAL, ClassOptions
from graders.batch.class_results import ClassResults
from graders.batch.class_run import ClassRun
from graders.batch.errors import CannotGrade
from graders.batch.events import (
    Event,
    ExerciseBroken,
    LevelsFailed,
    UnwalledBox,
    ignore,
)
from graders.batch.folder_lock import lock_folder
from graders.batch.grade_all import ClassPlan, WarmBox
from graders.batch.kept_course import kept_course
from graders.batch.prepare_run import dtype_of, end_run, in_course, load, make_draws, open_walled
from graders.batch.process_pool import default_jobs
from graders.batch.regrade_policy import RegradePolicy
from graders.batch.results_folder import refuse_submissions, require_part
from graders.batch.run_seed import run_seed
from graders.batch.run_steps import take_steps
from graders.batch.save_results import ResultWriter
from graders.batch.take_class import select, take_class
from graders.classroom.intake.download import Entry
from graders.classroom.marks import Marker
from graders.classroom.run_marks import MarkRules, make_marker
from graders.course.course_file import own_file
from graders.course.course_table import BadCourse
from graders.course.exercise import Assignment
from graders.language import current_language, tr
from graders.sandbox.box import Box
from graders.sandbox.isolation.choose_level import StartedInterpreter


def grade_class(
    handed_in: Path | str,
    assignment: str,
    options: ClassOptions = USUAL,
    *,
    on_event: Callable[[Event], None] = ignore,
    started: StartedInterpreter = None,
) -> ClassResults:
    """Grade all submissions of a class, several at a time.

    Args:
        handed_in: a folder with one folder or file per submission, or a platform's download.
        assignment: its name in the course's file.
        options: what can be chosen; each choice has a default.
        on_event: is called with what happens (`graders/batch/events.py`), in this thread.
        started: an interpreter that was started for the box, where the caller began before.

    Raises:
        CannotGrade: the class, its roster or the folder for the results cannot be used, or no box holds.
        RunStopped: the run has begun and cannot go on.
    """
    handed_in = Path(handed_in)
    with ExitStack() as stack:
        out = Path(options.out or stack.enter_context(TemporaryDirectory(prefix="softmark-class-")))
        _require_folder(handed_in, out, options)
        course = options.course or own_file() or _kept_course(out)
        stack.enter_context(in_course(Path(course) if course else None, options.language))
        chosen = load(assignment, corpus=options.corpus)
        for exercise in chosen.exercises:
            if exercise.fault is not None:
                on_event(ExerciseBroken(exercise=exercise.name, fault=exercise.fault))
        box = stack.enter_context(_open_box(options, on_event, started))
        stack.enter_context(lock_folder(out))
        rules = MarkRules(late=options.late, overrides=options.overrides)
        roster = None if options.roster is None else Path(options.roster)
        intake = stack.enter_context(take_class(handed_in, chosen, out, roster=roster, rules=rules))
        entries = select(intake.entries, options.only, options.part)
        marker = make_marker(out, rules=rules)[0]
        run = _prepare(assignment=chosen, box=box, entries=entries, options=options, out=out, marker=marker)
        return take_steps(run, options, marker=marker, rules=rules, on_event=on_event)


def _kept_course(out: Path) -> Path | None:
    try:
        return kept_course(out)
    except BadCourse as error:
        raise CannotGrade(str(error)) from error


def _require_folder(handed_in: Path, out: Path, options: ClassOptions) -> None:
    if not handed_in.exists():
        raise CannotGrade(tr("there is no {path}", path=handed_in))
    refuse_submissions(out, handed_in)
    selects = bool(options.only) or options.regrade is RegradePolicy.FAILED
    require_part(options.part, out, seeded=options.seed is not None, selects=selects)


@contextmanager
def _open_box(
    options: ClassOptions, on_event: Callable[[Event], None], started: StartedInterpreter
) -> Iterator[Box]:
    box, failed = open_walled(options.box, started)
    try:
        with box:
            for levels, problem in failed:
                on_event(LevelsFailed(levels=levels, problem=problem))
            if not box.level.walled:
                on_event(UnwalledBox(level=box.level))
            yield box
    finally:
        end_run(box.level)


def _prepare(
    assignment: Assignment, box: Box, entries: list[Entry], options: ClassOptions, out: Path, marker: Marker
) -> ClassRun:
    try:
        seed = run_seed(out, options.seed)
    except OSError as error:
        raise CannotGrade(tr("cannot write results: {reason}", reason=error)) from error
    pages = options.pages and options.out is not None
    writer = ResultWriter(out=out, notebooks=options.notebooks, marker=marker, pages=pages)
    settings = cache_key.Settings(
        seed=seed,
        device=options.box.device,
        dtype=str(dtype_of(options.box)),
        limits=options.box.limits,
        level=box.level,
        timing=options.timing.threads if options.timing else 0,
        timing_full=options.timing is not None and options.timing.full,
        language=current_language(),
    )
    plan = ClassPlan(
        assignment=assignment,
        draws=make_draws(options.box, seed, box.level),
        level=box.level,
        limits=options.box.limits,
        device=options.box.device,
        keep=writer,
        timing=options.timing,
        warm_box=WarmBox(box),
    )
    return ClassRun(
        entries=entries,
        plan=plan,
        settings=settings,
        facts=cache_key.facts_of_run(assignment, settings),
        writer=writer,
        jobs=options.jobs or default_jobs(),
        corpus=options.corpus,
    )
