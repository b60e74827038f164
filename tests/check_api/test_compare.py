"""Tolerances come from rounding; NaN never agrees with anything; messages say what differs and where."""

import math
import re

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from graders.check_api.compare import (
    Violation,
    agree,
    alike,
    has_dtype,
    in_form_of,
    is_near,
    is_same,
    require_reach,
    same,
    shaped,
    tensor,
)
from graders.check_api.noticed import gather_remarks
from graders.check_api.strategies.tensors import FLOATS, attention, normal
from graders.check_api.target import JITTERED, Target, rounding, target, targets
from graders.results.case import Reach
from softmark_worker.wire import Other


def softmax(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
    return (torch.softmax(x, -1),)


@given(st.sampled_from(FLOATS), st.integers(0, 999), st.sampled_from([0.01, 1.0, 30.0]))
def test_the_same_sum_in_another_order_is_within_the_tolerance(dtype, seed, scale):
    x = normal(3, 40, seed=seed, scale=scale, dtype=dtype)
    [wanted] = targets(lambda x: (x.sum(-1),), [x])
    agree(x.flip(-1).cumsum(-1)[..., -1], wanted)


@given(st.sampled_from(FLOATS), st.integers(0, 999))
def test_a_thousandth_off_is_outside_the_tolerance(dtype, seed):
    x = normal(3, 5, seed=seed, dtype=dtype)
    [wanted] = targets(softmax, [x])
    with pytest.raises(Violation):
        agree(torch.softmax(x, -1) * 1.001, wanted)


def test_rounding_is_measured_only_for_an_answer_that_needs_it():
    calls: list[torch.Tensor] = []

    def compute(x):
        calls.append(x)
        return (x.exp(),)

    x = normal(2, 3, seed=1)
    [wanted] = targets(compute, [x])
    agree(x.exp(), wanted)
    assert len(calls) == 1
    for _ in range(2):
        assert not is_near(x, wanted)
    assert len(calls) == 1 + 2 * (1 + JITTERED)  # in both precisions, on each of the inputs, once


@given(st.sampled_from(FLOATS), st.integers(0, 999), st.sampled_from([0.01, 1.0, 30.0]))
def test_no_tolerance_is_less_than_what_needs_no_measuring(dtype, seed, scale):
    x = normal(3, 5, seed=seed, scale=scale, dtype=dtype)
    for wanted in targets(lambda x: (x.sum(-1), x.exp()), [x], one_scale=bool(seed % 2)):
        assert 0 < wanted.least <= wanted.tolerance * (1 + 1e-4)  # float64 is measured on inputs in float32


def test_a_target_can_be_wider_and_around_other_values():
    x = normal(2, 3, seed=1)
    [wanted] = targets(lambda x: (x.exp(),), [x])
    wider = wanted.loosen(4.0).with_values(lambda exact: exact + 1)
    assert torch.equal(wider.exact, wanted.exact + 1)
    assert (wider.tolerance, wider.least) == (4 * wanted.tolerance, 4 * wanted.least)


@given(attention(masked=False, dtypes=(torch.float32,)))
def test_another_way_to_attend_agrees_and_half_precision_does_not(draw):
    def attend(Q, K, V):
        return (torch.softmax(Q @ K.mT / math.sqrt(Q.shape[-1]), -1) @ V,)

    [wanted] = targets(attend, [draw.Q, draw.K, draw.V])
    agree(torch.nn.functional.scaled_dot_product_attention(draw.Q, draw.K, draw.V), wanted)
    rough = attend(draw.Q.bfloat16(), draw.K.bfloat16(), draw.V.bfloat16())[0].float()
    if not torch.allclose(rough.double(), wanted.exact, rtol=1e-3, atol=1e-4):
        with pytest.raises(Violation):
            agree(rough, wanted)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("compare", [same, alike])
def test_nan_and_infinity_never_agree(bad, compare):
    good = torch.ones(2, 2)
    wrong = good.clone()
    wrong[1, 0] = bad
    with pytest.raises(Violation) as caught:
        compare(wrong, good)
    assert caught.value.worst == (1, 0)


def test_nothing_agrees_with_an_expected_nan():
    with pytest.raises(Violation):
        agree(torch.tensor(math.nan), Target(torch.tensor(math.nan, dtype=torch.float64), 1.0))


def test_several_right_answers_are_accepted_but_no_mixture():
    left, right = Target(torch.zeros(2).double(), 0.0), Target(torch.ones(2).double(), 0.0)
    agree(torch.ones(2), left, right)
    with pytest.raises(Violation):
        agree(torch.tensor([0.0, 1.0]), left, right)


def test_an_answer_between_two_right_answers_is_right():
    def norm(x, eps):
        return torch.layer_norm(x, x.shape[-1:], eps=eps)

    x = normal(4, 6, seed=3, scale=0.1)
    [error] = rounding(lambda x: (norm(x, 1e-5),), [x])
    right = target(norm(x.double(), 1e-5), error, [norm(x.double(), 1e-12)])
    agree(norm(x, 1e-8), right)
    with pytest.raises(Violation):
        agree(norm(x, 1e-3), right)


def test_a_violation_says_how_many_differ_and_where_most():
    with pytest.raises(Violation) as caught:
        same(torch.tensor([[1.0, 2.0], [3.0, 5.0]]), torch.tensor([[1.0, 2.5], [3.0, 4.0]]))
    assert str(caught.value) == "2 of 4 values of the output differ"
    assert caught.value.worst == (1, 1)


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (None, "the output should be a plain tensor, but is None: is a return missing"),
        ((1, 2), "the output should be a plain tensor, but is a tuple of 2: "),
        (3.5, "the output should be a plain tensor, but is a float (3.5): "),
        (Other("numpy.ndarray", "array"), "the output should be a plain tensor, but is a NumPy array: "),
    ],
)
def test_what_is_not_a_tensor_is_named(value, says):
    with pytest.raises(Violation, match=re.escape(says)):
        tensor(value)


