"""estimate_loss(model, data, block_size, batch_size, eval_iters) -> one number.

It is given a model whose losses are known beforehand (`ScriptedLossModel`), so that there is one right answer
whatever batches are drawn. Which they were shows where the loss says it: ids count up, 5, 6, 7 and so on.
"""

from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api.behaviour import BehaviourTrial
from graders.check_api.check import Candidate, RecordingModel, Violation, check, kind, number, require
from graders.check_api.statistics import margin
from graders.check_api.strategies.tensors import hidden, normal, seeds, sizes
from graders.language import tr

FIRST = 5  # the first id of every text
IN_TRAINING = 10.0  # what the loss is greater by in training mode
LONG = 3_000  # ids of a text: so many that a batch seldom meets its end, which is get_batch's own matter
SCALE = torch.tensor([1 / LONG])  # a loss that says where a window begins, and lies between 0 and 1
BATCHES = 400  # of one window each: how far they lie in the text on average is known


@dataclass(frozen=True, eq=False)
class Estimate:
    """A text, sizes, and the losses that the model will give, batch by batch."""

    data: Tensor
    block_size: int
    batch_size: int
    eval_iters: int
    losses: Tensor = field(metadata=hidden)
    seed: int = field(default=0, metadata=hidden)


def estimated(block: int, batch: int, count: int, seed: int, losses: Tensor | None = None) -> Estimate:
    """A draw of these sizes; losses of a seed between 1 and 6 if none are given, many more than batches."""
    if losses is None:
        losses = 3.5 + 2.5 * torch.tanh(normal(count + 20, seed=seed))
    return Estimate(torch.arange(FIRST, FIRST + LONG + block), block, batch, count, losses, seed)


@st.composite
def estimates(draw: st.DrawFn, most: int = 8) -> Estimate:
    """Small batches; `most` bounds their number."""
    block, count = draw(sizes(2, 5)), draw(sizes(1, most))
    return estimated(block, draw(sizes(2, 5)), count, draw(seeds()))


def asked(
    candidate: Candidate, draw: Estimate, mode: bool = True, **loss: Any
) -> tuple[Any, RecordingModel, bool]:
    """What comes back, the model, and whether gradients were on afterwards; with `mode` it is in training."""
    words = FIRST + len(draw.data)
    model = candidate.make_model("ScriptedLossModel", losses=draw.losses, words=words, **loss)
    model.train(mode)
    sizes = draw.block_size, draw.batch_size, draw.eval_iters
    seen = candidate.seeded(draw.seed, model, draw.data, *sizes)
    return seen.answer, model, seen.gradients_kept


def one_number(answer: Any) -> float:
    """The answer as a number.

    Raises:
        Violation: it is none.
    """
    if type(answer) in (int, float) or (isinstance(answer, Tensor) and answer.dim() == 0):
        return float(answer)
    raise Violation(
        tr("one number should come back, a float or a tensor without axes, not {kind}", kind=kind(answer))
    )


def near(found: float, due: float) -> bool:
    """Whether they differ by no more than the rounding of a sum in float32. NaN is near nothing."""
    return abs(found - due) <= 1e-4 * max(1.0, abs(due))


def mean(draw: Estimate) -> float:
    """The mean of the losses of the batches."""
    return float(draw.losses[: draw.eval_iters].double().mean())


@check(points=1, given=estimates(), shape_only=True)
def gives_one_number(estimate_loss: Candidate, draw: Estimate) -> None:
    """the answer is one number, a float or a tensor without axes

    fr: la réponse est un seul nombre, un float ou un tenseur sans axe
    """
    one_number(asked(estimate_loss, draw)[0])


@check(points=3, given=estimates())
def averages_the_losses_of_all_batches(estimate_loss: Candidate, draw: Estimate) -> None:
    """the answer is the mean of the losses of eval_iters batches

    fr: la réponse est la moyenne des pertes de eval_iters lots
    """
    answer, model, _ = asked(estimate_loss, draw)
    found, due = one_number(answer), mean(draw)
    if not near(found, due):
        told = tr(", ").join(number(loss) for loss in draw.losses[: draw.eval_iters].tolist())
        calls = model.call_log().calls  # the answer is wrong whatever is said here: this only explains it
        said = {"losses": told, "due": number(due), "found": number(found)}
        says = tr("the mean of {losses} is {due}, but the answer is {found}", **said)
        often = tr(
            "the mean of {losses} is {due}, but the answer is {found}; "
            "the model was called {calls} times, where {batches} are due",
            calls=calls,
            batches=draw.eval_iters,
            **said,
        )
        raise Violation(often if calls != draw.eval_iters else says)


@st.composite
def even(draw: st.DrawFn) -> Estimate:
    """One batch of a model that always gives the same loss: nothing is left to be averaged."""
    one = draw(estimates(most=1))
    return replace(one, losses=one.losses[:1])


@check(points=2, given=even())
def looks_at_the_model_in_evaluation_mode(estimate_loss: Candidate, draw: Estimate) -> None:
    """a model in training is judged in evaluation mode, in which dropout does not act

    fr: un modèle en entraînement est jugé en mode évaluation, où le dropout n'agit pas
    """
    found = one_number(asked(estimate_loss, draw, training=IN_TRAINING)[0])
    due = float(draw.losses[0])
    dropped = near(found, due + IN_TRAINING)
    require(not dropped, tr("the model is called in training mode, where dropout makes its loss another"))
    require(near(found, due), _instead(due, found))


