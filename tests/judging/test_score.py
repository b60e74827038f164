"""What is the same for every result, however it came about."""

from graders.course.exercise import Assignment
from graders.judging import score
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
