"""Attention weights as the box sent them, checked: they may be anything, since student code may make them."""

from typing import Any

import torch
from torch import Tensor

from graders.language import number, tr, trn
from graders.results.heads import MAPS, LayerOfHeads, layer_of

HEADS = 16  # of a layer that are drawn
CLOSE = 1e-3  # of the sum of a row to one
LARGEST = 1e6  # weights are at most one; scores may be shown, and their digits must not fill the file
NUMBERS = 1_000_000  # of a module's name that may count


class NotDrawn(Exception):
    """There is nothing to draw. The text stands in its place."""


def check_returned(value: Any, length: int) -> Tensor:
    """The weights (H, S, S) that code returned for a batch of one.

    Raises:
        NotDrawn: it is no tensor, of another shape, or has no finite numbers.
    """
    if not isinstance(value, Tensor) or not value.is_floating_point():
        raise NotDrawn(tr("The code does not return attention weights."))
    shape = tuple(value.shape)
    front = shape[:-2]
    if shape[-2:] != (length, length) or not front_is_heads(front):
        message = tr(
            "The weights have shape {shape}; for {length} tokens they should end in {due}.",
            shape=shape,
            length=length,
            due=(length, length),
        )
        raise NotDrawn(message)
    return _finite(value.reshape(-1, length, length))


def front_is_heads(front: tuple[int, ...]) -> bool:
    """Whether the axes before (S, S) are those of heads, or of a batch of one and its heads."""
    return 0 not in front and (len(front) < 2 or (len(front) == 2 and front[0] == 1))


def check_watched(reply: Any, length: int) -> list[tuple[Tensor, list[int]]]:
    """The weights (n, S, S) that were seen in the box, each with the numbers in its module's name.

    Raises:
        NotDrawn: none were seen, or what came is of another form.
    """
    if type(reply) is not list:
        raise NotDrawn(tr("The code's answer cannot be drawn."))
    seen = []
    for one in reply:
        weights, path = (one.get("weights"), one.get("path")) if type(one) is dict else (None, None)
        whole = isinstance(weights, Tensor) and weights.dim() == 3 and type(path) is list
        if not whole or not all(type(n) is int and 0 <= n < NUMBERS for n in path or ()):
            raise NotDrawn(tr("The code's answer cannot be drawn."))
        assert isinstance(weights, Tensor)
        assert path is not None
        seen.append((check_returned(weights, length), path))
    if not seen:
        raise NotDrawn(
            tr(
                "No attention weights were seen while the code ran: no tensor of shape {shape} whose rows "
                "sum to 1.",
                shape=(length, length),
            )
        )
    return seen


def one_layer(weights: Tensor, number_of_layer: int | None = None) -> tuple[LayerOfHeads, list[str]]:
    """A layer with these heads (H, S, S), and what is to be said below the drawing."""
    shown = weights[:HEADS]
    notes = describe(shown)
    if len(weights) > HEADS:
        notes.append(tr("The first {shown} of {count} heads are drawn.", shown=HEADS, count=len(weights)))
    return layer_of(number_of_layer, list(range(1, len(shown) + 1)), _matrices(shown)), notes


def layers_of(seen: list[tuple[Tensor, list[int]]]) -> tuple[list[LayerOfHeads], list[str]]:
    """The layers of a model: heads that were computed one by one are put together by their modules' names."""
    groups: dict[int, list[Tensor]] = {}
    single = all(len(weights) == 1 for weights, _ in seen)
    for place, (weights, path) in enumerate(seen):
        groups.setdefault(path[0] if path else -1 if single else -2 - place, []).append(weights)
    layers, notes, left = list[LayerOfHeads](), list[str](), MAPS
    for at, heads in enumerate(groups.values(), 1):
        layer, said = one_layer(torch.cat(heads), at if len(groups) > 1 else None)
        left -= len(layer.heads)
        if left < 0:
            message = trn(
                "The first {n} layer of {count} is drawn.",
                "The first {n} layers of {count} are drawn.",
                at - 1,
                count=len(groups),
            )
            return layers, [*dict.fromkeys([*notes, message])]
        layers.append(layer)
        notes += said
    return layers, [*dict.fromkeys(notes)]


def describe(weights: Tensor) -> list[str]:
    """What is unusual about weights: rows that do not sum to one, weights below zero."""
    notes = []
    if bool(((weights.double().sum(-1) - 1).abs() > CLOSE).any()):
        worst = weights.double().sum(-1).flatten()
        furthest = float(worst[(worst - 1).abs().argmax()])
        message = tr(
            "Some rows do not sum to 1, as shares of a token's attention do: one sums to {sum}.",
            sum=number(furthest, ".3g"),
        )
        notes.append(message)
    if bool((weights < 0).any()):
        notes.append(tr("Some weights are below zero."))
    return notes


def _finite(weights: Tensor) -> Tensor:
    weights = weights.detach().to(torch.float32)
    if not bool(weights.isfinite().all()):
        raise NotDrawn(tr("The weights contain NaN or infinity."))
    if float(weights.abs().max()) > LARGEST:
        raise NotDrawn(
            tr("The weights reach {most}: they are no shares.", most=f"{float(weights.abs().max()):.0e}")
        )
    return weights


def _matrices(weights: Tensor) -> list[tuple[tuple[float, ...], ...]]:
    return [tuple(map(tuple, head)) for head in weights.tolist()]
