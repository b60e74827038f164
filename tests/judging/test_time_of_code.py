"""Code that takes too long costs a bounded time, and the checks that it fails are decided."""

from pathlib import Path

import pytest

from graders.course.exercise import load_assignment
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.results.result import ExerciseResult, Outcome
from graders.sandbox.box import Box
from graders.sandbox.limits import Limits
from tests.support.shared import PATIENT

pytestmark = [pytest.mark.programs, pytest.mark.slow]
LIMITS = Limits(call_s=0.5, later_call_s=0.3, load_s=PATIENT.load_s, submission_s=60.0)
NOT_TRIED = "not tried: 2 checks before it ran out of time"
# With names by which nobody knows what its parameters do; they are matched in double precision.
FEED_FORWARD = """
import torch
from torch import nn

class FeedForward(nn.Module):
    def __init__(self, embed_dim, ff_dim):
        super().__init__()
        self.a = nn.Linear(embed_dim, ff_dim)
        self.b = nn.Linear(ff_dim, embed_dim)

    def forward(self, x):
        while x.dtype is torch.float64:
            pass
        return self.b(torch.relu(self.a(x)))
"""


def judged(box: Box, folder: Path, exercise: str, code: str) -> ExerciseResult:
    path = folder / "rendu.py"
    path.write_text(code, encoding="utf-8")
    whole = load_assignment("attention").only([exercise])
    with Box(box.level, LIMITS) as hurried:
        return Grader(whole, Draws(1).first(4), hurried).grade(path, "someone").exercises[0]


def test_after_two_checks_that_never_end_the_others_are_not_tried(box, tmp_path):
    result = judged(box, tmp_path, "concat_heads", "def concat_heads(x):\n    while True:\n        x\n")
    messages = [finding.message or "" for finding in result.findings]
    assert {finding.outcome for finding in result.findings} == {Outcome.TIMED_OUT}
    assert all(message.startswith("no answer within") for message in messages[:2])
    assert messages[2:] == [NOT_TRIED] * (len(messages) - 2)


def test_a_check_that_never_ends_costs_its_own_points_alone(box, tmp_path):
    code = """
def concat_heads(x):
    while x.requires_grad:
        pass
    return x.transpose(1, 2).flatten(2)
"""
    result = judged(box, tmp_path, "concat_heads", code)
    late = [finding for finding in result.findings if finding.outcome is Outcome.TIMED_OUT]
    assert len(late) == 1
    assert result.points == pytest.approx(result.max_points - late[0].max_points, abs=0.005)


def test_parameters_that_cannot_be_matched_in_time_leave_nothing_undecided(box, tmp_path):
    result = judged(box, tmp_path, "feed_forward", FEED_FORWARD)
    assert result.outcome is Outcome.TIMED_OUT
    assert result.undecided_points == 0
