"""tie_weights(model): the table of a language model and the matrix of its output layer become one parameter.

The model is a `WordModel` of `softmark_worker/lent_layers.py`. What is judged is what it does afterwards: how
many parameters it has, what it answers, and which gradients reach its table. How it was done is free.
"""

from dataclasses import dataclass, field
from functools import partial
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api.behaviour import BehaviourTrial
from graders.check_api.check import Candidate, Module, Target, agree, alike, check, require, targets
from graders.check_api.compare import is_same
from graders.check_api.options import Options
from graders.check_api.properties import has_parameters
from graders.check_api.strategies.tensors import hidden, ids, normal, seeds, sizes, weights
from graders.language import tr

TABLE, MATRIX, LAYER = "embedding.weight", "lm_head.weight", "layer.weight"


@dataclass(frozen=True, eq=False)
class Words:
    """The sizes of a model, and ids (B, T) for it."""

    words: int
    dim: int
    ids: Tensor
    seed: int = field(default=0, metadata=hidden)
    dtype: torch.dtype = field(default=torch.float32, metadata=hidden)

    @property
    def before(self) -> dict[str, Tensor]:
        """The parameters before the call."""
        shapes = dict.fromkeys((TABLE, MATRIX), (self.words, self.dim))
        return weights({**shapes, LAYER: (self.dim, self.dim)}, self.seed, dtype=self.dtype)

    @property
    def values(self) -> int:
        """How many values there are in the parameters afterwards."""
        return self.words * self.dim + self.dim**2


@st.composite
def models(draw: st.DrawFn) -> Words:
    """A model of more words than the width of its rows, with ids of which some come again."""
    dim, seed = draw(sizes(3, 5)), draw(seeds())
    words = dim + draw(sizes(2, 4))
    return Words(words, dim, ids(2, 4, vocabulary=words, seed=seed), seed)


def tie(tie_weights: Candidate, draw: Words) -> Module:
    """The model after the call, which should be another than before: code that does nothing passes else."""
    model = tie_weights.make_layer("WordModel", draw.before, words=draw.words, dim=draw.dim)
    untied = model(draw.ids)
    tie_weights(model)
    message = tr("the model answers as before: both ends have the values that they had")
    require(not is_same(model(draw.ids), untied), message)
    return model


def table_of(model: Module, draw: Words) -> tuple[str, Tensor]:
    """The name and the values of the parameter that is the table, whatever it is called now.

    Raises:
        Violation: there is none of its shape.
    """
    found = [(n, v) for n, v in model.parameters().items() if tuple(v.shape) == (draw.words, draw.dim)]
    message = tr("no parameter of shape {shape} is left", shape=(draw.words, draw.dim))
    require(bool(found), message)
    return next(((n, v) for n, v in found if n == TABLE), found[0])


def compute(draw: Words, table: Tensor, layer: Tensor) -> Tensor:
    """The logits of a model whose both ends are this table."""
    return (table[draw.ids] @ layer.T).tanh() @ table.T


def upstream_of(draw: Words) -> Tensor:
    """The gradient of a loss for the logits."""
    return normal(*draw.ids.shape, draw.words, seed=draw.seed + 1, dtype=draw.dtype)


def gradient_due(draw: Words, table: Tensor) -> Target:
    """The gradient of the table, which comes from both ends."""

    def gradient(values: Tensor, layer: Tensor, upstream: Tensor) -> list[Tensor]:
        leaf = values.detach().requires_grad_()
        with torch.enable_grad():
            loss = (compute(draw, leaf, layer) * upstream).sum()
        return [torch.autograd.grad(loss, leaf)[0]]

    return targets(gradient, [table, draw.before[LAYER], upstream_of(draw)])[0]


@check(points=4, given=models(), core=True)
def has_one_parameter_for_both_ends(tie_weights: Candidate, draw: Words) -> None:
    """the model has one parameter of shape (V, E) in the place of two, and no others than before

    fr: le modèle a un seul paramètre de forme (V, E) au lieu de deux, et pas d'autres qu'avant
    """
    has_parameters(tie(tie_weights, draw).parameters(), draw.values)


@check(points=5, given=models(), core=True)
def adds_the_gradients_of_both_ends(tie_weights: Candidate, draw: Words) -> None:
    """the gradient of the table is the sum of what comes from looking ids up and from the output

    fr: le gradient de la table est la somme de ce qui vient de la recherche des identifiants et de la sortie
    """
    model = tie(tie_weights, draw)
    name, table = table_of(model, draw)
    gradient = model.gradients(draw.ids, upstream=[upstream_of(draw)]).parameters.get(name)
    require(gradient is not None, tr("no gradient reaches {name}", name=name))
    layer = model.parameters().get(LAYER, draw.before[LAYER])
    if is_same(layer, draw.before[LAYER]):  # another check is about that
        agree(gradient, gradient_due(draw, table), value_name=tr("the gradient of the table"))


