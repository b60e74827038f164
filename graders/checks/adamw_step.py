"""adamw_step(p, g, m, v, t, lr, betas, eps, weight_decay) -> (p, m, v): torch.optim.AdamW's step.

The decay and the epsilon have checks of their own, by the code's own answers without them: so a convention
that differs there costs one check.
"""

from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api.behaviour import BehaviourTrial
from graders.check_api.check import (
    Candidate,
    Stretched,
    Target,
    agree,
    alike,
    check,
    kind,
    require,
    same,
    shaped,
    targets,
    tensor,
)
from graders.check_api.compare import has_dtype, is_near
from graders.check_api.options import Options
from graders.check_api.strategies.drawn import Drawn
from graders.check_api.strategies.lengths import SMALLEST
from graders.check_api.strategies.tensors import hidden, input_values, seeds, sizes
from graders.language import tr

TINY = 1e-8  # an epsilon that float32 does not show beside roots of usual size
LARGE = 0.5  # one that shows wherever it stands
NAMES = ("p", "m", "v")
PLACES = (0, 2, 3)  # of p, m and v among the arguments
ALL, NEEDED = 9, 6  # arguments, and those without a default


@dataclass(frozen=True, eq=False)
class Step(Drawn):
    """The arguments of a step."""

    p: Tensor
    g: Tensor
    m: Tensor
    v: Tensor
    t: int
    lr: float
    betas: tuple[float, float] = (0.8, 0.9)
    eps: float = TINY
    weight_decay: float = 0.0
    seed: int = field(default=0, metadata=hidden)


def make_step(shape: tuple[int, ...], t: int, seed: int, dtype: torch.dtype = torch.float32) -> Step:
    """Values of these sizes; the averages are zeros at the first step. Squares are never small."""
    p, g, m, v = (input_values(*shape, seed=seed + n, dtype=dtype) for n in range(4))
    # A gradient near 0 would be divided by a root near 0, which no rounding survives.
    g = torch.where(g < 0, g - 0.25, g + 0.25)
    # The average of gradients is never far above the root of that of their squares.
    m, v = (m / 4, v.square() / 4 + 0.25) if t > 1 else (m * 0, v * 0)
    return Step(p, g, m, v, t, 0.25, seed=seed)


@st.composite
def steps(draw: st.DrawFn, dtype: torch.dtype = torch.float32) -> Step:
    """Steps after the first, of parameters with one or two axes, with betas and rates of many sizes."""
    shape = draw(st.sampled_from([(5,), (2, 3), (3, 2)]))
    step = make_step(shape, draw(sizes(2, 5)), draw(seeds()), dtype)
    betas = draw(st.sampled_from([(0.5, 0.9), (0.8, 0.95), (0.9, 0.75)]))
    return replace(step, lr=draw(st.sampled_from([0.125, 0.25, 0.5])), betas=betas)


def compute(draw: Step) -> tuple[Target, ...]:
    """p, m and v after the step, by their definition."""

    def of(p: Tensor, g: Tensor, m: Tensor, v: Tensor) -> list[Tensor]:
        first, second = draw.betas
        m = first * m + (1 - first) * g
        v = second * v + (1 - second) * g.square()
        root = (v / (1 - second**draw.t)).sqrt() + draw.eps
        step = m / (1 - first**draw.t) / root
        return [p * (1 - draw.lr * draw.weight_decay) - draw.lr * step, m, v]

    return targets(of, [draw.p, draw.g, draw.m, draw.v])


def ask(candidate: Candidate, draw: Step, given: int = ALL) -> list[Any]:
    """p, m and v of the answer; where none comes back, the arguments as they are afterwards.

    That they come back is for another check. So many of the arguments are given.
    """
    call = candidate.observed_call(*draw.arguments[:given])
    answer = call.answer
    if isinstance(answer, dict):
        answer = [answer.get(name) for name in NAMES]
    if isinstance(answer, tuple | list) and len(answer) == len(NAMES):
        return list(answer)
    after = [call.args[place] for place in PLACES]
    return [answer if isinstance(answer, Tensor) else after[0], *after[1:]]


def parameter(candidate: Candidate, draw: Step) -> Tensor:
    """The parameter after the step, of the shape of the one before."""
    p = tensor(ask(candidate, draw)[0], "p").detach()
    shaped(p, tuple(draw.p.shape), "p")
    return p


def depends_on_the_gradient(candidate: Candidate, draw: Step) -> None:
    """Require another parameter after another gradient: one that never moves would pass many checks."""
    before, after = (parameter(candidate, given) for given in (draw, replace(draw, g=-2 * draw.g)))
    require(not torch.equal(before, after), tr("the parameter does not depend on the gradient"))


