"""The end of a report says what to do next, and nothing that is not certain."""

import pytest

from graders.language import speaking
from graders.results.result import ExerciseResult, Outcome, Place
from reports.next_step import next_step
from tests.reports import sample


def ended(outcome: Outcome, name: str, **changes) -> ExerciseResult:
    return sample.exercise(
        sample.finding(outcome), name=name, outcome=outcome, symbol=name.title(), **changes
    )


RIGHT, WRONG = ended(Outcome.PASSED, "a"), ended(Outcome.FAILED, "b")
USES_IT = ended(Outcome.RAISED, "c", fix_first=("B",))
ABSENT = sample.exercise(name="d", outcome=Outcome.NOT_ATTEMPTED)
UNTOUCHED = ended(Outcome.NOT_ATTEMPTED, "e")

BEGUN = ended(Outcome.UNFINISHED, "i", place=Place("rendu.ipynb", 9, 4))
WAITS = ended(Outcome.UNFINISHED, "w")


@pytest.mark.parametrize(
    ("exercises", "step"),
    [
        ((RIGHT, UNTOUCHED, USES_IT, WRONG, ABSENT), "next: mend b: C uses it"),
        ((USES_IT, WRONG, ended(Outcome.FAILED, "f", fix_first=("B",))), "next: mend b: C and F use it"),
        ((WRONG, ABSENT), "next: mend b"),
        ((RIGHT, UNTOUCHED), "next: e, still as handed out"),
        ((RIGHT, UNTOUCHED, WAITS, BEGUN), "next: finish i"),
        ((UNTOUCHED, WAITS), "next: e, still as handed out"),
        ((RIGHT, ABSENT, UNTOUCHED), "next: d, not defined yet"),
        ((USES_IT,), "next: mend B: C uses it"),
        ((WRONG,), None),
        ((UNTOUCHED,), None),
        ((RIGHT, ended(Outcome.UNREADABLE, "g"), ABSENT), None),
        ((RIGHT,), "next: all of it holds, hand in rendu.ipynb"),
        ((RIGHT, ended(Outcome.SKIPPED, "h")), None),
    ],
)
def test_what_comes_next(exercises: tuple[ExerciseResult, ...], step: str | None) -> None:
    assert next_step(exercises, hand_in="rendu.ipynb") == step


def test_what_is_not_defined_yet_comes_after_all_that_is() -> None:
    assert next_step((RIGHT,), ["x", "y"], "rendu.ipynb") == "next: x, not defined yet"
    assert next_step((RIGHT, WRONG), ["x"]) == "next: mend b"
    assert next_step((RIGHT,)) is None


def test_it_is_said_in_french() -> None:
    with speaking("fr"):
        assert next_step((USES_IT, WRONG)) == "ensuite\u00a0: corriger b\u00a0: C s'en sert"
