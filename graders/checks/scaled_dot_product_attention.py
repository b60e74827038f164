"""scaled_dot_product_attention(Q, K, V, mask=None) -> (output, weights); True in the mask = masked."""

from functools import partial
from typing import Any

import torch
from torch import Tensor

from graders.check_api.attention_answers import (
    defined,
    drop_mask,
    output_and_gradients,
    output_by_products,
    upstream,
    with_and_without_mask,
)
from graders.check_api.behaviour import BehaviourTrial
from graders.check_api.check import Candidate, check, kind
from graders.check_api.compare import (
    Violation,
    agree,
    alike,
    has_dtype,
    is_near,
    require,
    same,
    shaped,
    tensor,
)
from graders.check_api.drawn_attention import BOTH_WAYS, DrawnAttention
from graders.check_api.leading_axes import BatchAxes, LeadingAxes
from graders.check_api.mask_sense import MaskArgument, Sense
from graders.check_api.options import Options
from graders.check_api.properties import first_tensor, parts
from graders.check_api.standard_checks import function_checks
from graders.check_api.strategies.attention_masks import almost_causal
from graders.check_api.strategies.tensors import Attention, attention, input_values, normal
from graders.check_api.target import Target
from graders.check_api.timed_call import Timed, flops_of_attention
from graders.language import tr


def pair(answer: Any) -> tuple[Tensor, Tensor]:
    """The answer's two parts, which are required to be tensors."""
    require(
        isinstance(answer, tuple | list) and len(answer) == 2,
        tr("the answer should be the pair (output, weights), but is {kind}", kind=kind(answer)),
    )
    return tensor(answer[0], tr("the output")), tensor(answer[1], tr("the weights"))


def pair_in(answer: Any) -> Any:
    """The pair in an answer, whatever stands behind it, or the one tensor; another check is about that."""
    found = parts(answer)
    return found[0] if len(found) == 1 else tuple(found[:2])


def attend(candidate: Candidate, draw: Attention) -> tuple[Tensor, Tensor]:
    """The student's output and weights. Where the output comes alone, identity values show the weights."""
    answer = pair_in(candidate(*draw.arguments))
    if not isinstance(answer, Tensor):
        return pair(answer)
    identity = torch.eye(draw.K.shape[-2], dtype=draw.V.dtype).expand(*draw.K.shape[:-1], -1).contiguous()
    return answer, output_of(candidate, Attention(draw.Q, draw.K, identity, draw.mask))


def output_of(candidate: Candidate, draw: Attention) -> Tensor:
    """The student's output, also where only the output comes back: another check is about that."""
    answer = pair_in(candidate(*draw.arguments))
    output = answer if isinstance(answer, Tensor) else pair(answer)[0]
    shaped(output, (*draw.Q.shape[:-1], draw.V.shape[-1]), tr("the output"))
    return output


@check(points=1, given=attention(), shape_only=True)
def answers_with_output_and_weights(candidate: Candidate, draw: Attention) -> None:
    """the answer is (output, weights), of shapes (..., Sq, Dv) and (..., Sq, Sk)

    fr: la réponse est (sortie, poids), de formes (..., Sq, Dv) et (..., Sq, Sk)
    """
    output, weights = pair(candidate(*draw.arguments))
    shaped(output, (*draw.Q.shape[:-1], draw.V.shape[-1]), tr("the output"))
    shaped(weights, (*draw.Q.shape[:-1], draw.K.shape[-2]), tr("the weights"))
    has_dtype(output, draw.Q.dtype)


@check(points=9.5, given=attention(masked=False), answer=defined, core=True)
def follows_its_definition(candidate: Candidate, draw: Attention, expected: tuple[Target, ...]) -> None:
    """the weights are softmax(Q K^T / sqrt(D)) over the keys, the output is their mean of V

    fr: les poids sont softmax(Q K^T / sqrt(D)) sur les clés, la sortie est la moyenne de V sous ces poids
    """
    output, weights = attend(candidate, draw)
    agree(weights, expected[1], value_name=tr("the weights"))
    agree(output, expected[0], value_name=tr("the output"))


@check(points=1, given=attention(masked=False))
def shares_one_among_the_keys(candidate: Candidate, draw: Attention) -> None:
    """the weights of each query are not negative and sum to one

    fr: les poids de chaque requête ne sont pas négatifs et leur somme vaut un
    """
    _, weights = attend(candidate, draw)
    shaped(weights, (*draw.Q.shape[:-1], draw.K.shape[-2]), tr("the weights"))
    require(bool((weights >= 0).all()), tr("some weights are negative or not a number"))
    alike(
        weights.sum(-1),
        torch.ones(draw.Q.shape[:-1], dtype=weights.dtype),
        tr("the sum of each query's weights"),
    )


