"""Functions that draw at random: no right answer fails by bad luck; mistakes are named in any code style."""

from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from graders.audit.spoiled_answers import ODD
from graders.audit.try_answer import try_answer
from graders.check_api.candidate import Seeded
from graders.check_api.check import Check, Violation
from graders.check_api.lent_models import CallLog
from graders.course.exercise import Exercise, load_assignment
from graders.course.reference import mistakes, reference
from graders.diagnosis.fingerprint import fingerprint
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.results.audit_result import Kind
from graders.results.result import ExerciseResult, Outcome
from graders.sandbox.box import Box
from tests.conftest import NIGHTLY
from tests.support.at_night import at_night, some_at_night

NAMES = ("get_batch", "estimate_loss", "generate")
EXERCISES = {e.name: e for e in load_assignment("minigpt").exercises if e.name in NAMES}
CASES = [(exercise, check) for exercise in EXERCISES.values() for check in exercise.checks]


class Odd:
    """A candidate that answers every call with the same value."""

    value = None

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def __call__(self, *args: Any) -> Any:
        return self.answer

    def seeded(self, seed: int, *args: Any) -> Seeded:
        return Seeded(self.answer, args, True)

    def make_model(self, kind: str, **config: Any) -> "Odd":
        return self

    def train(self, mode: bool = True) -> None:
        pass

    calls = 1

    def call_log(self) -> CallLog:
        return CallLog(0, 0, 0, (), False)


@pytest.mark.parametrize(("exercise", "check"), CASES, ids=[f"{e.name}-{c.name}" for e, c in CASES])
def test_odd_numbers_of_the_right_shape_are_a_wrong_answer(exercise: Exercise, check: Check, draws: Draws):
    for example, fill in product(draws.for_check(exercise, check), (torch.nan, torch.inf, -1.0, 0.25, 1e30)):
        draw = example.draw
        if exercise.name == "get_batch":
            answer: Any = (torch.full((draw.batch_size, draw.block_size), fill),) * 2
        elif exercise.name == "generate":
            new = torch.full((draw.shape[0], draw.max_new_tokens), fill)
            answer = torch.cat([draw.idx, new], 1)
        else:
            answer = torch.tensor(fill)
        if check.shape_only and (exercise.name == "estimate_loss" or not isinstance(answer, Tensor)):
            continue
        for odd in (answer, fill):
            with pytest.raises(Violation):
                check.judge(Odd(odd), draw, *example.answer)


@pytest.mark.parametrize("exercise", EXERCISES.values(), ids=EXERCISES)
def test_whatever_is_answered_a_trial_only_looks_at_it(exercise: Exercise, draws: Draws):
    for odd in ODD.values():
        for trial in draws.diagnostic_draws(exercise):
            fingerprint(Odd(odd), trial)


@pytest.mark.parametrize("exercise", EXERCISES.values(), ids=EXERCISES)
@pytest.mark.slow
def test_the_reference_has_no_bad_luck(exercise: Exercise):
    for seed in range(100, 105 if NIGHTLY else 101):  # beside the audit's
        symbol = reference(exercise.name, exercise.symbol)
        result = try_answer(
            exercise, Draws(seed), Kind.REFERENCE, exercise.name, lambda symbol=symbol: symbol
        )
        assert (result.failed, result.message) == ((), None), seed


@pytest.mark.parametrize("seed", [102, 148, 252, 269])
def test_decoding_is_right_where_another_model_or_source_gives_the_same_ids_by_chance(seed: int):
    [exercise] = load_assignment("seq2seq").only(["greedy_decode"]).exercises
    right = reference(exercise.name, exercise.symbol)
    result = try_answer(exercise, Draws(seed), Kind.REFERENCE, exercise.name, lambda: right)
    assert (result.failed, result.message) == ((), None)


@pytest.mark.parametrize(
    "mistake",
    [
        "get_batch__last_never",
        "generate__top_k",
        at_night("get_batch__over_the_end"),
        at_night("generate__flatter"),
    ],
)
@pytest.mark.slow
def test_a_mistake_is_named_under_any_seed(mistake: str):
    exercise = EXERCISES[mistake.partition("__")[0]]
    for seed in range(200, 203 if NIGHTLY else 202):
        result = try_answer(
            exercise,
            Draws(seed),
            Kind.MISTAKE,
            mistake,
            lambda: mistakes(exercise.name, exercise.symbol)[mistake],
        )
        assert result.named_as_itself, seed


