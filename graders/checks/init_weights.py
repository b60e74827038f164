"""init_weights(model, n_layer): normal(0, 0.02), 0.02 / sqrt(2 L) for c_proj, biases 0, norms 1, in place.

The model is `GPTParts`, whose values are the host's before and are read back afterwards. Values are random,
so that standard deviations and means are judged, within bounds that a right answer misses once in a billion
runs.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api.behaviour import BehaviourTrial
from graders.check_api.check import Candidate, check, number, require
from graders.check_api.options import Options
from graders.check_api.strategies.lengths import SMALLEST
from graders.check_api.strategies.tensors import hidden, normal, seeds, sizes
from graders.language import tr

STD = 0.02
SURPRISE = math.log(1e14)  # minus the log of the probability of one tail
HEAD, TOKENS, POSITIONS = "lm_head.weight", "transformer.wte.weight", "transformer.wpe.weight"
NORMS = ("ln_1", "ln_2", "ln_f")
CUT = 2.5  # standard deviations: one value of 80 lies farther out, of a normal distribution


@dataclass(frozen=True)
class Parts:
    """The sizes of a GPT."""

    layers: int
    dim: int
    words: int
    positions: int
    tied: bool = False
    seed: int = field(default=0, metadata=hidden)

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shapes of its parameters, as often as it names them."""
        wide = self.dim
        shapes: dict[str, tuple[int, ...]] = {TOKENS: (self.words, wide), POSITIONS: (self.positions, wide)}
        linear = {"attn.c_attn": (3, 1), "attn.c_proj": (1, 1), "mlp.c_fc": (4, 1), "mlp.c_proj": (1, 4)}
        for block in range(self.layers):
            stem = f"transformer.h.{block}"
            for name, (out, into) in linear.items():
                shapes[f"{stem}.{name}.weight"] = (out * wide, into * wide)
                shapes[f"{stem}.{name}.bias"] = (out * wide,)
            shapes |= {f"{stem}.{n}.{kind}": (wide,) for n in NORMS[:2] for kind in ("weight", "bias")}
        shapes |= {f"transformer.ln_f.{kind}": (wide,) for kind in ("weight", "bias")}
        return {**shapes, HEAD: (self.words, wide)}

    @property
    def before(self) -> dict[str, Tensor]:
        """Its values before the call: none of them is right, and none is 0 or 1."""
        return _values_before(self)


@lru_cache(maxsize=12)  # all draws of a check, which are asked together
def _values_before(draw: Parts) -> dict[str, Tensor]:
    sizes_of = [math.prod(shape) for shape in draw.shapes.values()]
    numbers = (0.3 + 0.1 * normal(sum(sizes_of), seed=draw.seed).tanh()).split(sizes_of)
    values = {
        name: part.view(shape) for (name, shape), part in zip(draw.shapes.items(), numbers, strict=True)
    }
    return {**values, HEAD: values[TOKENS]} if draw.tied else values


def parts(tied: bool = False, layers: int = 0) -> st.SearchStrategy[Parts]:
    """Models so large that a wrong standard deviation shows."""
    blocks = st.just(layers) if layers else sizes(2, 5)
    even = st.sampled_from([24, 32])
    return st.builds(Parts, blocks, even, st.sampled_from([40, 56]), st.just(48), st.just(tied), seeds())


def run(candidate: Candidate, draw: Parts, seed: int = 0) -> dict[str, Tensor]:
    """The parameters of a new model after the call, which begins under a seed."""
    config = {name: getattr(draw, name) for name in ("words", "dim", "positions", "layers", "tied")}
    model = candidate.make_layer("GPTParts", draw.before, **config)
    candidate.seeded(draw.seed + seed, model, draw.layers)
    after = {name: value.detach() for name, value in model.parameters().items()}
    for name, shape in draw.shapes.items():
        known = name in after or (name == HEAD and draw.tied)
        require(known, tr("the model has no parameter {name} any more", name=name))
        if name in after:
            message = tr("{name} should keep its shape {shape}", name=name, shape=shape)
            require(tuple(after[name].shape) == shape, message)
    return after


