"""Residual(layer, dim, dropout=0.0, pre=True): x + layer(norm(x)), or norm(x + layer(x))."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from graders.check_api import properties
from graders.check_api.behaviour import BehaviourTrial
from graders.check_api.check import Candidate, Gradients, Module, check
from graders.check_api.compare import agree, alike, has_dtype, is_near, require, shaped, tensor
from graders.check_api.options import Options
from graders.check_api.standard_checks import function_checks
from graders.check_api.strategies.lengths import EXTREME
from graders.check_api.strategies.tensors import normal, seeds
from graders.check_api.strategies.wrapped_layers import Wrapped, wrapped, wrapped_layers
from graders.check_api.target import Target, targets
from graders.check_api.variants import LEAST_EPS, MOST_EPS
from graders.language import tr

LARGE = 1e5  # of an input, beside the epsilon that a norm adds to the variance or to the deviation
EVERYTHING = 1.0  # the rate of a dropout that leaves nothing


roomy = seeds().map(lambda seed: wrapped(4, 8, 16, seed))


def build(candidate: Candidate, draw: Wrapped, **options: Any) -> Module:
    """The student's module around the layer that is lent."""
    layer = candidate.make_layer("TanhLayer", {"weight": draw.weight}, dim=draw.dim)
    return candidate.construct(layer=layer, dim=draw.dim, **options).to(draw.x.dtype)


def output_of(module: Module, draw: Wrapped) -> Tensor:
    """The output, of the shape of x."""
    output = tensor(module(draw.x))
    shaped(output, tuple(draw.x.shape))
    return output


def give_norm(module: Module, draw: Wrapped) -> tuple[Tensor, Tensor]:
    """Give the norm of a new module a gain and a shift, which are found by their first values, 1 and 0."""
    gain, shift = 1 + 0.5 * normal(draw.dim, seed=draw.seed + 2), 0.5 * normal(draw.dim, seed=draw.seed + 3)
    parameters, norm = module.parameters(), find_norm(module, draw)
    require(len(norm) == 2, tr("there should be one gain of ones and one shift of zeros in a new module"))
    chosen = {name: (gain if is_gain else shift).to(parameters[name]) for name, is_gain in norm.items()}
    module.load({name: value.reshape(parameters[name].shape) for name, value in chosen.items()})
    return gain, shift


def norm_first(x: Tensor, weight: Tensor, gain: Tensor, shift: Tensor, eps: float = MOST_EPS) -> Tensor:
    """x + layer(norm(x))."""
    return x + (functional.layer_norm(x, gain.shape, gain, shift, eps) @ weight.T).tanh()


def norm_last(x: Tensor, weight: Tensor, gain: Tensor, shift: Tensor, eps: float = MOST_EPS) -> Tensor:
    """norm(x + layer(x))."""
    return functional.layer_norm(x + (x @ weight.T).tanh(), gain.shape, gain, shift, eps)


def compute_due(
    compute: Callable[..., Tensor], draw: Wrapped, gain: Tensor | None = None, shift: Tensor | None = None
) -> Target:
    """The output by its definition, by default with a new module's norm; any accepted epsilon is near."""
    gain = torch.ones(draw.dim) if gain is None else gain
    shift = torch.zeros(draw.dim) if shift is None else shift
    inputs = [draw.x, draw.weight, gain.to(draw.x.dtype), shift.to(draw.x.dtype)]
    most, least = targets(lambda *given: [compute(*given, eps) for eps in (MOST_EPS, LEAST_EPS)], inputs)
    spread = float((most.exact - least.exact).abs().max())
    return most.widen(2 * spread)


def require_effect(candidate: Candidate, draw: Wrapped, output: Tensor) -> None:
    """Require another output under another norm or, where there is none, around another layer."""
    module, message = build(candidate, draw), tr("the norm's gain and shift change nothing")
    if len(find_norm(module, draw)) == 2:
        give_norm(module, draw)
    else:  # another check is about that
        module, message = (
            build(candidate, replace(draw, weight=-draw.weight)),
            tr("the layer changes nothing"),
        )
    require(not torch.equal(tensor(module(draw.x)), output), message)


