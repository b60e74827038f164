"""local_attention(Q, K, V, window) -> output, (B, H, S, D): what it costs is a check of its own."""

import math
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
    agree,
    alike,
    check,
    require,
    shaped,
    targets,
    tensor,
)
from graders.check_api.compare import is_near
from graders.check_api.grows_as import Growth
from graders.check_api.leading_axes import BatchAxes
from graders.check_api.options import Options
from graders.check_api.standard_checks import function_checks
from graders.check_api.strategies.lengths import of_length
from graders.check_api.strategies.local_texts import (
    LocalText,
    local_text_of,
    local_texts,
    narrow_local_windows,
    short_local_texts,
)
from graders.check_api.strategies.tensors import normal
from graders.check_api.timed_call import Timed, flops_of_attention
from graders.language import tr

BLOCK = 256  # queries that are answered at once where the answer to a long call is computed
WINDOW = 2  # of the calls whose cost is measured


def compute_output(draw: LocalText) -> Target:
    """The output by its definition: attention under a mask."""
    return targets(lambda *given: [_attend(draw, *given)], draw.arguments[:3])[0]


def compute_beside_a_wider(draw: LocalText) -> tuple[Target, Target]:
    """The output, and that for a window of 2."""
    return compute_output(draw), compute_output(replace(draw, window=2))


def compute_with_gradients(draw: LocalText) -> tuple[Target, ...]:
    """The output, and the gradients for Q, K and V."""
    upstream = _upstream(draw)

    def compute(*given: Tensor) -> list[Tensor]:
        leaves = [value.clone().requires_grad_() for value in given]
        output = _attend(draw, *leaves)
        return list(torch.autograd.grad((output * upstream.to(output.dtype)).sum(), leaves))

    return compute_output(draw), *targets(compute, draw.arguments[:3], one_scale=True)


def _upstream(draw: LocalText) -> Tensor:
    return normal(*draw.V.shape, seed=draw.seed + 3, dtype=draw.V.dtype)


def _attend(draw: LocalText, Q: Tensor, K: Tensor, V: Tensor) -> Tensor:
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    return scores.masked_fill(draw.distance > draw.window, -math.inf).softmax(-1) @ V


any_length = partial(local_texts, divided=False)


def output_of(local_attention: Candidate, draw: LocalText) -> Tensor:
    """The output for a draw; it must have the shape of V."""
    output = properties.first_tensor(local_attention(*draw.arguments))
    shaped(output, tuple(draw.V.shape))
    return output


@check(
    points=1,
    given=local_texts(),
    shape_only=True,
    kept_because="every wrong shape fails other checks too; here it is said to be one",
)
def keeps_the_shape(local_attention: Candidate, draw: LocalText) -> None:
    """the output is one tensor, of the shape of Q, K and V, (B, H, S, D)

    fr: la sortie est un seul tenseur, de la forme de Q, K et V, (B, H, S, D)
    """
    shaped(tensor(local_attention(*draw.arguments)), tuple(draw.V.shape))


@check(points=12, given=any_length(), answer=compute_output, core=True)
def answers_as_a_mask_would(local_attention: Candidate, draw: LocalText, answer: Target) -> None:
    """the output is that of attention in which every pair further apart than the window is masked

    fr: la sortie est celle d'une attention où toute paire plus éloignée que la fenêtre est masquée
    """
    agree(output_of(local_attention, draw), answer)


@check(points=1, given=short_local_texts(), answer=compute_output, compares_with_itself=True)
def takes_a_text_shorter_than_the_window(local_attention: Candidate, draw: LocalText, answer: Target) -> None:
    """where S is at most the window, every position sees all others

    fr: là où S ne dépasse pas la fenêtre, chaque position voit toutes les autres
    """
    output = output_of(local_attention, draw)
    wider = output_of(local_attention, replace(draw, window=draw.window + 3))
    if is_near(wider, answer):
        agree(output, answer)
    alike(wider, output, tr("the output for a window that is wider still"))


@check(points=1, given=narrow_local_windows(), answer=compute_beside_a_wider, compares_with_itself=True)
def takes_a_narrow_window(
    local_attention: Candidate, draw: LocalText, answers: tuple[Target, Target]
) -> None:
    """with a window of 1, each position sees its neighbours; with 0, its output is its own value

    fr: avec une fenêtre de 1, chaque position voit ses voisines ; avec 0, sa sortie est sa propre valeur
    """
    output = output_of(local_attention, draw)
    if draw.window == 0:
        alike(output, draw.V, tr("the output for a window of 0"))
    elif is_near(output_of(local_attention, replace(draw, window=2)), answers[1]):
        agree(output, answers[0])


@check(points=2, given=local_texts(windows=(2, 3)))
def sees_both_sides_and_nothing_beyond(local_attention: Candidate, draw: LocalText) -> None:
    """a change at one position changes the outputs within the window, on both sides, and no others

    fr: un changement à une position change les sorties dans la fenêtre, des deux côtés, et aucune autre
    """
    output = output_of(local_attention, draw)
    for place in {0, draw.seed % draw.Q.shape[2], draw.Q.shape[2] - 1}:
        K, V = draw.K.clone(), draw.V.clone()
        K[:, :, place], V[:, :, place] = 0, V[:, :, place] + 9
        changed = output_of(local_attention, replace(draw, K=K, V=V))
        sees = draw.distance[place] <= draw.window
        beyond = torch.where(sees[:, None], changed, output)
        alike(changed, beyond, tr("the output after a change at position {n}", n=place))
        moved = ((changed - output).abs() > 1e-4).flatten(0, 1).any(-1).any(0)
        message = tr("a position within the window of position {n} does not see it", n=place)
        require(bool(moved[sees].all()), message)


