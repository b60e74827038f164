"""gradient_by_lag(model, x): the norm, (S,), of the gradient of the last output for the input at each lag."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api import properties
from graders.check_api.behaviour import BehaviourTrial
from graders.check_api.check import Candidate, Module, check
from graders.check_api.compare import agree, alike, has_dtype, is_near, require, same, shaped, tensor
from graders.check_api.options import Options
from graders.check_api.standard_checks import function_checks
from graders.check_api.strategies.lengths import EXTREME
from graders.check_api.strategies.tensors import (
    BATCH,
    hidden,
    input_values,
    lengths,
    normal,
    seeds,
    several,
    sizes,
    weights,
)
from graders.check_api.target import Target, targets
from graders.language import tr

RNN, LINEAR, ATTENTION = "RNN", "linear RNN", "attention"
ATTENTION_LAYERS = ("W_q", "W_k", "W_v", "W_o")


@dataclass(frozen=True, eq=False)
class Lagged:
    """A layer that is lent, and an input (B, S, E).

    `radius` is that of an RNN's spectrum: its matrix for the state is so many times an orthogonal one.
    """

    layer: str
    x: Tensor
    radius: float = 0.9
    seed: int = field(default=0, metadata=hidden)

    @property
    def dim(self) -> int:
        """E."""
        return self.x.shape[-1]

    @property
    def parameters(self) -> dict[str, Tensor]:
        """Those of the layer; a linear RNN's matrix for the input is orthogonal, too."""
        if self.layer == ATTENTION:
            shapes = {f"{name}.weight": (self.dim, self.dim) for name in ATTENTION_LAYERS}
            biases = {f"{name}.bias": (self.dim,) for name in ATTENTION_LAYERS}
            return weights({**shapes, **biases}, self.seed + 1, dtype=self.x.dtype)
        of_input, of_state = (self._orthogonal(self.seed + n) for n in (1, 2))
        if self.layer == RNN:
            of_input = normal(self.dim, self.dim, seed=self.seed + 1, scale=0.5, dtype=torch.float64)
        values = {"weight_x": of_input, "weight_h": self.radius * of_state}
        return {name: value.to(self.x.dtype) for name, value in values.items()}

    def _orthogonal(self, seed: int) -> Tensor:
        orthogonal: Tensor = torch.linalg.qr(normal(self.dim, self.dim, seed=seed, dtype=torch.float64))[0]
        return orthogonal

    def lend(self, candidate: Candidate) -> Module:
        """The layer, in the process of the student's code."""
        if self.layer == ATTENTION:
            return candidate.make_layer(
                "ProjectedAttention", self.parameters, embed_dim=self.dim, num_heads=1
            )
        return candidate.make_layer(
            "RecurrentLayer", self.parameters, dim=self.dim, linear=self.layer == LINEAR
        )


def make_lagged(
    layer: str,
    batch: int,
    length: int,
    dim: int,
    seed: int,
    radius: float = 0.9,
    dtype: torch.dtype = torch.float32,
) -> Lagged:
    """A draw of these sizes."""
    return Lagged(layer, input_values(batch, length, dim, seed=seed, dtype=dtype), radius, seed)


@st.composite
def lagged(
    draw: st.DrawFn,
    layer: str = RNN,
    dtype: torch.dtype = torch.float32,
    corner: str = "",
    radius: float = 0.9,
) -> Lagged:
    """Inputs of three positions and more; `corner` names what there is one of alone: "batch" or "length"."""
    batch, length = draw(several(alone=corner == BATCH)), draw(lengths(3, 6, corner))
    return make_lagged(layer, batch, length, draw(sizes(3, 5)), draw(seeds()), radius, dtype)


def run_layer(draw: Lagged, x: Tensor, *values: Tensor) -> Tensor:
    """The layer's last output, (B, E), for x and its parameters."""
    named = dict(zip(draw.parameters, values, strict=True))
    if draw.layer == ATTENTION:
        queries, keys, attended = (
            x @ named[f"{n}.weight"].T + named[f"{n}.bias"] for n in ATTENTION_LAYERS[:3]
        )
        shares: Tensor = (queries[:, -1:] @ keys.transpose(-2, -1) / x.shape[-1] ** 0.5).softmax(-1)
        output: Tensor = (shares @ attended)[:, 0] @ named["W_o.weight"].T + named["W_o.bias"]
        return output
    state = torch.zeros_like(x[:, 0])
    for position in x.unbind(1):
        state = position @ named["weight_x"].T + state @ named["weight_h"].T
        state = state if draw.layer == LINEAR else state.tanh()
    return state


