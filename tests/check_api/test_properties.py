"""Each property holds for right code, and is violated by the smallest code that is wrong in it."""

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from graders.candidate.local_candidate import LocalCandidate, LocalModule
from graders.check_api.candidate import Raised
from graders.check_api.compare import Violation
from graders.check_api.properties import (
    RANDOM,
    begins_like,
    depends_on,
    drops_in_training,
    drops_in_training_only,
    first_tensor,
    gradient_comes_from_where_values_went,
    has_matrices,
    has_parameters,
    in_double,
    is_not_linear,
    leaves_alone,
    refuses,
    treats_sequences_apart,
    uses_its_weights,
)
from graders.check_api.strategies.module_inputs import Indivisible
from graders.check_api.strategies.tensors import normal
from graders.check_api.timed_call import flops_of_attention
from graders.language import tr

X = normal(3, 4, 5, seed=1)


def called(function: Callable[..., Any]) -> Any:
    return LocalCandidate(function)


def violated(property_: Callable[[], Any]) -> str:
    """The message of the violation; empty where the property holds."""
    try:
        property_()
    except Violation as violation:
        return str(violation)
    return ""


@pytest.mark.parametrize("answer", [X, (X, 1), [X, None], {"weights": None, "output": X}])
def test_the_output_is_the_answer_or_its_first_part(answer: Any):
    assert first_tensor(answer) is X


@pytest.mark.parametrize("answer", [(), [], None, (1, X), {}])
def test_without_a_tensor_in_its_place_there_is_no_output(answer: Any):
    assert "should be a plain tensor" in violated(lambda: first_tensor(answer))


@pytest.mark.parametrize(
    ("shape", "begins"), [((3, 4), 1), ((3, 4, 9), 1), ((3, 5, 5), 0), ((4, 3), 0), ((3,), 0)]
)
def test_an_output_begins_with_batch_and_positions(shape: tuple[int, ...], begins: int):
    assert violated(lambda: begins_like(X, torch.zeros(shape))) == (
        "" if begins else "the output should begin with (3, 4)"
    )


def test_parameters_are_counted_and_listed_where_there_are_more_or_fewer():
    both = {"weight": torch.zeros(2, 3), "bias": torch.zeros(2)}
    assert not violated(lambda: has_parameters(both, 8)) and not violated(lambda: has_matrices(both, 6))
    listed = "there should be 9 parameters, but there are 8: weight (2, 3), bias (2,)"
    assert violated(lambda: has_parameters(both, 9)) == listed
    assert (
        violated(lambda: has_matrices(both, 8))
        == "there should be 8 parameters, but there are 6: weight (2, 3)"
    )
    assert violated(lambda: has_parameters({}, 1)) == "there should be 1 parameters, but there are 0: none"
    assert not violated(lambda: has_parameters({}, 0))


def changes_x(x: Tensor) -> Tensor:
    x += 1
    return x.clone()


def another_each_time(x: Tensor) -> Tensor:
    CALLS.append(1)
    return x + len(CALLS)


def rounds_otherwise_the_second_time(x: Tensor) -> Tensor:
    CALLS.append(1)
    return x * (1 + len(CALLS) * torch.finfo(x.dtype).eps)


CALLS: list[int] = []


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (lambda x: x * 2, ""),
        (lambda x: (x * 2, "weights"), ""),
        (rounds_otherwise_the_second_time, ""),
        (changes_x, "20 of 60 values"),
        (another_each_time, "60 of 60 values of the output of the second call differ"),
    ],
)
def test_code_that_changes_its_argument_or_its_answer_does_not_leave_them_alone(function: Any, says: str):
    said = violated(lambda: leaves_alone(called(function), [X], "x"))
    assert (said == "") == (says == "")
    assert ("x after the call" in said) == (function is changes_x)
    assert function is changes_x or says in said


