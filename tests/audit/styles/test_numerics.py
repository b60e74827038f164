"""Styles of numbers change no value that float32 shows."""

import pytest
import torch

from tests.audit.styles.both_forms import both_forms, find_exercise, rewrite

ATTENTION = """
    import math
    import torch

    def scaled_dot_product_attention(Q, K, V, mask=None):
        scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(mask, -math.inf)
        weights = torch.softmax(scores, dim=-1)
        return weights @ V, weights
"""
NORMED = """
    def cross_entropy(logits, targets, ignore_index=-100):
        shares = logits.exp() / logits.exp().sum(dim=-1, keepdim=True)
        total = logits.exp().sum(-1).log()
        return total.mean() + 0 * shares.sum()
"""
STYLES = ("roots", "softmax", "softmax_by_hand", "hiding", "dtype", "autocast")


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("number", range(4))
def test_the_attention_is_the_same(style: str, number: int):
    exercise = find_exercise("scaled_dot_product_attention", "attention")
    plain, styled = both_forms(f"numerics.{style}", exercise, ATTENTION, number)
    arguments = [torch.randn(2, 3, 4) for _ in range(3)]
    mask = torch.ones(3, 3, dtype=torch.bool).triu(1)
    for given in ([], [mask]):
        due = plain["scaled_dot_product_attention"](*arguments, *given)
        answer = styled["scaled_dot_product_attention"](*arguments, *given)
        for one, other in zip(answer, due, strict=True):
            assert torch.allclose(one.float(), other, atol=1e-6)


@pytest.mark.parametrize("style", ["denominators", "logarithms"])
def test_the_loss_is_the_same(style: str):
    exercise = find_exercise("cross_entropy", "foundations")
    plain, styled = both_forms(f"numerics.{style}", exercise, NORMED)
    logits, targets = torch.randn(4, 3), torch.tensor([0, 1, 2, 0])
    assert torch.allclose(styled["cross_entropy"](logits, targets), plain["cross_entropy"](logits, targets))


def test_a_number_that_is_the_subject_stays():
    exercise = find_exercise("additive_mask", "foundations")
    code = "def to_additive(mask, sense='hides'):\n    return scores.masked_fill(mask, -math.inf)\n"
    assert rewrite("numerics.hiding", exercise, code) is None