def is_norm(name: str) -> bool:
    """Whether a parameter belongs to a norm."""
    return name.split(".")[-2] in NORMS


def is_residual(name: str) -> bool:
    """Whether a parameter is the weight of a layer that adds to the stream."""
    return name.endswith("c_proj.weight")


def matrices(values: Mapping[str, Tensor], residual: bool) -> dict[str, Tensor]:
    """The weights of the linear layers, of those that add to the stream or of the others."""
    return {
        name: value
        for name, value in values.items()
        if value.dim() == 2 and name not in (TOKENS, POSITIONS) and is_residual(name) is residual
    }


def deviation(values: Tensor) -> float:
    """The root of the mean of the squares."""
    return float(values.double().square().mean().sqrt())


def slack(count: int) -> float:
    """How far from 1 a standard deviation of so many normal numbers may be, as a share, by chance.

    The mean of N squares of standard normal numbers is above 1 + 2 sqrt(t / N) + 2 t / N, or below
    1 - 2 sqrt(t / N), with a probability of at most exp(-t) (Laurent and Massart 2000, lemma 1).
    """
    share = SURPRISE / count
    return math.sqrt(1 + 2 * math.sqrt(share) + 2 * share) - 1


def require_spread(name: str, values: Tensor, std: float) -> None:
    """Require of values the mean 0 and a standard deviation.

    Raises:
        Violation: they have others.
    """
    found, apart = deviation(values), slack(values.numel())
    told = {"name": name, "due": number(std), "found": number(found)}
    message = tr("{name} should have a standard deviation of {due}, but has {found}", **told)
    require(std * (1 - 2 * apart) <= found <= std * (1 + apart), message)
    mean = float(values.double().mean())
    message = tr("{name} should have the mean 0, but has {found}", name=name, found=number(mean))
    require(abs(mean) <= std * math.sqrt(2 * SURPRISE / values.numel()), message)


@check(points=3.4, given=parts(), core=True)
def draws_the_matrices(init_weights: Candidate, draw: Parts) -> None:
    """the weights of linear layers have the mean 0 and the standard deviation 0.02

    fr: les poids des couches linéaires ont la moyenne 0 et l'écart type 0,02
    """
    for name, values in matrices(run(init_weights, draw), False).items():
        require_spread(name, values, STD)


@check(points=3.4, given=parts(), core=True)
def draws_what_adds_to_the_stream_smaller(init_weights: Candidate, draw: Parts) -> None:
    """the weights called c_proj are sqrt(2 L) times smaller than those of the other linear layers

    fr: les poids nommés c_proj sont sqrt(2 L) fois plus petits que ceux des autres couches linéaires
    """
    values = run(init_weights, draw)
    # Beside the deviation that the others have: one that is wrong for all is for another check.
    inner = [value for name, value in matrices(values, False).items() if name != HEAD]
    usual = deviation(torch.cat([value.flatten() for value in inner]))
    require(usual > 0, tr("the linear layers are all zeros"))
    due, apart = 1 / math.sqrt(2 * draw.layers), slack(sum(value.numel() for value in inner))
    for name, value in matrices(values, True).items():
        ratio, bound = deviation(value) / usual, (1 + slack(value.numel())) * (1 + 2 * apart)
        told = {"name": name, "due": number(due), "found": number(ratio)}
        message = tr(
            "the standard deviation of {name} should be {due} times that of the other linear layers, "
            "but is {found} times",
            **told,
        )
        require(due / bound**2 <= ratio <= due * bound, message)
        kept = torch.equal(value, draw.before[name])
        require(not kept, tr("{name} has the values that it had before", name=name))


