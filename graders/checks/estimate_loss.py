"""estimate_loss(model, data, block_size, batch_size, eval_iters) -> one number.

It gets a model that returns scripted losses (`ScriptedLossModel`), so that there is one right answer whatever
batches are drawn. In other checks the loss shows which batch was drawn: the ids of the text are 5, 6, 7, ...
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
    RecordingModel,
    Target,
    Violation,
    check,
    kind,
    number,
    require,
)
from graders.check_api.options import Options
from graders.check_api.properties import parts
from graders.check_api.standard_checks import function_checks
from graders.check_api.statistics import margin
from graders.check_api.strategies.lengths import EXTREME
from graders.check_api.strategies.tensors import hidden, normal, seeds, sizes
from graders.language import tr

FIRST = 5  # the first id of every text
IN_TRAINING = 10.0  # added to the loss in training mode
LONG = 3_000  # ids of a text: so many that a batch seldom reaches its end, which get_batch's checks are about
BATCHES = 400  # batches of one window; the expected mean of their starts is known
NEAR = 1e-4  # of two numbers, as a share of the larger
SCALES = 97  # of the losses that tell a start: with one for all runs, code could know the mean loss


@dataclass(frozen=True, eq=False)
class Estimate:
    """A text, sizes, and the losses that the model returns, batch by batch."""

    data: Tensor
    block_size: int
    batch_size: int
    eval_iters: int
    losses: Tensor = field(metadata=hidden)
    seed: int = field(default=0, metadata=hidden)


def make_estimate(block: int, batch: int, count: int, seed: int, losses: Tensor | None = None) -> Estimate:
    """A draw of these sizes; without `losses`, more losses than batches, between 1 and 6, from the seed."""
    if losses is None:
        losses = 3.5 + 2.5 * torch.tanh(normal(count + 20, seed=seed))
    return Estimate(torch.arange(FIRST, FIRST + LONG + block), block, batch, count, losses, seed)


@st.composite
def estimates(draw: st.DrawFn, most: int = 8) -> Estimate:
    """Small batches; `most` is their maximum number."""
    block, count = draw(sizes(2, 5)), draw(sizes(min(2, most), most))
    return make_estimate(block, draw(sizes(2, 5)), count, draw(seeds()))


def run(
    candidate: Candidate, draw: Estimate, mode: bool = True, **loss: Any
) -> tuple[Any, RecordingModel, bool]:
    """The answer, the model, and whether gradients were enabled afterwards; `mode`: training mode."""
    words = FIRST + len(draw.data)
    model = candidate.make_model("ScriptedLossModel", losses=draw.losses, words=words, **loss)
    model.train(mode)
    sizes = draw.block_size, draw.batch_size, draw.eval_iters
    call = candidate.seeded(draw.seed, model, draw.data, *sizes)
    return call.answer, model, call.gradients_kept


def one_number(answer: Any) -> float:
    """The answer as a number.

    Raises:
        Violation: it is not one number.
    """
    if type(answer) in (int, float) or (isinstance(answer, Tensor) and answer.dim() == 0):
        return float(answer)
    raise Violation(
        tr("one number should come back, a float or a tensor without axes, not {kind}", kind=kind(answer))
    )


def estimate_in(answer: Any) -> float:
    """The number, or the first of several: a loss of training and one of validation, of which a check tells.

    Raises:
        Violation: there is none.
    """
    return one_number(next(iter(parts(answer)), answer))


def is_near(actual: float, expected: float) -> bool:
    """Whether two numbers differ by no more than the rounding of a sum in float32; False for NaN."""
    return abs(actual - expected) <= NEAR * max(1.0, abs(expected))


def mean(draw: Estimate) -> float:
    """The mean of the losses of the batches."""
    return float(draw.losses[: draw.eval_iters].double().mean())


def require_effect_of_losses(estimate_loss: Candidate, draw: Estimate) -> None:
    """Require the same answer for the same losses, and another for slightly larger ones.

    Raises:
        Violation: it is not so.
    """
    larger = replace(draw, losses=draw.losses + 0.01)
    first, again, other = (estimate_in(run(estimate_loss, given)[0]) for given in (draw, draw, larger))
    require(is_near(again, first), tr("a second call with the same losses gives another answer"))
    require(not is_near(other, first), tr("larger losses give the same answer"))


@check(points=1, given=[estimates(), estimates(most=1)], shape_only=True)
def gives_one_number(estimate_loss: Candidate, draw: Estimate) -> None:
    """the answer is one number, a float or a tensor without axes, for one batch too

    fr: la réponse est un seul nombre, un float ou un tenseur sans axe, pour un seul lot aussi
    """
    one_number(run(estimate_loss, draw)[0])


@check(points=5, given=estimates(), core=True)
def averages_the_losses_of_all_batches(estimate_loss: Candidate, draw: Estimate) -> None:
    """the answer is the mean of the losses of eval_iters batches

    fr: la réponse est la moyenne des pertes de eval_iters lots
    """
    answer, model, _ = run(estimate_loss, draw)
    answer_value, expected = estimate_in(answer), mean(draw)
    if not is_near(answer_value, expected):
        losses = tr(", ").join(number(loss) for loss in draw.losses[: draw.eval_iters].tolist())
        calls = model.calls
        values = {"losses": losses, "due": number(expected), "found": number(answer_value)}
        message = tr("the mean of {losses} is {due}, but the answer is {found}", **values)
        with_calls = tr(
            "the mean of {losses} is {due}, but the answer is {found}; "
            "the model was called {calls} times, where {batches} are due",
            calls=calls,
            batches=draw.eval_iters,
            **values,
        )
        raise Violation(with_calls if calls != draw.eval_iters else message)


@st.composite
def even(draw: st.DrawFn) -> Estimate:
    """A model that always returns the same loss, so that the mean is this loss."""
    estimate = draw(estimates(most=3))
    return replace(estimate, losses=estimate.losses[:1].repeat(len(estimate.losses)))


@check(points=2, given=even())
def looks_at_the_model_in_evaluation_mode(estimate_loss: Candidate, draw: Estimate) -> None:
    """a model in training is judged in evaluation mode, in which dropout does not act

    fr: un modèle en entraînement est jugé en mode évaluation, où le dropout n'agit pas
    """
    require_effect_of_losses(estimate_loss, draw)
    answer = estimate_in(run(estimate_loss, draw, training=IN_TRAINING)[0])
    expected = estimate_in(run(estimate_loss, draw)[0])
    message = tr("the model is called in training mode, where dropout makes its loss another")
    require(is_near(answer, expected), message)


@check(points=0.75, given=even(), on_its_word=True)
def leaves_the_mode_as_it_was(estimate_loss: Candidate, draw: Estimate) -> None:
    """afterwards the model is in the mode in which it was before, training or evaluation

    fr: ensuite, le modèle est dans le mode où il était avant, entraînement ou évaluation
    """
    require_effect_of_losses(estimate_loss, draw)
    messages = {
        True: tr("a model in training mode is afterwards in the other"),
        False: tr("a model in evaluation mode is afterwards in the other"),
    }
    for mode, message in messages.items():
        _, model, _ = run(estimate_loss, draw, mode)
        require(model.call_log().training is mode, message)


@check(points=0.75, given=even(), on_its_word=True)
def takes_no_gradients(estimate_loss: Candidate, draw: Estimate) -> None:
    """the model is called without gradients, and they are on again afterwards

    fr: le modèle est appelé sans gradients, et ils sont de nouveau actifs ensuite
    """
    require_effect_of_losses(estimate_loss, draw)
    _, model, kept = run(estimate_loss, draw)
    message = tr(
        "the losses keep their graph: memory grows with every batch, for gradients that nobody takes"
    )
    require(not model.call_log().tracked, message)
    require(kept, tr("gradients are still off afterwards: nothing can be trained any more"))


@check(points=3, given=estimates(), core=True)
def gives_the_model_batches_of_the_text(estimate_loss: Candidate, draw: Estimate) -> None:
    """the model gets x and y of shape (batch_size, block_size), y being the next ids of x

    fr: le modèle reçoit x et y de forme (batch_size, block_size), y étant les identifiants suivants de x
    """
    plain = replace(draw, losses=torch.zeros(2), eval_iters=2)
    answer, model, _ = run(estimate_loss, plain, shift=1.0, size=1.0)
    shape = (draw.batch_size, draw.block_size)
    due = replace(plain, losses=torch.tensor([_loss_of_batch(1.0, shape)] * 2))
    require_effect_of_losses(estimate_loss, due)
    if not is_near(estimate_in(answer), estimate_in(run(estimate_loss, due)[0])):
        shapes = model.call_log().shapes
        wrong_shape = next((other_shape for other_shape in shapes if other_shape != shape), None)
        message = tr(
            "the model was given x of shape {found}, where {shape} is due", found=wrong_shape, shape=shape
        )
        raise Violation(message if wrong_shape else tr("the model was given a y that is not x one id later"))


@st.composite
def scattered(draw: st.DrawFn) -> Estimate:
    """Many batches of one window each; the loss tells the window's start in the text."""
    return _scattered(draw(sizes(2, 4)), draw(seeds()))


