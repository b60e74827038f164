"""lsh_attention(qk, v, buckets, causal=False) -> (..., S, Dv): attention within buckets, in rounds."""

from dataclasses import replace
from functools import partial
from typing import Any

import torch
from torch import Tensor

from graders.check_api import properties
from graders.check_api.behaviour import BehaviourTrial
from graders.check_api.check import (
    Candidate,
    Target,
    Violation,
    agree,
    alike,
    check,
    shaped,
    targets,
    tensor,
)
from graders.check_api.compare import has_dtype, is_near
from graders.check_api.leading_axes import LeadingAxes
from graders.check_api.options import Options
from graders.check_api.standard_checks import function_checks
from graders.check_api.strategies.buckets import ALONE, MOSTLY_PAIRED, PAIRED, Hashed, hashed, hashed_of
from graders.check_api.strategies.lengths import EXTREME
from graders.check_api.strategies.tensors import normal
from graders.language import tr

DOUBLE = (torch.float64,)  # Reformer hides a query from itself by -1e5, beside which float32 has few digits


def attend(lsh_attention: Candidate, draw: Hashed) -> Tensor:
    """The output of a call."""
    output = properties.first_tensor(lsh_attention(*draw.arguments))
    shaped(output, tuple(draw.v.shape), tr("the output"))
    return output


def weights_of(lsh_attention: Candidate, draw: Hashed) -> Tensor:
    """The weights (..., S, S): values that are the identity make the output the weights."""
    length = draw.qk.shape[-2]
    identity = torch.eye(length, dtype=draw.v.dtype).expand(*draw.qk.shape[:-1], length).contiguous()
    return attend(lsh_attention, replace(draw, v=identity))


def _by_definition(qk: Tensor, v: Tensor, draw: Hashed) -> Tensor:
    """One softmax over all keys that are seen, each as often as it is seen."""
    keys = qk / qk.norm(dim=-1, keepdim=True)
    times = draw.times_seen + torch.diag_embed(draw.alone.long())
    scores = qk @ keys.transpose(-2, -1) + times.to(qk.dtype).log()
    output: Tensor = scores.softmax(-1) @ v
    return output


def compute_output(draw: Hashed) -> Target:
    """The output by its definition."""
    return targets(lambda qk, v: [_by_definition(qk, v, draw)], [draw.qk, draw.v])[0]


def compute_with_one_bucket(draw: Hashed) -> tuple[Target, Target]:
    """The output, and that where all positions are in one bucket."""
    return compute_output(draw), compute_output(draw.one_bucket)


def compute_with_gradients(draw: Hashed) -> tuple[Target, ...]:
    """The output, and the gradients of sum(output * upstream) for qk and v."""

    def compute(*inputs: Tensor) -> tuple[Tensor, ...]:
        leaves = [value.clone().requires_grad_() for value in inputs]
        output = _by_definition(leaves[0], leaves[1], draw)
        return torch.autograd.grad((output * upstream(draw).to(output.dtype)).sum(), leaves)

    return compute_output(draw), *targets(compute, [draw.qk, draw.v], one_scale=True)


def upstream(draw: Hashed) -> Tensor:
    """The gradient of a loss for the output."""
    return normal(*draw.v.shape, seed=draw.seed + 9, dtype=draw.v.dtype)


@check(points=0.5, given=hashed(), shape_only=True)
def keeps_the_shape_of_the_values(lsh_attention: Candidate, draw: Hashed) -> None:
    """the output is one tensor of the shape and dtype of v

    fr: la sortie est un tenseur de la forme et du dtype de v
    """
    output = tensor(lsh_attention(*draw.arguments))
    shaped(output, tuple(draw.v.shape))
    has_dtype(output, draw.v.dtype)


@check(points=8.6, given=hashed(rounds=(1, 1), put=PAIRED), answer=compute_output, core=True)
def attends_within_its_bucket(lsh_attention: Candidate, draw: Hashed, answer: Target) -> None:
    """in one round, the weights are the softmax of q_i . k_j over the other keys of the bucket

    fr: en un tour, les poids sont le softmax de q_i . k_j sur les autres clés du seau
    """
    agree(attend(lsh_attention, draw), answer)