@check(points=1, given=steps(), shape_only=True)
def gives_parameter_and_averages(adamw_step: Candidate, draw: Step) -> None:
    """the answer is (p, m, v), three tensors of the parameter's shape

    fr: la réponse est (p, m, v), trois tenseurs de la forme du paramètre
    """
    answer = adamw_step(*draw.arguments)
    three = isinstance(answer, tuple | list) and len(answer) == len(NAMES)
    require(three, tr("the answer should be (p, m, v), but is {kind}", kind=kind(answer)))
    for name, value in zip(NAMES, answer, strict=True):
        shaped(tensor(value, name), tuple(draw.p.shape), name)


@check(
    points=4,
    given=steps(),
    answer=compute,
    core=True,
    fixed=[lambda seed: make_step((2, 3), 1, seed)],
    stretched=[Stretched(lambda n, seed: make_step((3,), n, seed))],
)
def moves_the_parameter(adamw_step: Candidate, draw: Step, answer: tuple[Target, ...]) -> None:
    """the parameter moves by lr times the corrected average over the root of the corrected average of squares

    fr: le paramètre avance de lr fois la moyenne corrigée, divisée par la racine de la moyenne corrigée des
    carrés
    """
    agree(ask(adamw_step, draw)[0], answer[0], value_name="p")


@check(points=3.4, given=steps(), answer=compute, core=True)
def keeps_both_averages(adamw_step: Candidate, draw: Step, answer: tuple[Target, ...]) -> None:
    """m and v come back as averages of the gradients and of their squares, not corrected

    fr: m et v sont renvoyés, moyennes des gradients et de leurs carrés, sans correction
    """
    for value, target, name in zip(ask(adamw_step, draw)[1:], answer[1:], NAMES[1:], strict=True):
        agree(value, target, value_name=name)


@st.composite
def decaying(draw: st.DrawFn) -> Step:
    """Steps with a decay so large that what it is of, before or after the step, shows."""
    return replace(draw(steps()), weight_decay=draw(st.sampled_from([0.5, 0.75, 1.5])))


@check(points=3.4, given=decaying())
def lets_the_parameter_decay(adamw_step: Candidate, draw: Step) -> None:
    """a decay takes lr * weight_decay * p off, of p as it was before the step, and changes nothing else

    fr: la décroissance retire lr * weight_decay * p, de p tel qu'il était avant le pas, et ne change rien
    d'autre
    """
    without, after = (ask(adamw_step, given) for given in (replace(draw, weight_decay=0.0), draw))
    lost = parameter(adamw_step, replace(draw, weight_decay=0.0)) - tensor(after[0], "p").detach()
    is_known = lost.isfinite()  # another check is about values that are no numbers
    due = (draw.lr * draw.weight_decay * draw.p.double()).to(lost.dtype)
    alike(lost[is_known], due[is_known], tr("what the decay takes off p"))
    for value, before, name in zip(after[1:], without[1:], NAMES[1:], strict=True):
        same(value, tensor(before, name), tr("{name} with a decay", name=name))
    depends_on_the_gradient(adamw_step, draw)


@st.composite
def with_large_eps(draw: st.DrawFn) -> Step:
    """Steps with an epsilon that shows wherever it stands."""
    return replace(draw(steps()), eps=draw(st.sampled_from([LARGE, 2 * LARGE])))


def compute_both(draw: Step) -> tuple[Target, Target]:
    """The parameter after the step, with this epsilon and with one that does not show."""
    return compute(draw)[0], compute(replace(draw, eps=TINY))[0]


@check(points=3, given=with_large_eps(), answer=compute_both, compares_with_itself=True)
def adds_eps_to_the_root(adamw_step: Candidate, draw: Step, answer: tuple[Target, Target]) -> None:
    """eps is added to the root of the corrected average, and parameters without any gradient stay

    fr: eps s'ajoute à la racine de la moyenne corrigée, et un paramètre sans aucun gradient reste
    """
    due, of_tiny = answer
    large, tiny = parameter(adamw_step, draw), parameter(adamw_step, replace(draw, eps=TINY))
    if is_near(tiny, of_tiny):
        agree(large, due, value_name=tr("p with eps = {eps}", eps=draw.eps))
    else:
        require(not torch.equal(large, tiny), tr("eps changes nothing"))
        begun = replace(draw, t=1, m=0 * draw.m, v=0 * draw.v)
        first, again = (parameter(adamw_step, begun).nan_to_num(0.0, 0.0, 0.0) for _ in range(2))
        alike(again, first, tr("p after the same step again"))
    zeros = replace(draw, g=0 * draw.g, m=0 * draw.m, v=0 * draw.v, eps=TINY)
    message = tr("where no gradient has ever come, p is NaN or infinite")
    require(bool(parameter(adamw_step, zeros).isfinite().all()), message)
    depends_on_the_gradient(adamw_step, draw)


@check(points=1, given=steps())
def knows_its_arguments_alone(adamw_step: Candidate, draw: Step) -> None:
    """a step depends on its arguments alone: those of another parameter between two steps change nothing

    fr: un pas ne dépend que de ses arguments : ceux d'un autre paramètre entre deux pas n'y changent rien
    """
    first = ask(adamw_step, draw)
    ask(adamw_step, replace(draw, p=draw.g, g=draw.p, m=-draw.m, v=2 * draw.v))
    for value, before, name in zip(ask(adamw_step, draw), first, NAMES, strict=True):
        taken = tensor(before, name).nan_to_num(0.0, 0.0, 0.0)
        same(tensor(value, name).nan_to_num(0.0, 0.0, 0.0), taken, tr("{name} of the second call", name=name))
    depends_on_the_gradient(adamw_step, draw)


