"""Code that never answers since its constructor loads pretrained weights is for a person to look at."""

from types import SimpleNamespace
from typing import Any

import pytest

from graders.judging.find_pretrained import judge_pretrained
from graders.results.result import Finding, Outcome

EXERCISE: Any = SimpleNamespace(name="gpt", title="GPT", symbol="GPT", points=5.0)
LOADS = """
class GPT(Module):
    def __init__(self):
        self.body = Body.from_pretrained("gpt2")
"""
OFFERS = """
class GPT(Module):
    def __init__(self):
        self.body = Body()
    @classmethod
    def from_pretrained(cls, name):
        return other.from_pretrained(name)
"""


def candidate(code: str) -> Any:
    definitions = tuple(SimpleNamespace(code=text) for text in ("Model = GPT", code))
    return SimpleNamespace(source=SimpleNamespace(symbol="Model", definitions=definitions))


def found(*outcomes: Outcome) -> list[Finding]:
    return [Finding(f"check {n}", outcome, 0, 1, "") for n, outcome in enumerate(outcomes)]


def test_what_loads_weights_and_never_answers_is_undecided() -> None:
    result = judge_pretrained(EXERCISE, candidate(LOADS), found(Outcome.TIMED_OUT, Outcome.RAISED))
    assert result is not None
    assert (result.outcome, result.undecided_points) == (Outcome.SKIPPED, 5.0)


@pytest.mark.parametrize(
    ("code", "outcome"), [(OFFERS, Outcome.TIMED_OUT), (LOADS, Outcome.FAILED), ("class GPT", Outcome.RAISED)]
)
def test_what_answers_or_only_offers_to_load_weights_is_judged(code: str, outcome: Outcome) -> None:
    assert judge_pretrained(EXERCISE, candidate(code), found(Outcome.TIMED_OUT, outcome)) is None
