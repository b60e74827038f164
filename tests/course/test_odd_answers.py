"""However odd an answer is, the check fails by its own sentence: it is never taken for our fault."""

from typing import Any

import pytest
import torch
from torch import Tensor

from graders.check_api.check import Check, Gradients, ObservedCall, Violation
from graders.course.exercise import Exercise, load_assignment
from graders.judging.draws import Draws
from graders.worker.wire import Other

EXERCISES = load_assignment("attention").exercises
CASES = [(exercise, check) for exercise in EXERCISES for check in exercise.checks]
ODD = {
    "none": None,
    "text": "attention",
    "true": True,
    "int": 3,
    "float": float("nan"),
    "empty": torch.empty(0),
    "scalar": torch.tensor(1.0),
    "row": torch.ones(3),
    "matrix": torch.ones(2, 2),
    "deep": torch.ones(1, 1, 1, 1, 1, 2),
    "bool": torch.ones(2, 2, dtype=torch.bool),
    "integers": torch.ones(2, 3, 4, dtype=torch.int64),
    "nan": torch.full((2, 3, 4), torch.nan),
    "half": torch.ones(1, 2, 2, dtype=torch.float16),
    "array": Other("numpy.ndarray", "array"),
    "nothing": (),
    "pair": (torch.ones(2), torch.ones(3, 3)),
    "nones": (None, None),
    "list": [torch.ones(1, 1, 1), torch.ones(1, 1, 1, 1)],
    "three": (1, 2, 3),
    "dict": {"output": torch.ones(1)},
}


class Odd:
    """A candidate, and a module, that answers one thing whatever it is asked."""

    frozen: frozenset[str] = frozenset()

    def __init__(self, answer: Any, value: Tensor | None = None) -> None:
        self.answer = answer
        self.value = value

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.answer

    def observed_call(self, *args: Any, **kwargs: Any) -> ObservedCall:
        return ObservedCall(self.answer, args, True)

    def gradients(self, *args: Any, upstream: Any) -> Gradients:
        return Gradients(self.answer, [self.answer], {"W_q.weight": self.answer})

    def parameters(self) -> dict[str, Tensor]:
        return {"W_q.weight": torch.ones(1, 1)}

    def shapes(self) -> dict[str, tuple[int, ...]]:
        return {"W_q.weight": (1, 1)}

    def construct(self, *args: Any, **kwargs: Any) -> "Odd":
        return self

    weighted = like = load = train = to = construct


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize(("exercise", "check"), CASES, ids=[f"{e.name}-{c.name}" for e, c in CASES])
def test_an_odd_answer_is_a_wrong_answer(exercise: Exercise, check: Check, odd: str, deck: Draws):
    for dealt in deck.for_check(exercise, check)[:6]:
        try:
            check.body(Odd(ODD[odd]), dealt.draw, *dealt.answer)
        except Violation as violation:
            assert str(violation)


@pytest.mark.parametrize("odd", [name for name, value in ODD.items() if isinstance(value, Tensor)])
def test_an_odd_variable_is_a_wrong_answer(odd: str, deck: Draws):
    [exercise] = [e for e in EXERCISES if e.name == "causal_mask"]
    for check in exercise.checks:
        for dealt in deck.for_check(exercise, check)[:6]:
            try:
                check.body(Odd(None, ODD[odd]), dealt.draw, *dealt.answer)
            except Violation as violation:
                assert str(violation)