@check(points=4, given=models())
def answers_with_one_table(tie_weights: Candidate, draw: Words) -> None:
    """the model answers with its table at both ends, also after the table has been changed

    fr: le modèle répond avec sa table aux deux bouts, même une fois que la table a changé
    """
    model = tie(tie_weights, draw)
    for seed in (None, draw.seed + 5):
        name, table = table_of(model, draw)
        if seed is not None:
            table = normal(*table.shape, seed=seed, dtype=table.dtype)
            model.load({name: table})  # alone: another parameter may lie in the same storage
        layer = model.parameters().get(LAYER, draw.before[LAYER])
        alike(model(draw.ids), compute(draw, table, layer), tr("the answer"))


@check(points=4, given=models())
def keeps_the_values_of_one_end(tie_weights: Candidate, draw: Words) -> None:
    """the table has the values that one of both ends had, and the other layers have theirs

    fr: la table a les valeurs qu'avait l'un des deux bouts, et les autres couches ont les leurs
    """
    model = tie(tie_weights, draw)
    _, table = table_of(model, draw)
    either = any(is_same(table, draw.before[name]) for name in (TABLE, MATRIX))
    require(either, tr("the values of the table are neither those of embedding nor those of lm_head"))
    layer = model.parameters().get(LAYER)
    kept = layer is not None and is_same(layer, draw.before[LAYER])
    require(kept, tr("{name} has other values than before", name=LAYER))


@check(points=3, given=models())
def trains_the_table(tie_weights: Candidate, draw: Words) -> None:
    """the table is trained: a gradient reaches it, and so do those of the other layers

    fr: la table s'entraîne : un gradient l'atteint, et les autres couches reçoivent le leur
    """
    model = tie(tie_weights, draw)
    gradients = model.gradients(draw.ids, upstream=[upstream_of(draw)]).parameters
    name, _ = table_of(model, draw)
    for due in (name, LAYER):
        gradient = gradients.get(due)
        reached = gradient is not None and bool((gradient != 0).any())
        require(reached, tr("no gradient reaches {name}", name=due))


def diagnostic_draws(seed: int) -> list[BehaviourTrial]:
    """Situations that tell the known mistakes apart."""
    draws = [Words(9, 5, ids(2, 4, vocabulary=9, seed=seed + n), seed + n, torch.float64) for n in range(3)]
    draws.append(Words(7, 4, ids(3, 5, vocabulary=7, seed=seed + 3), seed + 3, torch.float64))
    return [
        BehaviourTrial(partial(observe, draw)) for draw in draws for observe in (_look, _answers, _taught)
    ]


def _model(draw: Words, candidate: Candidate) -> Module:
    model = candidate.make_layer("WordModel", draw.before, words=draw.words, dim=draw.dim)
    candidate(model)
    return model


def _look(draw: Words, candidate: Candidate) -> Any:
    """How many values its parameters have, and which values these are."""
    parameters, before = _model(draw, candidate).parameters(), draw.before
    before["mean"] = (before[TABLE] + before[MATRIX]) / 2
    kinds = []
    for value in parameters.values():
        same = [name for name, old in before.items() if is_same(value, old)]
        kinds.append(same[0] if same else f"new {tuple(value.shape)}")
    kinds = ["table" if kind in (TABLE, MATRIX) and len(kinds) == 2 else kind for kind in kinds]
    return f"{sum(v.numel() for v in parameters.values())}: {sorted(kinds)}"


def _answers(draw: Words, candidate: Candidate) -> str:
    """Whether it answers with its table at both ends, before and after a change of it."""
    model, found = _model(draw, candidate), []
    for seed in (None, draw.seed + 5):
        name, table = table_of(model, draw)
        if seed is not None:
            table = normal(*table.shape, seed=seed, dtype=table.dtype)
            model.load({name: table})
        layer = model.parameters().get(LAYER, draw.before[LAYER])
        due = compute(draw, table, layer)
        answer = model(draw.ids)
        near = isinstance(answer, Tensor) and answer.shape == due.shape and torch.allclose(answer, due)
        found.append(near)
    return str(found)


def _taught(draw: Words, candidate: Candidate) -> str:
    """Which part of the gradient reaches each parameter."""
    model = _model(draw, candidate)
    gradients = model.gradients(draw.ids, upstream=[upstream_of(draw)]).parameters
    _, table = table_of(model, draw)
    due = gradient_due(draw, table).exact
    found = []
    for value in gradients.values():
        if value is None or tuple(value.shape) != tuple(due.shape):
            continue
        seen = (value != 0).any(-1)
        found.append("sum" if torch.allclose(value, due) else "output" if bool(seen.all()) else "input")
    return str(sorted(found))


options = Options(diagnostic_draws=diagnostic_draws)
