"""Answers whose form differs from call to call: a check refuses them, and never fails itself."""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
import torch
from torch import Tensor

from graders.audit.spoiled_answers import replace_answer
from graders.audit.try_answer import try_answer
from graders.course.exercise import load_assignment
from graders.course.reference import reference
from graders.judging.draws import Draws
from graders.results.audit_result import Kind
from graders.results.result import Outcome

EXERCISES = [
    ("attention", "split_heads"),
    ("attention", "concat_heads"),
    ("bert", "bert_attention"),
    ("gpt", "gpt_attention"),
    ("minigpt", "minigpt_model"),
]


def forms(answer: Any) -> Iterator[Any]:
    """The answer, and what it becomes by mistakes in its form."""
    yield answer
    if isinstance(answer, tuple):
        for number, part in enumerate(answer):
            yield from ((*answer[:number], form, *answer[number + 1 :]) for form in forms(part))
    elif isinstance(answer, Tensor):
        yield from (None, torch.zeros(1), answer[None], answer.bool(), answer * torch.nan, (answer, answer))
        if answer.dim() > 1:
            yield from (answer[..., 0], answer[:, :0], answer[:, :1], torch.cat([answer, answer], 1))


def vary(seed: int) -> Callable[[Any, Any], Any]:
    """Give most answers as they are, and any form of the others."""
    chosen = random.Random(seed)

    def change(answer: Any, _: Any) -> Any:
        return answer if chosen.random() < 0.7 else chosen.choice(list(forms(answer)))

    return change


@pytest.mark.slow
@pytest.mark.parametrize(("assignment", "name"), EXERCISES)
def test_no_check_fails_itself_on_answers_whose_form_changes(assignment: str, name: str):
    [exercise] = load_assignment(assignment).only([name]).exercises
    right = reference(exercise.name, exercise.symbol)
    for seed in range(4):
        for check in exercise.checks:
            make = partial(replace_answer, right, vary(seed))
            draws = Draws(1, tries=0).first(3)
            tried = try_answer(replace(exercise, checks=(check,)), draws, Kind.ODD, check.name, make)
            assert tried.outcome != Outcome.BROKEN, tried.message
