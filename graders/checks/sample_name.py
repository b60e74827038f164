"""sample_name(model, stop_id, max_len) -> list of ints: the ids drawn between two stop signs.

Most checks lend a model that is so sure of the next id that chance has no effect.
"""

from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api import lent_models
from graders.check_api.behaviour import BehaviourTrial
from graders.check_api.check import (
    Candidate,
    RecordingModel,
    Target,
    Violation,
    check,
    kind,
    require,
)
from graders.check_api.options import Options
from graders.check_api.standard_checks import function_checks
from graders.check_api.statistics import likeliest, surprising
from graders.check_api.strategies.lengths import EXTREME
from graders.check_api.strategies.prompts import STATES, SURE, sure
from graders.check_api.strategies.tensors import hidden, normal, seeds, sizes
from graders.language import tr

CALLS = 200  # at most, in which wrong code may write MANY ids
MODELS = 4
MANY = 300  # ids in one name, by which the chances of each are estimated
RANKS = 5  # ids that a graded model may draw, each with another logit
STEP = 0.7  # between their logits
APART = 3.0  # between logits that a second softmax changes clearly
ENOUGH = 100  # ids that tell how they are drawn
SEEDED = 24  # ids of which two seeds give the same once in 10^10 times


@dataclass(frozen=True, eq=False)
class Name:
    """The sign, the most ids of a name, and the table of the model (`TableModel`)."""

    stop_id: int
    max_len: int
    table: Tensor = field(metadata=hidden)
    seed: int = field(default=0, metadata=hidden)

    @property
    def due(self) -> list[int]:
        """The name that a model which is sure of each id gives."""
        return _path(self.table, self.stop_id, self.max_len)


def _path(table: Tensor, stop_id: int, most: int) -> list[int]:
    ids = [stop_id]
    while len(ids) <= most:
        new = int(lent_models.logits(table, torch.tensor([ids]))[0, -1].argmax())
        if new == stop_id:
            break
        ids.append(new)
    return ids[1:]


def name_of(words: int, least: int, most: int, seed: int) -> Name:
    """A model that is sure of a name whose length lies between both, and of the sign behind it.

    The sign is never 0, which stands in the name, nor is it the id behind a 0 alone.
    """
    for attempt in range(seed, seed + 5_000):
        stop_id, table = 1 + attempt % (words - 1), sure(words, attempt)
        name = _path(table, stop_id, 4 * most)
        if least <= len(name) <= most and 0 in name[:-1]:
            break
    return Name(stop_id, 4 * most, table, attempt)


@st.composite
def names(draw: st.DrawFn, limited: bool = False) -> Name:
    """A model that is sure of a name; with `limited`, it is longer than max_len."""
    made = name_of(draw(sizes(6, 9)), 4 if limited else 3, 8, draw(seeds()))
    return replace(made, max_len=len(made.due) - draw(st.sampled_from([1, 2]))) if limited else made


def at_once(words: int, seed: int) -> Name:
    """A model that is sure of the sign as the first id."""
    stop_id, table = 1 + seed % (words - 1), sure(words, seed)
    table[(stop_id + 1) % STATES] = SURE * torch.nn.functional.one_hot(torch.tensor(stop_id), words)
    return Name(stop_id, 5, table, seed)


def graded(seed: int, step: float = STEP) -> Name:
    """A model that never stops, and in each state gives all other ids other chances, in another order."""
    stop_id = 1 + seed % RANKS
    orders = torch.stack([normal(RANKS, seed=seed + state).argsort() for state in range(STATES)])
    logits = step * orders.float()
    never = torch.full((STATES, 1), -SURE)
    return Name(stop_id, MANY, torch.cat([logits[:, :stop_id], never, logits[:, stop_id:]], 1), seed)


def run(
    candidate: Candidate, draw: Name, seed: int = 0, training: bool = False
) -> tuple[Any, RecordingModel]:
    """The answer under a seed, and the model, which comes in evaluation mode unless it is asked otherwise."""
    model = candidate.make_model("TableModel", table=draw.table)
    model.train(training)
    return candidate.seeded(draw.seed + seed, model, draw.stop_id, draw.max_len).answer, model