@check(points=2, given=attention(masked=True))
def gives_masked_keys_no_weight(candidate: Candidate, draw: Attention) -> None:
    """where the mask is True the weight is exactly zero, elsewhere it is not

    fr: là où le masque vaut True le poids est exactement zéro, ailleurs non
    """
    _, weights = attend(candidate, draw)
    shaped(weights, (*draw.Q.shape[:-1], draw.K.shape[-2]), tr("the weights"))
    assert draw.mask is not None
    hidden = draw.mask.expand(weights.shape)
    expected = torch.where(hidden, torch.zeros_like(weights), weights)
    same(weights, expected, tr("the weights under the mask"))
    shown = weights.masked_fill(hidden, 0)
    require(bool((shown != 0).any(-1).all()), tr("a query has no weight on the keys that the mask shows"))


@check(points=2, given=attention(masked=True), answer=with_and_without_mask, compares_with_itself=True)
def applies_any_mask_that_broadcasts(
    candidate: Candidate, draw: Attention, expected: tuple[tuple[Target, ...], ...]
) -> None:
    """masks of several shapes all act, and change nothing else

    fr: les masques de plusieurs formes agissent tous, et ne changent rien d'autre
    """
    under_mask, without = expected
    output, weights = attend(candidate, draw)
    try:
        agree(weights, under_mask[1], value_name=tr("the weights under the mask"))
        agree(output, under_mask[0], value_name=tr("the output under the mask"))
    except Violation:
        plain = attend(candidate, drop_mask(draw))
        if all(map(is_near, plain, without)):
            raise
        assert draw.mask is not None
        whole = draw.mask.expand(*draw.Q.shape[:-1], draw.K.shape[-2]).contiguous()
        under_whole = output_of(candidate, Attention(draw.Q, draw.K, draw.V, whole))
        alike(under_whole, output, tr("the output under the same mask with all its axes"))
        hides_some = bool(draw.mask.any()) and not bool(draw.mask.all())
        require(not hides_some or not torch.equal(plain[0], output), tr("the mask changes nothing"))


@check(points=2.5, given=attention(masked=True))
def does_not_see_masked_values(candidate: Candidate, draw: Attention) -> None:
    """changing keys and values that all queries have masked changes nothing

    fr: changer les clés et les valeurs que toutes les requêtes ont masquées ne change rien
    """
    assert draw.mask is not None
    hidden = draw.mask.expand(*draw.Q.shape[:-1], draw.K.shape[-2]).all(-2)  # (..., Sk)
    hidden = hidden.reshape(-1, hidden.shape[-1]).all(0)
    K, V = draw.K.clone(), draw.V.clone()
    K[..., hidden, :] += 5
    V[..., hidden, :] += 5
    output = output_of(candidate, draw)
    changed = output_of(candidate, Attention(draw.Q, K, V, draw.mask))
    alike(changed, output, tr("the output after a change at masked keys"))


@check(points=1, given=attention(masked=False))
def keeps_keys_and_values_together(candidate: Candidate, draw: Attention) -> None:
    """keys and values in another order give the same output; queries in another order reorder its rows

    fr: des clés et des valeurs dans un autre ordre donnent la même sortie ; des requêtes dans un autre ordre,
    ses lignes dans cet ordre
    """
    output, weights = attend(candidate, draw)
    shaped(output, (*draw.Q.shape[:-1], draw.V.shape[-1]), tr("the output"))
    shaped(weights, (*draw.Q.shape[:-1], draw.K.shape[-2]), tr("the weights"))
    turned = Attention(draw.Q.flip(-2), draw.K.roll(1, -2), draw.V.roll(1, -2))
    reordered, moved = attend(candidate, turned)
    alike(reordered, output.flip(-2), tr("the output for another order"))
    alike(moved, weights.flip(-2).roll(1, -1), tr("the weights for another order"))


def first_of(draw: Attention) -> Attention:
    """The first entry of the leading axes."""
    first = (0,) * (draw.Q.dim() - 2)
    return Attention(draw.Q[first], draw.K[first], draw.V[first])


@check(points=2, given=attention(masked=False, any_leading=True))
def treats_leading_axes_apart(candidate: Candidate, draw: Attention) -> None:
    """each entry of the leading axes is attended to by itself

    fr: chaque entrée des premiers axes est traitée pour elle-même
    """
    output = output_of(candidate, draw)
    alone = output_of(candidate, first_of(draw))
    alike(alone, output[(0,) * (draw.Q.dim() - 2)], tr("the first entry attended to alone"))


@check(points=1, given=attention(scales=(100.0, 1000.0), masked=False))
def stays_finite_for_large_scores(candidate: Candidate, draw: Attention) -> None:
    """scores in the thousands give weights, not NaN

    fr: des scores de plusieurs milliers donnent des poids, pas des NaN
    """
    output, weights = attend(candidate, draw)
    require(
        bool(torch.isfinite(output).all() and torch.isfinite(weights).all()),
        tr("the answer has NaN or infinite values"),
    )
    alike(output_of(candidate, draw), output, tr("the output of the second call"))


def agrees(output: Tensor, draw: Attention) -> None:
    """Require the output that is due."""
    agree(output, defined(draw)[0], value_name=tr("the output"))


answers_the_smallest_sizes = function_checks.answers_the_smallest_sizes(
    points=1,
    given=[
        attention(masked=False, corner=corner)
        for corner in ("batch", "heads", "queries", "keys", "width", "value_width")
    ],
    output_of=output_of,
    agrees=agrees,
    usual=lambda seed: diagnostic_draws(seed),
)
teaches_queries_keys_and_values = function_checks.passes_gradients_back(
    points=2, given=attention(masked=False), answer=output_and_gradients, upstream=upstream, names="QKV"
)


