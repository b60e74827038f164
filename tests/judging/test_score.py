"""What is the same for every result, however it came about."""

from graders.course.exercise import Assignment
from graders.judging import score
from graders.results.result import Remark, SubmissionInfo

RUN = score.Run(1, "open", "cpu")


def test_of_very_many_remarks_the_first_are_kept(assignment: Assignment):
    remarks = [Remark(f"remark {number}") for number in range(10_000)]
    result = score.submission_result(assignment, SubmissionInfo("somebody", (), ""), [], remarks, RUN)
    assert result.remarks[: score.REMARKS] == tuple(remarks[: score.REMARKS])
    assert [remark.says for remark in result.remarks[score.REMARKS :]] == [
        f"There are {10_000 - score.REMARKS} more remarks."
    ]