@check(points=1, given=local_texts())
def treats_heads_and_sequences_apart(local_attention: Candidate, draw: LocalText) -> None:
    """each head of each sequence is answered as if it were alone

    fr: chaque tête de chaque séquence reçoit la même réponse que seule
    """
    output = output_of(local_attention, draw)
    for n in range(draw.Q.shape[0]):
        for h in range(draw.Q.shape[1]):
            Q, K, V = (value[n : n + 1, h : h + 1] for value in draw.arguments[:3])
            answer = output_of(local_attention, LocalText(Q, K, V, draw.window))
            alike(answer, output[n : n + 1, h : h + 1], tr("a head alone"))


def sized(batch: int, heads: int, length: int, width: int, window: int, seed: int) -> LocalText:
    """Queries, keys and values of these sizes."""
    return local_text_of((batch, heads, length, width), window, seed, torch.float32)


takes_heads_from_a_transpose = function_checks.takes_what_a_transpose_leaves(
    points=1, names="QKV", fixed=[partial(sized, 2, 3, 7, 4, 2)]
)
answers_extreme_sizes = function_checks.answers_extreme_sizes(
    points=1,
    at_length=of_length(local_texts),
    answer=compute_output,
    output_of=output_of,
    usual=partial(sized, 2, 3, 7, 5, 2),
    fixed=[partial(sized, 4, 4, 4, 4, 2), partial(sized, 3, 3, 7, 3, 3), partial(sized, 2, 2, 5, 2, 2)],
    stretched=[
        lambda n, seed: sized(n, 2, 5, 2, 2, seed),
        lambda n, seed: sized(2, n, 5, 2, 2, seed),
        lambda n, seed: sized(2, 2, 7, n, 2, seed),
        lambda n, seed: sized(2, 2, n + 4, 2, n, seed),
    ],
)
computes_in_double_precision = function_checks.computes_in_double_precision(
    points=1, given=local_texts(dtype=torch.float64), answer=compute_output, output_of=output_of
)


teaches_queries_keys_and_values = function_checks.passes_gradients_back(
    points=1, given=local_texts(), answer=compute_with_gradients, upstream=_upstream, names="QKV"
)


leaves_its_arguments_alone = function_checks.leaves_its_arguments_alone(points=1, given=local_texts())


def attend_in_blocks(Q: Tensor, K: Tensor, V: Tensor, window: int) -> Tensor:
    """The output for a long text: a block of queries, and the keys that one of them sees."""
    length, blocks = Q.shape[2], []
    for start in range(0, length, BLOCK):
        seen = slice(max(0, start - window), min(length, start + BLOCK + window))
        queries = torch.arange(start, min(length, start + BLOCK))[:, None]
        far = (queries - torch.arange(seen.start, seen.stop)).abs() > window
        scores = Q[:, :, start : start + BLOCK] @ K[:, :, seen].transpose(-2, -1) / math.sqrt(Q.shape[-1])
        blocks.append(scores.masked_fill(far, -math.inf).softmax(-1) @ V[:, :, seen])
    return torch.cat(blocks, 2)


@check(
    points=12,
    grows_as=Growth("full_matrix", "every_key", products=partial(flops_of_attention, 1)),
    answer=attend_in_blocks,
)
def costs_no_more_than_its_window(length: int, width: int) -> Timed:
    """time and peak memory grow as S: no S x S matrix is built, and no query is compared with all keys

    fr: le temps et le pic de mémoire croissent comme S : aucune matrice S x S n'est construite, et aucune
    requête n'est comparée à toutes les clés
    """
    return Timed(((1, 1, length, width),) * 3, further=(WINDOW,))


def _attend_after_a_transpose(draw: LocalText, candidate: Candidate) -> Any:
    """The output for queries, keys and values that come from a transpose."""
    given = [candidate.transposed(value, 1, 2) for value in draw.arguments[:3]]
    return properties.first_tensor(candidate(*given, draw.window))


def diagnostic_draws(seed: int) -> list[Any]:
    """Draws of fixed sizes in float64 that tell the known mistakes apart."""
    drawn = [
        ((2, 3, 9, 5), 4),
        ((2, 3, 9, 5), 4),
        ((2, 3, 9, 5), 4),
        ((2, 2, 6, 4), 3),
        ((1, 2, 3, 4), 5),
        ((2, 2, 5, 3), 1),
        ((2, 2, 4, 3), 0),
        ((1, 3, 12, 4), 2),
        ((1, 2, 11, 3), 4),  # one is lacking to a whole chunk
        ((1, 1, 90, 2), 70),  # a window wider than a limit that code may have
    ]
    draws = [
        local_text_of(shape, window, seed + 10 * n, torch.float64) for n, (shape, window) in enumerate(drawn)
    ]
    return [*draws, BehaviourTrial(partial(_attend_after_a_transpose, draws[0]))]


options = Options(diagnostic_draws=diagnostic_draws, batch=BatchAxes("treats_heads_and_sequences_apart", 2))
