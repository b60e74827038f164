"""MultiHeadAttention(embed_dim, num_heads); forward(x, mask=None) -> (output, weights)."""

from dataclasses import dataclass
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check import (
    Candidate,
    Raised,
    alike,
    check,
    kind,
    require,
    same,
    shaped,
    tensor,
)
from graders.models import Model, allowed, modelled, models, padding
from graders.properties import depends_on, first_tensor, has_parameters, leaves_alone, uses_its_weights
from graders.tensors import sizes
from graders.twin import Twin, taught, twin


def weights_of(answer: Any, draw: Model) -> Tensor:
    """The weights of each head."""
    require(
        isinstance(answer, tuple | list) and len(answer) == 2,
        f"the answer should be the pair (output, weights), but is {kind(answer)}",
    )
    weights = tensor(answer[1], "the weights")
    batch, length, _ = draw.x.shape
    shaped(weights, (batch, draw.config["num_heads"], length, length), "the weights")
    return weights


def causal(length: int) -> Tensor:
    """True strictly above the diagonal."""
    return torch.ones(length, length, dtype=torch.bool).triu(1)


@check(points=1, given=models(masked=None))
def answers_with_output_and_weights(candidate: Candidate, draw: Model) -> None:
    """the answer is (output, weights), of shapes (B, S, E) and (B, H, S, S)

    fr: la réponse est (sortie, poids), de formes (B, S, E) et (B, H, S, S)
    """
    answer = candidate.construct(**draw.config)(*draw.arguments)
    shaped(first_tensor(answer), tuple(draw.x.shape))
    weights_of(answer, draw)


@check(points=1, given=models())
def has_four_layers_with_bias(candidate: Candidate, draw: Model) -> None:
    """four linear layers with bias: 4 (E * E + E) parameters

    fr: quatre couches linéaires avec biais : 4 (E * E + E) paramètres
    """
    found = candidate.construct(**draw.config).parameters()
    width = draw.config["embed_dim"]
    has_parameters(found, 4 * (width * width + width))


@check(points=4, given=models(), answer=twin)
def computes_what_the_reference_computes(candidate: Candidate, draw: Model, answer: Twin) -> None:
    """under the same weights, the output is the reference's

    fr: avec les mêmes poids, la sortie est celle de la référence
    """
    module = candidate.like(answer)
    answer.agree(first_tensor(module(*draw.arguments)))


@check(points=1, given=models(dtypes=(torch.float64,)), answer=twin, draws=10)
def computes_in_double_precision(candidate: Candidate, draw: Model, answer: Twin) -> None:
    """in float64 the output is the reference's to float64's precision

    fr: en float64, la sortie est celle de la référence à la précision de float64
    """
    module = candidate.like(answer)
    output = first_tensor(module(*draw.arguments))
    require(output.dtype == torch.float64, f"the dtype should stay float64, but is {output.dtype}")
    answer.agree(output)


@check(points=2, given=models(masked=True, least=2), answer=twin)
def obeys_masks_of_every_shape(candidate: Candidate, draw: Model, answer: Twin) -> None:
    """under masks (S, S), (B, 1, 1, S), (B, H, S, S) and the like, the output is the reference's

    fr: sous des masques (S, S), (B, 1, 1, S), (B, H, S, S) et semblables, la sortie est celle de la référence
    """
    module = candidate.like(answer)
    answer.agree(first_tensor(module(*draw.arguments)), what="the output under the mask")


@check(points=2, given=models(masked=None), answer=twin)
def returns_the_weights_of_each_head(candidate: Candidate, draw: Model, answer: Twin) -> None:
    """under the same weights, the attention weights of each head are the reference's

    fr: avec les mêmes poids, les poids d'attention de chaque tête sont ceux de la référence
    """
    module = candidate.like(answer)
    answer.agree(weights_of(module(*draw.arguments), draw), 1, what="the attention weights")


@check(points=1, given=models(masked=True, least=2))
def shares_one_among_what_is_seen(candidate: Candidate, draw: Model) -> None:
    """masked positions get exactly no weight, and the weights of each query sum to one

    fr: les positions masquées n'ont exactement aucun poids, et la somme des poids de chaque requête vaut un
    """
    weights = weights_of(candidate.weighted(draw.seed, **draw.config)(*draw.arguments), draw)
    assert draw.mask is not None
    hidden = draw.mask.expand(weights.shape)
    same(
        torch.where(hidden, torch.zeros_like(weights), weights),
        weights,
        "the weights, with zeros under the mask,",
    )
    require(bool((weights >= 0).all()), "some weights are negative or not a number")
    alike(weights.sum(-1), torch.ones(weights.shape[:-1]), "the sum of each query's weights")


