"""What can be chosen about a class that is graded; each choice has a sound default. Imports no PyTorch."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from graders.batch.earlier_grading import EarlierGrading
from graders.batch.part_record import Part
from graders.batch.regrade_policy import RegradePolicy
from graders.classroom.extensions import Extension
from graders.classroom.marks import Override
from graders.course.attempt_policy import AttemptPolicy
from graders.course.late_policy import LatePolicy
from graders.language import Language
from graders.sandbox.box_options import BEST_BOX, BoxOptions
from graders.timing.plan import Plan

if TYPE_CHECKING:  # these import PyTorch
    from graders.batch.class_run import ClassRun
    from graders.batch.grade_all import Elsewhere

BRIEF = Plan()
Draw = Callable[["ClassRun"], Iterable[str | None]]
OtherMachines = Callable[["ClassRun"], "Elsewhere"]


@dataclass(frozen=True, kw_only=True)
class ClassOptions:
    """What can be chosen about a class that is graded.

    Attributes:
        out: the folder for results and pages. What still holds there is not graded again. Without it,
            nothing is kept but what is returned.
        roster: a CSV or a workbook with the students, as platforms give it.
        at: git repositories are graded as they were at this time; by default, as they are, and where commits
            are late also as they were in time.
        columns: titles of the roster's columns by meaning, such as `{"name": "Nachname"}`, where softmark
            does not read their language.
        named: the platform's name of the assignment, where it is another, as in nbgrader's folders.
        only: ids of submissions; empty for all.
        part: the part of the class that is graded, where other machines grade the others.
        regrade: which submissions that have a result are graded again.
        pages: whether pages are written to `out`, and not the results alone.
        notebooks: whether each notebook is shown beside its report.
        seed: of the draws; by default the one kept in `out`, else a random one.
        corpus: what trained models are measured on; by default what the assignment says.
        jobs: how many submissions are graded at a time; by default as many as there are processors.
        timing: how correct answers are timed; None times nothing.
        box: the isolation, the limits, the device and the precision.
        course: the course's own file; by default the one kept in `out`, else the one in use.
        late: when the assignment is due and what lateness costs, in place of what the course's file says.
        overrides: points that the instructor set, in place of those in `OUT/overrides.csv`.
        attempt: which of several hand-ins counts, in place of what the course's file says.
        extensions: who has more time, in place of what `extensions.csv` says in `out` or beside it.
        against: an earlier grading of the class: pages say what changed for the same files.
        link_to: the site to whose pages of known mistakes the hints on pages lead, in place of what the
            course's file says; `off` for none.
        language: of all sentences; by default the current one.
        elsewhere: makes what grades on other machines, such as `graders/cluster/grade_on_cluster.py`.
        draw: draws beside the results, such as `graders/heads/draw_class.py`. It is called before anything is
            graded; what it returns is iterated afterwards, and says of each submission why it is not drawn.
    """

    out: Path | str | None = None
    roster: Path | str | None = None
    at: datetime | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    named: str | None = None
    only: Sequence[str] = ()
    part: Part | None = None
    regrade: RegradePolicy = RegradePolicy.CHANGED
    pages: bool = True
    notebooks: bool = False
    seed: int | None = None
    corpus: str | None = None
    jobs: int | None = None
    timing: Plan | None = BRIEF
    box: BoxOptions = BEST_BOX
    course: Path | str | None = None
    late: LatePolicy | None = None
    overrides: Sequence[Override] | None = None
    attempt: AttemptPolicy | None = None
    extensions: Sequence[Extension] | None = None
    against: EarlierGrading | None = None
    link_to: str = ""
    language: Language | None = None
    elsewhere: OtherMachines | None = None
    draw: Draw | None = None


USUAL = ClassOptions()
