"""What fails while a failure is explained costs nobody points: the findings stay."""

from contextlib import contextmanager
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from graders.check_api.candidate import Raised
from graders.check_api.compare import Violation
from graders.diagnosis.known_mistakes import Explained
from graders.diagnosis.several_mistakes import Matched
from graders.judging.draws import Draws
from graders.judging.explain_findings import have_failed
from graders.judging.explain_in_time import EXPLAINED_S, explain_safely, in_time
from graders.judging.load_candidate import load_candidate
from graders.judging.name_mistakes import _tried_again, name_mistakes, places
from graders.results.limit import Limit
from graders.results.result import ExerciseResult, Finding, Mistake, Outcome, Proof
from graders.sandbox.interpreter import BoxBroken
from graders.sandbox.process_lost import ProcessLost

PASSED, FAILED, RAISED = (
    Finding(outcome.value, outcome, 0, 1, "") for outcome in (Outcome.PASSED, Outcome.FAILED, Outcome.RAISED)
)
LATE = Finding("late", Outcome.TIMED_OUT, 0, 1, "")
MISTAKE = Mistake("f__unscaled", "scale it")


def lost(*_: object) -> Any:
    raise ProcessLost(Outcome.TIMED_OUT, "no answer")


def raised(*_: object) -> Any:
    raise Raised("KeyError: 1", "KeyError")


def ours(*_: object) -> Any:
    raise RuntimeError("ours")


@pytest.mark.parametrize("findings", [[], [PASSED], [PASSED, LATE]])
def test_only_what_is_wrong_within_the_limits_is_explained(findings: list[Finding]):
    assert not have_failed(findings)
    assert explain_safely(ours, findings) == findings


@pytest.mark.parametrize("wrong", [FAILED, RAISED])
def test_code_that_does_not_answer_while_it_is_explained_keeps_its_findings(wrong: Finding):
    findings = [PASSED, wrong]
    assert have_failed(findings)
    assert explain_safely(lambda found: [*found, LATE], findings) == [PASSED, wrong, LATE]
    assert explain_safely(lost, findings) == explain_safely(raised, findings) == findings


def test_a_fault_of_ours_while_explaining_is_told_to_staff_beside_what_failed():
    told = replace(RAISED, staff="said before")
    passed, failed, before = explain_safely(ours, [PASSED, FAILED, told])
    assert (passed, before) == (PASSED, told)
    assert "RuntimeError: ours" in (failed.staff or "")


def test_explaining_has_a_time_of_its_own():
    inside = []

    @contextmanager
    def within(seconds: float, used_up: str) -> Any:
        inside.append((seconds, used_up))
        yield
        inside.append("out")

    session: Any = SimpleNamespace(within=within)
    assert in_time(session, lambda found: [*found, *inside])([]) == inside[:1]  # type: ignore[list-item]
    assert inside == [
        (EXPLAINED_S, "the time for explaining what is wrong (3 s) was used up"),
        "out",
    ]


class Session:
    """Remembers which parts it was told to use."""

    def __init__(self, has_parts: bool = True) -> None:
        self.used: list[Any] = []
        self._has_parts = has_parts

    def use_parts(self, parts: Any) -> bool:
        self.used.append(parts)
        return self._has_parts


PROOF = Proof(8, 0, None)


def knowing(*alternatives: tuple[str, ...]) -> Any:
    """What an answer key says, which holds no mistakes to try on other draws."""
    known: Any = SimpleNamespace(can_be_made=False, describe=lambda name: replace(MISTAKE, name=name))
    known.explain = lambda candidate: Explained(known, alternatives, 8)
    return known


KNOWN = knowing(("f__unscaled",))


def judging(session: Any, candidate: Any) -> Any:
    return SimpleNamespace(session=session, candidate=candidate)


def test_a_mistake_is_looked_for_where_a_finding_has_none_and_stays_where_one_is_known():
    other = Mistake("f__other", "look there")
    known = replace(FAILED, mistake=other, mistakes=((other,),))
    session: Any = Session()
    candidate: Any = object()
    judge = judging(session, candidate)
    named = name_mistakes(judge, KNOWN, {}, None, [PASSED, known, RAISED])
    assert named == [PASSED, known, replace(RAISED, mistake=MISTAKE, mistakes=((MISTAKE,),), proof=PROOF)]
    assert session.used == [None, None]
    nobody: Any = SimpleNamespace(explain=ours)
    assert name_mistakes(judge, nobody, {}, None, [PASSED, known]) == [PASSED, known]