@check(points=2.6, given=parts())
def draws_the_embeddings(init_weights: Candidate, draw: Parts) -> None:
    """both embeddings have the mean 0 and the standard deviation 0.02

    fr: les deux embeddings ont la moyenne 0 et l'écart type 0,02
    """
    values = run(init_weights, draw)
    for name in (TOKENS, POSITIONS):
        require_spread(name, values[name], STD)


@check(points=2.2, given=parts())
def begins_with_biases_of_zero(init_weights: Candidate, draw: Parts) -> None:
    """the biases of linear layers are 0

    fr: les biais des couches linéaires valent 0
    """
    values = run(init_weights, draw)
    for name, value in values.items():
        if name.endswith(".bias") and not is_norm(name):
            message = tr(
                "{name} should be 0, but holds {found}", name=name, found=number(_farthest(value, 0))
            )
            require(not bool(value.any()), message)
    _require_drawn(values, draw)


@check(points=2.2, given=parts())
def begins_with_norms_of_one(init_weights: Candidate, draw: Parts) -> None:
    """norms begin with a weight of 1 and a bias of 0

    fr: les normes commencent par un poids de 1 et un biais de 0
    """
    values = run(init_weights, draw)
    for name, value in values.items():
        due = int(name.endswith(".weight"))
        found = {"name": name, "due": due, "found": number(_farthest(value, due))}
        message = tr("{name} should be {due}, but holds {found}", **found)
        require(not is_norm(name) or bool((value == due).all()), message)
    _require_drawn(values, draw)


def _farthest(value: Tensor, due: float) -> float:
    return float(value.flatten()[(value - due).abs().argmax()])


def _require_drawn(values: Mapping[str, Tensor], draw: Parts) -> None:
    """Require that something was drawn at all: zeros and ones everywhere are no beginning."""
    drawn, before = matrices(values, False) | matrices(values, True), draw.before
    moved = (bool(value.std() > 0) and not torch.equal(value, before[name]) for name, value in drawn.items())
    require(any(moved), tr("no weight of a linear layer is drawn"))
    require(draw.tied or len(values) == len(draw.shapes), tr("parameters are shared that were not"))


@check(points=1.6, given=parts(tied=True), draws=3)
def leaves_the_tie(init_weights: Candidate, draw: Parts) -> None:
    """an output layer that shares its weight with the embedding shares it afterwards

    fr: une couche de sortie qui partage son poids avec l'embedding le partage ensuite
    """
    values = run(init_weights, draw)
    message = tr("lm_head.weight is another parameter than transformer.wte.weight afterwards")
    require(HEAD not in values, message)
    _require_drawn(values, draw)


@check(points=2, given=parts(), draws=3)
def draws_each_weight_anew(init_weights: Candidate, draw: Parts) -> None:
    """weights of one shape differ, the same seed gives the same values, and another seed others

    fr: des poids de même forme diffèrent, la même graine donne les mêmes valeurs, et une autre en donne
    d'autres
    """
    first, again, other = (run(init_weights, draw, seed) for seed in (0, 0, 1))
    name = "transformer.h.0.attn.c_attn.weight"
    message = tr("two blocks have the same values: is the seed set before each layer?")
    require(not torch.equal(first[name], first[name.replace("0", "1")]), message)
    message = tr("two different seeds give the same values: is a seed set inside?")
    require(not torch.equal(first[name], other[name]), message)
    message = tr("the same seed gives other values the second time")
    require(torch.equal(first[name], again[name]), message)


@check(points=0.8, given=parts(), draws=3)
def draws_from_a_bell(init_weights: Candidate, draw: Parts) -> None:
    """the weights are drawn from a normal distribution, which is not cut off

    fr: les poids sont tirés selon une loi normale, qui n'est pas tronquée
    """
    values = matrices(run(init_weights, draw), False)
    values.pop(HEAD, None)
    shares = torch.cat([value.flatten() / max(deviation(value), 1e-12) for value in values.values()])
    # Of a normal distribution 1.2 % lie farther out: of these thousands, none at all is no chance.
    far = int((shares.abs() > CUT).sum())
    message = tr(
        "of {n} weights none is farther than {cut} standard deviations from 0: "
        "is the distribution cut off, or uniform?",
        n=shares.numel(),
        cut=number(CUT),
    )
    require(far > 0, message)


