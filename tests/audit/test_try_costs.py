"""Known mistakes of cost: they answer rightly, and what they cost names them."""

from types import SimpleNamespace

import pytest

from graders.audit import try_costs
from graders.audit.audit import with_gaps
from graders.audit.try_costs import try_costly_mistake
from graders.course.exercise import Exercise, load_assignment
from graders.course.reference import mistakes, reference
from graders.judging.draws import Draws
from graders.judging.growth_finding import GrowthVerdict
from graders.results.audit_result import Kind, Tried
from graders.results.result import Outcome

NAME = "local_attention"
FULL = f"{NAME}__full_matrix"
COST = "costs_no_more_than_its_window"


@pytest.fixture
def exercise() -> Exercise:
    return load_assignment("efficient").only([NAME]).exercises[0]


def tried_with(monkeypatch, exercise: Exercise, verdict: GrowthVerdict, answer=None) -> Tried:
    """What comes of the full matrix, or of another answer, if its cost has this verdict."""
    monkeypatch.setattr(try_costs, "judge_growth", lambda *_: verdict)
    make = lambda: answer or mistakes(NAME, NAME)[FULL]  # noqa: E731
    grader = SimpleNamespace(draws=Draws(1), box=None)
    return try_costly_mistake(grader, exercise, FULL, make)  # type: ignore[arg-type]


def test_a_mistake_of_cost_fails_the_check_of_cost_alone_and_is_named_by_it(monkeypatch, exercise):
    tried = tried_with(monkeypatch, exercise, GrowthVerdict(Outcome.FAILED, "S^2", "full_matrix"))
    assert (tried.kind, tried.failed, tried.named) == (Kind.MISTAKE, (COST,), ((FULL,),))


def test_one_that_costs_no_more_is_a_gap(monkeypatch, exercise):
    tried = tried_with(monkeypatch, exercise, GrowthVerdict(Outcome.PASSED))
    due = f"{FULL} is not caught: add a check that fails on it, or remove it"
    assert due in with_gaps(exercise, "efficient", [tried]).gaps


def test_one_that_answers_wrongly_is_a_gap(monkeypatch, exercise):
    def wrong(Q, K, V, window):
        return reference(NAME, NAME)(Q, K, V, window + 1)

    tried = tried_with(monkeypatch, exercise, GrowthVerdict(Outcome.FAILED, "S^2", "full_matrix"), wrong)
    assert tried.outcome is Outcome.BROKEN
    assert any("should answer rightly" in gap for gap in with_gaps(exercise, "efficient", [tried]).gaps)
