"""Match hand-ins with students, and decide which hand-in of a student counts."""

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from graders.classroom.class_record import ClassRecord, Earlier, HandIn, Student, Unmatched
from graders.classroom.due_dates import DueDates
from graders.classroom.find_student import Match, Roster, identity_of
from graders.classroom.intake.download import Download, DownloadedSubmission
from graders.classroom.intake.roster import ParsedRoster
from graders.language import tr
from graders.safe_text import composed, safe_id, safe_text

# The suffixes of the files that a run writes into OUT, beside the folders of submissions.
OURS = (".csv", ".html", ".json", ".toml", ".txt")


def make_ids(submissions: Sequence[DownloadedSubmission]) -> list[str]:
    """Make an id for each hand-in: unique, valid as a folder name everywhere, the same in every run."""
    used: set[str] = set()
    names = []
    for submission in submissions:
        name = _fit(submission.label)
        if _key(name) in used:  # alice.ipynb beside alice.zip
            name = _fit(submission.or_else or submission.label)
        first, number = name, 2
        while _key(name) in used:
            name, number = f"{first} ({number})", number + 1
        used.add(_key(name))
        names.append(name)
    return names


def _fit(label: str) -> str:
    name = safe_id(label)
    return f"{name}_" if name.casefold().endswith(OURS) else name