def test_a_subclass_is_no_plain_tensor_whatever_it_claims():
    class Liar(torch.Tensor):
        pass

    with pytest.raises(Violation):
        tensor(torch.ones(2).as_subclass(Liar))
    assert tensor(torch.nn.Parameter(torch.ones(2))).shape == (2,)


def test_a_wrong_shape_gives_both_shapes():
    with pytest.raises(Violation, match=r"should have shape \(2, 3\), but has \(3, 2\)"):
        shaped(torch.zeros(3, 2), (2, 3))


def softmax_in_single(x: torch.Tensor) -> torch.Tensor:
    return x.float().softmax(-1).double()


@pytest.mark.parametrize(
    ("answer", "remarked"),
    [
        (lambda x: x.softmax(-1), False),
        (softmax_in_single, True),
        (lambda x: x.exp() / (x.exp().sum(-1, keepdim=True) + 1e-8), True),
    ],
)
@pytest.mark.parametrize(
    ("dtype", "scale"), [(torch.float64, 1.0), (torch.float64, 30.0), (torch.float32, 1.0)]
)
def test_what_float32_would_not_show_is_a_remark_where_float64_is_due(answer, remarked, dtype, scale):
    x = normal(3, 5, seed=1, scale=scale, dtype=dtype)
    [wanted] = targets(softmax, [x])
    with gather_remarks() as remarks:
        agree(answer(x), wanted)
    assert bool(remarks) is (remarked and dtype == torch.float64)
    with pytest.raises(Violation):
        agree(answer(x) * (1 + 1e-4), wanted)


def test_an_epsilon_beside_a_small_sum_is_seen():
    x = normal(3, 5, seed=1, dtype=torch.float64) * 1e-3
    [wanted] = targets(lambda x: (x / x.norm(dim=-1, keepdim=True),), [x])
    assert not is_near(x / (x.norm(dim=-1, keepdim=True) + 1e-6), wanted)


def test_values_that_are_moved_may_be_rounded_to_float32_and_no_further():
    x = normal(4, 3, seed=1, dtype=torch.float64)
    with gather_remarks() as remarks:
        same(x.float().flip(0), x.flip(0))
        assert len(remarks) == 1
    assert not is_same(x.bfloat16().double(), x)
    assert not is_same(x.float() + 1e-6, x)
    assert not is_same(x.float(), torch.full((4, 3), math.nan, dtype=torch.float64))
    with pytest.raises(Violation):
        same(torch.full((2,), 3e-8, dtype=torch.float64), torch.zeros(2, dtype=torch.float64))


def test_float32_in_the_place_of_float64_is_remarked_and_half_precision_refused():
    with gather_remarks() as remarks:
        has_dtype(torch.ones(1), torch.float64)
        has_dtype(torch.ones(1).double(), torch.float32)
        has_dtype(torch.ones(1), torch.float32)
    assert len(remarks) == 2
    for due in (torch.float32, torch.int64):
        with pytest.raises(Violation):
            has_dtype(torch.ones(1).half(), due)