def compute_due(draw: Lagged) -> Target:
    """The norms by their definition."""

    def compute(x: Tensor, *values: Tensor) -> list[Tensor]:
        with torch.enable_grad():
            leaf = x.detach().clone().requires_grad_()
            [gradient] = torch.autograd.grad(run_layer(draw, leaf, *values).sum(), leaf)
        return [gradient.norm(dim=-1).flip(-1).mean(0)]

    return targets(compute, [draw.x, *draw.parameters.values()])[0]


def norms_of(answer: Any, draw: Lagged) -> Tensor:
    """The norms, (S,), in the answer; also where it is a list of numbers."""
    if isinstance(answer, list) and all(type(number) is float for number in answer):
        answer = torch.tensor(answer, dtype=draw.x.dtype)
    norms = tensor(answer)
    shaped(norms, tuple(draw.x.shape[1:2]))
    return norms.detach()


def measure(candidate: Candidate, draw: Lagged) -> Tensor:
    """The norms that the student's function answers for a draw."""
    return norms_of(candidate(draw.lend(candidate), draw.x), draw)


def tells_layers_apart(candidate: Candidate, draw: Lagged) -> None:
    """Require other norms for another layer: a constant would pass many checks."""
    other = replace(draw, seed=draw.seed + 5, radius=1.7 * draw.radius)
    message = tr("the norms are the same whatever the layer is")
    require(not torch.equal(measure(candidate, other), measure(candidate, draw)), message)


@check(points=1, given=lagged(), shape_only=True)
def gives_a_norm_for_each_lag(candidate: Candidate, draw: Lagged) -> None:
    """the answer is one tensor of shape (S,)

    fr: la réponse est un seul tenseur de forme (S,)
    """
    shaped(tensor(candidate(draw.lend(candidate), draw.x)), tuple(draw.x.shape[1:2]))


@check(points=9, given=[lagged(RNN), lagged(ATTENTION)], answer=compute_due, core=True)
def measures_the_gradient_at_each_lag(candidate: Candidate, draw: Lagged, answer: Target) -> None:
    """for an RNN and for an attention, the norms are those of the definition

    fr: pour un RNN et pour une attention, les normes sont celles de la définition
    """
    agree(measure(candidate, draw), answer, value_name=tr("the norms"))


@check(points=4, given=[lagged(LINEAR, radius=0.5), lagged(LINEAR, radius=1.5)], draws=4)
def follows_the_spectral_radius(candidate: Candidate, draw: Lagged) -> None:
    """along a linear RNN the norm is multiplied by the spectral radius at each lag: it vanishes, or explodes

    fr: le long d'un RNN linéaire, la norme est multipliée par le rayon spectral à chaque décalage : elle
    s'évanouit, ou elle explose
    """
    norms = measure(candidate, draw)
    require(bool((norms > 0).all()), tr("a norm is zero or negative, although all positions count"))
    ratios = norms[1:] / norms[:-1]
    alike(ratios, torch.full_like(ratios, draw.radius), tr("each norm, divided by the one before"))


@check(points=3, given=lagged())
def answers_the_same_twice(candidate: Candidate, draw: Lagged) -> None:
    """the second call with the same layer and the same x answers as the first: no gradients add up

    fr: le second appel avec la même couche et le même x répond comme le premier : aucun gradient ne s'ajoute
    """
    layer, x = draw.lend(candidate), candidate.transposed(draw.x, 0, 1)
    first = norms_of(candidate(layer, x), draw)
    alike(norms_of(candidate(layer, x), draw), first, tr("the output of the second call"))
    tells_layers_apart(candidate, draw)


def agrees(norms: Tensor, draw: Lagged) -> None:
    """Require the norms that are due."""
    agree(norms, compute_due(draw))


