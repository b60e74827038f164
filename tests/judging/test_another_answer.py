"""What was wrong the first time stays wrong, whatever is answered the second time."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from graders.course.exercise import Assignment
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.results.result import ExerciseResult, Outcome
from tests.support.open_box import OpenBox

RIGHT = "x.transpose(1, 2).flatten(2)"
AGAIN = "another answer the second time"

Grade = Callable[[str], ExerciseResult]


@pytest.fixture
def grade(assignment: Assignment, draws: Draws, open_box: OpenBox, tmp_path: Path) -> Iterator[Grade]:
    def graded(body: str) -> ExerciseResult:
        path = tmp_path / "rendu.py"
        path.write_text(f"import torch\nseen = set()\n\ndef concat_heads(x):\n{body}\n", encoding="utf-8")
        [exercise] = Grader(assignment.only(["concat_heads"]), draws, open_box).grade(path, "rendu").exercises
        return exercise

    yield graded


@pytest.mark.parametrize(
    ("first", "words"),
    [
        ("return torch.zeros(1)", "The first time: the "),
        ("raise KeyError('at first')", "The first time: KeyError: 'at first'"),
    ],
    ids=["is wrong", "raises"],
)
def test_a_right_answer_the_second_time_is_a_failure(grade: Grade, first: str, words: str):
    key = "(tuple(x.shape), x.dtype, x.detach().numpy().tobytes())"
    once = f"    key = {key}\n    if key not in seen:\n        seen.add(key)\n        {first}\n"
    body = f"{once}    return {RIGHT}"
    exercise = grade(body)
    assert (exercise.outcome, exercise.points) == (Outcome.FAILED, 0)
    assert all(finding.outcome is not Outcome.PASSED for finding in exercise.findings)
    again = [f for f in exercise.findings if (f.message or "").startswith(AGAIN)]
    # Two checks call on other values once the first call succeeds, and meet the error on these, too.
    assert len(again) >= len(exercise.findings) - 2
    assert any(words in (finding.message or "") for finding in exercise.findings)


def test_what_was_lost_or_met_a_limit_is_tried_again(grade: Grade):
    once = "    if len(seen) == 3 and not seen.add(7):\n        raise MemoryError\n    seen.add(len(seen))\n"
    body = f"{once}    return {RIGHT}"
    exercise = grade(body)
    assert (exercise.outcome, exercise.points) == (Outcome.PASSED, exercise.max_points)