def _scattered(block: int, seed: int) -> Estimate:
    return make_estimate(block, 1, BATCHES, seed, torch.tensor([(1 + seed % SCALES) / SCALES / LONG]))


@check(points=2.5, given=scattered(), draws=1)
def draws_each_batch_anew(estimate_loss: Candidate, draw: Estimate) -> None:
    """batches are drawn from the whole text, each anew

    fr: les lots sont tirés dans tout le texte, chacun à nouveau
    """
    require(
        not _all_the_same(estimate_loss, draw), tr("all batches of an estimate begin alike: draw each anew")
    )
    # A number that fits one scale by chance does not fit a quarter of it: half of it, it might.
    smaller = replace(draw, losses=draw.losses / 4)
    place = max((_place(estimate_loss, each) for each in (draw, smaller)), key=lambda share: abs(share - 0.5))
    message = tr(
        "on average windows begin at {percent}% of the text, where about half is due",
        percent=format(100 * place, ".0f"),
    )
    require(abs(place - 0.5) <= margin(draw.eval_iters), message)


def _loss_of_batch(shift: float, shape: tuple[int, int]) -> float:
    """The loss of a model that encodes the shift and the shape of a batch."""
    return shift + shape[0] + shape[1] / 64


def estimate_by_shapes(estimate_loss: Candidate, draw: Estimate) -> Tensor:
    """The answer for a model that adds to its losses what tells the shape of a batch."""
    answer = estimate_in(run(estimate_loss, draw, shift=1.0, size=1.0)[0])
    return torch.tensor(answer, dtype=torch.float64)