@check(points=3.75, given=hashed(rounds=(2, 3), put=MOSTLY_PAIRED), answer=compute_with_one_bucket)
def weighs_rounds_by_what_they_find(
    lsh_attention: Candidate, draw: Hashed, answers: tuple[Target, Target]
) -> None:
    """of several rounds, each counts by exp(logsumexp) of its scores: one softmax over all that they see

    fr: de plusieurs tours, chacun compte selon exp(logsumexp) de ses scores : un seul softmax sur tout ce
    qu'ils voient
    """
    whole, plain = answers
    try:
        agree(attend(lsh_attention, draw), whole, value_name=tr("the output of several rounds"))
    except Violation:
        if is_near(attend(lsh_attention, draw.one_bucket), plain):
            raise
        _counts_equal_keys(lsh_attention, draw)


def _counts_equal_keys(lsh_attention: Candidate, draw: Hashed) -> None:
    """Where all vectors are equal, whatever the scale, each other key counts as often as it is seen."""
    equal = replace(draw, qk=draw.qk[..., :1, :].expand_as(draw.qk).contiguous())
    weights = weights_of(lsh_attention, equal)
    others = weights - torch.diag_embed(weights.diagonal(dim1=-2, dim2=-1))  # the diagonal is another check's
    times = draw.times_seen.to(weights.dtype)
    due = times / times.sum(-1, keepdim=True)
    shares = others / others.sum(-1, keepdim=True)
    alike(shares, due, tr("the shares of other keys for equal vectors, in several rounds"))


@check(points=3.75, given=hashed(rounds=(1, 1), put=ALONE, causal=None, dtypes=DOUBLE))
def shows_a_query_itself_only_if_it_is_alone(lsh_attention: Candidate, draw: Hashed) -> None:
    """a query that sees no other key in any round has its own value; any other one does not see itself

    fr: une requête qui ne voit aucune autre clé dans aucun tour a sa propre valeur ; toute autre ne se voit
    pas elle-même
    """
    weights = weights_of(lsh_attention, draw)
    if torch.equal(weights, weights_of(lsh_attention, replace(draw, causal=False))):
        draw = replace(draw, causal=False)  # another check is about causal
    alone = draw.alone
    itself = weights.diagonal(dim1=-2, dim2=-1)
    value_name = tr("the weight of each query on itself")
    alike(itself, alone.to(itself.dtype), value_name)
    output = attend(lsh_attention, draw)
    alike(output[alone], draw.v[alone], tr("the output of queries that are alone"))


@check(points=3.75, given=hashed())
def sees_earlier_positions_only_if_causal(lsh_attention: Candidate, draw: Hashed) -> None:
    """with causal, a position has the output that it has as the last one of the sequence up to it

    fr: avec causal, une position a la sortie qu'elle a comme dernière de la séquence qui s'arrête à elle
    """
    causal = replace(draw, causal=True)
    output = attend(lsh_attention, causal)
    for position in range(draw.qk.shape[-2]):
        sees = ~causal.alone[..., position]  # another check is about those that are alone
        last = attend(lsh_attention, draw.until(position))[..., -1, :]
        value_name = tr("the output of position {position} with causal", position=position)
        alike(output[..., position, :][sees], last[sees], value_name)


@check(points=1, given=hashed(put=PAIRED))
def reads_nothing_in_the_numbers_of_buckets(lsh_attention: Candidate, draw: Hashed) -> None:
    """buckets with other numbers, and rounds in another order, give the same output

    fr: des seaux qui portent d'autres numéros, et des tours dans un autre ordre, donnent la même sortie
    """
    output = attend(lsh_attention, draw)
    other = replace(draw, buckets=90 - 3 * draw.buckets.flip(-2))
    alike(attend(lsh_attention, other), output, tr("the output for other numbers of buckets"))
    apart = torch.arange(draw.qk.shape[-2]).expand_as(draw.buckets).contiguous()
    properties.depends_on(lsh_attention, output, replace(draw, buckets=apart).arguments, "buckets")


