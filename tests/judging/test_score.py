"""What is the same for every result, however it came about."""

from dataclasses import replace

import pytest

from graders.course.exercise import Assignment
from graders.course.speed_policy import SpeedPolicy
from graders.judging import score
from graders.results.measurements import Timing
from graders.results.result import Finding, Outcome, Remark, SubmissionInfo

RUN = score.Run(1, "open", "cpu")


def test_of_very_many_remarks_the_first_are_kept(assignment: Assignment):
    remarks = [Remark(f"remark {number}") for number in range(10_000)]
    result = score.submission_result(assignment, SubmissionInfo("somebody", (), ""), [], remarks, RUN)
    assert result.remarks[: score.REMARKS] == tuple(remarks[: score.REMARKS])
    assert [remark.says for remark in result.remarks[score.REMARKS :]] == [
        f"There are {10_000 - score.REMARKS:,} more remarks."
    ]


def test_an_exercise_with_a_check_to_be_decided_is_not_passed(assignment: Assignment):
    [exercise] = assignment.only(["concat_heads"]).exercises
    outcomes = {}
    for second in (Outcome.PASSED, Outcome.SKIPPED, Outcome.FAILED):
        findings = [Finding("one", Outcome.PASSED, 1, 1, "one"), Finding("two", second, 0, 1, "two")]
        outcomes[second] = score.exercise_result(exercise, [*findings, findings[0]], ()).outcome
    assert outcomes == {outcome: outcome for outcome in outcomes}
    both = [Finding("one", Outcome.SKIPPED, 0, 1, "one"), Finding("two", Outcome.FAILED, 0, 1, "two")]
    assert score.exercise_result(exercise, both, ()).outcome is Outcome.FAILED


@pytest.mark.parametrize(("count", "kept"), [(50, 50), (51, 51), (52, 51)])
def test_fifty_remarks_are_kept_and_one_says_how_many_more_there_are(
    assignment: Assignment, count: int, kept: int
):
    remarks = [Remark(f"remark {number}") for number in range(count)]
    info = SubmissionInfo("somebody", (), "")
    result = score.submission_result(assignment, info, [], [*remarks, *remarks], RUN)
    assert len(result.remarks) == kept
    more = result.remarks[50].says if count > 50 else None
    assert more == {50: None, 51: "There is 1 more remark.", 52: "There are 2 more remarks."}[count]


def test_points_are_summed_and_those_of_undecided_checks_are_neither_given_nor_lost(assignment: Assignment):
    [exercise] = assignment.only(["concat_heads"]).exercises
    outcomes = (Outcome.PASSED, Outcome.PASSED, Outcome.SKIPPED, Outcome.BROKEN, Outcome.FAILED)
    third = round(exercise.points / 3, 4)
    findings = [
        Finding(outcome.value, outcome, third if outcome is Outcome.PASSED else 0, third, "")
        for outcome in outcomes
    ]
    decided = score.exercise_result(exercise, findings, ())
    assert (decided.points, decided.undecided_points) == (round(2 * third, 2), round(2 * third, 2))
    whole = score.exercise_result(exercise, findings[:1] * 3, ())
    assert (whole.points, whole.max_points) == (exercise.points, exercise.points)
    unread = score.unjudged_result(exercise, Outcome.RAISED, "it raises")
    result = score.submission_result(
        assignment, SubmissionInfo("somebody", (), ""), [decided, whole, unread], [], RUN
    )
    assert result.points == round(decided.points + whole.points, 2)
    assert result.max_points == 3 * exercise.points
    assert result.undecided_points == decided.undecided_points


@pytest.mark.parametrize("outcome", list(Outcome))
def test_code_that_cannot_be_judged_gets_no_points_and_loses_none_by_a_fault_of_ours(
    assignment: Assignment, outcome: Outcome
):
    [exercise] = assignment.only(["concat_heads"]).exercises
    result = score.unjudged_result(exercise, outcome, "it cannot be judged")
    lost_by_nobody = outcome in (Outcome.SKIPPED, Outcome.BROKEN)
    assert (result.points, result.undecided_points) == (0, exercise.points if lost_by_nobody else 0)
    broken = score.broken_result(assignment, SubmissionInfo("x", (), ""), "traceback", RUN)
    assert broken.undecided_points == broken.max_points
    assert {e.staff for e in broken.exercises} == {"traceback"}


def test_points_for_speed_are_a_finding_of_their_own_beside_the_checks(assignment: Assignment):
    [exercise] = assignment.only(["concat_heads"]).exercises
    passed = score.exercise_result(exercise, [Finding("one", Outcome.PASSED, 1, 1, "one")], ())
    timing = Timing(says=("1.2 times",), against="reference", ratio=100.0)
    plain = score.with_timing(exercise, passed, timing)
    assert (plain.timing, plain.findings, plain.outcome) == (timing, passed.findings, Outcome.PASSED)
    timed = replace(exercise, speed_policy=SpeedPolicy(0.5, 2, 10))
    slow = score.with_timing(timed, passed, timing)
    assert [f.check for f in slow.findings] == ["one", "is_fast_enough"]
    assert (slow.outcome, slow.points, slow.timing) == (Outcome.FAILED, 1, timing)
    not_timed = score.with_timing(timed, passed, None)
    assert (not_timed.outcome, not_timed.points, not_timed.undecided_points) == (Outcome.SKIPPED, 1, 0.5)
