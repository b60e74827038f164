"""Take the results of a class of which nothing is left to grade. Imports no PyTorch, and starts no box."""

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from graders.batch import cache_key
from graders.batch.class_options import ClassOptions
from graders.batch.class_results import ClassResults
from graders.batch.class_run import TakenClass
from graders.batch.events import Event
from graders.batch.open_class import in_course_of, open_class, settings_of
from graders.batch.process_pool import default_jobs
from graders.batch.regrade_policy import RegradePolicy
from graders.batch.run_steps import reuse_all
from graders.classroom.class_record import is_results_folder
from graders.course.outline import outline_assignment
from graders.sandbox.isolation.level import IsolationLevel

MOST = 1000  # submissions; to look up those of a larger class twice may take longer than to import PyTorch


def reuse_class(
    handed_in: Path,
    assignment: str,
    options: ClassOptions,
    *,
    level: IsolationLevel | None,
    on_event: Callable[[Event], None],
) -> ClassResults | None:
    """Take the results of a class where all of them still hold; None where something is left to grade.

    Then nothing was told to `on_event`, and `grade_class` does all of it.

    Args:
        handed_in: as for `grade_class`.
        assignment: its name.
        options: what can be chosen.
        level: the isolation at which the class would be graded; None where that is not known.
        on_event: is called with what happens.

    Raises:
        CannotGrade: the class, its roster or the folder for the results cannot be used.
        RunStopped: pages cannot be written.
    """
    out, events = Path(options.out or ""), list[Event]()
    if level is None or not (is_results_folder(out) and _may_hold(options, level)):
        return None
    with ExitStack() as stack:
        stack.enter_context(in_course_of(handed_in, out, options))
        outline = outline_assignment(assignment)
        if any(exercise.fault or exercise.rule for exercise in outline.exercises):
            return None  # what a trained model is measured against is computed with PyTorch
        opened = stack.enter_context(open_class(handed_in, outline, out, options))
        if len(opened.entries) > MOST:
            return None
        settings = settings_of(options, opened.seed, level)
        taken = TakenClass(
            entries=opened.entries,
            settings=settings,
            facts=cache_key.facts_of_run(outline, settings),
            writer=opened.writer,
            jobs=options.jobs or default_jobs(),
        )
        done = reuse_all(taken, options, marker=opened.marker, rules=opened.rules, on_event=events.append)
    for event in events if done else ():
        on_event(event)
    return done


def _may_hold(options: ClassOptions, level: IsolationLevel) -> bool:
    """Whether a run with these options may end with the results that are there."""
    begins_more = options.elsewhere or options.draw
    keeps = options.out is not None and options.regrade is not RegradePolicy.ALL
    return keeps and not begins_more and (level.walled or options.box.unsafe)