def ids_of(answer: Any) -> list[int]:
    """The ids of an answer, also where they are a tensor, or a list of tensors of one id each.

    Raises:
        Violation: these are no ids.
    """
    if isinstance(answer, Tensor) and not answer.is_floating_point() and answer.numel() < 1 << 16:
        answer = answer.flatten().tolist()
    if isinstance(answer, tuple | list):
        ids = [int(i) if isinstance(i, Tensor) and i.numel() == 1 else i for i in answer]
        if all(type(i) is int for i in ids):
            return ids
    raise Violation(tr("there should be a list of ints, but there is {kind}", kind=kind(answer)))


def asked(candidate: Candidate, draw: Name, seed: int = 0) -> list[int]:
    """The ids that come back, for which the model was called."""
    answer, model = run(candidate, draw, seed)
    ids = ids_of(answer)
    require(model.calls > 0, tr("the model is never called"))
    return ids


def written(candidate: Candidate, draw: Name, seed: int = 0) -> list[int]:
    """The ids of a name, without the signs before and behind it: one check is about these."""
    return _without_signs(asked(candidate, draw, seed), draw)


def _without_signs(ids: list[int], draw: Name) -> list[int]:
    ids = ids[1:] if ids[:1] == [draw.stop_id] else ids
    return ids[: ids.index(draw.stop_id)] if draw.stop_id in ids else ids


def _listed(ids: list[int]) -> str:
    return " ".join(map(str, ids[:40])) or tr("none")


def require_name(found: list[int], due: list[int]) -> None:
    """Require these ids.

    Raises:
        Violation: they are others.
    """
    message = tr("the name should be {due}, but is {found}", due=_listed(due), found=_listed(found))
    require(found == due, message)


def depends_on_the_model(candidate: Candidate, _: Name) -> None:
    """Require another name from another model: of these, the same under every seed.

    Wrong code may well write the same for two of them. Where two names differ, no further one is asked for.
    """
    first, *others = _other_models()
    name = ids_of(run(candidate, first)[0])
    depends = any(ids_of(run(candidate, other)[0]) != name for other in others)
    require(depends, tr("the answer does not depend on {what}", what="model"))


@cache
def _other_models() -> list[Name]:
    """Models that are sure of short names: what these are asked for costs as many calls as they have ids."""
    others, seed = list[Name](), 1
    while len(others) < MODELS:
        others.append(name_of(8, 3, 4, seed))
        seed = others[-1].seed + 1
    return others


@check(points=0.5, given=names(), shape_only=True)
def gives_a_list_of_ints(sample_name: Candidate, draw: Name) -> None:
    """the answer is a list of ints

    fr: la réponse est une liste d'int
    """
    answer, _ = run(sample_name, draw)
    ids_of(answer)
    message = tr("there should be a list of ints, but there is {kind}", kind=kind(answer))
    require(isinstance(answer, list) and all(type(i) is int for i in answer), message)


@check(points=5, given=names(), core=True)
def writes_what_the_model_says(sample_name: Candidate, draw: Name) -> None:
    """where the model is sure of each id, these are the ids of the name, up to the sign

    fr: là où le modèle est sûr de chaque identifiant, ce sont ceux du nom, jusqu'au signe
    """
    require_name(written(sample_name, draw), draw.due)


@check(points=3, given=seeds().map(graded), draws=2, core=True)
def draws_by_the_models_chances(sample_name: Candidate, draw: Name) -> None:
    """ids come as often as the softmax of the last position's logits says

    fr: les identifiants viennent aussi souvent que le dit le softmax des logits à la dernière position
    """
    counts = ranks_drawn(run(sample_name, draw)[0], draw)
    chances = (STEP * torch.arange(RANKS).double()).softmax(0)
    worst = surprising(counts, chances)
    if worst is not None:
        message = tr(
            "ids whose probability is {p} come {n} times in {all} draws, where about {due} are due",
            p=f"{float(chances[worst]):.2f}",
            n=int(counts[worst]),
            all=int(counts.sum()),
            due=round(float(chances[worst] * counts.sum())),
        )
        raise Violation(message)