def test_rows_that_are_masked_whole_may_be_nan_and_no_others():
    hidden = torch.tensor([[math.nan], [1.0]])
    assert violated(lambda: leaves_alone(called(lambda x: x + hidden), [torch.ones(2, 3)], "x")) == ""
    assert violated(lambda: leaves_alone(called(lambda x: x + math.nan), [torch.ones(2, 3)], "x"))


def test_code_that_draws_numbers_is_told_in_a_remark():
    def draws(x: Tensor) -> Tensor:
        torch.rand(1)
        return x

    assert leaves_alone(called(draws), [X], "x") == tr(RANDOM)
    assert leaves_alone(called(lambda x: x), [X], "x") is None


class Dropping(nn.Module):
    """Drops where it is told to."""

    def __init__(self, rate: float, always: bool = False, never: bool = False, stays: bool = False) -> None:
        super().__init__()
        self.rate, self.always, self.never, self.stays = rate, always, never, stays
        self.trained = False

    def forward(self, x: Tensor) -> Tensor:
        self.trained |= self.training
        after = self.stays and self.trained and not self.training
        dropped = nn.functional.dropout(x, self.rate, self.always or (self.training and not self.never))
        return dropped + (1 if after else 0)


LARGE = torch.ones(40, 40)


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ({}, ""),
        ({"always": True}, "of the second output in evaluation"),
        ({"never": True}, "in training with dropout=0.5 two calls answer the same"),
        ({"stays": True}, "of the output in evaluation after training"),
    ],
)
def test_dropout_acts_in_training_and_neither_before_nor_after_it(how: dict[str, bool], says: str):
    module = LocalModule(Dropping(0.5, **how).eval())
    said = violated(lambda: drops_in_training(module, [LARGE], 0.5))
    assert says in said and bool(said) is bool(says)
    unnamed = violated(lambda: drops_in_training(LocalModule(Dropping(0.5, never=True).eval()), [LARGE]))
    assert unnamed == "in training two calls answer the same"


def test_without_dropout_training_and_evaluation_answer_alike():
    def construct(least: float) -> Callable[[float], Any]:
        return lambda rate: LocalModule(Dropping(max(rate, least)).eval())

    drops_in_training_only(construct(0.0), 0.5, LARGE)
    assert "the output in training with dropout=0" in violated(
        lambda: drops_in_training_only(construct(0.2), 0.5, LARGE)
    )


def test_code_that_raises_in_float64_is_judged_in_the_other_dtype():
    judged: list[torch.dtype] = []

    def refuse(dtype: torch.dtype) -> None:
        judged.append(dtype)
        if dtype is torch.float64:
            raise Raised("RuntimeError", "RuntimeError")
        raise Violation("wrong in float32 too")

    assert violated(lambda: in_double(refuse, torch.float32)) == "wrong in float32 too"
    assert judged == [torch.float64, torch.float32]
    in_double(judged.append, torch.float32)
    assert judged[2:] == [torch.float64]


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (lambda x: x.transpose(0, 1), ""),
        (lambda x: x.detach().transpose(0, 1), "no gradient reaches x"),
        (lambda x: x + 1, "the output holds values that are not in x"),
        (lambda x: x - 1, "the output holds values that are not in x"),
        (lambda x: x.detach() + x.flip(0) - x.flip(0).detach(), "of the gradient of x differ"),
    ],
)
def test_where_values_are_only_moved_gradients_go_back_the_same_way(function: Any, says: str):
    said = violated(lambda: gradient_comes_from_where_values_went(called(function), torch.ones(2, 3)))
    assert says in said and bool(said) is bool(says)