@check(points=2, given=models(least=2))
def does_not_look_ahead(candidate: Candidate, draw: Model) -> None:
    """under a causal mask a change at the last position changes the last output alone

    fr: sous un masque causal, changer la dernière position ne change que la dernière sortie
    """
    module = candidate.weighted(draw.seed, **draw.config)
    mask = causal(draw.x.shape[1])
    changed = draw.x.clone()
    changed[:, -1] += 1
    before, after = first_tensor(module(draw.x, mask)), first_tensor(module(changed, mask))
    shaped(before, tuple(draw.x.shape))
    alike(after[:, :-1], before[:, :-1], "the output before the change")
    require(not torch.equal(after[:, -1], before[:, -1]), "the output at the changed position did not change")
    uses_its_weights(module, before, [draw.x, mask], draw.seed)


@check(points=1, given=models(least=2))
def knows_no_order(candidate: Candidate, draw: Model) -> None:
    """without a mask, positions in another order give the outputs in that order

    fr: sans masque, des positions dans un autre ordre donnent les sorties dans cet ordre
    """
    module = candidate.weighted(draw.seed, **draw.config)
    output, turned = first_tensor(module(draw.x)), first_tensor(module(draw.x.roll(1, 1)))
    shaped(output, tuple(draw.x.shape))
    alike(turned, output.roll(1, 1), "the output for another order")
    changed = draw.x.clone()
    changed[:, 0] += 1
    require(
        not torch.equal(first_tensor(module(changed))[:, -1], output[:, -1]),
        "the last output does not depend on the first position: nothing is attended to",
    )


@check(points=1, given=models(masked=False))
def treats_sequences_apart(candidate: Candidate, draw: Model) -> None:
    """each sequence of a batch is answered as if it were alone

    fr: chaque séquence d'un lot reçoit la même réponse que si elle était seule
    """
    module = candidate.weighted(draw.seed, **draw.config)
    output = first_tensor(module(draw.x))
    shaped(output, tuple(draw.x.shape))
    for number in range(draw.x.shape[0]):
        alike(
            first_tensor(module(draw.x[number : number + 1])), output[number : number + 1], "a sequence alone"
        )
    depends_on(module, output, [draw.x * 2 + 1])
    uses_its_weights(module, output, [draw.x], draw.seed)


@check(points=2, given=models(masked=None), answer=taught)
def teaches_every_parameter(candidate: Candidate, draw: Model, answer: Twin) -> None:
    """gradients reach every parameter and x, and are the reference's

    fr: les gradients atteignent chaque paramètre et x, et sont ceux de la référence
    """
    answer.agree_gradients(candidate.like(answer))


@dataclass(frozen=True)
class Indivisible:
    """A width that the number of heads does not divide."""

    embed_dim: int
    num_heads: int


@st.composite
def indivisible(draw: st.DrawFn) -> Indivisible:
    """At least two heads, and one more than a multiple of them."""
    heads = draw(sizes(2, 6))
    return Indivisible(heads * draw(sizes(1, 4)) + draw(sizes(1, heads - 1)), heads)


@check(points=1, given=indivisible(), draws=10)
def refuses_a_width_it_cannot_split(candidate: Candidate, draw: Indivisible) -> None:
    """an E that H does not divide is an error at construction

    fr: un E que H ne divise pas est une erreur à la construction
    """
    try:
        candidate.construct(draw.embed_dim, draw.num_heads)
    except Raised:
        candidate.construct(draw.num_heads * 2, draw.num_heads)  # it must not refuse everything
        return
    require(False, f"MultiHeadAttention({draw.embed_dim}, {draw.num_heads}) should raise, but does not")


@check(points=1, given=models(masked=None))
def leaves_its_arguments_alone(candidate: Candidate, draw: Model) -> str | None:
    """x and the mask keep their values, and the second call answers as the first

    fr: x et le masque gardent leurs valeurs, et le deuxième appel répond comme le premier
    """
    module = candidate.weighted(draw.seed, **draw.config)
    output = first_tensor(module(*draw.arguments))
    shaped(output, tuple(draw.x.shape))
    depends_on(module, output, [draw.x * 2 + 1, *draw.arguments[1:]])
    uses_its_weights(module, output, draw.arguments, draw.seed)
    return leaves_alone(module, draw.arguments, "x", "the mask")


def trials(seed: int) -> list[Model]:
    """Draws of fixed sizes in float64, by which one mistake is told from another."""
    config = {"embed_dim": 12, "num_heads": 3}
    of_heads = allowed(4, 6, seed + 7).reshape(2, 2, 6, 6) == 0
    padded = padding(2, 7, seed)[:, None, None, :] == 0
    return [
        modelled(config, 2, 5, seed),
        modelled(config, 2, 5, seed + 1, allowed(2, 5, seed) == 0),
        modelled(config, 2, 5, seed + 2, causal(5)),
        modelled({"embed_dim": 10, "num_heads": 2}, 2, 6, seed + 3, of_heads),
        modelled(config, 2, 7, seed + 4, padded),
        modelled({"embed_dim": 8, "num_heads": 4}, 1, 3, seed + 5),
        modelled(config, 2, 5, seed + 6, causal(5), scale=30.0),
        modelled({"embed_dim": 10, "num_heads": 3}, 2, 5, seed + 7),
    ]