def find_norm(module: Module, draw: Wrapped) -> dict[str, bool]:
    """The gain and the shift of a new module's norm, by their names: whether each is the gain."""
    uniform = {
        name: value.unique() for name, value in module.parameters().items() if value.numel() == draw.dim
    }
    first = {name: float(values[0]) for name, values in uniform.items() if len(values) == 1}
    return {name: value == 1 for name, value in first.items() if value in (0, 1)}


def teaches_the_layer(gradients: Gradients, draw: Wrapped) -> bool:
    """Whether the layer that is lent gets a gradient."""
    of_size = [g for g in gradients.parameters.values() if g is not None and g.numel() == draw.weight.numel()]
    return any(bool((g != 0).any()) for g in of_size)


@check(
    points=1,
    given=wrapped_layers(),
    shape_only=True,
    kept_because="every wrong shape fails other checks too; here it is said to be one",
)
def keeps_the_shape(candidate: Candidate, draw: Wrapped) -> None:
    """(B, S, E) stays (B, S, E), and one tensor comes back

    fr: (B, S, E) reste (B, S, E), et un seul tenseur est rendu
    """
    output_of(build(candidate, draw), draw)


@check(points=1, given=wrapped_layers(), shape_only=True)
def has_the_layer_and_one_norm(candidate: Candidate, draw: Wrapped) -> None:
    """the parameters are those of the layer that is given, and a norm's gain and shift

    fr: les paramètres sont ceux de la couche donnée, et le gain et le décalage d'une norme
    """
    properties.has_parameters(build(candidate, draw).parameters(), draw.dim * draw.dim + 2 * draw.dim)


@check(points=6, given=wrapped_layers(), answer=partial(compute_due, norm_first), core=True)
def adds_the_layer_of_the_normed_input(candidate: Candidate, draw: Wrapped, answer: Target) -> None:
    """the output is x + layer(norm(x)) where nothing else is asked for

    fr: la sortie est x + layer(norm(x)) si rien d'autre n'est demandé
    """
    agree(output_of(build(candidate, draw), draw), answer)


@check(points=4, given=wrapped_layers(), answer=partial(compute_due, norm_last), core=True)
def norms_the_sum_on_request(candidate: Candidate, draw: Wrapped, answer: Target) -> None:
    """with pre=False the output is norm(x + layer(x))

    fr: avec pre=False, la sortie est norm(x + layer(x))
    """
    agree(output_of(build(candidate, draw, pre=False), draw), answer)


@check(points=1, given=wrapped_layers(), answer=partial(compute_due, norm_first))
def uses_the_norms_gain_and_shift(candidate: Candidate, draw: Wrapped, answer: Target) -> None:
    """another gain and another shift of the norm act as they should

    fr: un autre gain et un autre décalage de la norme agissent comme il se doit
    """
    module = build(candidate, draw)
    before = output_of(module, draw)
    gain, shift = give_norm(module, draw)
    after = output_of(module, draw)
    require(not torch.equal(after, before), tr("the norm's gain and shift change nothing"))
    alike(output_of(module, draw), after, tr("the output of the second call"))
    if is_near(before, answer):
        agree(after, compute_due(norm_first, draw, gain, shift))


def answer_with_effect(candidate: Candidate, draw: Wrapped) -> Tensor:
    """The output, which must be another under another norm or around another layer."""
    output = output_of(build(candidate, draw), draw)
    require_effect(candidate, draw, output)
    return output


def agrees(output: Tensor, draw: Wrapped) -> None:
    """Require the output that is due."""
    agree(output, compute_due(norm_first, draw))


answers_the_smallest_sizes = function_checks.answers_the_smallest_sizes(
    points=1,
    given=[wrapped_layers(corner="batch"), wrapped_layers(corner="length")],
    output_of=answer_with_effect,
    agrees=agrees,
    usual=lambda seed: [wrapped(2, 5, 7, seed)],
    says="""one sequence and one position are answered as several are

    fr: une seule séquence et une seule position sont traitées comme plusieurs
    """,
)


