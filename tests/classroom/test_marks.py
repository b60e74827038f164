"""Marks from graded points, overrides and lateness."""

import math
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graders.classroom.class_record import (
    ClassRecord,
    Earlier,
    HandIn,
    Student,
    Unmatched,
    from_json,
    to_json,
)
from graders.classroom.marks import Mark, Marker, Override, check_overrides, compute_marks
from graders.course.late_policy import BadRule, LatePolicy, late_policy_of, lateness
from graders.results.result import ExerciseResult, Outcome, Result
from tests.reports import sample

DUE = datetime(2026, 11, 20, 23, 59, tzinfo=timezone(timedelta(hours=1)))
RULE = LatePolicy(DUE, grace_minutes=15, free_days=2, per_day=0.1, most=0.5)
ALICE = Student("a1", "Alice Martin", "Alice@uni.example", username="amartin")
BOB = Student("b2", "Bob Roy", "bob@uni.example")


def exercise(name: str, points: float, most: float = 4, undecided: float = 0) -> ExerciseResult:
    return ExerciseResult(name, name, Outcome.FAILED, points, most, undecided_points=undecided)


def result(id: str, *points: float) -> Result:  # noqa: A002
    return sample.result(*(exercise(f"e{n}", p) for n, p in enumerate(points or (3, 1))), id=id)


def handed(id: str, *students: str, late_by: timedelta | None = None, **more: object) -> HandIn:  # noqa: A002
    return HandIn(id, f"{id}.ipynb", None if late_by is None else DUE + late_by, students=students, **more)


def marks(
    *overrides: Override, late_by: timedelta | None = None, rule: LatePolicy | None = RULE
) -> list[Mark]:
    class_record = ClassRecord(
        "attention", 8, students=(ALICE, BOB), hand_ins=(handed("alice", "a1", late_by=late_by),)
    )
    return compute_marks([result("alice")], class_record, overrides, rule)


def test_a_mark_is_the_same_of_whole_numbers_and_of_what_json_makes_of_them():
    for number in (int, float):
        result = sample.result(exercise("e0", number(2), number(4), number(1)), id="alice")
        [mark] = compute_marks([result], ClassRecord("attention", 8), [], RULE)
        assert repr((mark.points, mark.machine, mark.undecided)) == "(2.0, 2.0, 1.0)"


def test_a_student_without_a_submission_has_a_mark_without_points():
    alice, bob = marks()
    assert (alice.id, alice.student, alice.machine, alice.points, alice.max_points) == (
        "alice",
        ALICE,
        4,
        4,
        8,
    )
    assert (bob.id, bob.student, bob.machine, bob.points, bob.max_points) == ("b2", BOB, None, None, 8)


@pytest.mark.parametrize("name", ["alice", "ALICE", "a1", "alice@UNI.example", "amartin"])
def test_an_override_finds_its_student_by_id_email_or_username(name: str):
    assert [m.points for m in marks(Override(name, None, 7))] == [7, None]


def test_an_override_of_an_exercise_replaces_its_points_alone():
    [alice, _] = marks(Override("alice", "e0", 0.5, "copied"))
    assert (alice.machine, alice.points) == (4, 1.5)
    assert alice.override("e0") == Override("alice", "e0", 0.5, "copied")
    assert alice.override("e1") is None


def test_an_override_of_the_whole_wins_over_everything_and_is_never_late():
    given = (Override("alice", "e0", 0), Override("alice", None, 6.5), Override("alice", "e1", 0))
    [alice, _] = marks(*given, late_by=timedelta(days=30))
    assert (alice.points, alice.late, alice.undecided) == (6.5, None, 0)


def test_an_override_of_an_exercise_is_made_late_with_the_rest():
    [alice, _] = marks(Override("alice", "e0", 7), late_by=timedelta(days=3))
    assert alice.late is not None
    assert (alice.late.days, alice.late.lost, alice.points) == (3, 0.8, 7.2)


def test_a_student_without_a_submission_can_be_given_points():
    assert [m.points for m in marks(Override("b2", None, 3))] == [4, 3]
    assert [m.points for m in marks(Override("bob@uni.example", "e0", 2), Override("b2", "e1", 1))] == [4, 3]


def test_the_last_of_several_overrides_counts_with_a_note():
    given = [Override("a1", "e0", 0), Override("alice", "e0", 2)]
    class_record = ClassRecord("attention", 8, students=(ALICE,), hand_ins=(handed("alice", "a1"),))
    assert compute_marks([result("alice")], class_record, given, None)[0].points == 3
    [note] = check_overrides([result("alice")], class_record, given)
    assert "the last one counts" in note