def test_of_two_explanations_that_nothing_tells_apart_none_is_named():
    session: Any = Session()
    two = knowing(("f__unscaled",), ("f__scaled_twice",))
    assert name_mistakes(judging(session, object()), two, {}, None, [FAILED]) == [FAILED]


def test_a_check_is_tried_on_its_first_draws_where_the_shown_one_holds_under_another_match():
    shown, first = SimpleNamespace(answer=()), SimpleNamespace(answer=())
    check = SimpleNamespace(name="f", needs_reference=False, answer=None)
    mapper = SimpleNamespace(mapping="likeliest")
    judge: Any = SimpleNamespace(
        exercise=SimpleNamespace(value_checks=[check]),
        draws=SimpleNamespace(for_check=lambda *_: [first]),
        candidate=SimpleNamespace(mapper=mapper),
        try_on=lambda _check, example: Violation("other values") if example is first else None,
    )
    failures: Any = {"f": [SimpleNamespace(check=check, example=shown, failure=Violation("others"))]}
    matched: Any = Matched(mapper, "another", None, 1)  # type: ignore[arg-type]
    cases = _tried_again(judge, ["f"], failures, Explained(KNOWN, (), 1, matched=matched))
    assert [case.example for case in cases["f"]] == [first] and mapper.mapping == "likeliest"
    assert not _tried_again(judge, ["f"], failures, Explained(KNOWN, (), 1))


@pytest.mark.parametrize(("has_parts", "named"), [(True, ((MISTAKE,),)), (False, ())])
def test_around_right_parts_a_new_process_answers_where_there_can_be_one(has_parts: bool, named: Any):
    session: Any = Session(has_parts)
    parts: Any = SimpleNamespace(called={"split_heads"})
    candidate: Any = SimpleNamespace(anew=lambda: "another")
    [found] = name_mistakes(judging(session, candidate), KNOWN, {}, parts, [FAILED])
    assert found.mistakes == named
    assert session.used == [parts, None]


def test_mistakes_are_looked_for_around_right_parts_first_and_then_without():
    called: Any = SimpleNamespace(called={"split_heads"})
    never_called: Any = SimpleNamespace(called=set())
    assert places(called) == (called, None)
    assert places(never_called) == places(None) == (None,)


def load(load: Any = lambda: None, problem: str | None = None) -> tuple[ExerciseResult | None, Any]:
    errors = SimpleNamespace(with_place=lambda error: f"{error}, line 3")
    candidate = SimpleNamespace(load=load, problem=problem, problem_limit=Limit.FILES, errors=errors)
    candidate.source = SimpleNamespace(definitions=("theirs",))
    exercise: Any = SimpleNamespace(name="f", title="F", points=2.0, symbol="f")
    exercise.signatures, exercise.defaults = {"__init__": ("width",)}, {"width": 4}
    return load_candidate(exercise, candidate, Draws(1)), candidate


def broken() -> None:
    raise BoxBroken("no namespaces")


@pytest.mark.parametrize(
    ("loads", "outcome", "message", "undecided", "limit", "staff"),
    [
        ({"load": lost}, Outcome.TIMED_OUT, "no answer, line 3", 0, None, None),
        ({"load": broken}, Outcome.BROKEN, "softmark itself failed here", 2, None, "no namespaces"),
        ({"problem": "f is no function"}, Outcome.RAISED, "f is no function", 0, Limit.FILES, None),
    ],
)
def test_code_that_cannot_be_loaded_has_a_result_without_checks(
    loads: dict[str, Any],
    outcome: Outcome,
    message: str,
    undecided: float,
    limit: Limit | None,
    staff: str | None,
):
    result, _ = load(**loads)
    assert result is not None
    assert (result.outcome, result.findings, result.definitions) == (outcome, (), ("theirs",))
    assert (result.undecided_points, result.limit, result.staff) == (undecided, limit, staff)
    assert message in (result.message or "")


def test_code_that_can_be_loaded_is_asked_by_the_contract():
    result, candidate = load()
    assert result is None
    assert (candidate.contract, candidate.defaults) == ({"__init__": ("width",)}, {"width": 4})