def ranks_drawn(answer: Any, draw: Name) -> Tensor:
    """How often the least likely id of a state was drawn, the next, and so on to the likeliest."""
    ids = ids_of(answer)
    ids = ids[1:] if ids[:1] == [draw.stop_id] else ids
    words = draw.table.shape[1]
    message = tr("ids should lie from 0 to {last}", last=words - 1)
    require(all(0 <= i < words for i in ids), message)
    require(draw.stop_id not in ids, tr("the sign is drawn, to which the model gives no probability"))
    message = tr("the model never stops, max_len is {most}, and {n} ids are written", most=MANY, n=len(ids))
    require(len(ids) >= ENOUGH, message)
    return _ranks(ids[:MANY], draw)


def _ranks(ids: list[int], draw: Name) -> Tensor:
    asked = torch.tensor([[draw.stop_id, *ids]])
    logits = lent_models.logits(draw.table, asked)[0, :-1]
    less_likely = (logits < logits.gather(1, asked[0, 1:, None])).sum(1)  # the sign is one of them
    return torch.bincount(less_likely - 1, minlength=RANKS)


@check(points=3.5, given=names())
def leaves_both_signs_out(sample_name: Candidate, draw: Name) -> None:
    """the name ends where the sign is drawn, and has neither this one nor the one before it

    fr: le nom finit là où le signe est tiré, et n'a ni celui-ci, ni celui qui le précède
    """
    ids = ids_of(run(sample_name, draw)[0])
    message = tr("the sign, {stop}, stands in the name: {found}", stop=draw.stop_id, found=_listed(ids))
    require(draw.stop_id not in ids, message)
    depends_on_the_model(sample_name, draw)


@check(points=3.5, given=names(limited=True))
def has_max_len_ids_at_most(sample_name: Candidate, draw: Name) -> None:
    """a name that would be longer has max_len ids

    fr: un nom qui serait plus long a max_len identifiants
    """
    ids = written(sample_name, draw)
    message = tr("max_len is {max_len}, and {n} ids are written", max_len=draw.max_len, n=len(ids))
    require(len(ids) == draw.max_len, message)
    require_name(ids, draw.due)  # of wrong names, the length is right or wrong by luck
    depends_on_the_model(sample_name, draw)


@check(points=0.5, given=st.builds(at_once, sizes(4, 8), seeds()))
def may_be_empty(sample_name: Candidate, draw: Name) -> None:
    """where the sign is drawn at once, the name is empty

    fr: là où le signe est tiré d'emblée, le nom est vide
    """
    ids = asked(sample_name, draw)
    require_name(_without_signs(ids, draw), [])
    require(set(ids) <= {draw.stop_id}, tr("the name should be empty, but is {found}", found=_listed(ids)))
    depends_on_the_model(sample_name, draw)


@check(points=1, given=seeds().map(graded), draws=2)
def follows_the_seed(sample_name: Candidate, draw: Name) -> None:
    """after torch.manual_seed the same name comes for the same seed, and another for another

    fr: après torch.manual_seed, le même nom vient pour la même graine, et un autre pour une autre
    """
    short = replace(draw, max_len=SEEDED)
    first, again, other = (written(sample_name, short, seed) for seed in (1, 1, 2))
    require(first != other, tr("two different seeds give the same ids: are they drawn at all?"))
    require(first == again, tr("the same seed gives another name the second time"))


@check(points=1, given=names(), on_its_word=True)
def asks_in_evaluation_mode(sample_name: Candidate, draw: Name) -> None:
    """the model is asked in evaluation mode, and left in the mode in which it came

    fr: le modèle est interrogé en mode évaluation, et laissé dans le mode où il est arrivé
    """
    for training in (True, False):
        _, model = run(sample_name, draw, training=training)
        log = model.call_log()
        require(log.calls > 0, tr("the model is never called"))
        require(log.in_training == 0, tr("the model is asked in training mode"))
        mode = tr("training mode") if training else tr("evaluation mode")
        message = tr("the model comes in {mode}, and is left in the other", mode=mode)
        require(log.training is training, message)
    depends_on_the_model(sample_name, draw)


