"""generate(model, idx, max_new_tokens, block_size) -> (B, T + max_new_tokens).

Most checks give it a model that is so sure of the next id that nothing is left to chance: then there is one
right answer, in whatever order and by whatever means it is drawn.
"""

from functools import partial
from typing import Any

import torch
from torch import Tensor

from graders.check_api import recording_models
from graders.check_api.behaviour import BehaviourTrial
from graders.check_api.check import (
    Candidate,
    Raised,
    RecordingModel,
    Violation,
    check,
    kind,
    require,
    same,
    shaped,
    tensor,
)
from graders.check_api.statistics import surprising, tempered
from graders.check_api.strategies.prompts import (
    MANY,
    STATES,
    Prompt,
    chances,
    continued,
    open_ended,
    prompts,
    sure,
    uncertain,
)
from graders.check_api.strategies.tensors import ids, normal
from graders.language import number, tr, translatable


def asked(candidate: Candidate, draw: Prompt, seed: int, pair: bool) -> tuple[Any, RecordingModel]:
    """What comes back under a seed, and the model, which answers (logits, loss) with `pair`."""
    model = candidate.make_model("TableModel", table=draw.table, pair=pair)
    model.train(False)
    answer = candidate.seeded(seed, model, draw.idx, draw.max_new_tokens, draw.block_size).answer
    return answer, model


def given(candidate: Candidate, draw: Prompt, seed: int) -> tuple[Any, RecordingModel]:
    """The same with the kind of model that the code understands: one check asks for both, the others not."""
    try:
        return asked(candidate, draw, seed, False)
    except Raised as first:
        try:
            return asked(candidate, draw, seed, True)
        except Raised:
            raise first from None


def whole(answer: Any, draw: Prompt) -> Tensor:
    """The answer, known to have the right shape and to begin with idx."""
    found = tensor(answer, tr("the answer")).detach()
    shaped(found, draw.shape, tr("the answer"))
    same(found[:, : draw.idx.shape[1]], draw.idx, tr("the beginning of the answer"))
    return found


@check(points=1, given=prompts(), shape_only=True)
def begins_with_idx_and_adds_as_many_ids_as_asked_for(generate: Candidate, draw: Prompt) -> None:
    """the answer is int64 (B, T + max_new_tokens) and begins with idx

    fr: la réponse est int64 (B, T + max_new_tokens) et commence par idx
    """
    answer, _ = given(generate, draw, draw.seed)
    found = whole(answer, draw)
    require(
        found.dtype == torch.int64,
        tr("the answer should be of dtype int64, but is of {dtype}", dtype=found.dtype),
    )


@check(points=3, given=prompts(), answer=continued)
def writes_what_the_last_position_says(generate: Candidate, draw: Prompt, text: Tensor) -> None:
    """a model that is sure of the next id is believed: each new id follows from the last position's logits

    fr: un modèle sûr de l'identifiant suivant est cru : chaque nouvel identifiant découle des logits à la
    dernière position
    """
    answer, _ = given(generate, draw, draw.seed)
    same(whole(answer, draw), text, tr("the answer"))


@check(points=3, given=prompts(cropped=True), answer=continued)
def gives_the_model_the_last_ids_alone(generate: Candidate, draw: Prompt, text: Tensor) -> None:
    """the model is given the last block_size ids, no more, no fewer and no others

    fr: le modèle reçoit les block_size derniers identifiants, ni plus, ni moins, ni d'autres
    """
    answer, model = given(generate, draw, draw.seed)
    try:
        same(whole(answer, draw), text, tr("the answer"))
    except Violation as found:
        longest = model.call_log().longest  # the answer is wrong whatever is said here: this only explains it
        if longest == draw.block_size or not longest:
            raise
        says = tr(
            "the model was given up to {longest} ids in a row, where block_size is {block_size}: {found}",
            longest=longest,
            block_size=draw.block_size,
            found=found,
        )
        raise Violation(says, found.expected, found.actual, found.worst) from None


