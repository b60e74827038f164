"""Mappings found by shapes and gradients: right modules under any names, wrong ones, whole models."""

import itertools
import time
from functools import partial

import pytest
import torch

from graders.candidate.local_candidate import LocalCandidate
from graders.candidate.parameter_mapping.assignment import assign
from graders.candidate.parameter_mapping.mapper import heads_of
from graders.candidate.parameter_mapping.mapping import ParameterMapping, Undecidable
from graders.check_api.reference_answer import Recipe, ReferenceAnswer
from graders.course.exercise import Exercise, load_assignment
from graders.course.reference import reference
from graders.judging.draws import Draws
from tests.candidate import attention_styles as styles
from tests.candidate.shuffled_names import shuffled

SUCCESS_S, GIVE_UP_S = 2.0, 5.0  # CPU seconds


@pytest.fixture(scope="module")
def draws() -> Draws:
    return Draws(5)


def exercise_of(assignment: str, name: str) -> Exercise:
    return next(e for e in load_assignment(assignment).exercises if e.name == name)


def search(draws: Draws, exercise: Exercise, make) -> tuple[ParameterMapping | None, float]:
    """The mapping that is found, and the CPU seconds that this takes."""
    answers = draws.mapping_draws(exercise)
    candidate = LocalCandidate(make, partial(draws.mapping_draws, exercise))
    before = time.process_time()
    module = candidate.construct(**answers[0].draw.config)
    candidate.mapper.fit(answers[0], module.shapes(), module.frozen)
    return candidate.mapper.mapping, time.process_time() - before


@pytest.fixture(scope="module")
def attention() -> Exercise:
    return exercise_of("attention", "multi_head_attention")


@pytest.mark.parametrize("style", styles.RIGHT, ids=lambda style: style.__name__)
def test_a_right_attention_and_one_with_a_known_mistake_have_a_proven_mapping(style, draws, attention):
    mapping, seconds = search(draws, attention, style)
    assert mapping is not None and mapping.proven
    assert (mapping.absent, mapping.extra) == ((), ())
    assert seconds < SUCCESS_S


@pytest.mark.parametrize("style", styles.LACKING, ids=lambda style: style.__name__)
def test_the_biases_that_are_missing_are_found(style, draws, attention):
    mapping, _ = search(draws, attention, style)
    assert mapping is not None and mapping.proven
    absent = {f"W_{name}.bias" for name in "qkvo"} - {f"{name}.bias" for name in styles.LACKING[style]}
    assert set(mapping.absent) == absent


@pytest.fixture
def without_other_answers(monkeypatch):
    """As under an answer key that has no answers without biases."""

    def without(answer: ReferenceAnswer, absent: frozenset[str]) -> ReferenceAnswer:
        if absent:
            raise Undecidable("not stored")
        return answer

    monkeypatch.setattr(ReferenceAnswer, "without", without)


def test_an_answer_that_is_not_stored_hides_no_right_attention(draws, attention, without_other_answers):
    for style in styles.RIGHT[:3]:
        mapping, _ = search(draws, attention, style)
        assert mapping is not None and mapping.proven


def test_where_the_answer_that_would_decide_is_not_stored_nothing_is_decided(
    draws, attention, without_other_answers
):
    answers = draws.mapping_draws(attention)
    candidate = LocalCandidate(next(iter(styles.LACKING)), lambda: answers)
    module = candidate.construct(**answers[0].draw.config)
    for _ in range(2):
        with pytest.raises(Undecidable):
            candidate.mapper.fit(answers[0], module.shapes(), module.frozen)


def test_a_bias_too_many_is_found(draws, attention):
    mapping, _ = search(draws, attention, styles.OneBiasMore)
    assert mapping is not None and mapping.proven
    assert mapping.extra in (("shift",), ("c_proj.bias",))  # both do the same


@pytest.mark.parametrize("style", styles.WRONG, ids=lambda style: style.__name__)
def test_a_wrong_attention_has_a_mapping_that_is_not_proven(style, draws, attention):
    mapping, seconds = search(draws, attention, style)
    assert mapping is not None
    assert (mapping.proven, mapping.complete) == (False, True)
    assert seconds < GIVE_UP_S


@pytest.mark.parametrize("style", [styles.ScaledOddly, styles.DropoutAlways])
def test_what_is_wrong_elsewhere_is_still_mapped_by_its_roles(style, draws, attention):
    mapping, _ = search(draws, attention, style)
    assert mapping is not None
    [fused] = [rule for rule in mapping.rules if rule.name == "qkv_proj.weight"]
    assert fused.sources == ("W_k.weight", "W_v.weight", "W_q.weight")


def test_a_right_attention_without_gradients_under_other_names_is_undecidable(draws, attention):
    with pytest.raises(Undecidable):
        search(draws, attention, styles.WithoutGradient)


def test_fewer_parameters_have_no_mapping(draws, attention):
    answers = draws.mapping_draws(attention)
    candidate = LocalCandidate(styles.Short, partial(draws.mapping_draws, attention))
    module = candidate.construct(**answers[0].draw.config)
    with pytest.raises(Exception, match=r"W_o\.weight"):
        candidate.mapper.fit(answers[0], module.shapes())
    assert candidate.mapper.mapping is None


@pytest.mark.parametrize(
    ("assignment", "name"),
    [
        ("bert", "bert_model"),
        ("gpt", "gpt_model"),
        ("bert", "bert_encoder"),
        ("attention", "transformer_block"),
    ],
)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_whole_model_is_found_with_all_names_shuffled(assignment: str, name: str, seed: int, draws):
    exercise = exercise_of(assignment, name)
    whole = reference(name, exercise.symbol)
    mapping, seconds = search(draws, exercise, lambda **config: shuffled(whole(**config), seed))
    assert mapping is not None and mapping.proven
    assert seconds < SUCCESS_S


def test_the_assignment_has_the_least_cost():
    dice = torch.Generator().manual_seed(1)
    for rows, columns in [(3, 3), (2, 4), (4, 2), (1, 1), (5, 5)]:
        costs = torch.rand(rows, columns, generator=dice)
        pairs = assign(costs.tolist())
        assert len(pairs) == len(set(pairs.values())) == min(rows, columns)
        wide = costs if rows <= columns else costs.T
        ways = itertools.permutations(range(wide.shape[1]), wide.shape[0])
        least = min(sum(float(wide[row, column]) for row, column in enumerate(way)) for way in ways)
        assert sum(float(costs[row, column]) for row, column in pairs.items()) == pytest.approx(least)
    assert assign([]) == {}


def test_the_number_of_heads_may_be_left_to_its_default():
    bert = reference("bert_model", "SimpleBertModel")
    assert [heads_of({"num_heads": 3}, bert), heads_of({}, bert), heads_of({})] == [3, 4, 1]


def test_a_search_is_over_once_and_no_reference_is_built_for_later_calls(draws, attention, monkeypatch):
    answers = draws.mapping_draws(attention)
    candidate = LocalCandidate(styles.RIGHT[0], partial(draws.mapping_draws, attention))
    module = candidate.construct(**answers[0].draw.config)
    candidate.mapper.fit(answers[0], module.shapes(), module.frozen)
    built, model = [], Recipe.model
    monkeypatch.setattr(Recipe, "model", lambda recipe, config: built.append(config) or model(recipe, config))
    candidate.mapper.fit(answers[0], module.shapes(), module.frozen)
    assert candidate.mapper.mapping is not None
    assert built == []
