"""from_torch(theirs, mine): copy an nn.MultiheadAttention into four layers, so that outputs are equal."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api.behaviour import BehaviourTrial
from graders.check_api.check import Candidate, Module, check, require, same
from graders.check_api.options import Options
from graders.check_api.strategies.tensors import hidden, normal, seeds, several, sizes, weights
from graders.language import tr

Weights = Mapping[str, Tensor]
LAYERS = ("W_q", "W_k", "W_v")


@dataclass(frozen=True)
class Pair:
    """The width and the number of heads of both attentions, and whether PyTorch's has biases."""

    embed_dim: int
    num_heads: int
    bias: bool = True
    seed: int = field(default=0, metadata=hidden)
    dtype: torch.dtype = field(default=torch.float32, metadata=hidden)

    @property
    def theirs(self) -> dict[str, Tensor]:
        """The parameters of PyTorch's attention."""
        wide = self.embed_dim
        shapes: dict[str, tuple[int, ...]] = {
            "in_proj_weight": (3 * wide, wide),
            "out_proj.weight": (wide, wide),
        }
        if self.bias:
            shapes |= {"in_proj_bias": (3 * wide,), "out_proj.bias": (wide,)}
        return weights(shapes, self.seed, dtype=self.dtype)

    @property
    def before(self) -> dict[str, Tensor]:
        """The parameters that the other attention has before the call."""
        wide = self.embed_dim
        layers = (*LAYERS, "W_o")
        shapes: dict[str, tuple[int, ...]] = {f"{name}.weight": (wide, wide) for name in layers}
        shapes |= {f"{name}.bias": (wide,) for name in layers}
        return weights(shapes, self.seed + 1, dtype=self.dtype)

    @property
    def due(self) -> dict[str, Tensor]:
        """The parameters that it should have afterwards."""
        theirs, none = self.theirs, torch.zeros(self.embed_dim, dtype=self.dtype)
        matrices = theirs["in_proj_weight"].chunk(3)
        biases = theirs["in_proj_bias"].chunk(3) if self.bias else (none,) * 3
        due = {f"{name}.weight": matrix for name, matrix in zip(LAYERS, matrices, strict=True)}
        due |= {f"{name}.bias": bias for name, bias in zip(LAYERS, biases, strict=True)}
        return due | {"W_o.weight": theirs["out_proj.weight"], "W_o.bias": theirs.get("out_proj.bias", none)}


@st.composite
def pairs(draw: st.DrawFn, bias: bool = True) -> Pair:
    """Both attentions, of the same sizes."""
    heads = draw(several())
    dtype = draw(st.sampled_from([torch.float32, torch.float64]))
    return Pair(heads * draw(sizes(2, 3)), heads, bias, draw(seeds()), dtype)


def copy_theirs(from_torch: Candidate, draw: Pair) -> tuple[Module, Module]:
    """Both attentions, after the student's function got them."""
    config: dict[str, Any] = {"embed_dim": draw.embed_dim, "num_heads": draw.num_heads}
    theirs = from_torch.make_layer(
        "MultiheadAttention", draw.theirs, **config, batch_first=True, bias=draw.bias
    )
    mine = from_torch.make_layer("ProjectedAttention", draw.before, **config)
    from_torch(theirs, mine)
    return theirs, mine


def agrees(mine: Module, draw: Pair, *names: str) -> None:
    """Require the values that are due in these parameters of the second attention."""
    parameters = mine.parameters()
    for name in names:
        require(name in parameters, tr("mine has no parameter {name} any more", name=name))
        same(parameters[name], draw.due[name], f"mine.{name}")


@check(points=7, given=pairs(), core=True)
def copies_queries_keys_and_values(from_torch: Candidate, draw: Pair) -> None:
    """W_q, W_k and W_v have the matrices with which theirs projects queries, keys and values

    fr: W_q, W_k et W_v ont les matrices avec lesquelles theirs projette requêtes, clés et valeurs
    """
    agrees(copy_theirs(from_torch, draw)[1], draw, *(f"{name}.weight" for name in LAYERS))


@check(points=3, given=pairs())
def copies_their_biases(from_torch: Candidate, draw: Pair) -> None:
    """W_q, W_k and W_v have the biases with which theirs projects queries, keys and values

    fr: W_q, W_k et W_v ont les biais avec lesquels theirs projette requêtes, clés et valeurs
    """
    agrees(copy_theirs(from_torch, draw)[1], draw, *(f"{name}.bias" for name in LAYERS))


