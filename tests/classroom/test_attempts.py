"""Which of several hand-ins counts, and overrides that outlive the files that they judged."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graders.classroom.class_record import Attempt, ClassRecord, HandIn, Student
from graders.classroom.count_attempts import AttemptRules, Candidate, choose
from graders.classroom.due_dates import DueDates
from graders.classroom.marks import Mark
from graders.classroom.run_marks import (
    MarkRules,
    RunMarks,
    compute_run_marks,
    make_marker,
    save_next_class,
    settle_class,
)
from graders.course.attempt_policy import AttemptPolicy, attempt_policy_of
from graders.course.late_policy import BadRule, LatePolicy, lateness
from graders.results.attempts import keep_attempt
from graders.results.result import Result, SubmissionInfo
from graders.results.store import read_result, write_result
from reports.publish import publish_one
from tests.reports import sample

DUE = datetime(2026, 11, 20, 23, 59, tzinfo=UTC)
IN_TIME, LATE = DUE - timedelta(hours=3), DUE + timedelta(days=2, hours=1)
LATE_RULE = LatePolicy(DUE, per_day=0.1)
POLICIES: list[AttemptPolicy] = ["latest", "best", "last_in_time"]


def result(files: str, points: float, most: float = 20) -> Result:
    exercise = replace(sample.exercise(sample.finding()), points=points, max_points=most)
    whole = sample.result(exercise, id="eve")
    return replace(whole, submission=SubmissionInfo("eve", ("eve.py",), files * 64))


def hand_in(out: Path, graded: Result, at: datetime | None) -> None:
    """What a run does when these files came."""
    record = ClassRecord("attention", 20, students=(Student("e1", "Eve"),))
    save_next_class(out, replace(record, hand_ins=(HandIn("eve", "eve.py", at, students=("e1",)),)))
    keep_attempt(out, graded)
    write_result(out, graded)
    settle_class(out, [graded])


def run(out: Path, policy: AttemptPolicy | None = None) -> RunMarks:
    latest = read_result(out, "eve")
    return compute_run_marks(out, [latest] if latest else [], MarkRules(late=LATE_RULE, attempt=policy))


def mark(out: Path, policy: AttemptPolicy | None = None) -> Mark:
    return run(out, policy).marks[0]


@pytest.mark.parametrize(
    ("policy", "points", "at"),
    [(None, 10, LATE), ("latest", 10, LATE), ("best", 18, IN_TIME), ("last_in_time", 18, IN_TIME)],
)
def test_of_two_hand_ins_that_counts_which_the_course_says(tmp_path: Path, policy, points, at):
    hand_in(tmp_path, result("a", 18), IN_TIME)
    hand_in(tmp_path, result("b", 16), LATE)
    done = run(tmp_path, policy)
    assert [(one.points, one.handed_in) for one in done.marks] == [(points, at)]
    assert [one.points for one in done.results] == [18 if points == 18 else 16]
    assert any("would give more points to eve" in note for note in done.notes) == (points == 10)
    marker, _ = make_marker(tmp_path, rules=MarkRules(late=LATE_RULE, attempt=policy))
    assert marker.count(tmp_path, result("b", 16))[1] == done.marks[0]


def test_the_best_is_that_after_lateness(tmp_path: Path):
    hand_in(tmp_path, result("a", 13), IN_TIME)
    hand_in(tmp_path, result("b", 20), LATE)
    assert (mark(tmp_path, "best").points, mark(tmp_path, "last_in_time").points) == (14, 13)


def test_of_what_is_as_good_the_latest_counts_and_files_that_come_again_are_one_hand_in(tmp_path: Path):
    for files, points, at in (("a", 14, IN_TIME), ("b", 20, LATE), ("a", 14, LATE)):
        hand_in(tmp_path, result(files, points), at)
    assert (mark(tmp_path, "latest").points, mark(tmp_path, "best").points) == (8, 14)
    assert mark(tmp_path, "best").handed_in == LATE
    hand_in(tmp_path, result("c", 20), LATE)
    assert (mark(tmp_path, "best").points, mark(tmp_path, "best").counts) == (14, "")


def test_where_nothing_was_in_time_the_latest_counts(tmp_path: Path):
    hand_in(tmp_path, result("a", 18), LATE)
    hand_in(tmp_path, result("b", 14), LATE + timedelta(days=1))
    assert mark(tmp_path, "last_in_time").points == 6


def test_a_run_that_is_killed_before_it_grades_loses_no_time(tmp_path: Path):
    hand_in(tmp_path, result("a", 18), IN_TIME)
    save_next_class(tmp_path, ClassRecord("attention", 20, hand_ins=(HandIn("eve", "eve.py", LATE),)))
    hand_in(tmp_path, result("b", 14), LATE)
    assert mark(tmp_path, "best").points == 18


def test_a_time_that_the_platform_corrects_is_that_of_the_files(tmp_path: Path):
    for files, at in (("a", IN_TIME), ("a", LATE), ("b", LATE + timedelta(days=1))):
        hand_in(tmp_path, result(files, 18), at)
    assert mark(tmp_path, "best").points == 12


def test_results_of_other_points_and_broken_or_damaged_ones_are_not_compared(tmp_path: Path):
    hand_in(tmp_path, result("a", 10, most=10), IN_TIME)
    hand_in(tmp_path, result("b", 9), IN_TIME)
    hand_in(tmp_path, result("c", 5), IN_TIME)
    (tmp_path / "eve/attempts/0.json").write_text("{}", encoding="utf-8")
    done = run(tmp_path, "best")
    assert done.marks[0].points == 9
    assert any("graded with other exercises or points" in note for note in done.notes)


def test_the_students_page_shows_the_result_that_counts_and_says_so(tmp_path: Path):
    hand_in(tmp_path, result("a", 18), IN_TIME)
    hand_in(tmp_path, result("b", 14), LATE)
    (tmp_path / "eve/notebook.ipynb").write_text("{}", encoding="utf-8")  # of the latest files
    marker, _ = make_marker(tmp_path, rules=MarkRules(late=LATE_RULE, attempt="best"))
    publish_one(tmp_path, *marker.count(tmp_path, result("b", 14)))
    page = (tmp_path / "eve/index.html").read_text("utf-8")
    assert "the files that were handed in at 2026-11-20 20:59 count here" in page
    assert "notebook.html" not in page


TIMES = [None, *(DUE + timedelta(hours=hours) for hours in range(-40, 90, 13))]
MADE = st.lists(st.tuples(st.integers(0, 20), st.sampled_from(TIMES)), min_size=1, max_size=4)


@given(MADE, st.sampled_from(POLICIES), st.randoms(use_true_random=False))
def test_what_counts_does_not_depend_on_the_order_of_results_and_best_is_never_less(made, policy, chance):
    letters = "abcdef"
    candidates = [
        Candidate(result(letters[i], points), Attempt("eve", letters[i] * 64, at), is_latest=i == 0)
        for i, (points, at) in enumerate(made)
    ]
    rules = AttemptRules(policy, DueDates(LATE_RULE))
    chosen = choose(candidates, rules)
    assert choose(chance.sample(candidates, len(candidates)), rules) is chosen

    def points(each: Candidate) -> float:
        late = lateness(LATE_RULE, each.moment.at, each.result.points, 20) if each.moment.at else None
        return each.result.points - (late.lost if late else 0)

    if policy == "best":
        assert points(chosen) == pytest.approx(max(map(points, candidates)))
    if policy == "last_in_time" and not chosen.is_latest:
        assert chosen.moment.at is None or chosen.moment.at <= DUE


def write_overrides(out: Path, *lines: str, columns: str = "id,exercise,points,comment") -> None:
    (out / "overrides.csv").write_text("\n".join([columns, *lines]), encoding="utf-8")


def stale(out: Path) -> list[str]:
    return [note for note in run(out).notes if "overrides.csv" in note]


def test_an_override_is_told_once_other_files_count_than_those_that_it_judged(tmp_path: Path):
    hand_in(tmp_path, result("a", 8), IN_TIME)
    write_overrides(tmp_path, "e1,,12,seen")
    hand_in(tmp_path, result("b", 19), IN_TIME + timedelta(hours=1))
    [note] = stale(tmp_path)
    assert "12 points were set for other files" in note
    assert "write bbbbbbbb in a column `files`" in note
    assert mark(tmp_path).points == 12
    write_overrides(tmp_path, "e1,,12,seen,bbbbbbbb", columns="id,exercise,points,comment,files")
    assert stale(tmp_path) == []
    write_overrides(tmp_path, "e1,,13,seen again")  # another line: it is about what is there now
    settle_class(tmp_path, [result("b", 19)])
    assert stale(tmp_path) == []


def test_points_for_nothing_are_told_once_there_is_something(tmp_path: Path):
    save_next_class(tmp_path, ClassRecord("attention", 20, students=(Student("e1", "Eve"),)))
    write_overrides(tmp_path, "e1,,12,by e-mail")
    settle_class(tmp_path, [])
    hand_in(tmp_path, result("a", 19), LATE)
    [note] = stale(tmp_path)
    assert "12 points were set when nothing was handed in" in note


def test_an_override_that_was_there_first_judges_the_first_files(tmp_path: Path):
    write_overrides(tmp_path, "eve,,12,")
    hand_in(tmp_path, result("a", 19), IN_TIME)
    assert stale(tmp_path) == []
    hand_in(tmp_path, result("b", 19), LATE)
    assert len(stale(tmp_path)) == 1


@pytest.mark.parametrize(("said", "due"), [("first", True), (3, True), ("last_in_time", False)])
def test_a_policy_that_is_none_is_refused(said: object, due: bool):
    with pytest.raises(BadRule, match="attempt"):
        attempt_policy_of(said, has_late_rule=due)
