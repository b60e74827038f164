"""The progress and the summary of a run, for a few submissions and for a thousand."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from graders.batch.class_results import ClassResults
from graders.classroom.class_record import ClassRecord, HandIn
from graders.classroom.marks import Marker, Override
from graders.cli import progress, run_summary
from graders.cli.show_run import _describe_to_grade
from graders.course.late_policy import LatePolicy
from graders.language import speaking
from graders.results.result import Outcome
from graders.sandbox.isolation.level import IsolationLevel
from tests.reports import sample


def done(count: int, outcome: Outcome, cached: int = 0) -> ClassResults:
    whole = sample.result(sample.exercise(sample.finding(outcome)))
    result = replace(whole, exercises=tuple(replace(e, outcome=outcome) for e in whole.exercises))
    ids = tuple(f"s{number:04}" for number in range(count))
    return ClassResults(
        results=tuple(replace(result, submission=replace(result.submission, id=name)) for name in ids),
        graded=ids[cached:],
        reused=ids[:cached],
        stale=(),
        notes=(),
        seed=1,
        level=IsolationLevel.NESTED,
        out=None,
        marker=Marker(ClassRecord("attention", 20)),
        whole={},
    )


def test_a_small_class_is_listed_with_its_points():
    summary = list(run_summary.describe_run(done(2, Outcome.PASSED, cached=1)))
    assert [line.split()[-1] for line in summary[:2]] == ["s0000", "s0001"]
    assert summary[2:] == ["graded: 1 (s0001)", "cached: 1 (s0000)"]


def test_the_mark_is_shown_and_what_makes_it_another_than_the_machines_points():
    due = datetime(2026, 11, 20, 23, 59, tzinfo=UTC)
    record = ClassRecord("attention", 20, hand_ins=(HandIn("s0000", "a.py", due + timedelta(days=2)),))
    marker = Marker(
        record, overrides=(Override("s0001", None, 7),), rule=LatePolicy(due, per_day=0.1, of="reached")
    )
    first, second, *_ = run_summary.describe_run(replace(done(2, Outcome.PASSED), marker=marker))
    assert first == "   0.80 / 1  s0000 (machine: 1; 2 days late, −0.2)"
    assert second == "   7.00 / 1  s0001 (machine: 1; set by the instructor)"


@pytest.mark.parametrize(
    ("outcome", "message"),
    [
        (Outcome.BROKEN, "broken, softmark's own fault: 1,000"),
        (Outcome.TIMED_OUT, "timed out: 1,000"),
        (Outcome.NOT_ATTEMPTED, "not attempted: 1,000"),
        (Outcome.UNREADABLE, "could not be read: 1,000"),
    ],
    ids=str,
)
def test_a_thousand_submissions_take_a_few_lines(outcome: Outcome, message: str):
    summary = list(run_summary.describe_run(done(1000, outcome)))
    assert len(summary) == 3
    assert all(len(line) < 300 for line in summary)
    assert summary[0].endswith("s0019 and 980 more)")
    assert summary[2].startswith(message)


def test_a_thousand_submissions_and_more_are_counted_as_the_language_writes_numbers(capfd):
    with speaking("fr"):
        [*_, graded, _] = run_summary.describe_run(done(1_200, Outcome.PASSED))
        list(progress.follow(range(1_200), 1_200, "", lambda _: 1, _describe_to_grade))
        last = capfd.readouterr().err.splitlines()[-1]
    assert ": 1\u202f200 (s0000, " in graded and "1\u202f180" in graded
    assert last == "1\u202f200 sur 1\u202f200, 1\u202f200 à corriger"


def test_progress_tells_speed_time_left_and_what_went_wrong(monkeypatch, capfd):
    clock = iter(range(0, 100_000, 3))
    monkeypatch.setattr(progress.time, "monotonic", lambda: float(next(clock)))
    come = list(progress.follow(iter(range(50)), 50, "50 submissions", lambda n: n % 2, "{} wrong".format))
    assert come == list(range(50))
    lines = capfd.readouterr().err.splitlines()
    assert lines[0] == "50 submissions"
    assert "per minute" in lines[5]
    assert "left, " in lines[5]
    assert lines[-1] == "50 of 50, 25 wrong"


def test_progress_keeps_no_item():
    class Thing:
        alive = 0

        def __init__(self):
            Thing.alive += 1

        def __del__(self):
            Thing.alive -= 1

    most = 0
    for _ in progress.follow((Thing() for _ in range(100)), 100, "things", lambda _: 0, str):
        most = max(most, Thing.alive)
    assert most <= 2