def measure_apart(candidate: Candidate, draw: Lagged) -> Tensor:
    """The norms, which must be others for another layer."""
    tells_layers_apart(candidate, draw if draw.x.shape[1] > 2 else make_lagged(RNN, 2, 5, 4, draw.seed))
    return measure(candidate, draw)


answers_the_smallest_sizes = function_checks.answers_the_smallest_sizes(
    points=1,
    given=[lagged(corner="batch"), lagged(corner="length")],
    output_of=measure_apart,
    agrees=agrees,
    usual=lambda seed: [make_lagged(RNN, 2, 5, 4, seed)],
    says="""one sequence and one position are answered as several are

    fr: une seule séquence et une seule position sont traitées comme plusieurs
    """,
)
answers_extreme_sizes = function_checks.answers_extreme_sizes(
    points=1,
    kept_because=EXTREME,
    answer=compute_due,
    output_of=measure,
    usual=partial(make_lagged, RNN, 2, 5, 4),
    otherwise=tells_layers_apart,
    fixed=[partial(make_lagged, RNN, 4, 4, 4)],
    stretched=[
        lambda n, seed: make_lagged(RNN, n, 3, 4, seed),
        lambda n, seed: make_lagged(RNN, 2, n, 4, seed, radius=1.0),
    ],
    most=256,
)


@check(points=1, given=lagged(dtype=torch.float64), answer=compute_due)
def computes_in_double_precision(candidate: Candidate, draw: Lagged, answer: Target) -> None:
    """in float64 the norms are of float64, and the same as in float32

    fr: en float64, les normes sont en float64, et les mêmes qu'en float32
    """
    norms = measure(candidate, draw)
    has_dtype(norms, torch.float64)
    single = measure(candidate, replace(draw, x=draw.x.float()))
    alike(norms.float(), single, tr("the output in float64"))
    if is_near(norms, Target(answer.exact, 1e-4)):
        agree(norms, answer)
    tells_layers_apart(candidate, draw)


@check(points=1, given=lagged(), on_its_word=True)
def leaves_its_argument_alone(candidate: Candidate, draw: Lagged) -> str | None:
    """x keeps its values, and the same x in another tensor gives the same answer

    fr: x garde ses valeurs, et le même x dans un autre tenseur donne la même réponse
    """
    call = candidate.observed_call(draw.lend(candidate), draw.x)
    same(call.args[1], draw.x, tr("{name} after the call", name="x"))
    alike(measure(candidate, draw), norms_of(call.answer, draw), tr("the output of the second call"))
    tells_layers_apart(candidate, draw)
    return None if call.random_state_kept else tr(properties.RANDOM)


def diagnostic_draws(seed: int) -> list[BehaviourTrial]:
    """Situations that tell the known mistakes apart."""
    make = partial(make_lagged, dtype=torch.float64)
    drawn = [
        make(RNN, 2, 5, 4, seed),
        make(ATTENTION, 3, 4, 5, seed + 1),
        make(LINEAR, 2, 3, 4, seed + 2, radius=1.5),
    ]
    once: list[Callable[[Candidate], Any]] = [partial(answer_once, draw) for draw in drawn]
    others: list[Callable[[Candidate], Any]] = [
        partial(observe, drawn[0]) for observe in (answer_twice, keep_the_input)
    ]
    return [*map(BehaviourTrial, (*once, *others))]


def answer_once(draw: Lagged, candidate: Candidate) -> Any:
    """The answer."""
    return tensor(candidate(draw.lend(candidate), draw.x)).detach()


def answer_twice(draw: Lagged, candidate: Candidate) -> Any:
    """The answer to a second call with the same x, against the first."""
    layer, x = draw.lend(candidate), candidate.transposed(draw.x, 0, 1)
    first, second = (tensor(candidate(layer, x)).detach() for _ in range(2))
    return str(first.shape == second.shape and torch.allclose(first, second))


def keep_the_input(draw: Lagged, candidate: Candidate) -> Any:
    """Whether x keeps its values."""
    return str(torch.equal(candidate.observed_call(draw.lend(candidate), draw.x).args[1], draw.x))


options = Options(diagnostic_draws=diagnostic_draws, learns=False)
