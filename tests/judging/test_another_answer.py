"""What was wrong the first time stays wrong, whatever is answered the second time."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import torch

from graders.candidate.parameter_mapping.mapping import Undecidable
from graders.candidate.student_error import RaisedByStudent
from graders.check_api.compare import Violation
from graders.course.exercise import Assignment
from graders.grade import Grader
from graders.judging.another_answer import AnotherAnswer, TryAlone, is_wrong, kind_of
from graders.judging.draws import Draws
from graders.results.limit import Limit
from graders.results.result import ExerciseResult, Outcome
from graders.sandbox.process_lost import ProcessLost
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


@pytest.mark.parametrize(
    ("failure", "wrong", "kind"),
    [
        (Violation("other values"), True, (Violation, "")),
        (AnotherAnswer(Violation("other values")), True, (AnotherAnswer, "")),
        (RaisedByStudent("KeyError: 1", "KeyError", None), True, (RaisedByStudent, "KeyError")),
        (RaisedByStudent("too much", "memory", None, limit=Limit.MEMORY), False, (RaisedByStudent, "memory")),
        (ProcessLost(Outcome.TIMED_OUT, "no answer"), False, (ProcessLost, "")),
        (Undecidable("other parameters"), False, (Undecidable, "")),
        (TryAlone(), False, (TryAlone, "")),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else "",
)
def test_wrong_is_what_the_code_answered_or_raised_where_no_limit_explains_it(
    failure: Exception, wrong: bool, kind: tuple[object, str]
):
    assert is_wrong(failure) is wrong
    assert kind_of(failure) == kind


def test_what_failed_first_is_shown_with_its_tensors():
    first = Violation("other values", torch.zeros(2), torch.ones(2), (1,))
    shown = AnotherAnswer(first)
    assert str(shown) == "another answer the second time. The first time: other values"
    assert (shown.expected, shown.actual, shown.worst) == (first.expected, first.actual, (1,))
    assert AnotherAnswer(RaisedByStudent("KeyError: 1", "KeyError", None)).expected is None


def test_what_was_lost_or_met_a_limit_is_tried_again(grade: Grade):
    once = "    if len(seen) == 3 and not seen.add(7):\n        raise MemoryError\n    seen.add(len(seen))\n"
    body = f"{once}    return {RIGHT}"
    exercise = grade(body)
    assert (exercise.outcome, exercise.points) == (Outcome.PASSED, exercise.max_points)