@check(points=3, given=pairs())
def copies_the_last_projection(from_torch: Candidate, draw: Pair) -> None:
    """W_o has the matrix and the bias of out_proj

    fr: W_o a la matrice et le biais de out_proj
    """
    agrees(copy_theirs(from_torch, draw)[1], draw, "W_o.weight", "W_o.bias")


@check(points=3, given=pairs(bias=False))
def sets_biases_to_zero_where_there_are_none(from_torch: Candidate, draw: Pair) -> None:
    """where theirs has no biases, those of mine are 0

    fr: là où theirs n'a pas de biais, ceux de mine sont nuls
    """
    agrees(copy_theirs(from_torch, draw)[1], draw, *(f"{name}.bias" for name in (*LAYERS, "W_o")))


@check(points=3, given=pairs())
def leaves_theirs_as_it_is(from_torch: Candidate, draw: Pair) -> None:
    """theirs keeps its values, also when mine changes later

    fr: theirs garde ses valeurs, même quand mine change plus tard
    """
    theirs, mine = copy_theirs(from_torch, draw)
    moves(mine, draw)
    keeps(theirs, draw.theirs, tr("after the call"))
    mine.load({name: value + 1 for name, value in mine.parameters().items()})
    keeps(theirs, draw.theirs, tr("after a later change of mine"))


@check(points=1, given=pairs(), on_its_word=True)
def leaves_mine_to_be_trained(from_torch: Candidate, draw: Pair) -> None:
    """mine still answers, and all its parameters get gradients

    fr: mine répond encore, et tous ses paramètres reçoivent des gradients
    """
    _, mine = copy_theirs(from_torch, draw)
    x = normal(2, 3, draw.embed_dim, seed=draw.seed + 2, dtype=draw.dtype)
    gradients = mine.gradients(x, upstream=[torch.ones_like(x)])
    for name in draw.due:
        require(
            gradients.parameters.get(name) is not None, tr("no gradient reaches {name}", name=f"mine.{name}")
        )
    moves(mine, draw)


def moves(mine: Module, draw: Pair) -> None:
    """Require the second attention to have other values than before: code that does nothing keeps them."""
    values = mine.parameters()
    changed = any(
        not torch.equal(values[name], before) for name, before in draw.before.items() if name in values
    )
    require(changed, tr("mine is as it was: nothing is copied"))


def keeps(module: Module, expected: Weights, when: str) -> None:
    """Require a module's parameters to be as they were."""
    parameters = module.parameters()
    for name, value in expected.items():
        require(name in parameters, tr("theirs has no parameter {name} any more", name=name))
        same(parameters[name], value, tr("theirs.{name} {when}", name=name, when=when))


def diagnostic_draws(seed: int) -> list[BehaviourTrial]:
    """Situations that tell the known mistakes apart."""
    usual = Pair(6, 2, True, seed, torch.float64)
    return [
        BehaviourTrial(partial(_copy, usual)),
        BehaviourTrial(partial(_copy, Pair(6, 2, False, seed + 1, torch.float64))),
        BehaviourTrial(partial(_copy, Pair(12, 3, True, seed + 2, torch.float64))),
        BehaviourTrial(partial(_kept, usual)),
        BehaviourTrial(partial(_trained, usual)),
    ]


def _copy(draw: Pair, candidate: Candidate) -> Any:
    """The parameters of the second attention afterwards."""
    parameters = copy_theirs(candidate, draw)[1].parameters()
    return [parameters.get(name, "missing") for name in draw.due]


def _kept(draw: Pair, candidate: Candidate) -> Any:
    """Whether the first attention keeps its parameters, and keeps them when the second changes."""
    theirs, mine = copy_theirs(candidate, draw)
    kept = []
    for _ in range(2):
        parameters = theirs.parameters()
        kept.append(all(torch.equal(parameters[name], value) for name, value in draw.theirs.items()))
        mine.load({name: value + 1 for name, value in mine.parameters().items()})
    return str(kept)


def _trained(draw: Pair, candidate: Candidate) -> Any:
    """The parameters of the second attention that get a gradient."""
    x = normal(2, 3, draw.embed_dim, seed=draw.seed + 2, dtype=draw.dtype)
    gradients = copy_theirs(candidate, draw)[1].gradients(x, upstream=[torch.ones_like(x)])
    return ", ".join(sorted(name for name, value in gradients.parameters.items() if value is not None))


options = Options(diagnostic_draws=diagnostic_draws)