leaves_its_arguments_alone = function_checks.leaves_its_arguments_alone(
    points=1, given=attention(masked=None)
)


def sized(batch: int, heads: int, queries: int, keys: int, widths: tuple[int, int], seed: int) -> Attention:
    """Queries, keys and values of these sizes; `widths` are those of a key and of a value."""
    shapes = (queries, widths[0]), (keys, widths[0]), (keys, widths[1])
    Q, K, V = (input_values(batch, heads, *shape, seed=seed + n) for n, shape in enumerate(shapes))
    return Attention(Q, K, V, seed=seed)


takes_heads_from_a_transpose = function_checks.takes_what_a_transpose_leaves(
    points=1, names="QKV", fixed=[partial(sized, 2, 3, 4, 5, (6, 7))]
)
answers_extreme_sizes = function_checks.answers_extreme_sizes(
    points=1,
    answer=output_by_products,
    at_length=lambda n: attention(length=n),
    output_of=output_of,
    usual=partial(sized, 2, 3, 4, 5, (6, 7)),
    fixed=[partial(sized, 3, 3, 3, 3, (3, 3)), partial(sized, 2, 2, 4, 5, (4, 5))],
    stretched=[
        lambda n, seed: sized(n, 2, 2, 3, (2, 4), seed),
        lambda n, seed: sized(2, n, 2, 3, (2, 4), seed),
        lambda n, seed: sized(2, 2, n, 3, (2, 4), seed),
        lambda n, seed: sized(2, 2, 3, n, (2, 4), seed),
        lambda n, seed: sized(2, 2, 3, 4, (n, 2), seed),
        lambda n, seed: sized(2, 2, 3, 4, (2, n), seed),
    ],
)


def _attend_after_a_transpose(draw: Attention, candidate: Candidate) -> Any:
    """The output for queries, keys and values that come from a transpose."""
    given = [candidate.transposed(value, 1, 2) for value in (draw.Q, draw.K, draw.V)]
    return first_tensor(candidate(*given))


def diagnostic_draws(seed: int) -> list[Any]:
    """Draws of fixed sizes in float64 that tell the known mistakes apart."""
    square = almost_causal(5)
    return [
        _trial((2, 3), 4, 5, seed),
        _trial((2, 3), 4, 5, seed + 10, _hiding(4, 5, seed=seed)),
        _trial((2, 3), 4, 5, seed + 20, _hiding(2, 3, 4, 5, seed=seed)),
        _trial((), 5, 5, seed + 30, square),
        _trial((2,), 5, 5, seed + 40, square),
        _trial((2,), 4, 6, seed + 50, _hiding(2, 1, 6, seed=seed)),
        _trial((1, 1), 3, 3, seed + 60),
        _trial((2,), 4, 5, seed + 70, scale=40.0),
        _trial((1,), 2, 103, seed + 90),
        BehaviourTrial(partial(_attend_after_a_transpose, _trial((2, 3), 4, 5, seed + 80))),
    ]


def _trial(
    lead: tuple[int, ...], queries: int, keys: int, seed: int, mask: Tensor | None = None, scale: float = 1.0
) -> Attention:
    Q = normal(*lead, queries, 6, seed=seed, scale=scale, dtype=torch.float64)
    K = normal(*lead, keys, 6, seed=seed + 1, scale=scale, dtype=torch.float64)
    return Attention(Q, K, normal(*lead, keys, 9, seed=seed + 2, dtype=torch.float64), mask, seed)


def _hiding(*shape: int, seed: int) -> Tensor:
    """A bool mask of a seed in which each row keeps a key and hides the next: the first row the first key."""
    mask, keys = normal(*shape, seed=seed) > 0, shape[-1]
    for number, row in enumerate(mask.view(-1, keys)):
        row[number % keys], row[(number + 1) % keys] = False, True
    return mask


def timed(length: int, heads: int = 2, batch: int = 1) -> Timed:
    """Queries, keys and values of `heads` heads, 64 wide together."""
    flops = flops_of_attention(batch, length, 64 // heads * heads)
    return Timed(((batch, heads, length, 64 // heads),) * 3, flops=flops)


def fused(Q: Tensor, K: Tensor, V: Tensor) -> Tensor:
    """The output without the weights, which are never all in memory."""
    return torch.nn.functional.scaled_dot_product_attention(Q, K, V)


options = Options(
    mask=MaskArgument(
        3,
        Sense.TRUE_HIDES,
        check="gives_masked_keys_no_weight",
        inputs=(1, 2),
        shapes="applies_any_mask_that_broadcasts",
    ),
    leading_axes=LeadingAxes("treats_leading_axes_apart"),
    batch=BatchAxes("treats_leading_axes_apart", behind=2),
    drawn=DrawnAttention(lambda x, mask: Attention(x, x, x, mask), BOTH_WAYS, weights_at=1),
    diagnostic_draws=diagnostic_draws,
    timed=timed,
)
