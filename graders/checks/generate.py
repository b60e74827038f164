"""generate(model, idx, max_new_tokens, block_size) -> (B, T + max_new_tokens).

Most checks give it a model that is so sure of the next id that chance has no effect: then there is one right
answer, in whatever order and with whatever function ids are drawn.
"""

from dataclasses import replace
from functools import partial
from typing import Any

import torch
from torch import Tensor

from graders.check_api import lent_models
from graders.check_api.behaviour import BehaviourTrial
from graders.check_api.check import (
    Candidate,
    Raised,
    RecordingModel,
    Target,
    Violation,
    check,
    kind,
    require,
    same,
    shaped,
    tensor,
)
from graders.check_api.compare import is_same
from graders.check_api.options import Options
from graders.check_api.standard_checks import function_checks
from graders.check_api.statistics import likeliest, surprising, tempered
from graders.check_api.strategies.lengths import EXTREME, SMALLEST
from graders.check_api.strategies.prompts import (
    MANY,
    STATES,
    Prompt,
    continue_prompts,
    cropped_and_whole,
    expected_probabilities,
    generated_text,
    graded,
    open_ended,
    prompts,
    sure,
    text_of_model,
    uncertain,
    widen_block,
)
from graders.check_api.strategies.tensors import ids, normal
from graders.language import number, tr, translatable


def run(candidate: Candidate, draw: Prompt, seed: int, pair: bool) -> tuple[Any, RecordingModel]:
    """The answer under a seed, and the model; with `pair` the model returns (logits, loss)."""
    model = candidate.make_model("TableModel", table=draw.table, pair=pair)
    model.train(False)
    answer = candidate.seeded(seed, model, draw.idx, draw.max_new_tokens, draw.block_size).answer
    return answer, model


def run_either(candidate: Candidate, draw: Prompt, seed: int) -> tuple[Any, RecordingModel]:
    """As `run`, with a model that returns logits or, if that raises, (logits, loss)."""
    try:
        return run(candidate, draw, seed, False)
    except Raised as first:
        try:
            return run(candidate, draw, seed, True)
        except Raised:
            raise first from None


def require_whole(answer: Any, draw: Prompt) -> Tensor:
    """The answer, which is required to have the right shape and to begin with idx."""
    generated = tensor(answer, tr("the answer")).detach()
    shaped(generated, draw.shape, tr("the answer"))
    same(generated[:, : draw.idx.shape[1]], draw.idx, tr("the beginning of the answer"))
    return generated


def _agree_as_far(generated: Tensor, text: Tensor) -> None:
    same(generated, text[:, : generated.shape[1]], tr("the answer"))


@check(points=1, given=prompts(), shape_only=True)
def begins_with_idx_and_adds_as_many_ids_as_asked_for(generate: Candidate, draw: Prompt) -> None:
    """the answer is int64 (B, T + max_new_tokens) and begins with idx

    fr: la réponse est int64 (B, T + max_new_tokens) et commence par idx
    """
    answer, _ = run_either(generate, draw, draw.seed)
    generated = require_whole(answer, draw)
    require(
        generated.dtype == torch.int64,
        tr("the answer should be of dtype int64, but is of {dtype}", dtype=generated.dtype),
    )


@check(points=3, given=prompts(), answer=continue_prompts, core=True)
def writes_what_the_last_position_says(generate: Candidate, draw: Prompt, text: Tensor) -> None:
    """where the model is sure of the next id, this id is generated, from the last position's logits

    fr: un modèle sûr de l'identifiant suivant est cru : chaque nouvel identifiant découle des logits à la
    dernière position
    """
    answer, _ = run_either(generate, draw, draw.seed)
    _agree_as_far(generated_text(answer, draw), text)


@check(points=3, given=prompts(cropped=True), answer=cropped_and_whole, at_length=lambda n: prompts(block=n))
def gives_the_model_the_last_ids_alone(
    generate: Candidate, draw: Prompt, texts: tuple[Tensor, Tensor]
) -> None:
    """the model is given the last block_size ids, no more, no fewer and no others

    fr: le modèle reçoit les block_size derniers identifiants, ni plus, ni moins, ni d'autres
    """
    answer, model = run_either(generate, draw, draw.seed)
    try:
        _agree_as_far(text_of_model(answer, model, draw), texts[0])
    except Violation as violation:
        whole = run_either(generate, widen_block(draw), draw.seed)[0]
        if not is_same(whole, texts[1]):  # another check is about that
            text_of_model(answer, model, draw)
            return
        longest = model.call_log().longest
        if longest == draw.block_size or not longest:
            raise
        message = tr(
            "the model was given up to {longest} ids in a row, where block_size is {block_size}: {found}",
            longest=longest,
            block_size=draw.block_size,
            found=violation,
        )
        raise Violation(message, violation.expected, violation.actual, violation.worst) from None