def compute_by_shapes(draw: Estimate) -> Target:
    """What is due then."""
    due = mean(draw) + _loss_of_batch(1.0, (draw.batch_size, draw.block_size))
    return Target(torch.tensor(due, dtype=torch.float64), NEAR * due)


answers_extreme_sizes = function_checks.answers_extreme_sizes(
    points=0.75,
    kept_because=EXTREME,
    answer=compute_by_shapes,
    output_of=estimate_by_shapes,
    usual=partial(make_estimate, 4, 3, 5),
    otherwise=require_effect_of_losses,
    fixed=[partial(make_estimate, 4, 4, 4)],
    stretched=[
        lambda n, seed: make_estimate(n, 2, 3, seed),
        lambda n, seed: make_estimate(3, n, 2, seed),
        lambda n, seed: make_estimate(3, 2, n, seed),
    ],
)


def _place(candidate: Candidate, draw: Estimate) -> float:
    """The mean start of the windows as a share of the text, from 0 to 1."""
    answer = estimate_in(run(candidate, draw, place=True)[0])
    return (answer / float(draw.losses[0]) - FIRST) / (LONG - 1)


def _all_the_same(candidate: Candidate, draw: Estimate) -> bool:
    """Whether all batches have the same start: then the starts, with alternating signs, add up to 0.

    For twenty different starts the sum is 0 by chance once in thousands of times, three sums once in 10^11.
    """
    turns = replace(draw, eval_iters=20, losses=torch.tensor([1.0, -1.0]))
    with_seeds = [replace(turns, seed=draw.seed + n) for n in range(3)]
    return all(abs(estimate_in(run(candidate, with_seed, place=True)[0])) < 1e-3 for with_seed in with_seeds)


def diagnostic_draws(seed: int) -> list[BehaviourTrial]:
    """Situations that tell the known mistakes apart."""
    usual = make_estimate(4, 3, 5, seed)
    single = replace(usual, eval_iters=1, losses=usual.losses[:1])
    shown = replace(single, losses=torch.zeros(1))
    return [
        BehaviourTrial(partial(_answer, usual, {"training": IN_TRAINING})),
        BehaviourTrial(partial(_answer, shown, {"shift": 1.0, "size": 1.0})),
        BehaviourTrial(partial(_effects, usual, True)),
        BehaviourTrial(partial(_effects, usual, False)),
        BehaviourTrial(partial(_batches, _scattered(3, seed))),
    ]


def _answer(draw: Estimate, loss: dict[str, Any], candidate: Candidate) -> Any:
    """The answer, in float64 whatever its dtype is."""
    answer = run(candidate, draw, **loss)[0]
    try:
        return torch.tensor(estimate_in(answer), dtype=torch.float64).mul(1e3).round()
    except Violation:
        return answer


def _effects(draw: Estimate, mode: bool, candidate: Candidate) -> Any:
    """How the model was called and left, and whether gradients are enabled afterwards."""
    _, model, kept = run(candidate, draw, mode)
    log = model.call_log()
    return [log.calls, log.in_training > 0, log.tracked > 0, log.training, kept]


def _batches(draw: Estimate, candidate: Candidate) -> Any:
    """From where in the text batches are drawn."""
    try:
        same, place = _all_the_same(candidate, draw), _place(candidate, draw)
    except Violation:
        return "no number"
    if same:
        return "the same" if place > 1e-4 else "from the start"
    return "as due" if abs(place - 0.5) <= margin(draw.eval_iters) else "elsewhere"


options = Options(diagnostic_draws=diagnostic_draws)
