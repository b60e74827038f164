"""What code costs in points: for speed, for how its cost grows, and only where its answers are right."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import strategies as st

from graders.check_api.check import check
from graders.check_api.grows_as import Growth
from graders.course.exercise import Exercise
from graders.course.speed_policy import SpeedPolicy
from graders.judging.growth_finding import GrowthVerdict, add_growth_findings, choose_measure
from graders.judging.speed_points import speed_finding
from graders.results.measurements import CostCurve, Timing
from graders.results.result import Finding, Mistake, Outcome

POLICY = SpeedPolicy(1.0, 2, 10)
TIMED = Timing(says=("one", "two", "three"), against="reference", ratio=1.5, staff="for staff")


@pytest.mark.parametrize(
    ("outcome", "timing", "decision", "points", "message"),
    [
        (Outcome.PASSED, TIMED, Outcome.PASSED, 1.0, "one two"),
        (Outcome.PASSED, replace(TIMED, ratio=5.0), Outcome.PASSED, 0.5, "one two"),
        (Outcome.PASSED, replace(TIMED, ratio=5.0, low=1.0), Outcome.PASSED, 1.0, "one two"),
        (Outcome.PASSED, replace(TIMED, ratio=11.0, says=()), Outcome.FAILED, 0.0, None),
        (Outcome.PASSED, None, Outcome.SKIPPED, 0.0, "not timed in this run"),
        (Outcome.PASSED, replace(TIMED, skipped="no"), Outcome.SKIPPED, 0.0, "not timed: no"),
        (Outcome.PASSED, replace(TIMED, ratio=None, skipped="a"), Outcome.SKIPPED, 0.0, "not timed: a"),
        (Outcome.PASSED, replace(TIMED, refused="it raises"), Outcome.FAILED, 0.0, "it raises"),
        (Outcome.PASSED, replace(TIMED, against="torch"), Outcome.SKIPPED, 0.0, "decided at hand-in"),
        (Outcome.FAILED, TIMED, Outcome.FAILED, 0.0, "only what answers rightly is"),
        (Outcome.SKIPPED, TIMED, Outcome.SKIPPED, 0.0, "the checks have not decided"),
        (Outcome.BROKEN, TIMED, Outcome.SKIPPED, 0.0, "the checks have not decided"),
    ],
)
def test_speed_counts_for_right_code_that_was_timed_against_the_reference(
    outcome: Outcome, timing: Timing | None, decision: Outcome, points: float, message: str | None
):
    found = speed_finding(POLICY, outcome, timing)
    assert found is not None
    assert (found.outcome, found.points, found.max_points) == (decision, points, 1.0)
    assert (found.message is None) if message is None else (message in (found.message or ""))
    assert found.staff == (timing.staff if timing else None)
    assert "at most 2 times as long as the reference (none from 10)" in found.says
    assert speed_finding(None, outcome, timing) is None


@check(points=2, given=st.none(), core=True)
def answers(candidate: Any, draw: Any) -> None:
    """it answers"""


@check(points=1, given=st.none())
def is_tidy(candidate: Any, draw: Any) -> None:
    """it is tidy"""


@check(points=1, answer=lambda *_: None, grows_as=Growth("quadratic", "slow", lambda n, d: n * d))
def grows_slowly(length: int, width: int) -> Any:
    """it grows slowly"""


EXERCISE = Exercise("f", "", "f", 4, "", "", (answers, grows_slowly, is_tidy), lambda seed: [])
CURVE = CostCurve("memory", ((16, 1), (64, 4)), 1, 1.0, None, 16, 1e3)
GROWS = GrowthVerdict(Outcome.FAILED, "it grows", "quadratic", (CURVE,))
HINT = Mistake("f__quadratic", "fewer")
KNOWN: Any = SimpleNamespace(describe=lambda name: replace(HINT, name=name))


def of(core: Outcome, tidy: Outcome) -> list[Finding]:
    return [Finding("is_tidy", tidy, 0, 1, ""), Finding("answers", core, 0, 2, "")]


@pytest.mark.parametrize(
    ("core", "tidy", "verdict", "outcome", "words"),
    [
        (Outcome.PASSED, Outcome.PASSED, GrowthVerdict(Outcome.PASSED), Outcome.PASSED, None),
        (Outcome.PASSED, Outcome.FAILED, GrowthVerdict(Outcome.PASSED), Outcome.PASSED, None),
        (Outcome.PASSED, Outcome.PASSED, GROWS, Outcome.FAILED, "it grows"),
        (Outcome.PASSED, Outcome.PASSED, None, Outcome.SKIPPED, "measured by softmark check"),
        (Outcome.FAILED, Outcome.PASSED, GROWS, Outcome.FAILED, "only what answers rightly is"),
        (Outcome.RAISED, Outcome.PASSED, GROWS, Outcome.FAILED, "only what answers rightly is"),
        (Outcome.SKIPPED, Outcome.PASSED, GROWS, Outcome.SKIPPED, "the checks have not decided"),
    ],
)
def test_what_a_call_costs_is_measured_where_the_core_checks_hold(
    core: Outcome, tidy: Outcome, verdict: GrowthVerdict | None, outcome: Outcome, words: str | None
):
    measured = []

    def measure(one: Any) -> GrowthVerdict:
        assert verdict is not None
        measured.append(one)
        return verdict

    found = add_growth_findings(EXERCISE, of(core, tidy), verdict and measure, lambda _: KNOWN)
    assert [f.check for f in found] == ["answers", "grows_slowly", "is_tidy"]
    growth = found[1]
    assert (growth.outcome, growth.points, growth.max_points) == (outcome, outcome is Outcome.PASSED, 1)
    assert (growth.message is None) if words is None else (words in (growth.message or ""))
    was_measured = core is Outcome.PASSED and verdict is not None
    assert measured == [grows_slowly] * was_measured
    named = was_measured and verdict is GROWS
    assert (growth.mistake, growth.costs) == ((HINT, (CURVE,)) if named else (None, ()))
    assert growth.mistakes == (((HINT,),) if named else ())


def test_what_a_call_costs_is_measured_too_where_the_mistake_in_its_answer_has_a_name():
    """A missing scale cost the points of the window's cost as well, twice what the whole matrix cost."""
    tidy, core = of(Outcome.FAILED, Outcome.PASSED)
    named = [tidy, replace(core, mistakes=((HINT,),))]
    growths = [
        add_growth_findings(EXERCISE, named, lambda _, found=verdict: found, lambda _: KNOWN)[1]  # type: ignore[misc]
        for verdict in (GrowthVerdict(Outcome.PASSED), GROWS)
    ]
    assert [growth.outcome for growth in growths] == [Outcome.PASSED, Outcome.FAILED]


