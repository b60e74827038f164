"""Marks depend on what was handed in, found and said, and never on the order in which it comes."""

import csv
import io
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graders.classroom.due_dates import DueDates
from graders.classroom.extensions import Extension
from graders.classroom.find_student import Identity
from graders.classroom.intake.download import Download, DownloadedSubmission
from graders.classroom.intake.match_students import match_students
from graders.classroom.intake.roster import parse_roster
from graders.classroom.marks import Hold, Mark, Marker, Override, compute_marks
from graders.classroom.regrade import before_of
from graders.course.late_policy import LatePolicy
from graders.results.result import ExerciseResult, Outcome, Result
from reports.gradebook.grades import grades_csv
from tests.reports import sample

DUE = datetime(2026, 11, 20, 23, 59, tzinfo=UTC)
RULE = LatePolicy(DUE, per_day=0.1, of="reached")
STUDENTS = ("ann", "ben", "cleo", "dan")
ROSTER = [
    ["id", "name", "group"],
    *([who, who.capitalize(), "blue" * (who in "cleo dan")] for who in STUDENTS),
]
NAMED = ("ann", "ben", "blue 1", "cleo", "dan", "nobody")  # by a student's id, or a submission's

POINTS = st.integers(0, 8).map(lambda halves: halves / 2)
HAND_IN = st.tuples(POINTS, POINTS, st.integers(-30, 80))
FURTHER = [("ann", 1), ("ann", 2), ("ben", 1), ("blue", 2)]
FILES = st.fixed_dictionaries({("blue", 1): HAND_IN}, optional=dict.fromkeys(FURTHER, HAND_IN))
LINES = (
    st.tuples(st.permutations(NAMED), st.integers(0, 6))
    .map(lambda drawn: drawn[0][: drawn[1]])
    .flatmap(
        lambda names: st.tuples(
            st.just([Override(who, "one", n) for n, who in enumerate(names)]),
            st.just([Extension(who, DUE + timedelta(days=n)) for n, who in enumerate(reversed(names))]),
            st.just([Hold(who) for who in names[:2]]),
        )
    )
)


def result(id: str, points: Sequence[float]) -> Result:  # noqa: A002
    exercises = [
        ExerciseResult(name, name, Outcome.FAILED, got, 4)
        for name, got in zip(("one", "two"), points, strict=True)
    ]
    return sample.result(*exercises, id=id)


def run(files, lines, chance) -> tuple[list[Mark], str]:
    """The marks of a class, all of whose lists come in an order of chance."""

    def shuffled(items):
        return chance.sample(list(items), len(items)) if chance else list(items)

    overrides, extensions, holds = lines
    submissions = tuple(
        DownloadedSubmission(
            f"{who} {number}", f"{who}{number}.py", Identity(name=who), at=DUE + timedelta(hours=hours)
        )
        for (who, number), (_, _, hours) in shuffled(sorted(files.items()))
    )
    roster = parse_roster([ROSTER[0], *shuffled(ROSTER[1:])], "roster.csv", UTC)
    record = match_students(Download("plain", submissions), roster, "a made one", 8, lambda _: DueDates())
    graded = {f"{who} {number}": points[:2] for (who, number), points in files.items()}
    before = [before_of(result(hand_in.id, (4, 0))) for hand_in in record.hand_ins]
    record = replace(record, before=tuple(shuffled(before)), never_lower=True)
    results = shuffled([result(hand_in.id, graded[hand_in.id]) for hand_in in record.hand_ins])
    said = {"extensions": shuffled(extensions), "holds": shuffled(holds)}
    marks = compute_marks(results, record, shuffled(overrides), RULE, **said)
    marker = Marker(
        record, tuple(overrides), rule=RULE, extensions=tuple(extensions), holds=tuple(shuffled(holds))
    )
    alone = {mark.id: mark for mark in map(marker.mark, results)}
    assert {mark.id: mark for mark in marks if mark.machine is not None} == alone
    return marks, grades_csv(results, marks)


@given(FILES, LINES, st.randoms(use_true_random=False))
def test_marks_do_not_depend_on_the_order_of_files_rows_or_results(files, lines, chance):
    marks, table = run(files, lines, None)
    again, same_table = run(files, lines, chance)
    assert list(map(_in_order, again)) == list(map(_in_order, marks))
    assert _rows(same_table) == _rows(table)


def _in_order(mark: Mark) -> Mark:
    """The mark of a team with its students in one order, which are listed as in the roster."""
    by_id = {student.id: student for student in mark.team}
    members = {member.student.id: member for member in mark.members if member.student}
    return replace(
        mark,
        team=tuple(by_id[name] for name in sorted(by_id)),
        members=tuple(members[name] for name in sorted(members)),
    )


def _rows(table: str) -> list[dict[str, str]]:
    return sorted(csv.DictReader(io.StringIO(table)), key=lambda row: (row["id"], row["student_id"]))


@given(FILES, LINES)
def test_each_mark_is_the_sum_of_its_exercises_and_what_was_kept_less_what_lateness_costs(files, lines):
    marks, _ = run(files, lines, None)
    points = {
        f"{who} {number}": dict(zip(("one", "two"), both[:2], strict=True))
        for (who, number), both in files.items()
    }
    with_members = [each for mark in marks for each in (mark, *mark.members)]
    for mark in (each for each in with_members if each.machine is not None):
        given = {override.exercise: override.points for override in mark.overrides}
        counted = sum((points[mark.id] | given).values()) + mark.raised
        assert mark.points == pytest.approx(max(0, counted - (mark.late.lost if mark.late else 0)))
        assert mark.machine == pytest.approx(sum(points[mark.id].values()))