STACKED = """def get_batch(data, block_size, batch_size):
    ix = {starts}
    x = torch.stack([data[i : i + block_size] for i in ix])
    y = torch.stack([data[i + {shift} : i + block_size + {shift}] for i in ix])
    return x, y
"""
DRAWN = "torch.randint(len(data) - block_size, (batch_size,))"
ONE_BY_ONE = "[int(torch.rand(1, dtype=torch.float64) * ({})) for _ in range(batch_size)]"
WRITTEN = """def generate(model, idx, max_new_tokens, block_size):
    for _ in range(max_new_tokens):
        out = model({context})
        logits = out[0] if isinstance(out, tuple) else out
        logits = {logits}
        noise = -torch.log(-torch.log(torch.rand(logits.shape, dtype=torch.float64)))
        idx = torch.cat([idx, (logits + noise).argmax(-1, keepdim=True)], dim=1)
    return {answer}
"""
USUAL = {"context": "idx[:, -block_size:]", "logits": "logits[:, -1]", "answer": "idx"}
ESTIMATED = """def estimate_loss(model, data, block_size, batch_size, eval_iters):
    mode, total = model.training, 0.0
    {before}
    with {grad}:
        {once}
        for _ in range(eval_iters):
            {each}
            w = data.unfold(0, block_size + 1, 1)[i]
            total += float(model(w[:, :-1], w[:, {targets}])[1].detach())
    {after}
    return total / {by}
"""
START = "i = torch.randint(len(data) - block_size, (batch_size,))"
PLAIN = {
    "before": "model.eval()",
    "grad": "torch.no_grad()",
    "once": "pass",
    "each": START,
    "targets": "1:",
    "after": "model.train(mode)",
    "by": "eval_iters",
}
WRONG = {
    "get_batch__over_the_end": STACKED.format(starts=DRAWN.replace("size,", "size + 1,"), shift=1),
    "get_batch__anywhere": STACKED.format(starts="torch.randint(len(data), (batch_size,))", shift=1),
    "get_batch__same_as_x": STACKED.format(starts=DRAWN, shift=0),
    "get_batch__last_never": STACKED.format(starts=ONE_BY_ONE.format("len(data) - block_size - 1"), shift=1),
    "get_batch__own_seed": STACKED.format(starts=DRAWN, shift=1).replace(
        "    ix", "    torch.manual_seed(42)\n    ix"
    ),
    "get_batch__not_torchs": "import random\n\n\n"
    + STACKED.format(starts="[random.randrange(len(data) - block_size) for _ in range(batch_size)]", shift=1),
    "generate__not_cropped": WRITTEN.format(**{**USUAL, "context": "idx"}),
    "generate__first_ids": WRITTEN.format(**{**USUAL, "context": "idx[:, :block_size]"}),
    "generate__sharper": WRITTEN.format(**{**USUAL, "logits": "logits[:, -1] / 0.8"}),
    "generate__flatter": WRITTEN.format(**{**USUAL, "logits": "logits[:, -1] * 0.6"}),
    "generate__first_position": WRITTEN.format(**{**USUAL, "logits": "logits[:, 0]"}),
    "generate__new_ids_alone": WRITTEN.format(**{**USUAL, "answer": "idx[:, -max_new_tokens:]"}),
    "generate__argmax": WRITTEN.format(**USUAL).replace("(logits + noise)", "logits"),
    "generate__one_draw_for_all": WRITTEN.format(**USUAL).replace(
        "(logits + noise).argmax(-1, keepdim=True)", "(logits + noise)[:1].argmax(-1).repeat(len(idx), 1)"
    ),
    "estimate_loss__sum": ESTIMATED.format(**{**PLAIN, "by": "1"}),
    "estimate_loss__stays_in_eval": ESTIMATED.format(**{**PLAIN, "after": "pass"}),
    "estimate_loss__without_eval": ESTIMATED.format(**{**PLAIN, "before": "pass"}),
    "estimate_loss__always_back_to_training": ESTIMATED.format(**{**PLAIN, "after": "model.train()"}),
    "estimate_loss__with_gradients": ESTIMATED.format(**{**PLAIN, "grad": "torch.enable_grad()"}),
    "estimate_loss__same_batch": ESTIMATED.format(**{**PLAIN, "once": START, "each": "pass"}),
    "estimate_loss__targets_are_x": ESTIMATED.format(**{**PLAIN, "targets": ":-1"}),
    "estimate_loss__divided_twice": ESTIMATED.format(**{**PLAIN, "by": "(eval_iters * batch_size)"}),
}