def answer_for(candidate: Candidate, draw: Wrapped) -> Tensor:
    """The output of a new module around the layer of a draw."""
    return output_of(build(candidate, draw), draw)


def depends_on_its_norm(candidate: Candidate, draw: Wrapped) -> None:
    """Require another output under another norm, or around another layer."""
    require_effect(candidate, draw, answer_for(candidate, draw))


answers_extreme_sizes = function_checks.answers_extreme_sizes(
    points=1,
    kept_because=EXTREME,
    answer=partial(compute_due, norm_first),
    output_of=answer_for,
    usual=partial(wrapped, 2, 5, 7),
    otherwise=depends_on_its_norm,
    fixed=[partial(wrapped, 4, 4, 4)],
    stretched=[
        lambda n, seed: wrapped(n, 2, 6, seed),
        lambda n, seed: wrapped(2, n, 6, seed),
        lambda n, seed: wrapped(2, 3, n, seed),
    ],
)


@check(points=2, given=wrapped_layers())
def lets_gradients_pass_beside_the_layer(candidate: Candidate, draw: Wrapped) -> None:
    """around a layer of zeros the gradient of x is that of the output, and other layers learn

    fr: autour d'une couche de zéros, le gradient de x est celui de la sortie, et d'autres couches apprennent
    """
    upstream = normal(*draw.x.shape, seed=draw.seed + 4)
    zeros = replace(draw, weight=torch.zeros_like(draw.weight))
    gradients = build(candidate, zeros).gradients(draw.x, upstream=[upstream])
    gradient = next((g for g in gradients.inputs if g is not None), torch.zeros(0))
    require(gradient.numel() > 0, tr("no gradient reaches {name}", name="x"))
    if torch.equal(tensor(gradients.answer), draw.x):
        alike(gradient, upstream, tr("the gradient of {name}", name="x"))
    gradients = build(candidate, draw).gradients(draw.x, upstream=[upstream])
    require(teaches_the_layer(gradients, draw), tr("no gradient reaches {name}", name=tr("the layer")))
    require_effect(candidate, draw, tensor(gradients.answer).detach())


@check(points=2, given=roomy, draws=6)
def drops_what_the_layer_answers(candidate: Candidate, draw: Wrapped) -> None:
    """dropout acts in training alone, on the layer's answer alone, and by default not at all

    fr: le dropout agit à l'entraînement seul, sur la réponse de la couche seule, et pas du tout par défaut
    """
    properties.drops_in_training_only(lambda rate: build(candidate, draw, dropout=rate), 0.5, draw.x)
    module = build(candidate, draw)
    alike(
        module.train()(draw.x), output_of(module.train(False), draw), tr("the output in training by default")
    )
    silent = replace(draw, weight=torch.zeros_like(draw.weight))
    alone = output_of(build(candidate, silent), draw)
    dropped = tensor(build(candidate, draw, dropout=EVERYTHING).train()(draw.x))
    alike(dropped, alone, tr("the output in training where all that the layer answers is dropped"))
    message = tr("in training with dropout=0.5, each value that the layer answers should be doubled or 0")
    right = is_near(output_of(module, draw), compute_due(norm_first, draw))
    require(not right or drops_the_answer(build(candidate, draw, dropout=0.5), draw), message)


def drops_the_answer(module: Module, draw: Wrapped) -> bool:
    """Whether half of the values that the layer answers are dropped in training, and the others doubled."""
    answer = (output_of(module, draw) - draw.x).detach()
    in_training = (tensor(module.train()(draw.x)) - draw.x).detach()
    module.train(False)
    near = 1e-3 * answer.abs().max()
    return bool(((in_training.abs() < near) | ((in_training - 2 * answer).abs() < near)).all())