@check(points=4, given=uncertain(), answer=chances, draws=5)
def draws_by_the_models_chances(generate: Candidate, draw: Prompt, due: tuple[Tensor, Tensor]) -> None:
    """ids come as often as the softmax of the last position's logits says, in each sequence by itself

    fr: les identifiants viennent aussi souvent que le dit le softmax des logits à la dernière position, dans
    chaque suite séparément
    """
    answer, _ = given(generate, draw, draw.seed)
    words, first, both = draw.table.shape[1], *due
    new = whole(answer, draw)[:, -2:].long().view(2, MANY // 2, 2)
    require(bool(((new >= 0) & (new < words)).all()), tr("ids should lie from 0 to {last}", last=words - 1))
    found = _temperature(new, draw)
    says = "" if found is None else _divided(found)
    require(found is None or not _fits(new, draw, found), says)
    for row in range(2):
        ones, twos = new[row, :, 0], new[row, :, 0] * words + new[row, :, 1]
        _expect(ones, first[row])
        _expect(twos, both[row].flatten(), words)
        pairs = ones[0::2] * words + ones[1::2]
        apart = surprising(torch.bincount(pairs, minlength=words**2), torch.outer(first[row], first[row]))
        require(apart is None, tr("what is drawn for a sequence depends on what is drawn for another"))
    require(found is None, says)


def _temperature(new: Tensor, draw: Prompt) -> float | None:
    """The temperature that makes both new ids likeliest, where that is clearly not 1."""
    ones, twos = new.flatten(0, 1).unbind(1)
    logits = recording_models.logits(draw.table, torch.cat([draw.idx, ones[:, None]], 1))[:, -2:]
    return tempered(logits.transpose(0, 1).flatten(0, 1), torch.cat([ones, twos]))


def _fits(new: Tensor, draw: Prompt, temperature: float) -> bool:
    """Whether the first new ids come as they would at a temperature."""
    logits = recording_models.logits(draw.table, draw.idx[[0, -1]])[:, -1].double()
    weights = (logits / temperature).softmax(-1)
    often = [torch.bincount(ones, minlength=weights.shape[1]) for ones in new[..., 0]]
    return all(surprising(*pair) is None for pair in zip(often, weights, strict=True))


def _divided(temperature: float) -> str:
    if temperature < 1:
        says = translatable(
            "likely ids come too often, as if the logits had been divided by about {by} before the softmax"
        )
    else:
        says = translatable(
            "likely ids come too seldom, as if the logits had been divided by about {by} before the softmax"
        )
    return tr(says, by=number(temperature))


def _expect(found: Tensor, chances: Tensor, words: int | None = None) -> None:
    often = torch.bincount(found, minlength=len(chances))
    if (cell := surprising(often, chances)) is not None:
        told = {"n": int(often[cell]), "all": len(found), "due": round(float(chances[cell]) * len(found))}
        first = translatable("the first new id is {id} in {n} of {all} draws, where about {due} are due")
        says = tr(first, id=cell, **told)
        if words is not None:
            says = tr(
                "the second new id, by the first, is {id} after {first} in {n} of {all} draws, "
                "where about {due} are due",
                id=cell % words,
                first=cell // words,
                **told,
            )
        raise Violation(says, actual=often)


@check(points=2, given=open_ended(), draws=6)
def follows_the_seed(generate: Candidate, draw: Prompt) -> None:
    """after torch.manual_seed the same ids come for the same seed, and others for another

    fr: après torch.manual_seed, les mêmes identifiants viennent pour la même graine, et d'autres pour une
    autre
    """
    one, again, other = (whole(given(generate, draw, draw.seed + n)[0], draw) for n in (1, 1, 2))
    require(not torch.equal(one, other), tr("two different seeds give the same ids: are they drawn at all?"))
    same(again, one, tr("the answer under the same seed"))


@check(points=1, given=prompts(), answer=continued, draws=6)
def takes_logits_with_a_loss_or_without(generate: Candidate, draw: Prompt, text: Tensor) -> None:
    """a model may answer with its logits alone or with (logits, loss)

    fr: un modèle peut répondre par ses seuls logits ou par (logits, loss)
    """
    whats = {False: tr("the answer for logits alone"), True: tr("the answer for (logits, None)")}
    for pair, what in whats.items():
        answer, _ = asked(generate, draw, draw.seed, pair)
        same(whole(answer, draw), text, what)


def diagnostic_draws(seed: int) -> list[BehaviourTrial]:
    """Situations by which one mistake is told from another."""
    usual = Prompt(ids(3, 5, vocabulary=7, seed=seed), 12, 20, sure(7, seed), seed)
    cropped = Prompt(ids(2, 5, vocabulary=7, seed=seed + 1), 13, 4, sure(7, seed + 1), seed)
    short = Prompt(ids(3, 1, vocabulary=5, seed=seed + 2), 11, 2, sure(5, seed + 2), seed)
    flat = Prompt(
        ids(1, 2, vocabulary=8, seed=seed).repeat(3, 1),
        9,
        4,
        normal(STATES, 8, seed=seed, scale=0.3),
        seed,
    )
    return [
        BehaviourTrial(partial(_written, usual, (False, True))),
        BehaviourTrial(partial(_written, usual, (False,))),
        BehaviourTrial(partial(_written, usual, (True,))),
        BehaviourTrial(partial(_written, cropped, (False, True))),
        BehaviourTrial(partial(_written, short, (False, True))),
        BehaviourTrial(partial(_counted, _graded(seed))),
        BehaviourTrial(partial(_reproduced, flat)),
    ]


def _written(draw: Prompt, pairs: tuple[bool, ...], candidate: Candidate) -> Any:
    """What is written where the model is sure; nothing of it where it is another the next time."""
    ask = given if len(pairs) > 1 else partial(asked, pair=pairs[0])
    one, other = (ask(candidate, draw, draw.seed + n)[0] for n in (1, 2))
    if not isinstance(one, Tensor) or not isinstance(other, Tensor):
        return kind(one)
    return one if torch.equal(one, other) else ["by chance", torch.zeros_like(one)]


def _graded(seed: int) -> Prompt:
    """Two beginnings; logits 0, 0.7 .. 2.8 in another order for all positions of both."""
    orders = torch.cartesian_prod(*[torch.arange(5)] * 5)
    orders = orders[(orders.sort(1).values == torch.arange(5)).all(1)]
    orders = orders[torch.randperm(len(orders), generator=torch.Generator().manual_seed(seed))[:STATES]]
    table = 0.7 * orders.float()
    two = next(
        words
        for n in range(1_000)
        if len(
            recording_models.logits(table, words := ids(2, 3, vocabulary=5, seed=seed + n))
            .flatten(0, 1)
            .unique(dim=0)
        )
        == words.numel()
    )
    return Prompt(two.repeat_interleave(MANY // 2, 0), 1, 8, table, seed)


def _counted(draw: Prompt, candidate: Candidate) -> Any:
    """By which chances ids are drawn, told among those that are known."""
    answer, _ = given(candidate, draw, draw.seed)
    if not isinstance(answer, Tensor) or tuple(answer.shape) != draw.shape:
        return "another shape"
    words = draw.table.shape[1]
    new = answer[:, -1].long().clamp(0, words - 1).view(2, MANY // 2)
    often = torch.stack([torch.bincount(row, minlength=words) for row in new])
    logits = recording_models.logits(draw.table.double(), draw.idx[[0, -1]])
    last = logits[:, -1]
    known = {
        "as due": last.softmax(-1),
        "uniform": torch.full_like(last, 1 / words),
        "twice": last.softmax(-1).softmax(-1),
        "over the batch": last.softmax(0),
        "over positions": logits.softmax(1)[:, -1],
        "no softmax": last,
        "first": logits[:, 0].softmax(-1),
        "mean": logits.mean(1).softmax(-1),
    }
    fits = [
        name
        for name, weights in known.items()
        if all(surprising(often[row], weights[row] / weights[row].sum()) is None for row in range(2))
    ]
    found = tempered(last.repeat_interleave(MANY // 2, 0), new.flatten())
    if fits and (found is None or fits != ["as due"]):
        return fits
    if bool((often == 0).any()):
        return "one id" if bool((often > 0).sum(1).eq(1).all()) else "some ids"
    return "of itself" if found is None else "sharper" if found < 1 else "flatter"


def _reproduced(draw: Prompt, candidate: Candidate) -> Any:
    """Whether seeds do what they should, and whether like sequences are always continued alike."""
    seen = [given(candidate, draw, draw.seed + n)[0] for n in (0, 0, 1)]
    if not all(isinstance(one, Tensor) and tuple(one.shape) == draw.shape for one in seen):
        return kind(seen[0])
    alike = all(bool((one == one[:1]).all()) for one in seen)
    return [torch.equal(seen[0], seen[1]), torch.equal(seen[0], seen[2]), alike]