@check(points=0.8, given=parts(layers=1), draws=3, kept_because=SMALLEST)
def takes_one_block(init_weights: Candidate, draw: Parts) -> None:
    """a model of one block is taken as larger ones are

    fr: un modèle d'un seul bloc est traité comme de plus grands
    """
    values, usual = run(init_weights, draw), run(init_weights, replace(draw, layers=3))
    _require_drawn(values, draw)
    stem = "transformer.h.0.mlp"
    ratios = [
        deviation(each[f"{stem}.c_proj.weight"]) / max(deviation(each[f"{stem}.c_fc.weight"]), 1e-12)
        for each in (values, usual)
    ]
    if abs(ratios[1] * math.sqrt(6) - 1) < 0.2:
        told = {"name": f"{stem}.c_proj.weight", "due": number(0.5**0.5), "found": number(ratios[0])}
        message = tr(
            "the standard deviation of {name} should be {due} times that of the other linear layers, "
            "but is {found} times",
            **told,
        )
        require(abs(ratios[0] * math.sqrt(2) - 1) < 0.2, message)


def diagnostic_draws(seed: int) -> list[BehaviourTrial]:
    """Situations that tell the known mistakes apart."""
    usual, other = (Parts(layers, 32, 56, 48, seed=seed + layers) for layers in (3, 4))
    return [
        BehaviourTrial(partial(_describe, usual)),
        BehaviourTrial(partial(_describe, other)),
        BehaviourTrial(partial(_describe_tie, replace(usual, tied=True))),
        BehaviourTrial(partial(_describe_chance, usual)),
    ]


def _describe(draw: Parts, candidate: Candidate) -> str:
    """For each parameter of a block and of the rest, what its values are."""
    values = run(candidate, draw)
    names = [name for name in draw.shapes if "h." not in name or "h.1." in name]
    return str({name: _name_values(name, values[name], draw) for name in names})


def _name_values(name: str, value: Tensor, draw: Parts) -> str:
    if torch.equal(value, draw.before[name]):
        return "as before"
    if bool((value == value.flatten()[0]).all()):
        return f"all {float(value.flatten()[0]):g}"
    if value.dim() < 2:
        return "drawn"
    twice, wide = 2 * draw.layers, sum(value.shape)
    known = {
        "due": STD,
        "smaller": STD / math.sqrt(twice),
        "once": STD / math.sqrt(draw.layers),
        "without root": STD / twice,
        "larger": STD * math.sqrt(twice),
        "of one": 1.0,
        "of one, smaller": 1 / math.sqrt(twice),
        "squared": STD**2,
        "root": STD**0.5,
        "xavier": math.sqrt(2 / wide),
    }
    found = deviation(value)
    nearest = min(known, key=lambda each: abs(math.log(max(found, 1e-12) / known[each])))
    shares = value.flatten().abs() / max(found, 1e-12)
    tail = "uniform" if float(shares.max()) < 1.85 else "cut" if float(shares.max()) < CUT else "bell"
    exact = abs(math.log(max(found, 1e-12) / known[nearest])) < 0.2
    return f"{nearest if exact else 'else'}, {tail}"


def _describe_tie(draw: Parts, candidate: Candidate) -> str:
    """Whether the output layer shares its weight afterwards."""
    return str(HEAD in run(candidate, draw))


def _describe_chance(draw: Parts, candidate: Candidate) -> str:
    """Whether values differ by layer and by seed."""
    first, again, other = (run(candidate, draw, seed) for seed in (0, 0, 1))
    name = "transformer.h.0.attn.c_attn.weight"
    facts = [
        torch.equal(first[name], each) for each in (first[name.replace("0", "1")], again[name], other[name])
    ]
    return str(facts)


options = Options(diagnostic_draws=diagnostic_draws)
