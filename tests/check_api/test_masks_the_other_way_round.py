"""A mask that is exactly the other way round fails the two checks about that, and no third."""

from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from graders.candidate.local_candidate import LocalCandidate
from graders.check_api.check import Violation
from graders.course.exercise import assignment_names, load_assignment
from graders.judging.draws import Draws

SENSE = {
    "causal_mask": {"hides_the_future", "shows_the_past_and_the_present"},
    "padding_mask": {"hides_the_padding", "shows_the_words"},
}


@pytest.mark.parametrize(
    ("name", "answer", "also"),
    [
        ("causal_mask", lambda length: torch.ones(length, length).tril().bool(), set()),
        ("causal_mask", lambda length: torch.ones(length, length).tril(-1).bool(), {"masks_a_softmax"}),
        ("padding_mask", lambda words: words.bool()[:, None, None], set()),
        ("padding_mask", lambda words: ~words.bool()[:, None], {"broadcasts_to_the_scores"}),
    ],
)
def test_the_sense_alone_costs_the_checks_about_it(
    name: str, answer: Callable[..., Tensor], also: set[str], draws: Draws
):
    [exercise] = (e for a in assignment_names() for e in load_assignment(a).exercises if e.name == name)
    failed = set()
    for check in exercise.value_checks:
        for example in draws.for_check(exercise, check)[:4]:
            try:
                check.judge(LocalCandidate(answer), example.draw, *example.answer)
            except Violation:
                failed.add(check.name)
    assert failed >= also and (also or failed == SENSE[name])