@pytest.mark.parametrize(
    ("function", "value_name", "depends"),
    [
        (lambda x: x, "x", True),
        (lambda x: torch.ones(2), "x", False),
        (lambda x: (x - x.mean(-1, keepdim=True)) / x.std(-1, keepdim=True), "x", True),
        (lambda x: (x[..., 1:] > x[..., :-1]).float(), "x", True),
        (lambda x: (x[..., 1:] > x[..., :-1]).float(), "memory", False),
    ],
)
def test_an_output_depends_on_x_where_one_of_two_changes_shows(function: Any, value_name: str, depends: bool):
    x = torch.tensor([[1.0, -2.0, 0.5, -0.6]])
    one = called(function)
    said = violated(lambda: depends_on(one, first_tensor(one(x)), [2 * x + 1], value_name))
    assert said == ("" if depends else f"this cannot be judged: the output does not depend on {value_name}")


def test_of_one_column_a_norm_leaves_nothing_and_ids_have_one_change():
    constant = called(lambda x: torch.ones(1))
    assert violated(lambda: depends_on(constant, torch.ones(1), [torch.ones(3, 1)])) == ""
    assert violated(lambda: depends_on(constant, torch.ones(1), [torch.ones(3, 1, dtype=torch.int64)]))
    assert violated(lambda: depends_on(constant, torch.ones(1), [torch.ones(3, 1)], "memory"))


class Scaling(nn.Module):
    """Multiplies by its weight, if it uses it."""

    def __init__(self, used: bool) -> None:
        super().__init__()
        self.used, self.weight = used, nn.Parameter(torch.ones(5))

    def forward(self, x: Tensor) -> Tensor:
        return x * self.weight if self.used else x


@pytest.mark.parametrize("used", [True, False])
def test_other_weights_give_another_output_where_they_are_used(used: bool):
    module = LocalModule(Scaling(used))
    assert bool(violated(lambda: uses_its_weights(module, module(X), [X], 3))) is not used
    assert not torch.equal(module.parameters()["weight"], torch.ones(5))


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (lambda x, mask=None: x + 1, ""),
        (lambda x, mask=None: x + x.mean(0), "of a sequence alone differ"),
        (lambda x, mask=None: x.transpose(0, 1), "the first axis of the output should be 3"),
        (lambda x, mask=None: x.sum(), "the first axis of the output should be 3"),
    ],
)
def test_a_sequence_alone_has_the_output_that_it_has_in_its_batch(function: Any, says: str):
    for arguments in ([X, None], [X, torch.zeros(3, 4)]):
        said = violated(lambda given=arguments: treats_sequences_apart(called(function), given))
        assert says in said and bool(said) is bool(says)


@pytest.mark.parametrize(
    ("refused", "says"), [(lambda w, h: w % h, ""), (lambda w, h: 0, "width of 7 with 3 heads")]
)
def test_a_width_that_the_heads_do_not_share_is_refused_and_no_other(refused: Any, says: str):
    def construct(width: int, heads: int) -> nn.Module:
        if refused(width, heads):
            raise ValueError(width)
        return nn.Identity()

    draw = Indivisible(width=7, num_heads=3)
    assert says in violated(lambda: refuses(called(construct), draw))
    with pytest.raises(Raised):
        refuses(called(lambda width, heads: 1 / 0), draw)


@pytest.mark.parametrize(
    ("function", "linear"),
    [
        (lambda x: x.relu(), False),
        (lambda x: nn.functional.gelu(x) + 3, False),
        (lambda x: 2 * x, True),
        (lambda x: x.flip(-1) + 3, True),
    ],
)
def test_a_network_without_an_activation_is_linear_with_or_without_a_bias(function: Any, linear: bool):
    said = violated(lambda: is_not_linear(function, X))
    assert said == (
        "doubling the input exactly doubles the output's change: no activation acts" if linear else ""
    )
    assert "of the second call" in violated(lambda: is_not_linear(another_each_time, X))


def test_the_work_of_attention_is_that_of_its_scores_and_of_its_projections():
    scores = flops_of_attention(2, 3, 5)
    assert scores == 4 * 2 * 3 * 3 * 5
    assert flops_of_attention(2, 3, 5, causal=True) == scores / 2
    assert flops_of_attention(2, 3, 5, projections=4) == scores + 4 * (2 * 2 * 3 * 5 * 5)