def sized(words: int, length: int, seed: int) -> Name:
    """A model of so many ids that is sure of a name of this length."""
    ids = torch.randint(1, words, (STATES,), generator=torch.Generator().manual_seed(seed))
    return Name(0, length, SURE * torch.nn.functional.one_hot(ids, words).float(), seed)


answers_extreme_sizes = function_checks.answers_extreme_sizes(
    points=0.5,
    kept_because=EXTREME,
    answer=lambda draw: Target(torch.tensor(draw.due).double(), 0.0),
    output_of=lambda sample_name, draw: torch.tensor(written(sample_name, draw)).double(),
    usual=partial(sized, 7, 6),
    otherwise=depends_on_the_model,
    fixed=[partial(sized, 5, 5)],
    stretched=[lambda n, seed: sized(n, 5, seed), lambda n, seed: sized(6, n, seed)],
)


def diagnostic_draws(seed: int) -> list[BehaviourTrial]:
    """Situations that tell the known mistakes apart."""
    usual, long, free = name_of(8, 5, 9, seed), name_of(9, 6, 9, seed + 300), graded(seed)
    return [
        BehaviourTrial(partial(_write, usual)),
        BehaviourTrial(partial(_write, name_of(7, 4, 8, seed + 100))),
        BehaviourTrial(partial(_write, name_of(7, 4, 8, seed + 200))),
        BehaviourTrial(partial(_write, replace(long, max_len=len(long.due) - 2))),
        BehaviourTrial(partial(_write, at_once(6, seed))),
        BehaviourTrial(partial(_count, STEP, seed)),
        BehaviourTrial(partial(_count, APART, seed)),
        BehaviourTrial(partial(_reproduced, replace(free, max_len=30))),
        BehaviourTrial(partial(_modes, usual)),
    ]


def _write(draw: Name, candidate: Candidate) -> Any:
    """The ids written where the model is sure, with their form; "by chance" if a second call gives others."""
    first, other = (run(candidate, draw, seed)[0] for seed in (1, 2))
    names_found = [ids_of(answer) for answer in (first, other)]
    return f"{type(first).__name__} {names_found[0]}" if names_found[0] == names_found[1] else "by chance"


def _count(step: float, seed: int, candidate: Candidate) -> Any:
    """The distribution from which ids are drawn, if it is one of the distributions below.

    Wrong code may draw the sign: then there are several names.
    """
    draw, counts = graded(seed, step), torch.zeros(RANKS, dtype=torch.int64)
    for n in range(CALLS):
        counts = counts + _ranks(written(candidate, draw, n)[:MANY], draw)
        if int(counts.sum()) >= MANY:
            break
    logits = step * torch.arange(RANKS).double()
    shares = {
        "as due": logits.softmax(0),
        "uniform": torch.full_like(logits, 1 / RANKS),
        "twice": logits.softmax(0).exp(),
    }
    fits = likeliest(counts[None], {name: (p / p.sum())[None] for name, p in shares.items()})
    return fits[0] if len(fits) == 1 else f"{int((counts > 0).sum())} ranks"


def _reproduced(draw: Name, candidate: Candidate) -> str:
    """Whether calls follow the seed."""
    first, again, other = (str(run(candidate, draw, seed)[0]) for seed in (1, 1, 2))
    return f"{first == again} {first == other}"


def _modes(draw: Name, candidate: Candidate) -> str:
    """Whether the model is asked in training mode, and in which mode it is left, as it comes in either."""
    logs = [run(candidate, draw, training=training)[1].call_log() for training in (True, False)]
    return str([(log.in_training > 0, log.training) for log in logs])


options = Options(diagnostic_draws=diagnostic_draws)
