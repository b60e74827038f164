"""What a run over a class begins with, before anything is graded: the course, the folder, the submissions.

Imports no PyTorch.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from graders.batch import cache_key
from graders.batch.class_options import ClassOptions
from graders.batch.errors import CannotGrade
from graders.batch.folder_lock import lock_folder
from graders.batch.in_course import in_course
from graders.batch.kept_course import kept_course
from graders.batch.regrade_policy import RegradePolicy
from graders.batch.results_folder import refuse_submissions, require_part
from graders.batch.run_seed import run_seed
from graders.batch.save_results import ResultWriter
from graders.batch.take_class import select, take_class
from graders.classroom.intake.download import Entry
from graders.classroom.marks import Marker
from graders.classroom.run_marks import MarkRules, make_marker
from graders.course.course_file import own_file
from graders.course.course_table import BadCourse
from graders.course.outline import AssignmentOutline
from graders.language import current_language, tr
from graders.sandbox.isolation.level import IsolationLevel

if TYPE_CHECKING:
    from graders.course.exercise import Assignment  # imports PyTorch


@dataclass(frozen=True, kw_only=True)
class OpenedClass:
    """A class, and the folder of its results, which is locked.

    Attributes:
        entries: the submissions that were asked for.
        seed: of the draws.
        marker: gives marks.
        rules: what the marker was made with.
        writer: writes a result and its pages.
    """

    entries: list[Entry]
    seed: int
    marker: Marker
    rules: MarkRules
    writer: ResultWriter


@contextmanager
def in_course_of(handed_in: Path, out: Path, options: ClassOptions) -> Iterator[None]:
    """Within the context, use the course and the language of a run into `out`.

    Raises:
        CannotGrade: `handed_in` is not there, `out` cannot be used, or the course's file cannot be read.
    """
    if not handed_in.exists():
        raise CannotGrade(tr("there is no {path}", path=handed_in))
    refuse_submissions(out, handed_in)
    selects = bool(options.only) or options.regrade is RegradePolicy.FAILED
    require_part(options.part, out, seeded=options.seed is not None, selects=selects)
    course = options.course or own_file() or _kept_course(out)
    with in_course(Path(course) if course else None, options.language):
        yield


@contextmanager
def open_class(
    handed_in: Path, assignment: "Assignment | AssignmentOutline", out: Path, options: ClassOptions
) -> Iterator[OpenedClass]:
    """Lock the folder of the results and take in the class.

    Raises:
        CannotGrade: the class, its roster or the folder cannot be used.
        RunStopped: the folder cannot be written.
    """
    with ExitStack() as stack:
        stack.enter_context(lock_folder(out))
        rules = MarkRules(
            late=options.late,
            overrides=options.overrides,
            attempt=options.attempt,
            extensions=options.extensions,
        )
        roster = None if options.roster is None else Path(options.roster)
        intake = stack.enter_context(
            take_class(
                handed_in=handed_in,
                assignment=assignment,
                out=out,
                roster=roster,
                columns=options.columns,
                rules=rules,
                is_part=options.part is not None,
                at=options.at,
                against=options.against,
                named=options.named,
                link_to=options.link_to,
            )
        )
        entries = select(intake.entries, options.only, options.part)
        marker = make_marker(out, rules=rules)[0]
        try:
            seed = run_seed(out, options.seed)
        except OSError as error:
            raise CannotGrade(tr("cannot write results: {reason}", reason=error)) from error
        pages = options.pages and options.out is not None
        writer = ResultWriter(out=out, notebooks=options.notebooks, marker=marker, pages=pages)
        yield OpenedClass(entries=entries, seed=seed, marker=marker, rules=rules, writer=writer)


def settings_of(options: ClassOptions, seed: int, level: IsolationLevel) -> cache_key.Settings:
    """The settings on which the results of a run depend."""
    return cache_key.Settings(
        seed=seed,
        device=options.box.device,
        dtype=f"torch.{options.box.dtype}" if options.box.dtype else "None",
        limits=options.box.limits,
        level=level,
        timing=options.timing.threads if options.timing else 0,
        timing_full=options.timing is not None and options.timing.full,
        language=current_language(),
    )


def _kept_course(out: Path) -> Path | None:
    try:
        return kept_course(out)
    except BadCourse as error:
        raise CannotGrade(str(error)) from error
