"""Answers as large as the wire takes cost the host a few times their size, whatever is done with them."""

from pathlib import Path

import pytest
import torch

from graders.candidate.check_replies import bounded
from graders.check_api.compare import MOST_VALUES, Violation, tensor
from graders.course.exercise import load_assignment
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.results.result import Outcome, Result
from graders.sandbox.box import Box
from tests.benchmarks.large_answers import submissions
from tests.support.at_night import at_night
from tests.support.memory import added_by

ANSWER = 16 << 20  # bytes
OTHER = 12 << 20  # what else a result takes: draws of a ladder, parts of PyTorch that are used the first time


@pytest.mark.programs
@pytest.mark.slow
@pytest.mark.parametrize("kind", [at_night("one axis"), "rows of the input", "a hundred"])
def test_a_large_answer_costs_the_host_three_times_its_size_at_most(box: Box, tmp_path: Path, kind: str):
    assignment, draws = load_assignment("attention").only(["concat_heads"]), Draws(1)
    draws.prepare(assignment.exercises)
    path, results = tmp_path / "handed_in.py", list[Result]()
    grader = Grader(assignment, draws, box)
    for size in (1 << 10, ANSWER):  # the first makes what is made once
        path.write_text(dict(submissions(assignment.exercises[0], size))[kind], encoding="utf-8")
        added = added_by(lambda: results.append(grader.grade(path, "x")))
    assert added < 3 * ANSWER + OTHER
    assert results[-1].exercises[0].outcome is Outcome.FAILED
    assert results[-1].points == 0


def test_an_answer_with_too_many_values_is_refused_with_its_shape():
    answer = torch.ones(MOST_VALUES + 1, dtype=torch.bool)
    with pytest.raises(Violation, match=r"has shape \(4194305,\): more values than can be judged"):
        tensor(answer)
    assert len(tensor(answer[1:])) == MOST_VALUES


def test_a_failure_keeps_no_answer_that_nobody_compares():
    assert Violation("too large", actual=torch.ones(MOST_VALUES + 1)).actual is None
    assert Violation("shown", actual=torch.ones(3)).actual is not None


def test_of_an_answer_with_too_many_values_only_shapes_and_dtypes_stay():
    large = torch.ones(MOST_VALUES, dtype=torch.float16)
    answer = bounded((torch.ones(3), {"more": [large, torch.arange(4)]}, "text"))
    first, others, text = answer
    assert torch.equal(first, torch.ones(3))
    assert [(value.shape, value.dtype) for value in others["more"]] == [
        (large.shape, torch.float16),
        ((4,), torch.int64),
    ]
    assert others["more"][0].untyped_storage().nbytes() == 2
    assert text == "text"
    assert bounded(large) is large
