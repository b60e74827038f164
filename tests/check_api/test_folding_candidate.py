"""Code that takes one number of leading axes is asked with folded ones, where it raises under others."""

import pytest
import torch

from graders.candidate.local_candidate import LocalCandidate
from graders.check_api.candidate import Raised
from graders.check_api.folding_candidate import FoldingCandidate
from graders.check_api.leading_axes import LeadingAxes
from graders.check_api.strategies.tensors import normal

AXES = LeadingAxes("treats_leading_axes_apart")
Q, K, V = (normal(2, 3, length, 4, seed=length) for length in (5, 6, 6))
MASK = torch.zeros(2, 1, 1, 6, dtype=torch.bool).index_fill(-1, torch.tensor([2]), True)


def attend(Q, K, V, mask=None):
    scores = Q @ K.mT
    weights = (scores if mask is None else scores.masked_fill(mask, -1e9)).softmax(-1)
    return weights @ V, weights


def by_bmm(Q, K, V, mask=None):
    scores = torch.bmm(Q, K.transpose(1, 2))
    weights = (scores if mask is None else scores.masked_fill(mask, -1e9)).softmax(-1)
    return torch.bmm(weights, V), weights


def over_four_axes(Q, K, V, mask=None):
    _batch, _heads, _length, _width = Q.shape
    return attend(Q, K, V, mask)


def folding(function):
    """The function as a candidate whose leading axes are folded where it raises."""
    return FoldingCandidate(LocalCandidate(function), AXES)


@pytest.mark.parametrize("function", [attend, by_bmm, over_four_axes])
@pytest.mark.parametrize("lead", [(), (2,), (2, 3), (1, 2, 3)])
def test_the_answer_has_the_leading_axes_of_the_draw(function, lead):
    given = [normal(*lead, length, 4, seed=length) for length in (5, 6, 6)]
    for got, due in zip(folding(function)(*given), attend(*given), strict=True):
        torch.testing.assert_close(got, due)


def test_a_mask_that_broadcasts_is_folded_too():
    output, weights = folding(by_bmm)(Q, K, V, MASK)
    torch.testing.assert_close(output, attend(Q, K, V, MASK)[0])
    assert not weights[..., 2].any()


def test_gradients_have_the_shapes_of_the_arguments():
    upstream = [torch.ones(2, 3, 5, 4)]
    folded, plain = (folding(f).gradients(Q, K, V, upstream=upstream).inputs for f in (by_bmm, attend))
    for got, due in zip(folded, plain, strict=True):
        torch.testing.assert_close(got, due)


def test_arguments_after_a_call_have_their_own_shapes():
    call = folding(by_bmm).observed_call(Q, K, V, MASK)
    assert [tuple(value.shape) for value in call.args] == [tuple(value.shape) for value in (Q, K, V, MASK)]


def test_an_error_that_has_another_cause_stays():
    def asks_for_none(Q, K, V, mask=None):
        raise ValueError("mine")

    with pytest.raises(Raised, match="mine"):
        folding(asks_for_none)(Q, K, V)


def test_code_that_takes_these_axes_but_not_so_many_heads_is_not_helped():
    def of_two_heads(Q, K, V, mask=None):
        if Q.dim() == 4 and Q.shape[1] > 2:
            raise ValueError("too many heads")
        return attend(Q, K, V, mask)

    with pytest.raises(Raised, match="too many heads"):
        folding(of_two_heads)(Q, K, V)


def test_code_that_cannot_take_what_a_transpose_leaves_is_not_helped():
    def views(Q, K, V, mask=None):
        return attend(Q.view(Q.shape), K.view(-1).view(K.shape), V)

    candidate = folding(views)
    with pytest.raises(Raised):
        candidate(*(candidate.transposed(value, 1, 2) for value in (Q, K, V)))


def test_code_by_bmm_may_be_asked_with_what_a_transpose_leaves():
    candidate = folding(by_bmm)
    output, _ = candidate(*(candidate.transposed(value, 1, 2) for value in (Q, K, V)))
    torch.testing.assert_close(output, attend(Q, K, V)[0])


def test_code_without_a_mask_is_folded_along_as_many_arguments_as_have_leading_axes():
    def hashed(x, rotations):
        _batch, _length, _width = x.shape
        return (x @ rotations).argmax(-1)[:, None]

    candidate = FoldingCandidate(LocalCandidate(hashed), LeadingAxes("hashes_apart", values=1, mask=None))
    x, rotations = normal(2, 3, 5, 4, seed=1), normal(4, 6, seed=2)
    assert torch.equal(candidate(x, rotations), (x @ rotations).argmax(-1)[:, :, None])
