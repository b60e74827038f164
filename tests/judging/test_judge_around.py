"""Around right parts: what counts, and what an answer key decides that does not answer all questions."""

from types import SimpleNamespace
from typing import Any

import pytest

from graders.candidate.student_error import RaisedByStudent
from graders.check_api.compare import Violation
from graders.diagnosis.right_parts import AnswerForm, RightParts
from graders.judging.judge_around import choose_form, judge_around
from graders.results.result import Finding, Outcome, Place

FAILED = Finding("a_check", Outcome.FAILED, 0, 1, "it holds")


class Tries:
    """Tries a check of some draws; on each, whether it fails and whether all questions are answered."""

    def __init__(self, parts: RightParts, draws: list[tuple[bool, bool]]) -> None:
        self.parts, self._draws = parts, draws
        self.exercise: Any = SimpleNamespace(checks=[SimpleNamespace(name="a_check")])
        self.draws: Any = SimpleNamespace(for_check=lambda *_: draws)

    def try_named(self, _: str) -> Finding:
        for draw in self._draws:
            self.try_on(None, draw)
        return FAILED

    def try_on(self, _: Any, example: Any) -> Exception | None:
        fails, answered = example
        if not answered:
            self.parts.unanswered.add("split_heads")
        return Violation("other values") if fails else None


@pytest.mark.parametrize(
    ("draws", "outcome"),
    [
        ([(True, True), (True, True)], Outcome.FAILED),
        ([(True, False), (True, True)], Outcome.FAILED),
        ([(True, True), (True, False)], Outcome.FAILED),
        ([(True, False), (False, True)], Outcome.SKIPPED),
        ([(True, False), (True, False)], Outcome.SKIPPED),
    ],
)
def test_a_check_is_undecided_only_where_no_answered_draw_fails(draws, outcome):
    parts = RightParts({})
    [found] = judge_around(parts, [FAILED], Tries(parts, draws))
    assert found.outcome is outcome
    assert (found is FAILED) is (outcome is Outcome.FAILED)
    assert ("your split_heads is wrong" in (found.message or "")) is (outcome is Outcome.SKIPPED)


class Passes(Tries):
    """All holds, after these parts were called."""

    def __init__(self, parts: RightParts, called: set[str]) -> None:
        super().__init__(parts, [])
        self._called = called

    def try_named(self, _: str) -> Finding:
        self.parts.used |= self._called
        return Finding("a_check", Outcome.PASSED, 1, 1, "it holds")


class Fails(Passes):
    """It raises in the whole, after these parts were called."""

    def try_named(self, name: str) -> Finding:
        super().try_named(name)
        return Finding("a_check", Outcome.RAISED, 0, 1, "it holds", "TypeError: of the whole")


@pytest.mark.parametrize(
    ("within", "message"),
    [("split_heads", "TypeError: of the whole"), ("Block.forward", "ValueError")],
)
def test_what_a_replaced_part_raised_does_not_hide_what_the_whole_does(within: str, message: str):
    parts = RightParts({"split_heads": split_heads})
    place = Place("rendu.ipynb", 3, 2, within)
    raised = Finding("a_check", Outcome.RAISED, 0, 1, "it holds", "ValueError", place=place)
    [found] = judge_around(parts, [raised], Fails(parts, {"split_heads"}))
    assert found.message == message


def split_heads(x: Any, num_heads: int) -> Any:
    return x, num_heads


@pytest.mark.parametrize(("called", "points"), [({"split_heads"}, 1), (set(), 0)])
def test_a_check_that_holds_counts_only_where_right_parts_were_called(called: set[str], points: int):
    parts = RightParts({})
    [found] = judge_around(parts, [FAILED], Passes(parts, called))
    assert found.points == points


class TakesForms(Tries):
    """A core check on one draw: it holds, raises or differs, by the form in which parts answer."""

    def __init__(self, parts: RightParts, failures: dict[AnswerForm, Exception | None]) -> None:
        super().__init__(parts, [(True, True)])
        self.exercise = SimpleNamespace(value_checks=[SimpleNamespace(name="a_check", core=True)])
        self._failures = failures

    def try_on(self, _check: Any, _example: Any) -> Exception | None:
        self.parts.used.add("split_heads")
        return self._failures[self.parts.form]


RAISES = RaisedByStudent("a tensor and a tuple", "TypeError", None)
DIFFERS = Violation("other values")


@pytest.mark.parametrize(
    ("failures", "form"),
    [
        ((None, None, None), AnswerForm.AS_DUE),
        ((RAISES, None, None), AnswerForm.FIRST_ALONE),
        ((RAISES, DIFFERS, DIFFERS), AnswerForm.FIRST_ALONE),
        ((DIFFERS, RAISES, DIFFERS), AnswerForm.AS_DUE),
        ((DIFFERS, RAISES, None), AnswerForm.WITH_ANOTHER),
        ((RAISES, RAISES, RAISES), AnswerForm.AS_DUE),
    ],
)
def test_right_parts_answer_in_the_form_that_the_whole_takes(failures, form: AnswerForm):
    parts = RightParts({})
    choose_form(parts, TakesForms(parts, dict(zip(AnswerForm, failures, strict=True))))
    assert parts.form is form
