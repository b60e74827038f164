"""Take repositories as they were: at a time that the instructor names, and at the last commit in time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from graders.classroom.class_record import ClassRecord, HandIn, Unmatched
from graders.classroom.due_dates import DueDates, due_dates_of
from graders.classroom.extensions import Extension
from graders.classroom.intake.download import Download, DownloadedSubmission, Entry, InTime
from graders.classroom.intake.git import last_commit, write_files
from graders.course.late_policy import LatePolicy
from graders.language import tr, translatable
from graders.submission.read import Unreadable, read
from graders.submission.resource_bounds import bound_resources

SHORT = 10  # characters of a commit's id that are shown


class NoRepositories(Exception):
    """A state at a time was asked for of what has none. The message tells the instructor why."""


@dataclass(frozen=True)
class StateRules:
    """Which states of repositories are graded.

    Attributes:
        at: as they were then; None as they are.
        late: the late policy: with one, a repository with late commits is also graded as it was in time.
        only_in_time: such a repository is graded as it was in time alone; and of several hand-ins of a
            student the last in time counts.
        extensions: who has more time.
    """

    at: datetime | None = None
    late: LatePolicy | None = None
    only_in_time: bool = False
    extensions: Sequence[Extension] = ()

    def due_dates(self, class_record: ClassRecord) -> DueDates:
        """When each submission of a class is due."""
        return due_dates_of(class_record, self.late, self.extensions)


AS_THEY_ARE = StateRules()


def take_back(download: Download, at: datetime, stage: Path) -> Download:
    """The download with all repositories as they were at a time.

    Args:
        download: what was handed in.
        at: the time.
        stage: a folder for the files, that does not exist.

    Raises:
        NoRepositories: there is something else than repositories.
    """
    submissions, absent = list[DownloadedSubmission](), list[Unmatched]()
    for number, submission in enumerate(download.submissions):
        checkout = submission.checkout
        if checkout is None:
            message = translatable("{source} is no git repository: nothing says how it was at that time")
            raise NoRepositories(tr(message, source=submission.source))
        commit = last_commit(checkout, at)
        # The folder's own name is what messages show.
        folder = stage / str(number) / checkout.name
        if commit is None or not write_files(checkout, commit, folder):
            why = tr(
                "it was not graded, since no commit of up to {at} can be read", at=f"{at:%Y-%m-%d %H:%M %z}"
            )
            absent.append(Unmatched(submission.source, why))
            continue
        source = f"{submission.source}@{commit.id[:SHORT]}"
        submissions.append(replace(submission, path=folder, source=source, at=commit.at, clock="commit"))
    return replace(download, submissions=tuple(submissions), unmatched=(*download.unmatched, *absent))


def find_states_in_time(
    class_record: ClassRecord,
    entries: Sequence[Entry],
    submissions: Mapping[str, DownloadedSubmission],
    rules: StateRules,
    stage: Path,
) -> tuple[ClassRecord, list[Entry]]:
    """Find for each late repository its last state in time.

    Where that has the same files, they were handed in then: later commits changed nothing that is graded.

    Args:
        class_record: the class.
        entries: the submissions that count.
        submissions: all of them, by id.
        rules: with the late policy.
        stage: a folder for the files, that does not exist.
    """
    if rules.late is None:
        return class_record, [*entries]
    due = rules.due_dates(class_record)
    found = {hand_in.id: hand_in for hand_in in class_record.hand_ins}
    settled = []
    for entry in entries:
        hand_in, checkout = found[entry.id], submissions[entry.id].checkout
        late = due.policy(entry.id) or rules.late
        # A time from the roster is the platform's, and it is about what lies there now.
        is_late = hand_in.at is not None and hand_in.at > late.in_time_until and hand_in.clock != "roster"
        if is_late and checkout is not None:
            found[entry.id], entry = _with_state_in_time(hand_in, entry, checkout, late, stage)
            if rules.only_in_time and entry.in_time is not None:
                found[entry.id] = replace(hand_in, at=entry.in_time.at, clock="commit")
                entry = Entry(entry.id, entry.in_time.path)
        settled.append(entry)
    return replace(class_record, hand_ins=tuple(found.values())), settled


def _with_state_in_time(
    hand_in: HandIn, entry: Entry, checkout: Path, late: LatePolicy, stage: Path
) -> tuple[HandIn, Entry]:
    commit = last_commit(checkout, late.in_time_until)
    folder = stage / entry.id / entry.path.name
    if commit is None or not write_files(checkout, commit, folder):
        return hand_in, entry
    before = _digest(folder)
    if not before:
        return hand_in, entry
    if before == _digest(entry.path):
        return replace(hand_in, at=commit.at, clock="commit"), entry
    state = InTime(folder, commit.at, hand_in.at or commit.at, late)
    return replace(hand_in, in_time=before, in_time_at=commit.at), replace(entry, in_time=state)


def _digest(folder: Path) -> str:
    """The digest of the files that are read; empty where nothing can be graded."""
    try:
        with bound_resources():
            return read(folder).sha256
    except Unreadable:
        return ""