def test_two_answers_of_bools_can_be_compared():
    alike(torch.tensor([True, False]), torch.tensor([True, False]))
    with pytest.raises(Violation):
        alike(torch.tensor([True, False]), torch.tensor([True, True]))


@pytest.mark.parametrize(
    ("dtype", "scale", "within", "beyond"),
    [
        (torch.float32, 1.0, 3.4e-4, 3.5e-4),
        (torch.float32, 1e-3, 3.4e-4, 3.5e-4),
        (torch.float32, 100.0, 3.4e-2, 3.5e-2),
        (torch.float64, 1.0, 7.6e-6, 7.7e-6),  # beyond 1.5e-8 with a remark
        (torch.int64, 1000.0, 0.0, 1.0),
    ],
)
def test_two_answers_of_the_same_code_agree_to_half_of_the_digits(dtype, scale, within, beyond):
    expected = (torch.tensor([1.0, -0.25, 0.5], dtype=torch.float64) * scale).to(dtype)
    apart = torch.tensor([0.0, 1.0, 0.0], dtype=torch.float64)
    alike(expected.double() + within * apart, expected)
    with pytest.raises(Violation):
        alike(expected.double() + beyond * apart, expected)


def test_the_case_shows_what_is_expected_where_that_is_finite_and_in_the_precision_of_the_answer():
    exact = torch.tensor([1.0, math.inf, 3.0], dtype=torch.float64)
    with pytest.raises(Violation) as caught:
        agree(torch.tensor([1.5, 9.0, 3.25]), Target(exact, 0.1), value_name="the weights")
    shown = caught.value
    assert (shown.worst, shown.expected.dtype, shown.actual.dtype) == ((0,), torch.float32, torch.float32)
    assert str(shown) == ("3 of 3 values of the weights differ, by up to inf; rounding explains at most 0.1")
    with pytest.raises(Violation) as caught:  # where nothing finite differs, the place alone is shown
        agree(torch.tensor([1.0, 9.0, 3.0]), Target(exact, 0.1))
    assert (caught.value.worst, caught.value.expected) == ((1,), None)
    rounded = torch.tensor([1.0 + 1e-12], dtype=torch.float64)
    with pytest.raises(Violation) as caught:  # an answer in single precision, where double was due
        agree(torch.ones(1), Target(rounded, 0.0))
    assert torch.equal(caught.value.expected, rounded)


@pytest.mark.parametrize(("bad", "count"), [([math.nan, 1.0], 1), ([math.inf, -math.inf], 2)])
def test_values_that_are_not_finite_are_counted_as_such(bad, count):
    with pytest.raises(Violation, match=f"{count} of 2 values of the output are NaN or infinite"):
        same(torch.tensor(bad), torch.tensor([1.0, 2.0]))


@pytest.mark.parametrize(
    ("answer", "holds", "drawn"),
    [
        (5, True, False),
        (4, False, True),
        (10**6 - 1, False, True),
        (1 - 10**6, False, True),
        (10**6, False, False),
        (-(10**6), False, False),
    ],
)
def test_a_reach_that_is_wrong_is_drawn_where_it_is_no_huge_number(answer, holds, drawn):
    if holds:
        require_reach(answer, 1, (1, 3, 5), "another reach")
        return
    with pytest.raises(Violation, match="another reach") as caught:
        require_reach(answer, 1, (1, 3, 5), "another reach")
    assert caught.value.reach == (Reach(1, (1, 3, 5), answer) if drawn else None)


@pytest.mark.parametrize(("form", "due"), [((2, 1, 5), (2, 5)), ((2, 5), (1, 2, 5)), ((3, 2, 5), (2, 3, 5))])
def test_an_axis_of_size_1_and_two_axes_exchanged_are_forms_of_one_tensor(form, due):
    values = torch.arange(math.prod(form)).reshape(form)
    formed = in_form_of(values, due)
    assert formed is not None
    assert formed.shape == due
    assert formed.flatten().sort().values.equal(values.flatten())
    assert formed[..., 0, :].flatten().tolist()[:5] == values.flatten().tolist()[:5]


def test_a_tensor_of_other_sizes_has_no_form_of_another():
    assert in_form_of(torch.zeros(2, 5), (2, 4)) is None
    assert in_form_of(torch.zeros(5, 4, 3), (3, 4, 5)) is None
