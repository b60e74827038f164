"""Code with a size of its own and an answer key: what the key does not hold is left undecided, not lost."""

from dataclasses import replace
from pathlib import Path

import pytest

from graders import locations
from graders.answer_key.answer_key import AnswerKey
from graders.course.exercise import load_assignment
from graders.grade import Grader
from graders.handout.make_key import make_key
from graders.judging.draws import Draws
from graders.results.result import Outcome
from graders.sandbox.box import Box
from tests.conftest import NIGHTLY

ROOT = Path(__file__).parents[2]
# One is lost, one is passed, and of one the key does not hold what code of this width needs.
CHOSEN = {
    "has_two_layers_with_bias",
    "computes_what_the_reference_computes",
    "is_four_times_as_wide_by_default",
}


@pytest.mark.programs
@pytest.mark.slow
def test_code_with_a_width_of_its_own_loses_one_check_and_no_other(
    box: Box, monkeypatch, tmp_path: Path
) -> None:
    whole = load_assignment("attention").only(["feed_forward"])
    [exercise] = whole.exercises
    checks = tuple(check for check in exercise.checks if NIGHTLY or check.name in CHOSEN)
    feed_forward = replace(whole, exercises=(replace(exercise, checks=checks),))
    key = AnswerKey(make_key(feed_forward, 1, hints=False))
    path = ROOT / "solutions/deviations/feed_forward/width_of_its_own.py"
    monkeypatch.setenv(locations.SOLUTIONS_VARIABLE, str(tmp_path / "nowhere"))
    [result] = Grader(feed_forward, Draws(1, key=key), box).grade(path, "somebody").exercises
    lost = [f.check for f in result.findings if f.outcome.failed_or_raised]
    assert lost == ["has_two_layers_with_bias"]
    assert {f.outcome for f in result.findings} == {Outcome.PASSED, Outcome.FAILED, Outcome.SKIPPED}
    assert "the value that your code has, embed_dim" in str([f.message for f in result.findings])
