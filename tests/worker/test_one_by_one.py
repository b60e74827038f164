"""Code without a batch axis is called for each sequence of a batch, and its answers are put together."""

import pytest
import torch

from softmark_worker.one_by_one import call_one_by_one

X = torch.arange(24.0).reshape(2, 3, 4)


def test_each_sequence_is_given_alone_and_the_answers_have_the_batch_axis():
    shapes = []

    def double(x, count):
        shapes.append(tuple(x.shape))
        return 2 * x, {"count": count}

    answer, rest = call_one_by_one(double, 1)(X, 5)
    assert torch.equal(answer, 2 * X)
    assert shapes == [(3, 4)] * 2
    assert rest == {"count": 5}


def test_all_leading_axes_but_two_are_taken_away_however_many_there_are():
    def without_hidden(q, mask):
        assert (q.dim(), mask.dim()) == (2, 2)
        return q.masked_fill(mask, 0)

    for lead in ((2,), (2, 2), (1, 2, 2)):
        q, mask = torch.randn(*lead, 3, 4), torch.randn(*lead[-1:], 1, 4) > 0
        answer = call_one_by_one(without_hidden, -2)(q, mask)
        assert torch.equal(answer, q.masked_fill(mask, 0))


def test_heads_of_sequences_are_given_alone_where_two_axes_lack():
    def without_first_key(q):
        return (q - q[:1]).numpy()

    answer = call_one_by_one(without_first_key, 2)(X[None])
    assert torch.equal(torch.from_numpy(answer), (X - X[:, :1])[None])


@pytest.mark.parametrize(
    ("shape", "given"),
    [((3, 3), (3, 3)), ((2, 1, 1, 3), (1, 1, 3)), ((1, 1, 3, 3), (1, 3, 3)), ((2, 3, 3), (3, 3))],
)
def test_a_mask_loses_the_batch_axis_if_it_has_one(shape, given):
    seen = []
    call_one_by_one(lambda x, mask: seen.append(tuple(mask.shape)) or x, 1)(X, torch.zeros(shape))
    assert seen == [given] * 2


def test_gradients_reach_the_whole_batch():
    x = X.clone().requires_grad_()
    call_one_by_one(lambda x: (x**2).sum(0), 1)(x).sum().backward()
    assert torch.equal(x.grad, 2 * X)