@check(points=1, given=even())
def leaves_the_mode_as_it_was(estimate_loss: Candidate, draw: Estimate) -> None:
    """afterwards the model is in the mode in which it was before, training or evaluation

    fr: ensuite, le modèle est dans le mode où il était avant, entraînement ou évaluation
    """
    moved = {
        True: tr("a model in training mode is afterwards in the other"),
        False: tr("a model in evaluation mode is afterwards in the other"),
    }
    for mode, says in moved.items():
        answer, model, _ = asked(estimate_loss, draw, mode)
        require(near(one_number(answer), float(draw.losses[0])), _instead(draw.losses[0], one_number(answer)))
        require(model.call_log().training is mode, says)


@check(points=1, given=even())
def takes_no_gradients(estimate_loss: Candidate, draw: Estimate) -> None:
    """the model is called without gradients, and they are on again afterwards

    fr: le modèle est appelé sans gradients, et ils sont de nouveau actifs ensuite
    """
    answer, model, kept = asked(estimate_loss, draw)
    require(near(one_number(answer), float(draw.losses[0])), _instead(draw.losses[0], one_number(answer)))
    says = tr("the losses keep their graph: memory grows with every batch, for gradients that nobody takes")
    require(not model.call_log().tracked, says)
    require(kept, tr("gradients are still off afterwards: nothing can be trained any more"))


@check(points=2, given=estimates())
def gives_the_model_batches_of_the_text(estimate_loss: Candidate, draw: Estimate) -> None:
    """the model gets x and y of shape (batch_size, block_size), y being the next ids of x

    fr: le modèle reçoit x et y de forme (batch_size, block_size), y étant les identifiants suivants de x
    """
    plain = replace(draw, losses=torch.zeros(1), eval_iters=1)
    answer, model, _ = asked(estimate_loss, plain, shift=1.0, size=1.0)
    shape = (draw.batch_size, draw.block_size)
    if not near(one_number(answer), _shown(1.0, shape)):
        seen = model.call_log().shapes  # the answer is wrong whatever is said here: this only explains it
        found = next((one for one in seen if one != shape), None)
        says = tr("the model was given x of shape {found}, where {shape} is due", found=found, shape=shape)
        raise Violation(says if found else tr("the model was given a y that is not x one id later"))


@st.composite
def scattered(draw: st.DrawFn) -> Estimate:
    """Many batches of one window each, whose loss is where in the text it begins."""
    return estimated(draw(sizes(2, 4)), 1, BATCHES, draw(seeds()), SCALE)


@check(points=2, given=scattered(), draws=2)
def draws_each_batch_anew(estimate_loss: Candidate, draw: Estimate) -> None:
    """batches are drawn from the whole text, each anew

    fr: les lots sont tirés dans tout le texte, chacun à nouveau
    """
    require(
        not _all_the_same(estimate_loss, draw), tr("all batches of an estimate begin alike: draw each anew")
    )
    place = _place(estimate_loss, draw)
    says = tr(
        "on average windows begin at {percent}% of the text, where about half is due",
        percent=format(100 * place, ".0f"),
    )
    require(abs(place - 0.5) <= margin(draw.eval_iters), says)


def _instead(due: float | Tensor, found: float) -> str:
    told = {"due": number(float(due)), "found": number(found)}
    return tr("every loss is {due}, but the answer is {found}", **told)


def _shown(shift: float, shape: tuple[int, int]) -> float:
    """The loss of a model that tells the shift and the shape of a batch."""
    return shift + shape[0] + shape[1] / 64


def _place(candidate: Candidate, draw: Estimate) -> float:
    """How far into the text windows begin on average, from 0 to 1."""
    found = one_number(asked(candidate, draw, place=True)[0])
    return (found * LONG - FIRST) / (LONG - 1)


def _all_the_same(candidate: Candidate, draw: Estimate) -> bool:
    """Whether all batches begin alike: then where they begin, with signs in turn, cancels each time.

    Of twenty that differ the sum is zero by chance once in thousands; and so three times once in 10^11.
    """
    turns = replace(draw, eval_iters=20, losses=torch.tensor([1.0, -1.0]))
    seen = [replace(turns, seed=draw.seed + n) for n in range(3)]
    return all(abs(one_number(asked(candidate, one, place=True)[0])) < 1e-3 for one in seen)


def diagnostic_draws(seed: int) -> list[BehaviourTrial]:
    """Situations by which one mistake is told from another."""
    usual = estimated(4, 3, 5, seed)
    single = replace(usual, eval_iters=1, losses=usual.losses[:1])
    shown = replace(single, losses=torch.zeros(1))
    return [
        BehaviourTrial(partial(_answered, usual, {"training": IN_TRAINING})),
        BehaviourTrial(partial(_answered, shown, {"shift": 1.0, "size": 1.0})),
        BehaviourTrial(partial(_effects, usual, True)),
        BehaviourTrial(partial(_effects, usual, False)),
        BehaviourTrial(partial(_drawn, estimated(3, 1, BATCHES, seed, SCALE))),
    ]


def _answered(draw: Estimate, loss: dict[str, Any], candidate: Candidate) -> Any:
    """The answer, in float64 whatever its dtype is."""
    answer = asked(candidate, draw, **loss)[0]
    try:
        return torch.tensor(one_number(answer), dtype=torch.float64).mul(1e3).round()
    except Violation:
        return answer


def _effects(draw: Estimate, mode: bool, candidate: Candidate) -> Any:
    """What was done with the model, and with gradients."""
    _, model, kept = asked(candidate, draw, mode)
    saw = model.call_log()
    return [saw.calls, saw.in_training > 0, saw.tracked > 0, saw.training, kept]


def _drawn(draw: Estimate, candidate: Candidate) -> Any:
    """Where batches come from."""
    try:
        same, place = _all_the_same(candidate, draw), _place(candidate, draw)
    except Violation:
        return "no number"
    if same:
        return "the same" if place > 1e-4 else "from the start"
    return "as due" if abs(place - 0.5) <= margin(draw.eval_iters) else "elsewhere"
