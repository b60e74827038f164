"""Hand-ins and students brought together: whose is what, which counts, and what is nobody's."""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from graders.classroom.class_record import ClassRecord, Earlier, HandIn, Student, Unmatched
from graders.classroom.find_student import Roster
from graders.classroom.intake.download import Download, Found
from graders.classroom.intake.roster import Listed
from graders.language import tr
from graders.safe_text import safe_id, safe_text

# What a run writes into OUT beside the submissions' folders ends so.
_OURS = (".csv", ".html", ".json")


def ids_of(submissions: Sequence[Found]) -> list[str]:
    """An id for each hand-in: unique, fit for a folder everywhere, and the same in every run."""
    taken: set[str] = set()
    names = []
    for submission in submissions:
        name = _fit(submission.label)
        if _key(name) in taken:  # alice.ipynb beside alice.zip
            name = _fit(submission.or_else or submission.label)
        first, number = name, 2
        while _key(name) in taken:
            name, number = f"{first} ({number})", number + 1
        taken.add(_key(name))
        names.append(name)
    return names


def _fit(label: str) -> str:
    name = safe_id(label)
    return f"{name}_" if name.casefold().endswith(_OURS) else name


def _key(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def match_students(
    download: Download, listed: Listed | None, assignment: str, max_points: float
) -> ClassRecord:
    """The class of a download; without a roster its students are those whom the platform names."""
    ids = ids_of(download.found)
    hand_ins = [_hand_in(submission, id) for submission, id in zip(download.found, ids, strict=True)]  # noqa: A001
    klass = ClassRecord(assignment, max_points, download.layout, unmatched=download.unmatched)
    if listed is None:
        return _by_themselves(klass, download.found, hand_ins)
    roster = Roster(listed.students)
    matches = [roster.find(submission.who) for submission in download.found]
    strangers = [
        Unmatched(
            hand_in.source, tr("{why}; it is graded as {id}", why=safe_text(match.why, 300), id=hand_in.id)
        )
        for hand_in, match in zip(hand_ins, matches, strict=True)
        if not match.students
    ]
    theirs = [
        replace(hand_in, students=tuple(student.id for student in match.students))
        for hand_in, match in zip(hand_ins, matches, strict=True)
    ]
    counting, earlier, undecided = _latest(theirs)
    return replace(
        klass,
        students=listed.students,
        hand_ins=tuple(_timed(hand_in, listed) for hand_in in counting),
        earlier=tuple(earlier),
        unmatched=(*klass.unmatched, *listed.unmatched, *strangers, *undecided),
    )


def _hand_in(submission: Found, id: str) -> HandIn:  # noqa: A002
    name, number = safe_text(submission.who.name, 200).replace("\n", " "), submission.who.number
    return HandIn(id, submission.source, submission.at, submission.clock, submission.late, name, number)


def _by_themselves(
    klass: ClassRecord, submissions: Sequence[Found], hand_ins: Sequence[HandIn]
) -> ClassRecord:
    if klass.layout == "plain":
        return replace(klass, hand_ins=tuple(hand_ins))
    students = [
        Student(hand_in.id, hand_in.name, number=hand_in.number, username=_login(submission, klass.layout))
        for submission, hand_in in zip(submissions, hand_ins, strict=True)
    ]
    own = tuple(replace(hand_in, students=(hand_in.id,)) for hand_in in hand_ins)
    return replace(klass, students=tuple(students), hand_ins=own)


def _login(submission: Found, layout: str) -> str:
    return safe_text(submission.label, 200) if layout in ("classroom", "nbgrader") else ""


def _timed(hand_in: HandIn, listed: Listed) -> HandIn:
    """A hand-in with what the roster says of when it came: the platform's clock, and not the student's."""
    times = [listed.at[id] for id in hand_in.students if id in listed.at]  # noqa: A001
    late = hand_in.late or any(id in listed.late for id in hand_in.students)  # noqa: A001
    at, clock = (max(times), "roster") if times else (hand_in.at, hand_in.clock)
    return replace(hand_in, at=at, clock=clock, late=late)


def _latest(hand_ins: Iterable[HandIn]) -> tuple[list[HandIn], list[Earlier], list[Unmatched]]:
    """Of several hand-ins of the same students the last; nobody's where nothing says which that is."""
    by_students: dict[tuple[str, ...], list[HandIn]] = {}
    counting, earlier, undecided = [], [], []
    for hand_in in hand_ins:
        if hand_in.students:
            by_students.setdefault(tuple(sorted(hand_in.students)), []).append(hand_in)
        else:
            counting.append(hand_in)
    for several in by_students.values():
        if why := _undecided(several):
            whose = ", ".join(several[0].students)
            message = tr("{whose}: {why}; each is graded, and none is joined", whose=whose, why=why)
            undecided.append(Unmatched(", ".join(h.source for h in several), message))
            counting += [replace(h, students=()) for h in several]
        else:
            *before, last = sorted(several, key=_order)
            counting.append(last)
            earlier += [Earlier(h.source, h.at, last.id) for h in before]
    return counting, earlier, undecided


def _undecided(several: Sequence[HandIn]) -> str:
    if len({h.number for h in several}) > 1:
        return tr("several participants have this name")
    if len({_order(h) for h in several}) < len(several):
        return tr("there are several hand-ins, and no time says which is the last")
    return ""


def _order(hand_in: HandIn) -> datetime:
    return hand_in.at or datetime.min.replace(tzinfo=UTC)