def test_an_override_decides_what_the_machine_left_undecided():
    result = sample.result(exercise("e0", 0, undecided=4), exercise("e1", 1, undecided=1), id="alice")
    [mark] = compute_marks([result], ClassRecord("attention", 8), [Override("alice", "e0", 4)], None)
    assert (mark.points, mark.undecided) == (5, 1)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (Override("nobody", None, 1), "nobody has this id"),
        (Override("alice", "e9", 1), "no such exercise"),
        (Override("b2", "e9", 1), "no such exercise"),
        (Override("alice", "e0", 5), "5 points are more than the 4 there are; they count"),
        (Override("alice", None, 9), "9 points are more than the 8 there are; they count"),
        (Override("twin", None, 1), "several students have this id"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_an_override_that_applies_to_nobody_or_is_unusual_is_reported(given: Override, message: str):
    twins = tuple(Student(name, username="twin") for name in ("t1", "t2"))
    class_record = ClassRecord(
        "attention", 8, students=(ALICE, BOB, *twins), hand_ins=(handed("alice", "a1"),)
    )
    [note] = check_overrides([result("alice")], class_record, [given])
    assert message in note


def test_an_exercise_that_is_not_there_changes_no_points():
    assert marks(Override("alice", "e9", 99))[0].points == 4


def test_a_team_has_one_mark_with_all_its_students():
    class_record = ClassRecord(
        "attention", 8, students=(ALICE, BOB), hand_ins=(handed("team", "a1", "b2", name="Blue"),)
    )
    [mark] = compute_marks([result("team")], class_record, [], None)
    assert mark.team == (ALICE, BOB)
    assert mark.student == Student("team", "Blue")


TEAM = ClassRecord("attention", 8, students=(ALICE, BOB), hand_ins=(handed("team", "a1", "b2", name="Blue"),))


def of_team(*overrides: Override, graded: bool = True, rule: LatePolicy | None = None) -> list[float | None]:
    """The points of the team, of Alice and of Bob."""
    [mark] = compute_marks([result("team")] if graded else [], TEAM, overrides, rule)
    assert Marker(TEAM, overrides, rule).mark(result("team")) == mark or not graded
    return [mark.points, mark.of(ALICE).points, mark.of(BOB).points]


def test_an_override_with_a_students_id_changes_nobody_else_in_the_team():
    assert of_team(Override("a1", None, 7)) == [4, 7, 4]
    assert of_team(Override("ALICE@uni.example", "e0", 0)) == [4, 1, 4]
    assert of_team(Override("team", None, 7)) == [7, 7, 7]
    assert of_team(Override("a1", "e0", 0), Override("team", "e0", 2)) == [3, 1, 3]
    assert of_team(Override("a1", "e0", 0), Override("team", "e1", 4)) == [7, 4, 7]
    assert of_team(Override("a1", None, 2), graded=False) == [None, 2, None]


def test_a_name_that_two_members_of_a_team_share_changes_nothing_and_is_told():
    twins = tuple(Student(name, username="twin") for name in ("t1", "t2"))
    class_record = ClassRecord("attention", 8, students=twins, hand_ins=(handed("team", "t1", "t2"),))
    given = [Override("twin", None, 1)]
    assert compute_marks([result("team")], class_record, given, None)[0].points == 4
    assert Marker(class_record, tuple(given)).mark(result("team")).points == 4
    assert "several students" in check_overrides([result("team")], class_record, given)[0]


def test_a_students_id_means_them_in_their_team_and_alone():
    class_record = ClassRecord(
        "attention", 8, students=(ALICE, BOB), hand_ins=(handed("a1", "a1"), handed("team", "a1", "b2"))
    )
    alone, team = compute_marks([result("a1"), result("team")], class_record, [Override("a1", None, 7)], None)
    assert (alone.points, team.points, team.of(ALICE).points, team.of(BOB).points) == (7, 4, 7, 4)


@given(st.permutations([Override("a1", "e0", 1), Override("b2", None, 6), Override("team", "e1", 2)]))
def test_points_do_not_depend_on_the_order_of_overrides_for_members_and_team(overrides):
    assert of_team(*overrides) == [5, 3, 6]


def test_an_ungraded_submission_does_not_count_as_missing():
    class_record = ClassRecord("attention", 8, students=(ALICE, BOB), hand_ins=(handed("alice", "a1"),))
    assert [(m.id, m.points, m.waiting) for m in compute_marks([], class_record, [], RULE)] == [
        ("alice", None, True),
        ("b2", None, False),
    ]


def test_a_submission_that_the_roster_does_not_know_keeps_its_mark():
    assert [m.id for m in compute_marks([result("stranger")], ClassRecord("attention", 8), [], None)] == [
        "stranger"
    ]


@pytest.mark.parametrize(
    ("late_by", "days", "lost"),
    [
        (timedelta(days=-3), None, 0),
        (timedelta(0), None, 0),
        (timedelta(minutes=15), None, 0),
        (timedelta(minutes=15, seconds=1), 1, 0),
        (timedelta(days=2), 2, 0),
        (timedelta(days=2, seconds=1), 3, 0.8),
        (timedelta(days=4), 4, 1.6),
        (timedelta(days=40), 40, 4),
    ],
)
def test_late_days_cost_what_the_rule_says(late_by: timedelta, days: int | None, lost: float):
    late = lateness(RULE, DUE + late_by, 8, 8)
    assert (days, lost) == (None, 0) if late is None else (late.days, late.lost) == (days, lost)


def test_a_penalty_can_be_a_share_of_the_points_reached():
    late = lateness(replace(RULE, of="reached"), DUE + timedelta(days=3), 4, 8)
    assert late is not None
    assert late.lost == 0.4
    assert late.says == "handed in 3 days late (2 free): minus 10% of the points reached"


def test_a_submission_after_closing_gets_no_points():
    [alice, _] = marks(late_by=timedelta(days=2), rule=replace(RULE, closes=DUE + timedelta(days=1)))
    assert (alice.machine, alice.points) == (4, 0)


def test_a_platforms_late_flag_alone_costs_no_points():
    class_record = ClassRecord("attention", 8, hand_ins=(handed("alice", late=True),))
    [mark] = compute_marks([result("alice")], class_record, [], RULE)
    assert mark.late is not None
    assert (mark.late.days, mark.late.lost, mark.points) == (0, 0, 4)


MOMENTS = st.timedeltas(timedelta(days=-400), timedelta(days=400))
SHARES = st.floats(0, 1)
RULES = st.builds(
    LatePolicy,
    st.just(DUE),
    grace_minutes=st.floats(0, 600),
    free_days=st.integers(0, 5),
    per_day=SHARES,
    most=SHARES,
    of=st.sampled_from(["maximum", "reached"]),
    closes=st.none() | st.timedeltas(timedelta(0), timedelta(days=30)).map(lambda d: DUE + d),
)


@given(RULES, MOMENTS, MOMENTS, st.floats(0, 8))
def test_the_penalty_grows_with_lateness_up_to_all_points(rule, delay, other_delay, reached):
    first, second = (lateness(rule, DUE + by, reached, 8) for by in sorted((delay, other_delay)))
    lost = [late.lost if late else 0 for late in (first, second)]
    assert 0 <= lost[0] <= lost[1] <= reached + 1e-4


@given(RULES, MOMENTS)
def test_regrading_does_not_change_the_days_late(rule, late_by):
    class_record = ClassRecord("attention", 8, hand_ins=(handed("alice", late_by=late_by),))
    first, again = (
        compute_marks([replace(result("alice", points, 1), graded_at=at)], class_record, [], rule)[0]
        for points, at in ((3, "2026-11-21T10:00:00Z"), (0, "2031-01-01T00:00:00Z"))
    )
    assert (first.late and first.late.days) == (again.late and again.late.days)


@given(
    st.lists(
        st.builds(
            Override, st.sampled_from(["alice", "a1", "b2", "x"]), st.sampled_from([None, "e0"]), SHARES
        )
    ),
    MOMENTS,
    RULES | st.none(),
)
def test_every_submission_and_student_has_one_mark_with_finite_points(overrides, late_by, rule):
    class_marks = marks(*overrides, late_by=late_by, rule=rule)
    assert [m.id for m in class_marks] == ["alice", "b2"]
    assert all(m.points is None or (math.isfinite(m.points) and m.points >= 0) for m in class_marks)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"due": datetime(2026, 11, 20)}, "write due as 2026-11-20T23:59:00, with zone"),
        ({"due": datetime(9999, 12, 31, tzinfo=UTC)}, "write due"),
        ({"zone": "Europe/Atlantis"}, "there is no zone 'Europe/Atlantis'"),
        ({"zone": 1}, "there is no zone 1"),
        ({"zone": "Europe/Helsinki"}, "due has another offset than Europe/Helsinki has then"),
        ({"due": None}, "write due"),
        ({"closes": "soon"}, "write closes"),
        ({"closes": DUE - timedelta(days=1)}, "closes must not be before due"),
        ({"per_day": 10}, "per_day must be a number from 0 to 1"),
        ({"most": math.nan}, "most must be a number"),
        ({"grace_minutes": math.inf}, "grace_minutes must be"),
        ({"free_days": 1.5}, "whole number"),
        ({"of": "all"}, "of must be"),
        ({"per_week": 0.1}, "there is no per_week"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_an_invalid_rule_is_refused_with_advice(change: dict[str, object], message: str):
    with pytest.raises(BadRule, match=message):
        late_policy_of({"due": DUE} | change)


def test_a_rule_is_read_as_it_is_written():
    assert (
        late_policy_of({"due": DUE, "grace_minutes": 15, "free_days": 2, "per_day": 0.1, "most": 0.5}) == RULE
    )


def test_a_class_comes_back_from_its_json():
    at = datetime(2026, 11, 20, tzinfo=UTC)
    class_record = ClassRecord(
        "attention",
        8,
        "moodle",
        (ALICE, BOB),
        (HandIn("alice", "x", at, "git", True, "Alice", "3", ("a1",)), HandIn("b", "y")),
        (Earlier("old", None, "alice"),),
        (Unmatched("notes.txt", "no notebook"),),
    )
    assert from_json(to_json(class_record)) == class_record


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "{}",
        '{"schema": "softmark/class/1"}',
        "[" * 99_999,
        '{"schema": "softmark/class/1", "hand_ins": 3}',
    ],
    ids=["list", "no schema", "no assignment", "deep", "a number"],
)
def test_an_invalid_class_file_is_refused(text: str):
    with pytest.raises((ValueError, RecursionError)):
        from_json(text)