@check(points=1, given=steps())
def has_the_usual_values(adamw_step: Candidate, draw: Step) -> None:
    """without them, betas are (0.9, 0.999), eps is 1e-8 and weight_decay 0.01

    fr: par défaut, betas vaut (0.9, 0.999), eps 1e-8 et weight_decay 0.01
    """
    draw = replace(draw, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01, p=8 * draw.p)
    written = ask(adamw_step, draw)
    for value, due, name in zip(ask(adamw_step, draw, NEEDED), written, NAMES, strict=True):
        due = tensor(due, name).detach().nan_to_num(0.0, 0.0, 0.0)
        alike(tensor(value, name).nan_to_num(0.0, 0.0, 0.0), due, tr("{name} with the defaults", name=name))
    depends_on_the_gradient(adamw_step, draw)


@check(points=1, given=steps(), on_its_word=True, shape_only=True)
def leaves_the_gradient_alone(adamw_step: Candidate, draw: Step) -> None:
    """the gradient keeps its values

    fr: le gradient garde ses valeurs
    """
    same(adamw_step.observed_call(*draw.arguments).args[1], draw.g, tr("the gradient after the call"))
    depends_on_the_gradient(adamw_step, draw)


@check(points=1, given=steps(dtype=torch.float64), answer=compute, compares_with_itself=True)
def computes_in_double_precision(adamw_step: Candidate, draw: Step, answer: tuple[Target, ...]) -> None:
    """in float64 the answer is of float64, and the same as in float32

    fr: en float64, la réponse est en float64, et la même qu'en float32
    """
    tensors = {name: getattr(draw, name).float() for name in "pgmv"}
    for value, single, due, name in zip(
        ask(adamw_step, draw), ask(adamw_step, replace(draw, **tensors)), answer, NAMES, strict=True
    ):
        double, rounded = tensor(value, name).detach(), tensor(single, name).detach()
        has_dtype(double, torch.float64)
        if is_near(rounded.double(), Target(due.exact, 1e-4)):
            agree(double, due, value_name=name)
        alike(double.float().nan_to_num(0.0), rounded.nan_to_num(0.0), tr("{name} in float64", name=name))
    depends_on_the_gradient(adamw_step, draw)


@check(
    points=1,
    given=[st.builds(make_step, st.just(shape), sizes(2, 3), seeds()) for shape in ((), (1,), (2, 1, 3))],
    kept_because=SMALLEST,
)
def takes_every_shape(adamw_step: Candidate, draw: Step) -> None:
    """a parameter may be one number, or have three axes

    fr: un paramètre peut être un seul nombre, ou avoir trois axes
    """
    flat = replace(draw, **{name: getattr(draw, name).reshape(-1).repeat(2) for name in "pgmv"})
    whole, part = parameter(adamw_step, flat), parameter(adamw_step, draw)
    alike(part.reshape(-1), whole[: part.numel()], tr("p of this shape, against the same values in a row"))
    depends_on_the_gradient(adamw_step, draw)


def diagnostic_draws(seed: int) -> list[BehaviourTrial]:
    """Situations that tell the known mistakes apart."""
    usual = replace(make_step((3, 4), 3, seed, torch.float64), lr=0.3, betas=(0.7, 0.9))
    whole = replace(usual, eps=LARGE, weight_decay=0.5)
    first = replace(make_step((5,), 1, seed + 1, torch.float64), lr=0.2)
    still = replace(whole, g=0 * whole.g, m=0 * whole.m, v=0 * whole.v)
    trials = [
        BehaviourTrial(partial(_describe, draw)) for draw in (usual, whole, replace(whole, t=2), first, still)
    ]
    return [*trials, BehaviourTrial(partial(_describe_effects, whole))]


def _describe(draw: Step, candidate: Candidate) -> Any:
    """The values after the step, and after a second one; or that the same step twice is another."""
    first, again = ([tensor(value).double() for value in ask(candidate, draw)] for _ in range(2))
    if any(not torch.equal(a.nan_to_num(0.0), b.nan_to_num(0.0)) for a, b in zip(first, again, strict=True)):
        return "it remembers"
    p, m, v = first
    return [*first, *ask(candidate, replace(draw, p=p, m=m, v=v, t=draw.t + 1))]


def _describe_effects(draw: Step, candidate: Candidate) -> Any:
    """The gradient afterwards, and the form of the answer."""
    call = candidate.observed_call(*draw.arguments)
    return [call.args[1], len(call.answer) if isinstance(call.answer, tuple | list) else kind(call.answer)]


options = Options(diagnostic_draws=diagnostic_draws)