@check(points=4, given=uncertain(), answer=expected_probabilities, draws=5, core=True)
def draws_by_the_models_chances(generate: Candidate, draw: Prompt, expected: tuple[Tensor, Tensor]) -> None:
    """ids come as often as the softmax of the last position's logits says, in each sequence by itself

    fr: les identifiants viennent aussi souvent que le dit le softmax des logits à la dernière position, dans
    chaque suite séparément
    """
    answer, _ = run_either(generate, draw, draw.seed)
    words, first, both = draw.table.shape[1], *expected
    new = generated_text(answer, draw)[:, draw.idx.shape[1] :][:, :2].long()
    require(new.shape[1] == 2, tr("ids are missing"))
    new = new.view(2, MANY // 2, 2)
    require(bool(((new >= 0) & (new < words)).all()), tr("ids should lie from 0 to {last}", last=words - 1))
    temperature = _temperature(new, draw)
    message = "" if temperature is None else _describe_temperature(temperature)
    require(temperature is None or not _fits(new, draw, temperature), message)
    for row in range(2):
        ones, twos = new[row, :, 0], new[row, :, 0] * words + new[row, :, 1]
        _expect(ones, first[row])
        _expect(twos, both[row].flatten(), words)
        pairs = ones[0::2] * words + ones[1::2]
        dependent = surprising(torch.bincount(pairs, minlength=words**2), torch.outer(first[row], first[row]))
        require(dependent is None, tr("what is drawn for a sequence depends on what is drawn for another"))
    require(temperature is None, message)


def _temperature(new: Tensor, draw: Prompt) -> float | None:
    """The temperature that makes both new ids most likely, where it is clearly not 1; otherwise None."""
    ones, twos = new.flatten(0, 1).unbind(1)
    logits = lent_models.logits(draw.table, torch.cat([draw.idx, ones[:, None]], 1))[:, -2:]
    return tempered(logits.transpose(0, 1).flatten(0, 1), torch.cat([ones, twos]))


def _fits(new: Tensor, draw: Prompt, temperature: float) -> bool:
    """Whether the first new ids are as often as the temperature would make them."""
    logits = lent_models.logits(draw.table, draw.idx[[0, -1]])[:, -1].double()
    weights = (logits / temperature).softmax(-1)
    counts = [torch.bincount(ones, minlength=weights.shape[1]) for ones in new[..., 0]]
    return all(surprising(*pair) is None for pair in zip(counts, weights, strict=True))


def _describe_temperature(temperature: float) -> str:
    if temperature < 1:
        message = translatable(
            "likely ids come too often, as if the logits had been divided by about {by} before the softmax"
        )
    else:
        message = translatable(
            "likely ids come too seldom, as if the logits had been divided by about {by} before the softmax"
        )
    return tr(message, by=number(temperature))


def _expect(ids_drawn: Tensor, probabilities: Tensor, words: int | None = None) -> None:
    counts = torch.bincount(ids_drawn, minlength=len(probabilities))
    if (cell := surprising(counts, probabilities)) is not None:
        all_ids = len(ids_drawn)
        due = round(float(probabilities[cell]) * all_ids)
        values = {"n": int(counts[cell]), "all": all_ids, "due": due}
        first = translatable("the first new id is {id} in {n} of {all} draws, where about {due} are due")
        message = tr(first, id=cell, **values)
        if words is not None:
            message = tr(
                "the second new id, by the first, is {id} after {first} in {n} of {all} draws, "
                "where about {due} are due",
                id=cell % words,
                first=cell // words,
                **values,
            )
        raise Violation(message, actual=counts)


@check(
    points=1,
    given=[prompts(corner=corner) for corner in ("batch", "length", "new")]
    + [prompts(cropped=True, corner="block")],
    answer=continue_prompts,
    kept_because=SMALLEST,
    compares_with_itself=True,
)
def writes_on_from_one_id(generate: Candidate, draw: Prompt, text: Tensor) -> None:
    """one prompt, of one id, one new id and a block_size of 1 are taken as more are

    fr: une seule amorce, d'un seul identifiant, un seul nouvel identifiant et un block_size de 1 sont
    acceptés
    """
    answer, model = run_either(generate, draw, draw.seed)
    written = text_of_model(answer, model, draw)
    try:
        _agree_as_far(written, text)
    except Violation:
        usual = draw_usually(draw)
        if is_same(run_either(generate, usual, usual.seed)[0], continue_prompts(usual)):
            raise
        # Of a draw with many new ids: code that draws at random may give one or two again by luck.
        other = replace(usual, table=usual.table.roll(1, 1))
        first, again, moved = (
            text_of_model(*run_either(generate, d, d.seed), d) for d in (usual, usual, other)
        )
        same(again, first, tr("the answer of the second call"))
        message = tr("the answer does not depend on {what}", what="model")
        require(not torch.equal(moved, first), message)


@check(points=2, given=open_ended(), draws=6)
def follows_the_seed(generate: Candidate, draw: Prompt) -> None:
    """after torch.manual_seed the same ids come for the same seed, and others for another

    fr: après torch.manual_seed, les mêmes identifiants viennent pour la même graine, et d'autres pour une
    autre
    """
    first, again, other = (text_of_model(*run_either(generate, draw, draw.seed + n), draw) for n in (1, 1, 2))
    differ = not torch.equal(first, other)
    require(differ, tr("two different seeds give the same ids: are they drawn at all?"))
    same(again, first, tr("the answer under the same seed"))


@check(points=1, given=prompts(), draws=6)
def takes_logits_with_a_loss_or_without(generate: Candidate, draw: Prompt) -> None:
    """a model that answers with its logits alone gives the same text as one that answers with (logits, loss)

    fr: un modèle qui répond par ses seuls logits donne le même texte que celui qui répond par (logits, loss)
    """
    runs = (run(generate, draw, draw.seed, pair) for pair in (False, True))
    alone, beside_loss = (text_of_model(*answer_and_model, draw) for answer_and_model in runs)
    same(beside_loss, alone, tr("the answer for (logits, None), against that for logits alone,"))


BLOCK = 6  # ids: fewer than there are at the end of a text of usual sizes


def sized(batch: int, length: int, new: int, words: int, seed: int) -> Prompt:
    """Prompts of these sizes for a model that is sure of the next of so many ids, and takes few in a row.

    How many it takes in a row is for another check.
    """
    return Prompt(ids(batch, length, vocabulary=words, seed=seed), new, BLOCK, sure(words, seed + 1), seed)


def text_of(generate: Candidate, draw: Prompt) -> Tensor:
    """The prompts with the new ids, of which none may be missing."""
    text = text_of_model(*run_either(generate, draw, draw.seed), draw)
    shaped(text, draw.shape, tr("the answer"))
    return text.double()


def depends_on_the_model(generate: Candidate, draw: Prompt) -> None:
    """Require other ids from another model."""
    other = replace(draw, table=draw.table.roll(1, 1))
    texts = [text_of(generate, given) for given in (draw, other)]
    require(not torch.equal(*texts), tr("the answer does not depend on {what}", what="model"))


answers_extreme_sizes = function_checks.answers_extreme_sizes(
    points=1,
    kept_because=EXTREME,
    answer=lambda draw: Target(continue_prompts(draw).double(), 0.0),
    output_of=text_of,
    usual=partial(sized, 3, 5, 4, 7),
    otherwise=depends_on_the_model,
    fixed=[partial(sized, 4, 4, 4, 4)],
    stretched=[
        lambda n, seed: sized(n, 3, 2, 7, seed),
        lambda n, seed: sized(2, 3, n, 7, seed),
        lambda n, seed: sized(2, 3, 4, n, seed),
    ],
)


def draw_usually(draw: Prompt) -> Prompt:
    """Prompts without a size of 1, for the same model."""
    words = draw.table.shape[1]
    return Prompt(ids(3, 5, vocabulary=words, seed=draw.seed), 4, 4, draw.table, draw.seed)


def diagnostic_draws(seed: int) -> list[BehaviourTrial]:
    """Situations that tell the known mistakes apart."""
    usual = Prompt(ids(3, 5, vocabulary=7, seed=seed), 12, 20, sure(7, seed), seed)
    cropped = Prompt(ids(2, 5, vocabulary=7, seed=seed + 1), 13, 4, sure(7, seed + 1), seed)
    alone = Prompt(ids(1, 4, vocabulary=7, seed=seed + 3), 10, 20, sure(7, seed + 3), seed)
    short = Prompt(ids(3, 1, vocabulary=5, seed=seed + 2), 11, 2, sure(5, seed + 2), seed)
    flat = Prompt(
        ids(1, 2, vocabulary=8, seed=seed).repeat(3, 1),
        9,
        4,
        normal(STATES, 8, seed=seed, scale=0.3),
        seed,
    )
    return [
        BehaviourTrial(partial(_write, usual, (False, True))),
        BehaviourTrial(partial(_write, usual, (False,))),
        BehaviourTrial(partial(_write, usual, (True,))),
        BehaviourTrial(partial(_write, cropped, (False, True))),
        BehaviourTrial(partial(_write, short, (False, True))),
        BehaviourTrial(partial(_count, graded(seed))),
        BehaviourTrial(partial(_reproduced, flat)),
        BehaviourTrial(partial(_write, alone, (False, True))),
        BehaviourTrial(partial(_write, replace(cropped, idx=cropped.idx[1:]), (False, True))),
        BehaviourTrial(partial(_reproduced, replace(flat, idx=flat.idx[1:2]))),
    ]


def _write(draw: Prompt, pairs: tuple[bool, ...], candidate: Candidate) -> Any:
    """The ids generated where the model is sure; "by chance" if a second call generates others."""
    ask = run_either if len(pairs) > 1 else partial(run, pair=pairs[0])
    first, other = (ask(candidate, draw, draw.seed + n)[0] for n in (1, 2))
    if not isinstance(first, Tensor) or not isinstance(other, Tensor):
        return kind(first)
    return first if torch.equal(first, other) else ["by chance", torch.zeros_like(first)]


def _count(draw: Prompt, candidate: Candidate) -> Any:
    """The distribution from which ids are drawn, if it is one of the distributions below."""
    answer, _ = run_either(candidate, draw, draw.seed)
    if not isinstance(answer, Tensor) or tuple(answer.shape) != draw.shape:
        return "another shape"
    words = draw.table.shape[1]
    new = answer[:, -1].long().clamp(0, words - 1).view(2, MANY // 2)
    counts = torch.stack([torch.bincount(row, minlength=words) for row in new])
    logits = lent_models.logits(draw.table.double(), draw.idx[[0, -1]])
    last = logits[:, -1]
    distributions = {
        "as due": last.softmax(-1),
        "uniform": torch.full_like(last, 1 / words),
        "twice": last.softmax(-1).softmax(-1),
        "over the batch": last.softmax(0),
        "over positions": logits.softmax(1)[:, -1],
        "no softmax": last,
        "first": logits[:, 0].softmax(-1),
        "mean": logits.mean(1).softmax(-1),
    }
    chances = {name: weights / weights.sum(-1, keepdim=True) for name, weights in distributions.items()}
    fits = likeliest(counts, chances)
    temperature = tempered(last.repeat_interleave(MANY // 2, 0), new.flatten())
    if fits and (temperature is None or fits != ["as due"]):
        return fits
    if bool((counts == 0).any()):
        return "one id" if bool((counts > 0).sum(1).eq(1).all()) else "some ids"
    return "of itself" if temperature is None else "sharper" if temperature < 1 else "flatter"


def _reproduced(draw: Prompt, candidate: Candidate) -> Any:
    """Whether calls follow the seed, and whether equal sequences always get the same new ids."""
    answers = [run_either(candidate, draw, draw.seed + n)[0] for n in (0, 0, 1)]
    if not all(isinstance(answer, Tensor) and tuple(answer.shape) == draw.shape for answer in answers):
        return kind(answers[0])
    alike = all(bool((answer == answer[:1]).all()) for answer in answers)
    return [torch.equal(answers[0], answers[1]), torch.equal(answers[0], answers[2]), alike]


options = Options(diagnostic_draws=diagnostic_draws)