def test_a_fault_of_ours_while_a_cost_is_measured_costs_nobody_points():
    def measure(one: Any) -> GrowthVerdict:
        raise RuntimeError("ours")

    found = add_growth_findings(EXERCISE, of(Outcome.PASSED, Outcome.PASSED), measure, lambda _: None)
    assert found[1].outcome is Outcome.BROKEN
    assert "RuntimeError: ours" in (found[1].staff or "")


def test_findings_of_no_check_come_last_and_a_mistake_without_a_hint_has_no_name():
    more = Finding("imports_what_it_uses", Outcome.FAILED, 0, 1, "")
    found = add_growth_findings(
        EXERCISE, [more, *of(Outcome.PASSED, Outcome.PASSED)], lambda _: GROWS, lambda _: None
    )
    assert [f.check for f in found] == ["answers", "grows_slowly", "is_tidy", "imports_what_it_uses"]
    assert found[1].mistakes == ()


@pytest.mark.parametrize(
    ("core", "names", "around", "due"),
    [
        (Outcome.PASSED, (), False, True),
        (Outcome.PASSED, (), True, False),
        (Outcome.FAILED, ((Mistake("m", "a hint"),),), False, False),
        (Outcome.FAILED, (), False, True),
    ],
)
def test_what_has_cost_its_points_does_not_cost_those_of_growth(
    core: Outcome, names: Any, around: bool, due: bool
):
    asked = []

    def grows(_check: Any, answers_due: bool = True) -> GrowthVerdict:
        asked.append(answers_due)
        return GrowthVerdict(Outcome.PASSED)

    findings = [replace(finding, mistakes=names) for finding in of(core, Outcome.PASSED)]
    measure = choose_measure(grows, EXERCISE, findings, around)
    assert measure is not None
    measure(EXERCISE.checks[0])
    assert asked == [due]
