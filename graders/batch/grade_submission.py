"""Grade one submission by one call: what `softmark check` does, for Python, notebooks and other tools."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from graders.batch.errors import CannotGrade, RunStopped
from graders.batch.in_course import in_course
from graders.batch.prepare_run import end_run, load, make_draws, only, open_walled
from graders.course.course_file import own_file
from graders.course.exercise import Assignment
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.language import Language, tr
from graders.results.result import Result
from graders.sandbox.box import Box
from graders.sandbox.box_options import BEST_BOX, BoxOptions
from graders.sandbox.interpreter import BoxBroken
from graders.timing.plan import Plan
from graders.timing.stopwatch import open_stopwatch

PRACTICE_SEED = 1  # of the draws that students see


def grade_submission(
    path: Path | str,
    assignment: str,
    *,
    exercises: Sequence[str] = (),
    seed: int = PRACTICE_SEED,
    corpus: str | None = None,
    timing: Plan | None = None,
    box: BoxOptions = BEST_BOX,
    course: Path | str | None = None,
    language: Language | None = None,
) -> Result:
    """Grade a notebook, a module, a folder or a zip. Whatever that is, a result comes back.

    The code runs in a box alone, and nothing is written to the terminal.

    Args:
        path: what was handed in.
        assignment: its name in the course's file.
        exercises: those that are graded; all where none is named.
        seed: of the draws; the same seed asks the same questions.
        corpus: what trained models are measured on; by default what the assignment says.
        timing: how correct answers are timed; None times nothing.
        box: the isolation, the limits, the device and the precision.
        course: the course's own file; by default the one in use.
        language: of all sentences; by default the current one.

    Raises:
        CannotGrade: there is no such file, assignment or exercise, or no box with a wall holds here.
        RunStopped: the box broke.
    """
    path = Path(path)
    if not path.exists():
        raise CannotGrade(tr("there is no {path}", path=path))
    with in_course(own_file() if course is None else Path(course), language):
        whole = load(assignment, corpus=corpus)
        chosen = only(whole, exercises)
        try:
            opened, _ = open_walled(box)
            draws = make_draws(box, seed, opened.level, submission=path)
            with open_grader(whole, chosen, box=opened, draws=draws, timing=timing) as grader:
                return grader.grade(path, name_of(path))
        except BoxBroken as error:
            raise RunStopped(str(error)) from error


@contextmanager
def open_grader(
    whole: Assignment, chosen: Assignment, *, box: Box, draws: Draws, timing: Plan | None
) -> Iterator[Grader]:
    """The grader of the chosen exercises of a whole assignment; its box is closed at the end."""
    try:
        with box, open_stopwatch(box, draws, timing) as stopwatch:
            grader = Grader(whole, draws, box, stopwatch, finds_places=True)
            yield grader.only(tuple(exercise.name for exercise in chosen.exercises))
    finally:
        end_run(box.level)


def name_of(path: Path) -> str:
    """The name of a submission at this path."""
    whole = path.resolve()
    return whole.name if path.is_dir() else whole.stem