@pytest.fixture
def graded(draws: Draws, box: Box, tmp_path: Path):
    """A function that grades the code of one exercise."""

    def grade_code(name: str, code: str) -> ExerciseResult:
        path = tmp_path / "rendu.py"
        path.write_text(f"import torch\n\n\n{code}", encoding="utf-8")
        assignment = load_assignment("minigpt").only([name])
        [exercise] = Grader(assignment, draws.only(None), box).grade(path, "rendu").exercises
        return exercise

    return grade_code


def test_a_mean_loss_that_is_known_by_heart_is_a_wrong_answer(draws: Draws):
    whole = EXERCISES["estimate_loss"]
    exercise = replace(whole, checks=tuple(c for c in whole.checks if c.name == "draws_each_batch_anew"))
    right = reference(exercise.name, exercise.symbol)

    def by_heart(model: Any, data: Tensor, block_size: int, batch_size: int, eval_iters: int) -> Any:
        known = {400: 0.5, 20: 1.0}
        return known.get(eval_iters) or right(model, data, block_size, batch_size, eval_iters)

    tried = try_answer(exercise, draws, Kind.EMPTY, "by_heart", lambda: by_heart)
    assert tried.failed == ("draws_each_batch_anew",)


# Some of each exercise at each push, when the audit tries each of them in our order of drawing.
AT_EACH_PUSH = (
    *("get_batch__own_seed", "generate__not_cropped", "generate__flatter", "estimate_loss__same_batch"),
)


@pytest.mark.parametrize("mistake", some_at_night(WRONG, AT_EACH_PUSH))
def test_a_mistake_is_named_in_another_order_of_drawing(graded, mistake: str):
    result = graded(mistake.partition("__")[0], WRONG[mistake])
    named = {f.mistake.name for f in result.findings if f.mistake}
    assert named == {mistake}, [f.message for f in result.findings]


def test_right_answers_in_the_dress_of_the_wrong_ones_pass(graded):
    for name, code in (
        ("get_batch", STACKED.format(starts=ONE_BY_ONE.format("len(data) - block_size"), shift=1)),
        ("generate", WRITTEN.format(**USUAL)),
        ("estimate_loss", ESTIMATED.format(**PLAIN)),
    ):
        result = graded(name, code)
        assert result.outcome is Outcome.PASSED, [f.message for f in result.findings]


def test_a_model_that_was_given_too_much_explains_the_answer(graded):
    result = graded("generate", WRONG["generate__not_cropped"])
    [failed] = [f for f in result.findings if f.outcome is not Outcome.PASSED]
    assert failed.check == "gives_the_model_the_last_ids_alone"
    assert "where block_size is" in failed.message


def test_what_forges_the_models_memory_gains_nothing(graded):
    """The host keeps the record of calls."""
    forged = WRONG["estimate_loss__with_gradients"].replace(
        "    return", "    model.tracked = model.in_training = 0\n    return"
    )
    result = graded("estimate_loss", forged)
    assert {f.check for f in result.findings if f.outcome is not Outcome.PASSED} == {"takes_no_gradients"}
    wrong = ESTIMATED.format(**{**PLAIN, "targets": ":-1", "before": "pass"})
    forged = wrong.replace("    return", "    model.shapes = []\n    model.calls = eval_iters\n    return")
    result = graded("estimate_loss", forged)
    assert {f.check for f in result.findings if f.outcome is not Outcome.PASSED} == {
        "looks_at_the_model_in_evaluation_mode",
        "gives_the_model_batches_of_the_text",
    }
