"""Take in the class that is to be graded, and write down who handed in what."""

import difflib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from graders.batch.earlier_grading import EarlierGrading
from graders.batch.errors import CannotGrade, RunStopped
from graders.batch.kept_course import keep_course
from graders.batch.part_record import Part
from graders.classroom.class_record import ClassRecord
from graders.classroom.intake.download import Entry
from graders.classroom.intake.repository_states import NoRepositories, StateRules
from graders.classroom.intake.roster import RosterOptions
from graders.classroom.intake.roster_columns import BadRoster
from graders.classroom.intake.take import Intake, take
from graders.classroom.intake.unpack import NotUnpacked
from graders.classroom.run_marks import OF_RUN, MarkRules, save_class, save_next_class
from graders.course.course_file import course_table
from graders.course.late_policy import BadRule
from graders.course.outline import AssignmentOutline
from graders.language import list_names, tr, translatable

if TYPE_CHECKING:
    from graders.course.exercise import Assignment  # imports PyTorch

SHOWN = 10  # unmatched files listed if there is no submission


@contextmanager
def take_class(
    handed_in: Path,
    assignment: "Assignment | AssignmentOutline",
    out: Path,
    *,
    roster: Path | None = None,
    rules: MarkRules = OF_RUN,
    columns: Mapping[str, str] = MappingProxyType({}),
    is_part: bool = False,
    at: datetime | None = None,
    against: EarlierGrading | None = None,
    named: str | None = None,
    link_to: str = "",
) -> Iterator[Intake]:
    """Take in a folder or zip and write `OUT/class.json`; unpacked files are removed at the end.

    Args:
        handed_in: the folder or zip.
        assignment: what is graded.
        out: the folder of the results.
        roster: a table of the students.
        rules: what marks are made with.
        columns: titles of the roster's columns by meaning, where they were said.
        is_part: whether it is one of several parts, which must all record the same.
        at: repositories are taken as they were then; without a zone, in that of the due date.
        against: an earlier grading, which the class's record keeps.
        named: the platform's name of the assignment, where it is another.
        link_to: the site with the pages of known mistakes, which the class's record keeps.

    Raises:
        CannotGrade: there is no submission, or `handed_in`, roster or late policy cannot be read.
        RunStopped: `out` cannot be written.
    """
    with ExitStack() as stack:
        try:
            states, zone = _read_rules(rules, assignment.name, out, at)
            intake = stack.enter_context(
                take(
                    handed_in=handed_in,
                    assignment=assignment.name,
                    max_points=sum(exercise.points for exercise in assignment.exercises),
                    out=out,
                    roster=roster,
                    zone=zone,
                    read_as=RosterOptions(columns=columns, needs_times=states.late is not None),
                    states=states,
                    named=named,
                )
            )
            if intake.entries:
                record = replace(_with_earlier(intake.class_record, against), link_to=link_to)
                (save_class if is_part else save_next_class)(out, record)
                keep_course(out)
        except (BadRule, BadRoster, NoRepositories, NotUnpacked) as error:
            raise CannotGrade(str(error)) from error
        except OSError as error:
            raise RunStopped(tr("cannot take in {path}: {reason}", path=handed_in, reason=error)) from error
        if not intake.entries:
            raise CannotGrade(_describe_no_submission(handed_in, intake))
        yield intake


def _with_earlier(record: ClassRecord, against: EarlierGrading | None) -> ClassRecord:
    if against is None:
        return record
    return replace(record, before=against.before, never_lower=against.never_lower)


def _read_rules(rules: MarkRules, name: str, out: Path, at: datetime | None) -> tuple[StateRules, tzinfo]:
    """Which states of repositories count, and the zone of times that name none."""
    policy = rules.late_policy(name)
    zone = (policy.due.tzinfo if policy else course_table().time_zone) or UTC
    by_time = policy is not None and rules.attempt_policy(name) == "last_in_time"
    moment = at and at.replace(tzinfo=at.tzinfo or zone)
    more_time, _ = rules.read_extensions(out, name)
    return StateRules(moment, policy, only_in_time=by_time, extensions=tuple(more_time)), zone


def select(entries: list[Entry], ids: Sequence[str], part: Part | None) -> list[Entry]:
    """The submissions of a part, or of these ids; all where neither is given.

    Raises:
        CannotGrade: there is no submission of one of the ids; the message has similar ones.
    """
    if part is not None:
        return [entry for entry in entries if part.has(entry.id)]
    by_id = {entry.id: entry for entry in entries}
    for name in ids:
        if name not in by_id:
            near = difflib.get_close_matches(name, by_id, n=3)
            message = translatable("there is no submission {name}: there are {names}")
            if near:
                message = translatable("there is no submission {name}: did you mean {names}?")
            raise CannotGrade(tr(message, name=repr(name), names=", ".join(near) or list_names(list(by_id))))
    return [entry for entry in entries if not ids or entry.id in ids]


def _describe_no_submission(handed_in: Path, intake: Intake) -> str:
    nothing = tr("there is no submission in {path}: no folder, notebook, module or zip", path=handed_in)
    strays = intake.class_record.unmatched[:SHOWN]
    return "\n".join([nothing, *(tr("{what}: {why}", what=stray.what, why=stray.why) for stray in strays)])