def _key(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def match_students(
    download: Download,
    roster_data: ParsedRoster | None,
    assignment: str,
    max_points: float,
    due_dates: Callable[[ClassRecord], DueDates] = lambda _: DueDates(),
) -> ClassRecord:
    """Match a download with a roster; without one, the students are those whom the platform names.

    Args:
        download: the hand-ins.
        roster_data: the students.
        assignment: the assignment's name.
        max_points: the points that it is worth.
        due_dates: when the submissions of a class are due, where of several the last in time counts.
    """
    ids = make_ids(download.submissions)
    hand_ins = [_hand_in(submission, id) for submission, id in zip(download.submissions, ids, strict=True)]  # noqa: A001
    class_record = ClassRecord(assignment, max_points, download.layout, unmatched=download.unmatched)
    if roster_data is None:
        return _without_roster(class_record, download.submissions, hand_ins, due_dates)
    roster = Roster(roster_data.students)
    matches = [_find_all(roster, submission) for submission in download.submissions]
    strangers = [
        Unmatched(
            hand_in.source, tr("{why}; it is graded as {id}", why=safe_text(match.why, 300), id=hand_in.id)
        )
        for hand_in, match in zip(hand_ins, matches, strict=True)
        if match.why
    ]
    theirs = [
        replace(hand_in, students=tuple(student.id for student in match.students))
        for hand_in, match in zip(hand_ins, matches, strict=True)
    ]
    everybody = replace(class_record, students=roster_data.students, hand_ins=tuple(theirs))
    counting, earlier, undecided = _choose(theirs, due_dates(everybody))
    return replace(
        class_record,
        students=roster_data.students,
        hand_ins=tuple(_with_roster_time(hand_in, roster_data) for hand_in in counting),
        earlier=tuple(earlier),
        unmatched=(*class_record.unmatched, *roster_data.unmatched, *strangers, *undecided),
    )


def _hand_in(submission: DownloadedSubmission, id: str) -> HandIn:  # noqa: A002
    name, number = composed(safe_text(submission.who.name, 200).replace("\n", " ")), submission.who.number
    return HandIn(
        id=id,
        source=composed(submission.source),
        at=submission.at,
        clock=submission.clock,
        late=submission.late,
        name=name,
        number=number,
    )


def _find_all(roster: Roster, submission: DownloadedSubmission) -> Match:
    """The students of a hand-in, and why one whom the platform names is none of them."""
    if not submission.students:
        return roster.find(submission.who)
    matches = [roster.find(identity_of(student)) for student in submission.students]
    found = {student.id: student for match in matches for student in match.students}
    return Match(tuple(found.values()), "; ".join(match.why for match in matches if match.why))


def _without_roster(
    class_record: ClassRecord,
    submissions: Sequence[DownloadedSubmission],
    hand_ins: Sequence[HandIn],
    due_dates: Callable[[ClassRecord], DueDates],
) -> ClassRecord:
    """The class of those whom the platform names."""
    if class_record.layout == "plain":
        return replace(class_record, hand_ins=tuple(hand_ins))
    whose = [
        submission.students or (_student(submission, hand_in, class_record.layout),)
        for submission, hand_in in zip(submissions, hand_ins, strict=True)
    ]
    theirs = [
        replace(hand_in, students=tuple(student.id for student in students))
        for hand_in, students in zip(hand_ins, whose, strict=True)
    ]
    students = tuple({student.id: student for students in whose for student in students}.values())
    everybody = replace(class_record, students=students, hand_ins=tuple(theirs))
    counting, earlier, undecided = _choose(theirs, due_dates(everybody))
    return replace(
        everybody,
        hand_ins=tuple(counting),
        earlier=tuple(earlier),
        unmatched=(*class_record.unmatched, *undecided),
    )


def _student(submission: DownloadedSubmission, hand_in: HandIn, layout: str) -> Student:
    return Student(hand_in.id, hand_in.name, number=hand_in.number, username=_login(submission, layout))


def _login(submission: DownloadedSubmission, layout: str) -> str:
    return safe_text(submission.label, 200) if layout in ("classroom", "nbgrader") else ""


def _with_roster_time(hand_in: HandIn, roster_data: ParsedRoster) -> HandIn:
    """Take time and lateness from the roster: they are the platform's, not the student's."""
    times = [roster_data.at[id] for id in hand_in.students if id in roster_data.at]  # noqa: A001
    late = hand_in.late or any(id in roster_data.late for id in hand_in.students)  # noqa: A001
    at, clock = (max(times), "roster") if times else (hand_in.at, hand_in.clock)
    return replace(hand_in, at=at, clock=clock, late=late)


def _choose(hand_ins: Iterable[HandIn], due: DueDates) -> tuple[list[HandIn], list[Earlier], list[Unmatched]]:
    """Choose the hand-in of the same students that counts; if their order is unknown, none is assigned."""
    by_students: dict[tuple[str, ...], list[HandIn]] = {}
    counting, earlier, undecided = [], [], []
    for hand_in in hand_ins:
        if hand_in.students:
            by_students.setdefault(tuple(sorted(hand_in.students)), []).append(hand_in)
        else:
            counting.append(hand_in)
    for several in by_students.values():
        if why := _reason_undecided(several):
            whose = ", ".join(several[0].students)
            message = tr(
                "{whose}: {why}; each is graded, and none is assigned to a student", whose=whose, why=why
            )
            sources = ", ".join(hand_in.source for hand_in in several)
            undecided.append(Unmatched(sources, tr(message, whose=whose, why=why)))
            counting += [replace(h, students=()) for h in several]
        else:
            several.sort(key=_order)
            in_time = [h for h in several if _is_in_time(h, due)]
            last = (in_time or several)[-1]
            counting.append(last)
            earlier += [Earlier(h.source, h.at, last.id) for h in several if h is not last]
    return counting, earlier, undecided


def _reason_undecided(several: Sequence[HandIn]) -> str:
    if len({h.number for h in several}) > 1:
        return tr("several participants have this name")
    if len({_order(h) for h in several}) < len(several):
        return tr("there are several hand-ins, and no time says which is the latest")
    return ""


def _is_in_time(hand_in: HandIn, due: DueDates) -> bool:
    policy = due.policy(hand_in.id)
    return policy is None or _order(hand_in) <= policy.in_time_until


def _order(hand_in: HandIn) -> datetime:
    return hand_in.at or datetime.min.replace(tzinfo=UTC)