@check(points=1, given=hashed(put=PAIRED, any_leading=True))
def treats_each_sequence_apart(lsh_attention: Candidate, draw: Hashed) -> None:
    """each entry of the leading axes is attended to by itself, and positions in another order give that order

    fr: chaque élément des premiers axes est traité pour lui-même, et des positions dans un autre ordre
    donnent cet ordre
    """
    output = attend(lsh_attention, draw)
    alone = attend(lsh_attention, draw.first)
    alike(alone, output[(0,) * (draw.qk.dim() - 2)], tr("the first entry attended to alone"))
    turned = replace(draw, qk=draw.qk.flip(-2), v=draw.v.flip(-2), buckets=draw.buckets.flip(-1))
    alike(attend(lsh_attention, turned), output.flip(-2), tr("the output for another order"))


def sized(lead: tuple[int, ...], length: int, rounds: int, widths: tuple[int, int], seed: int) -> Hashed:
    """Vectors, values and buckets of these sizes; each position shares its buckets."""
    return hashed_of(lead, length, rounds, seed, PAIRED, widths, torch.float32)


takes_heads_from_a_transpose = function_checks.takes_what_a_transpose_leaves(
    points=0.5, names=("qk", "v"), fixed=[partial(sized, (2, 3), 7, 2, (4, 3))]
)
answers_extreme_sizes = function_checks.answers_extreme_sizes(
    points=0.5,
    kept_because=EXTREME,
    at_length=lambda n: hashed((2, 2), put=PAIRED, length=n),
    answer=compute_output,
    output_of=attend,
    usual=partial(sized, (2, 3), 7, 1, (5, 4)),
    fixed=[partial(sized, (4, 4), 4, 1, (4, 4)), partial(sized, (5, 3), 5, 1, (3, 5))],
    stretched=[
        lambda n, seed: sized((n, 2), 4, 1, (2, 3), seed),
        lambda n, seed: sized((2, n), 4, 1, (2, 3), seed),
        lambda n, seed: sized((2,), 5, 1, (n, 3), seed),
        lambda n, seed: sized((2,), 5, 1, (3, n), seed),
    ],
)
teaches_vectors_and_values = function_checks.passes_gradients_back(
    points=1, given=hashed(put=PAIRED), answer=compute_with_gradients, upstream=upstream, names=("qk", "v")
)


leaves_its_arguments_alone = function_checks.leaves_its_arguments_alone(points=0.5, given=hashed(put=PAIRED))


def _attend_after_a_transpose(draw: Hashed, candidate: Candidate) -> Any:
    """The output for vectors and values that come from a transpose."""
    given = [candidate.transposed(value, 1, 2) for value in (draw.qk, draw.v)]
    return properties.first_tensor(candidate(*given, draw.buckets))


def diagnostic_draws(seed: int) -> list[Any]:
    """Draws in float64 that tell the known mistakes apart."""
    three = 3 * seed  # so that numbers of buckets are shared between rounds in these
    return [
        hashed_of((2, 3), 7, 3, three, PAIRED),
        hashed_of((3, 2), 9, 3, three + 1, PAIRED, (5, 8)),
        hashed_of((2, 4), 8, 2, three + 2, ALONE, (7, 5)),
        hashed_of((2,), 6, 1, three + 4, PAIRED),
        replace(hashed_of((2,), 6, 2, three + 5), causal=True),
        hashed_of((), 5, 2, three + 7, ALONE),
        replace(hashed_of((3,), 5, 1, three + 8, ALONE), causal=True),
        BehaviourTrial(partial(_attend_after_a_transpose, hashed_of((2, 3), 7, 1, three + 9, PAIRED))),
    ]


options = Options(
    diagnostic_draws=diagnostic_draws, leading_axes=LeadingAxes("treats_each_sequence_apart", mask=None)
)
