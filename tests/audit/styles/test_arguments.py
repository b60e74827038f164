"""Styles of arguments and of answers keep what the code computes."""

import inspect

import pytest

from tests.audit.styles.both_forms import both_forms, find_exercise, rewrite

LOCAL_MASK = """
import torch

def local_mask(seq_len, window):
    positions = torch.arange(seq_len)
    return (positions[:, None] - positions).abs() > window
"""
CONVOLUTION = """
def causal_conv1d(x, weight, bias=None):
    return x, weight, bias
"""
CROSS = """
import torch.nn as nn

class CrossAttention(nn.Module):
    def forward(self, x, memory, mask=None):
        if mask is None:
            mask = 7
        return x + memory, mask
"""


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize(
    "style", ["names", "order", "keyword_only", "positional_only", "starred", "options", "must_be_given"]
)
def test_a_function_answers_as_before(style, number):
    exercise = find_exercise("causal_conv1d", "foundations")
    if rewrite(f"arguments.{style}", exercise, CONVOLUTION, number) is None:
        pytest.skip("this choice changes nothing")
    before, after = both_forms(f"arguments.{style}", exercise, CONVOLUTION, number)
    given = {"x": 1, "weight": 2, "bias": 3}
    called = after["causal_conv1d"]
    parameters = [p for p in inspect.signature(called).parameters.values() if p.name not in given]
    if style == "names":
        assert called(1, 2, 3) == before["causal_conv1d"](1, 2, 3)
    elif style in ("order", "keyword_only", "options", "must_be_given"):
        required = {p.name: None for p in parameters if p.default is p.empty}
        assert called(**given, **required) == (1, 2, 3)
    else:
        assert called(1, 2, 3) == (1, 2, 3)
        assert style == "positional_only" or called(1, 2) == (1, 2, None)


def test_arguments_in_another_order_are_not_renamed():
    exercise = find_exercise("local_mask", "efficient")
    turned = LOCAL_MASK.replace("seq_len, window):", "window, seq_len):")
    assert rewrite("arguments.names", exercise, turned) is None
    assert rewrite("arguments.starred", exercise, turned) is None


def test_a_name_never_means_another_argument():
    exercise = find_exercise("cross_attention", "seq2seq")
    for number in range(20):
        code = rewrite("arguments.names", exercise, CROSS, number)
        assert code is not None
        names = [one.arg for one in code.method("forward").args.args]
        assert not {"mask", "masque", "msk", "attn_mask"} & set(names[1:3])


@pytest.mark.parametrize("style", ["list", "named_tuple", "one_name"])
def test_an_answer_has_the_same_values(style):
    exercise = find_exercise("causal_conv1d", "foundations")
    before, after = both_forms(f"answers.{style}", exercise, CONVOLUTION)
    assert list(after["causal_conv1d"](1, 2)) == list(before["causal_conv1d"](1, 2))