@check(points=1, given=wrapped_layers(dtype=torch.float64), answer=partial(compute_due, norm_first))
def computes_in_double_precision(candidate: Candidate, draw: Wrapped, answer: Target) -> None:
    """in float64 the answer is of float64, and the same as in float32

    fr: en float64, la réponse est en float64, et la même qu'en float32
    """
    module = build(candidate, draw)
    output = output_of(module, draw)
    has_dtype(output, torch.float64)
    single = replace(draw, x=draw.x.float(), weight=draw.weight.float())
    alike(output.float(), output_of(build(candidate, single), single), tr("the output in float64"))
    if is_near(output, Target(answer.exact, 1e-4)):
        agree(output, answer)
    properties.depends_on(module, output, [2 * draw.x + 1])
    require_effect(candidate, draw, output)


@check(points=1, given=wrapped_layers(), on_its_word=True)
def leaves_its_argument_alone(candidate: Candidate, draw: Wrapped) -> str | None:
    """x keeps its values, and the second call answers as the first

    fr: x garde ses valeurs, et le second appel répond comme le premier
    """
    module = build(candidate, draw)
    require_effect(candidate, draw, output_of(module, draw))
    return properties.leaves_alone(module, [draw.x], "x")


def diagnostic_draws(seed: int) -> list[BehaviourTrial]:
    """Situations that tell the known mistakes apart; inputs are so large that no epsilon matters."""
    draw, wide = (
        replace(drawn, x=LARGE * drawn.x)
        for drawn in (wrapped(2, 5, 7, seed, torch.float64), wrapped(3, 4, 12, seed + 1, torch.float64))
    )
    return [
        BehaviourTrial(partial(answer_twice, draw)),
        BehaviourTrial(partial(answer_twice, draw, pre=False)),
        BehaviourTrial(partial(answer_under_another_norm, draw)),
        BehaviourTrial(partial(learn, draw)),
        BehaviourTrial(partial(drop, wide), aside=True),
        BehaviourTrial(partial(keep_the_input, draw)),
    ]


def answer_twice(draw: Wrapped, candidate: Candidate, **options: Any) -> Any:
    """The output of a new module, if a second call gives the same."""
    module = build(candidate, draw, **options)
    first, second = output_of(module, draw), output_of(module, draw)
    return first if torch.equal(first, second) else "by chance"


def answer_under_another_norm(draw: Wrapped, candidate: Candidate) -> Any:
    """The number of parameters, and the output with another gain and shift."""
    module = build(candidate, draw)
    count = float(sum(value.numel() for value in module.parameters().values()))
    give_norm(module, draw)
    return [count, output_of(module, draw)]


def learn(draw: Wrapped, candidate: Candidate) -> Any:
    """The gradient of x, and whether the layer gets one."""
    upstream = normal(*draw.x.shape, seed=draw.seed + 4, dtype=draw.x.dtype)
    gradients = build(candidate, draw).gradients(draw.x, upstream=[upstream])
    return [gradients.inputs[0], str(teaches_the_layer(gradients, draw))]


def drop(draw: Wrapped, candidate: Candidate) -> Any:
    """In training: the output where all is dropped; what is of half, and whether anything is by default."""
    everything, half = (build(candidate, draw, dropout=rate) for rate in (EVERYTHING, 0.5))
    everything.train()
    same_twice = [
        torch.equal(*(tensor(half.train(mode)(draw.x)) for _ in range(2))) for mode in (False, True)
    ]
    small = replace(draw, x=draw.x / LARGE)
    which = drops_the_answer(build(candidate, small, dropout=0.5), small)
    usual = build(candidate, small)
    by_default = not torch.equal(output_of(usual, small), tensor(usual.train()(small.x)))
    return [tensor(everything(draw.x)).detach(), f"{same_twice} {which} {by_default}"]


def keep_the_input(draw: Wrapped, candidate: Candidate) -> Any:
    """Whether x keeps its values."""
    return str(torch.equal(build(candidate, draw).observed_call(draw.x).args[0], draw.x))


options = Options(diagnostic_draws=diagnostic_draws)
