"""The case that is shown for a mistake is one to learn from: plain numbers, and a difference that is seen."""

import math
from functools import partial

import pytest
import torch

from graders.candidate.local_candidate import LocalCandidate
from graders.check_api.check import Violation
from graders.check_api.compare import alike, same
from graders.check_api.strategies.tensors import Attention, input_values, normal, plain_inputs
from graders.course.exercise import Exercise, load_assignment
from graders.course.reference import mistakes, reference
from graders.judging.case_view import case_of
from graders.judging.drawing import small_draws
from graders.judging.draws import Draws
from graders.judging.plainness import has_plain_inputs, relative_difference
from reports.case_text import answer_lines, input_lines
from tests.maintenance.cases_shown import case_shown, cases_of
from tests.support.smallest import smallest


def exercise_of(assignment: str, name: str) -> Exercise:
    [exercise] = load_assignment(assignment).only([name]).exercises
    return exercise


@pytest.mark.parametrize(
    ("assignment", "name", "mistake", "check"),
    [
        ("attention", "scaled_dot_product_attention", "unscaled", "follows_its_definition"),
        ("attention", "scaled_dot_product_attention", "softmax_over_queries", "follows_its_definition"),
        ("attention", "scaled_dot_product_attention", "mask_inverted", "gives_masked_keys_no_weight"),
        ("foundations", "layer_norm", "ignores_eps", "adds_the_epsilon_that_it_is_given"),
        ("bert", "bert_attention", "mask_multiplied", "adds_masks_of_every_shape"),
    ],
)
def test_a_fault_is_seen_at_once_on_plain_numbers(draws: Draws, assignment, name, mistake, check):
    found = {shown.check: shown for shown in cases_of(exercise_of(assignment, name), draws, [mistake])}
    shown = found[check]
    assert shown.relative >= 0.1
    assert {shown.heads, shown.batch} <= {1, None}
    assert shown.plain and shown.digits_differ


def test_two_curves_that_are_near_to_each_other_are_shown_where_they_are_apart(draws: Draws):
    [shown] = cases_of(exercise_of("attention", "feed_forward"), draws, ["quick_gelu"])
    assert shown.relative >= 0.1 and shown.plain and shown.digits_differ


def test_heads_that_are_joined_wrongly_are_several_of_different_sizes(draws: Draws):
    exercise = exercise_of("attention", "concat_heads")
    for shown in cases_of(exercise, draws, ["without_transpose"]):
        assert shown.text == "x (1, 2, 3, 4) float32"


def test_a_missing_scale_is_read_from_a_few_numbers(draws: Draws):
    exercise = exercise_of("attention", "scaled_dot_product_attention")
    [check] = [each for each in exercise.checks if each.name == "follows_its_definition"]
    unscaled = mistakes(exercise.name, exercise.symbol)["scaled_dot_product_attention__unscaled"]
    case = case_shown(exercise, draws, check, unscaled)
    *written, mask = input_lines(case)
    assert [line.partition(" = ")[0] for line in written] == [
        "Q (3, 2) float32",
        "K (2, 2) float32",
        "V (2, 2) float32",
    ]
    assert mask == "no mask"
    expected, yours, differ = answer_lines(case)
    assert expected.partition(": ")[2] != yours.partition(": ")[2].strip()
    assert "expected 0." in differ


@pytest.mark.parametrize("name", ["scaled_dot_product_attention", "concat_heads", "feed_forward"])
def test_right_code_holds_on_the_draws_that_are_shown(draws: Draws, name: str):
    exercise = exercise_of("attention", name)
    right = LocalCandidate(reference(exercise.name, exercise.symbol), partial(draws.mapping_draws, exercise))
    for check in exercise.value_checks:
        for example in draws.ladder(exercise, check, small_draws):
            check.judge(right, example.draw, *example.answer)


def test_the_plainest_of_faint_cases_is_shown(draws: Draws):
    exercise = exercise_of("attention", "scaled_dot_product_attention")
    [check] = [each for each in exercise.checks if each.name == "follows_its_definition"]
    first, factors = draws.for_check(exercise, check)[-1], iter([1e-6, 1e-3, 1e-6, 1e-6, 1e-6, 1e-6])
    seen = {}

    def fails(example):
        expected, factor = torch.ones(1), next(factors, 1e-6)
        seen[example] = factor
        return Violation("", expected, expected * (1 + factor), (0,))

    assert seen[smallest(draws, exercise, check, first, fails)] == 1e-3
    assert len(seen) <= 7


@pytest.mark.parametrize("shape", [(2, 3), (2, 4), (1, 3, 8), (2, 30), (0, 4), ()])
def test_plain_inputs_are_small_integers_and_halves_that_differ(shape):
    with plain_inputs():
        values = input_values(*shape, seed=3)
    assert values.shape == shape
    assert has_plain_inputs(Attention(values, values, values))
    assert bool((values != 0).all()) and float(values.abs().sum()) <= 3 * values.numel()
    rows = values.reshape(1, -1) if values.numel() <= 8 else values.reshape(-1, shape[-1])
    assert rows.shape[-1] > 8 or all(len(set(row.tolist())) == len(row) for row in rows)
    assert torch.equal(input_values(*shape, seed=3), normal(*shape, seed=3))


@pytest.mark.parametrize(
    ("expected", "actual", "difference"), [(1.0, 0.5, 0.5), (2.0, math.nan, math.inf), (0.0, 0.0, 0.0)]
)
def test_a_difference_is_a_share_of_the_larger_value(expected, actual, difference):
    failure = Violation("", torch.tensor([expected]), torch.tensor([actual]), (0,))
    assert relative_difference(failure) == difference


def test_values_that_differ_in_their_last_digits_are_told_apart():
    expected, actual = torch.tensor([[0.123456789, 2.0], [0.123456788, 2.0]], dtype=torch.float64)
    case = case_of(Attention(expected, expected, expected), Violation("", expected, actual, (0,)))
    first, second, differ = answer_lines(case)
    assert "0.123456789" in first and "0.123456788" in second
    assert "expected 0.123456789, yours 0.123456788" in differ


def test_an_answer_in_half_precision_is_told_from_one_in_double():
    exact = torch.tensor([0.1], dtype=torch.float64)
    same(exact.float(), exact)  # single precision is a remark
    with pytest.raises(Violation) as raised:
        same(exact.half(), exact)
    assert float(raised.value.expected[0]) != float(raised.value.actual[0])


def test_nan_is_not_compared_with_nan_of_the_same_code():
    both = torch.tensor([math.nan, 1.0])
    with pytest.raises(Violation) as raised:
        alike(both, both)
    assert raised.value.expected is None and raised.value.worst == (0,)
    with pytest.raises(Violation) as raised:
        same(torch.tensor([math.nan, 2.0]), both)
    assert raised.value.worst == (1,)
