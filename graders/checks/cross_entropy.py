"""cross_entropy(logits, targets, ignore_index=-100): the mean of -log softmax(logits)[target]."""

from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api import properties
from graders.check_api.check import (
    Candidate,
    Raised,
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
from graders.check_api.standard_checks import function_checks
from graders.check_api.strategies.lengths import EXTREME, SMALLEST
from graders.check_api.strategies.tensors import hidden, ids, input_values, normal, seeds, sizes
from graders.language import tr

USUAL = -100
FAR = 8192.0  # added to multiples of 1/8 without rounding, in float32
ROUNDINGS = 2e-6  # sixteen of float32: the logarithm of a sum is as large as its logits
MILD = 0.5  # the scale of logits whose softmax is nowhere small
APART = 100.0  # so many times as far apart, two logits have so many times the loss


@dataclass(frozen=True, eq=False)
class Scored:
    """Logits (N, C), targets (N,) and the target that is ignored."""

    logits: Tensor
    targets: Tensor
    ignore_index: int = USUAL
    seed: int = field(default=0, metadata=hidden)

    @property
    def arguments(self) -> list[Any]:
        """The arguments of a call; without the last where it is the default."""
        return [self.logits, self.targets, *([] if self.ignore_index == USUAL else [self.ignore_index])]

    @property
    def counted(self) -> Tensor:
        """The rows that count, (N,) bool."""
        return self.targets != self.ignore_index


@st.composite
def scored(
    draw: st.DrawFn,
    /,
    ignored: bool = False,
    dtype: torch.dtype = torch.float32,
    corner: str = "",
    mild: bool = False,
) -> Scored:
    """Logits that are multiples of 1/8, with targets; some rows are ignored, if so asked.

    At least two rows count, or one where `corner` is "row". With `mild`, no target has so little probability
    that a small number added to it shows, and logits are no multiples, which would be equal by chance.
    """
    rows = 1 if corner == "row" else draw(sizes(4 if ignored else 2, 6))
    classes, seed = draw(sizes(2, 7)), draw(seeds())
    logits = input_values(rows, classes, seed=seed, scale=MILD if mild else 2.0)
    logits = logits if mild else (logits * 8).round() / 8
    wanted, ignore_index = ids(rows, vocabulary=classes, seed=seed), USUAL
    if ignored:
        ignore_index = draw(st.sampled_from([USUAL, -1, 0, classes - 1]))
        counts = torch.arange(rows) % 2 == seed % 2
        wanted = torch.where(wanted == ignore_index, (wanted + 1) % classes, wanted)
        wanted = torch.where(counts, wanted, torch.tensor(ignore_index))
    return Scored(logits.to(dtype), wanted, ignore_index, seed)


def loss_of(answer: Any) -> Tensor:
    """The loss as a tensor of shape (), also where it has an axis of size 1 or is a number of Python's."""
    if type(answer) in (int, float):
        return torch.tensor(float(answer))
    loss = tensor(answer, tr("the loss"))
    message = tr("the loss should be one number, but has shape {shape}", shape=tuple(loss.shape))
    require(loss.numel() == 1, message)
    return loss.reshape(())


def depends_on_the_targets(cross_entropy: Candidate, logits: Tensor, wanted: Tensor) -> None:
    """Require another loss where each target has a smaller logit: a constant would pass many checks.

    Rows differ in how much smaller it is: else a softmax over rows that share a target would not see it.
    """
    steps = 1 + torch.arange(len(logits))[:, None] % 2
    lower = logits - (steps * torch.nn.functional.one_hot(wanted, logits.shape[1])).to(logits.dtype)
    losses = [loss_of(cross_entropy(given, wanted)) for given in (logits, lower)]
    require(not torch.equal(*losses), tr("the loss is the same where the targets are less probable"))


def as_taken(cross_entropy: Candidate, draw: Scored) -> Scored:
    """The draw; without its ignored rows where code raises on them, for one check is about that."""
    try:
        cross_entropy(*draw.arguments)
    except Raised:
        return Scored(draw.logits[draw.counted], draw.targets[draw.counted], seed=draw.seed)
    return draw


def compute_loss(draw: Scored) -> Target:
    """The loss by its definition."""
    return targets(lambda logits: [_loss(logits, draw)], [draw.logits])[0]


def compute_loss_and_gradient(draw: Scored) -> tuple[Target, Target]:
    """The loss, and its gradient for the logits: (softmax - one-hot) / N where a row counts."""

    def gradient(logits: Tensor) -> list[Tensor]:
        wanted = torch.nn.functional.one_hot(draw.targets.clamp(min=0), logits.shape[-1])
        return [(logits.softmax(-1) - wanted) * draw.counted[:, None] / draw.counted.sum()]

    return compute_loss(draw), targets(gradient, [draw.logits])[0]


def _loss(logits: Tensor, draw: Scored) -> Tensor:
    rows, wanted = logits[draw.counted], draw.targets[draw.counted]
    return (rows.logsumexp(-1) - rows[torch.arange(len(rows)), wanted]).mean()


@check(points=1, given=scored(), shape_only=True)
def is_one_number(cross_entropy: Candidate, draw: Scored) -> None:
    """the answer is a tensor of shape (), in the logits' dtype

    fr: la réponse est un tenseur de forme (), dans le dtype des logits
    """
    answer = cross_entropy(*draw.arguments)
    message = tr("the loss should be a tensor, but is {kind}", kind=kind(answer))
    require(isinstance(answer, Tensor), message)
    shaped(tensor(answer), ())
    has_dtype(answer, draw.logits.dtype)


@check(points=8, given=scored(), answer=compute_loss, core=True)
def is_the_mean_surprise(cross_entropy: Candidate, draw: Scored, answer: Target) -> None:
    """the answer is the mean of -log softmax(logits)[target]

    fr: la réponse est la moyenne de -log softmax(logits)[cible]
    """
    agree(loss_of(cross_entropy(*draw.arguments)), answer, value_name=tr("the loss"))


def sized(rows: int, classes: int, seed: int) -> Scored:
    """Logits of these sizes with targets, none of which is ignored."""
    logits = normal(rows, classes, seed=seed, scale=2.0)
    return Scored(logits, ids(rows, vocabulary=classes, seed=seed), seed=seed)


answers_extreme_sizes = function_checks.answers_extreme_sizes(
    points=1,
    kept_because=EXTREME,
    answer=compute_loss,
    output_of=lambda cross_entropy, draw: loss_of(tensor(cross_entropy(*draw.arguments))),
    usual=partial(sized, 5, 4),
    otherwise=lambda cross_entropy, draw: depends_on_the_targets(cross_entropy, draw.logits, draw.targets),
    fixed=[partial(sized, 4, 4)],
    stretched=[lambda n, seed: sized(n, 3, seed), lambda n, seed: sized(3, n, seed)],
)


@check(points=4, given=scored(ignored=True))
def ignores_what_is_to_be_ignored(cross_entropy: Candidate, draw: Scored) -> None:
    """with ignored rows, the answer is that of the other rows alone

    fr: avec des lignes ignorées, la réponse est celle des autres lignes seules
    """
    alone = [draw.logits[draw.counted], draw.targets[draw.counted]]
    expected = loss_of(cross_entropy(*alone))
    answer = loss_of(cross_entropy(*draw.arguments))
    alike(answer, expected.to(answer.dtype), tr("the loss with ignored rows"))
    depends_on_the_targets(cross_entropy, *alone)


@check(points=4, given=scored())
def survives_large_logits(cross_entropy: Candidate, draw: Scored) -> None:
    """large numbers added to the logits of a row change nothing, and no probability is too small

    fr: de grands nombres ajoutés aux logits d'une ligne ne changent rien, et aucune probabilité n'est trop
    petite
    """
    expected = loss_of(cross_entropy(draw.logits, draw.targets))
    sides = torch.tensor([1.0, -1.0]).repeat(len(draw.logits))[: len(draw.logits), None]
    for shift in (FAR, -FAR, FAR * sides):
        shifted = loss_of(cross_entropy(draw.logits + shift, draw.targets))
        near = Target(expected.double(), FAR * ROUNDINGS)
        agree(shifted, near, value_name=tr("the loss after large numbers were added"))
    unlikely = torch.tensor([[APART, -APART]] * 2)  # one row alone is for another check
    loss, far = (loss_of(cross_entropy(unlikely * times, torch.tensor([1, 1]))) for times in (1, APART))
    for value, logits in ((loss, unlikely), (far, unlikely * APART)):
        scores = [round(score) for score in logits[0].tolist()]
        message = tr(
            "for the logits {scores} and the target 1, the loss is {loss}", scores=scores, loss=value.item()
        )
        require(bool(value.isfinite()), message)
    alike(far / APART, loss, tr("the loss of logits a hundred times as far apart, divided by a hundred"))
    message = tr("an improbable target should cost more than a probable one")
    require(bool(loss > loss_of(cross_entropy(unlikely, torch.tensor([0, 0])))), message)


@check(points=1, given=scored())
def knows_no_order(cross_entropy: Candidate, draw: Scored) -> None:
    """rows in another order, and classes in another order with their targets, give the same answer

    fr: des lignes dans un autre ordre, et des classes dans un autre ordre avec leurs cibles, donnent la même
    réponse
    """
    expected = loss_of(cross_entropy(draw.logits, draw.targets))
    by_row = cross_entropy(draw.logits.flip(0), draw.targets.flip(0))
    alike(loss_of(by_row), expected, tr("the loss of rows in another order"))
    last = draw.logits.shape[1] - 1
    by_class = cross_entropy(draw.logits.flip(1), last - draw.targets)
    alike(loss_of(by_class), expected, tr("the loss of classes in another order"))
    depends_on_the_targets(cross_entropy, draw.logits, draw.targets)


@check(points=1, given=scored(corner="row"), kept_because=SMALLEST)
def takes_one_row(cross_entropy: Candidate, draw: Scored) -> None:
    """one row alone is answered as several are

    fr: une seule ligne est traitée comme plusieurs
    """
    two = replace(draw, logits=draw.logits.repeat(2, 1), targets=draw.targets.repeat(2))
    twice = loss_of(cross_entropy(*two.arguments))
    alike(loss_of(cross_entropy(*draw.arguments)), twice, tr("the loss of one row, against that of it twice"))
    depends_on_the_targets(cross_entropy, two.logits, two.targets)


@check(points=1, given=scored(dtype=torch.float64, mild=True), answer=compute_loss)
def computes_in_double_precision(cross_entropy: Candidate, draw: Scored, answer: Target) -> None:
    """in float64 the answer is of float64, and the same as in float32

    fr: en float64, la réponse est en float64, et la même qu'en float32
    """
    loss = cross_entropy(*draw.arguments)
    single = loss_of(cross_entropy(draw.logits.float(), draw.targets))
    if isinstance(loss, Tensor):
        has_dtype(loss, torch.float64)
    double = loss_of(loss).double()
    if is_near(single.double(), Target(answer.exact, 1e-4)):
        agree(double, answer, value_name=tr("the loss"))
    alike(double.float(), single, tr("the loss in float64"))
    depends_on_the_targets(cross_entropy, draw.logits, draw.targets)


@check(points=2, given=scored(ignored=True, mild=True), answer=compute_loss_and_gradient)
def teaches_the_logits(cross_entropy: Candidate, draw: Scored, answer: tuple[Target, Target]) -> None:
    """the gradient of the logits is (softmax - one-hot) / N where the answer is right, and none is lost

    fr: le gradient des logits est (softmax - one-hot) / N là où la réponse est juste, et aucun ne se perd
    """
    loss, expected = answer
    taken = as_taken(cross_entropy, draw)
    if taken is not draw:
        expected = expected.with_values(lambda exact: exact[draw.counted])
    gradients = cross_entropy.gradients(*taken.arguments, upstream=[torch.ones(())])
    gradient = next((g for g in gradients.inputs if g is not None), torch.zeros(0))
    require(gradient.numel() > 0, tr("no gradient reaches the logits"))
    message = tr("the gradient of the logits is 0, NaN or infinite")
    require(bool(gradient.isfinite().all()) and bool((gradient != 0).any()), message)
    if is_near(loss_of(gradients.answer).detach(), loss):
        agree(gradient, expected, value_name=tr("the gradient of the logits"))


@check(points=1, given=scored(ignored=True), on_its_word=True)
def leaves_its_arguments_alone(cross_entropy: Candidate, draw: Scored) -> str | None:
    """logits and targets keep their values, and the second call answers as the first

    fr: les logits et les cibles gardent leurs valeurs, et le second appel répond comme le premier
    """
    usual = replace(draw, targets=torch.where(draw.counted, draw.targets, USUAL), ignore_index=USUAL)
    depends_on_the_targets(cross_entropy, draw.logits[draw.counted], draw.targets[draw.counted])
    return leaves_alone(cross_entropy, as_taken(cross_entropy, usual).arguments)


def leaves_alone(cross_entropy: Candidate, arguments: list[Any]) -> str | None:
    """Require the arguments to keep their values, and a second call to answer as the first."""
    call = cross_entropy.observed_call(*arguments)
    for name, before, after in zip(("logits", "targets"), arguments, call.args, strict=False):
        same(after, before, tr("{name} after the call", name=name))
    second = loss_of(cross_entropy(*arguments))
    alike(second, loss_of(call.answer), tr("the loss of the second call"))
    return None if call.random_state_kept else tr(properties.RANDOM)


def diagnostic_draws(seed: int) -> list[Scored]:
    """Draws that tell the known mistakes apart."""

    def drawn(rows: int, classes: int, number: int, scale: float = 1.0) -> Scored:
        logits = normal(rows, classes, seed=seed + number, scale=scale, dtype=torch.float64)
        return Scored(logits, ids(rows, vocabulary=classes, seed=seed + number), seed=seed + number)

    usual, other, third = (drawn(7, 5, number) for number in range(3))
    some = torch.arange(7) % 3 == 1
    apart = drawn(4, 3, 3)
    return [
        usual,
        replace(other, targets=torch.where(some, USUAL, other.targets)),
        replace(third, targets=torch.where(some, 2, third.targets), ignore_index=2),
        replace(usual, targets=torch.where(some, -1, usual.targets), ignore_index=-1),
        replace(usual, logits=usual.logits + 1e4),
        replace(apart, logits=apart.logits + torch.tensor([[1e4], [-1e4], [0.0], [1.0]])),
        drawn(4, 6, 4, scale=1e4),
        drawn(3, 4, 5, scale=15.0),
        replace(usual, logits=usual.logits.abs() + 5),  # such logits have a logarithm
    ]


options = Options(diagnostic_draws=diagnostic_draws)
