"""recall_by_lag(model, lags, trials, symbols, seed) -> (len(lags),): how often the first symbol is recalled.

The model that is lent recalls a symbol in so many sequences of each length as was planted, and keeps what it
was asked: so shares are exact, and the sequences can be looked at, whatever is drawn.
"""

from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api.behaviour import BehaviourTrial
from graders.check_api.check import CallLog, Candidate, Violation, check
from graders.check_api.compare import require, shaped, tensor
from graders.check_api.options import Options
from graders.check_api.properties import first_tensor
from graders.check_api.statistics import surprising
from graders.check_api.strategies.tensors import hidden, patterns, seeds, sizes
from graders.language import tr

NEAR = 1e-5  # of a share, which may be of float32
MANY = 600  # sequences whose symbols are counted


@dataclass(frozen=True)
class Recalled:
    """The arguments beside the model, and for each lag in how many sequences the model recalls the symbol."""

    lags: tuple[int, ...]
    trials: int
    symbols: int
    seed: int
    right: tuple[int, ...] = field(metadata=hidden)


def make_recalled(lags: tuple[int, ...], trials: int, symbols: int, seed: int) -> Recalled:
    """A draw of these sizes: at each lag the model is right less often than at the one before it."""
    right = tuple(max(0, trials - 1 - (n + 1) * trials // (len(lags) + 2)) for n in range(len(lags)))
    return Recalled(lags, trials, symbols, seed, right)


@st.composite
def recalled(draw: st.DrawFn, least: int = 2) -> Recalled:
    """Two to four lags, in any order; `least` is the smallest of them."""
    lags = draw(st.lists(st.integers(least, least + 8), min_size=2, max_size=4, unique=True))
    draw(patterns())
    return make_recalled(tuple(lags), draw(sizes(7, 12)), draw(sizes(3, 6)), draw(seeds()))


def run(
    candidate: Candidate, draw: Recalled, mode: bool = False, global_seed: int = 1
) -> tuple[Any, CallLog, bool]:
    """The answer, how the model was called, and whether gradients are on afterwards."""
    right = {lag + 1: count for lag, count in zip(draw.lags, draw.right, strict=True)}
    model = candidate.make_model("RecallModel", symbols=draw.symbols, right=right)
    model.train(mode)
    call = candidate.seeded(global_seed, model, list(draw.lags), draw.trials, draw.symbols, draw.seed)
    return call.answer, model.call_log(), call.gradients_kept


def shares_of(answer: Any, draw: Recalled) -> Tensor:
    """The shares, in float64; also where they are a list of numbers."""
    if isinstance(answer, list | tuple) and all(type(share) in (int, float) for share in answer):
        answer = torch.tensor(answer, dtype=torch.float64)
    shares = tensor(answer, tr("the shares"))
    shaped(shares, (len(draw.lags),), tr("the shares"))
    return shares.detach().double()


def require_shares(candidate: Candidate, draw: Recalled, mode: bool = False) -> None:
    """Require the share that was planted at each lag.

    Raises:
        Violation: one is another.
    """
    shares = shares_of(run(candidate, draw, mode)[0], draw)
    for lag, count, share in zip(draw.lags, draw.right, shares.tolist(), strict=True):
        message = tr(
            "at lag {lag} the model recalls {count} of {trials} symbols, a share of {due}, "
            "but the answer is {found}",
            lag=lag,
            count=count,
            trials=draw.trials,
            due=format(count / draw.trials, ".3f"),
            found=format(share, ".3f"),
        )
        require(abs(share - count / draw.trials) <= NEAR, message)


def numbers_of(answer: Any) -> Tensor:
    """The numbers of an answer of any shape, in float64."""
    if isinstance(answer, list | tuple) and all(type(share) in (int, float) for share in answer):
        answer = torch.tensor(answer, dtype=torch.float64)
    return first_tensor(answer).detach().double()


def moves_with_the_model(candidate: Candidate, draw: Recalled) -> None:
    """Require another share at the last lag where the model recalls everything there, and the same elsewhere.

    A constant, or shares in another order, would pass many checks.

    Raises:
        Violation: it is not so.
    """
    nothing = (0,) * (len(draw.lags) - 1)
    none, last = (replace(draw, right=(*nothing, count)) for count in (0, draw.trials))
    before, after = (numbers_of(run(candidate, each)[0]) for each in (none, last))
    require(bool(before.isfinite().all() & after.isfinite().all()), tr("some shares are NaN or infinite"))
    require(not torch.equal(before, after), tr("another model gives the same shares"))
    if tuple(after.shape) == (len(draw.lags),):
        message = tr("a model that recalls more at the last lag changes the shares of the others")
        require(torch.equal(before[:-1], after[:-1]), message)


def sequences_of(log: CallLog, length: int) -> Tensor:
    """All sequences of a length that the model was asked, (N, T)."""
    of_length = [ids for ids in log.asked if ids.shape[-1] == length]
    return torch.cat(of_length) if of_length else torch.zeros(0, length, dtype=torch.int64)


@check(points=1, given=recalled(), shape_only=True)
def gives_a_share_for_each_lag(candidate: Candidate, draw: Recalled) -> None:
    """the answer is a tensor or a list with a share for each lag

    fr: la réponse est un tenseur ou une liste avec une part pour chaque décalage
    """
    shares_of(run(candidate, draw)[0], draw)


@check(points=9, given=recalled(), core=True)
def counts_what_is_recalled(candidate: Candidate, draw: Recalled) -> None:
    """the shares are those of the symbols that the model recalls at the last position

    fr: les parts sont celles des symboles que le modèle retrouve à la dernière position
    """
    require_shares(candidate, draw)


@check(points=4, given=recalled())
def asks_sequences_of_each_lag(candidate: Candidate, draw: Recalled) -> None:
    """the model is asked `trials` sequences of each lag: a symbol, k - 1 blanks, the question

    fr: le modèle reçoit `trials` séquences de chaque décalage : un symbole, k - 1 vides, la question
    """
    _, log, _ = run(candidate, draw)
    for lag in draw.lags:
        asked = sequences_of(log, lag + 1)
        message = tr(
            "at lag {lag} the model was asked {found} sequences of {length} ids, where {due} are due",
            lag=lag,
            found=len(asked),
            length=lag + 1,
            due=draw.trials,
        )
        require(len(asked) == draw.trials, message)
        shown = asked[0].tolist()
        message = tr(
            "at lag {lag} the first symbol should be from 1 to {most}: {ids}",
            lag=lag,
            most=draw.symbols,
            ids=shown,
        )
        require(bool(((asked[:, 0] >= 1) & (asked[:, 0] <= draw.symbols)).all()), message)
        message = tr(
            "at lag {lag} there should be blanks (0) between symbol and question: {ids}", lag=lag, ids=shown
        )
        require(not bool(asked[:, 1:-1].any()), message)
        message = tr(
            "at lag {lag} the last id should be the question, {due}: {ids}",
            lag=lag,
            due=draw.symbols + 1,
            ids=shown,
        )
        require(bool((asked[:, -1] == draw.symbols + 1).all()), message)
    moves_with_the_model(candidate, draw)


@check(points=3, given=seeds().map(lambda seed: make_recalled((4, 2), MANY, 5, seed)), draws=2)
def draws_all_symbols_alike(candidate: Candidate, draw: Recalled) -> None:
    """over many sequences all symbols are as likely, each drawn by itself

    fr: sur beaucoup de séquences, tous les symboles sont aussi probables, chacun tiré pour lui-même
    """
    _, log, _ = run(candidate, draw)
    for lag in draw.lags:
        symbols = first_symbols(log)[:MANY] if lag == draw.lags[0] else first_symbols(log)[MANY:]
        require(len(symbols) > 0, tr("the model was not asked at lag {lag}", lag=lag))
        counts = torch.bincount(symbols.clamp(0, draw.symbols + 1), minlength=draw.symbols + 2)[1:-1]
        told = counts.tolist()
        message = tr("of {all} symbols these are the numbers of each: {told}", all=len(symbols), told=told)
        require(
            int(counts.sum()) > 0
            and surprising(counts, torch.full((draw.symbols,), 1 / draw.symbols)) is None,
            message,
        )
        repeats = (symbols[1:] == symbols[:-1]).double().sum()
        share = torch.tensor([repeats, len(symbols) - 1 - repeats])
        message = tr(
            "two symbols in a row are the same {n} times of {all}", n=int(repeats), all=len(symbols) - 1
        )
        due = torch.tensor([1 / draw.symbols, 1 - 1 / draw.symbols])
        require(surprising(share, due) is None, message)
    moves_with_the_model(candidate, replace(draw, trials=8, right=(5, 2)))


def first_symbols(log: CallLog) -> Tensor:
    """The first id of each sequence that the model was asked, in their order."""
    return torch.cat([ids[:, 0] for ids in log.asked]) if log.asked else torch.zeros(0, dtype=torch.int64)


def first_symbols_by_seed(candidate: Candidate, draw: Recalled) -> list[Tensor]:
    """The first symbols of a call, of one beside another global seed, and of one with another seed."""
    other = replace(draw, seed=draw.seed + 1)
    calls = [run(candidate, draw), run(candidate, draw, global_seed=2), run(candidate, other)]
    return [first_symbols(log) for _, log, _ in calls]


@check(points=3, given=recalled())
def draws_by_the_seed(candidate: Candidate, draw: Recalled) -> None:
    """the same seed draws the same sequences, another seed draws others

    fr: la même graine tire les mêmes séquences, une autre en tire d'autres
    """
    many = replace(draw, trials=40)
    first, again, other = first_symbols_by_seed(candidate, many)
    moves_with_the_model(candidate, draw)
    require(torch.equal(first, again), tr("the same seed draws other sequences at a second call"))
    require(not torch.equal(first, other), tr("another seed draws the same sequences"))


@check(points=2, given=recalled())
def asks_in_evaluation_mode(candidate: Candidate, draw: Recalled) -> None:
    """a model in training is asked in evaluation mode, in which dropout does not act

    fr: un modèle en entraînement est interrogé en mode évaluation, où le dropout n'agit pas
    """
    moves_with_the_model(candidate, draw)
    in_training, in_evaluation = (run(candidate, draw, mode)[0] for mode in (True, False))
    first, second = (shares_of(answer, draw) for answer in (in_training, in_evaluation))
    message = tr("the model is called in training mode, where it answers otherwise")
    require(torch.equal(first, second), message)


@check(points=1, given=recalled(), on_its_word=True)
def leaves_the_model_as_it_was(candidate: Candidate, draw: Recalled) -> None:
    """afterwards the model is in its mode of before; it is called without gradients, which are on afterwards

    fr: ensuite le modèle est dans son mode d'avant ; il est appelé sans gradients, qui sont actifs ensuite
    """
    moves_with_the_model(candidate, draw)
    for mode in (True, False):
        _, log, kept = run(candidate, draw, mode)
        message = tr("a model in training mode is afterwards in the other")
        require(
            log.training is mode,
            message if mode else tr("a model in evaluation mode is afterwards in the other"),
        )
        require(not log.tracked, tr("the model is called with gradients, which nobody takes"))
        require(kept, tr("gradients are still off afterwards: nothing can be trained any more"))


@check(points=1, given=seeds().map(lambda seed: make_recalled((1, 4), 6, 3, seed)), draws=3)
def answers_the_smallest_lag(candidate: Candidate, draw: Recalled) -> None:
    """lag 1, with no blank in between, is answered as others are

    fr: le décalage 1, sans vide entre les deux, est traité comme les autres
    """
    usual = make_recalled((3, 2), 6, 3, draw.seed)
    try:
        require_shares(candidate, draw)
    except Violation:
        try:
            require_shares(candidate, usual)
        except Violation:
            moves_with_the_model(candidate, usual)
            return
        raise


def diagnostic_draws(seed: int) -> list[BehaviourTrial]:
    """Situations that tell the known mistakes apart."""
    usual = make_recalled((4, 2, 7), 12, 5, seed)
    return [
        BehaviourTrial(partial(answer_once, usual)),
        BehaviourTrial(partial(answer_once, usual, mode=True)),
        BehaviourTrial(partial(look_at_sequences, usual)),
        BehaviourTrial(partial(count_symbols, make_recalled((3,), MANY, 5, seed))),
        BehaviourTrial(partial(try_seeds, replace(usual, trials=40))),
        BehaviourTrial(partial(leave_the_model, usual)),
    ]


def answer_once(draw: Recalled, candidate: Candidate, mode: bool = False) -> Any:
    """The answer, rounded."""
    answer = run(candidate, draw, mode)[0]
    if isinstance(answer, list | tuple):
        answer = torch.tensor(answer, dtype=torch.float64)
    return tensor(answer).detach().double().mul(1e4).round()


def look_at_sequences(draw: Recalled, candidate: Candidate) -> Any:
    """The lengths of the sequences, and what stands behind the symbol in the first of each."""
    asked = {ids.shape[-1]: ids[0] for ids in run(candidate, draw)[1].asked}
    behind = [["symbol" if i == ids[0] else int(i) for i in ids[1:]] for _, ids in sorted(asked.items())]
    return str(behind)


def count_symbols(draw: Recalled, candidate: Candidate) -> Any:
    """Which symbols occur, and whether two in a row are the same as often as they should be."""
    symbols = first_symbols(run(candidate, draw)[1])
    repeats = float((symbols[1:] == symbols[:-1]).double().mean())
    return str([sorted({*symbols.tolist()}) if repeats < 1 else "one", repeats == 0])


def try_seeds(draw: Recalled, candidate: Candidate) -> Any:
    """Whether the same seed draws the same, and another seed something else."""
    first, again, other = first_symbols_by_seed(candidate, draw)
    return str([torch.equal(first, again), torch.equal(first, other)])


def leave_the_model(draw: Recalled, candidate: Candidate) -> Any:
    """In which mode the model is afterwards, and whether it was called with gradients."""
    _, log, kept = run(candidate, draw, True)
    return str([log.training, log.tracked > 0, kept])


options = Options(symbol="recall_by_lag", diagnostic_draws=diagnostic_draws, learns=False)
