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
from graders.batch.events import (
    Event,
    ExerciseBroken,
    LevelsFailed,
    UnwalledBox,
    ignore,
)
from graders.batch.grade_all import ClassPlan, WarmBox
from graders.batch.open_class import OpenedClass, in_course_of, open_class, settings_of
from graders.batch.part_record import digest_of
from graders.batch.prepare_run import end_run, load, make_draws, open_walled
from graders.batch.process_pool import default_jobs
from graders.batch.run_steps import take_steps
from graders.course.exercise import Assignment
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
        stack.enter_context(in_course_of(handed_in, out, options))
        chosen = load(assignment, corpus=options.corpus)
        for exercise in chosen.exercises:
            if exercise.fault is not None:
                on_event(ExerciseBroken(exercise=exercise.name, fault=exercise.fault))
        box = stack.enter_context(_open_box(options, on_event, started))
        taken = stack.enter_context(open_class(handed_in, chosen, out, options))
        run = _prepare(assignment=chosen, box=box, taken=taken, options=options)
        return take_steps(run, options, marker=taken.marker, rules=taken.rules, on_event=on_event)


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


def _prepare(assignment: Assignment, box: Box, taken: OpenedClass, options: ClassOptions) -> ClassRun:
    settings = settings_of(options, taken.seed, box.level)
    facts = cache_key.facts_of_run(assignment, settings)
    plan = ClassPlan(
        assignment=assignment,
        draws=make_draws(options.box, taken.seed, box.level),
        level=box.level,
        limits=options.box.limits,
        device=options.box.device,
        keep=taken.writer,
        timing=options.timing,
        warm_box=WarmBox(box),
        run=digest_of(facts),
    )
    return ClassRun(
        entries=taken.entries,
        plan=plan,
        settings=settings,
        facts=facts,
        writer=taken.writer,
        jobs=options.jobs or default_jobs(),
        corpus=options.corpus,
    )
