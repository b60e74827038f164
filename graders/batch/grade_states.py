"""Grade a repository with late commits as it is and as it was in time: what gives more points counts."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from graders.classroom.intake.download import Entry, InTime
from graders.course.late_policy import lateness
from graders.language import tr, translatable
from graders.results.result import Remark, Result

_IN_TIME = translatable(
    "The last commit in time counts, of {in_time}: the later one, of {late}, gives no more points after what "
    "lateness costs."
)
_LATE = translatable(
    "The commit of {late} counts, which came late: after what lateness costs it gives more points than the "
    "last one in time, of {in_time}."
)


def grade_states(grade: Callable[[Path, str], Result], entry: Entry) -> tuple[Entry, Result]:
    """Grade what was handed in; returns it with the path of what counts, and the result.

    Args:
        grade: grades a path under a name.
        entry: the submission.
    """
    late, state = grade(entry.path, entry.id), entry.in_time
    if state is None:
        return entry, late
    in_time = grade(state.path, entry.id)
    message, counts = (_LATE, late) if _is_better(late, in_time, state) else (_IN_TIME, in_time)
    zone = state.late.due.tzinfo
    says = tr(message, in_time=_show(state.at.astimezone(zone)), late=_show(state.late_at.astimezone(zone)))
    counts = replace(counts, remarks=(Remark(says), *counts.remarks))
    is_late = counts.submission.sha256 == late.submission.sha256
    return entry if is_late else replace(entry, path=state.path), counts


def _is_better(late: Result, in_time: Result, state: InTime) -> bool:
    # What is undecided may still be given: else what nobody could judge would count as lost.
    reached = late.points + late.undecided_points
    costs = lateness(state.late, state.late_at, reached, late.max_points)
    return reached - (costs.lost if costs else 0) > in_time.points + in_time.undecided_points


def _show(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M %z}"
