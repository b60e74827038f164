"""mask_tokens(ids, special, vocab_size, mask_id, share=0.15) -> (inputs, labels): 80 %, 10 %, 10 %.

What is random is counted, within bounds that a right answer passes but once in a billion times. The ids of a
draw are no small ones, and never that of the mask, so that each position tells what happened to it.
"""

from dataclasses import dataclass, field
from functools import partial
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api.behaviour import BehaviourTrial
from graders.check_api.check import (
    Candidate,
    Stretched,
    Violation,
    check,
    kind,
    require,
    shaped,
    tensor,
)
from graders.check_api.options import Options
from graders.check_api.statistics import likeliest, surprising
from graders.check_api.strategies.drawn import Drawn
from graders.check_api.strategies.tensors import hidden, patterns, seeds, sizes
from graders.language import tr

NAMES = ("inputs", "labels")
IGNORED, ALSO_IGNORED = -100, (-100, -1, 0)
MASK, FIRST_WORD, WORDS = 4, 5, 40  # the id of the mask, the least of a word, and the number of ids
ROWS, LONG = 100, 200  # sequences and positions, where something is counted
OTHER_SEEDS = 1_000_003  # under the seed of its ids, a call would draw what made the ids special again
USUAL = 0.15
SHARES = (USUAL, 0.5, 1 - USUAL)  # of positions that are chosen
FATES = {  # of chosen positions: they are masked, have another id, or stay
    "right": (0.8, 0.1, 0.1),
    "masked": (1.0, 0.0, 0.0),
    "a tenth of the rest": (0.8, 0.02, 0.18),
    "all changed": (0.8, 0.2, 0.0),
    "none changed": (0.8, 0.0, 0.2),
    "exchanged": (0.1, 0.8, 0.1),
    "never the mask": (0.0, 0.9, 0.1),
    "those that changed": (8 / 9, 1 / 9, 0.0),
}


@dataclass(frozen=True, eq=False)
class Batch(Drawn):
    """Ids (B, S), where they are special (B, S), the number of ids, the mask's, and the share."""

    ids: Tensor
    special: Tensor
    vocab_size: int
    mask_id: int
    share: float | None = None
    seed: int = field(default=0, metadata=hidden)

    @property
    def arguments(self) -> list[Any]:
        """The arguments of a call."""
        given = [self.ids, self.special, self.vocab_size, self.mask_id]
        return given if self.share is None else [*given, self.share]

    @property
    def due(self) -> float:
        """The share that is asked for."""
        return USUAL if self.share is None else self.share


def batch(rows: int, length: int, seed: int, share: float | None = None, word: int | None = None) -> Batch:
    """Ids of words, all of them `word` if that is given; the first, the last and some others are special."""
    made = torch.Generator().manual_seed(seed + OTHER_SEEDS)
    ids = torch.randint(FIRST_WORD, WORDS, (rows, length), generator=made)
    special = torch.rand(rows, length, generator=made) < 0.2
    special[:, [0, -1]], special[:, 1] = True, False
    ids = ids if word is None else torch.full_like(ids, word)
    return Batch(ids.masked_fill(special, 2), special, WORDS, MASK, share, seed)


@st.composite
def batches(draw: st.DrawFn) -> Batch:
    """Some sequences of which half of the words are chosen: that none is, or all, is once in 10^12 times."""
    return batch(draw(sizes(3, 5)), draw(sizes(30, 40)), draw(seeds()), 0.5)


def counted(share: float | None = None, word: int | None = None) -> st.SearchStrategy[Batch]:
    """So many ids that shares can be told."""
    return patterns().map(lambda seed: batch(ROWS, LONG, seed, share, word))


@dataclass(frozen=True, eq=False)
class Masked:
    """What a call gave: inputs, labels, which positions were chosen, and whether labels say so.

    Where all positions have labels, those whose ids have changed are taken for the chosen ones.
    """

    inputs: Tensor
    labels: Tensor
    chosen: Tensor
    by_labels: bool

    def fates(self, draw: Batch) -> Tensor:
        """How many of the chosen words are masked, have another id, and stay."""
        chosen = self.chosen & ~draw.special
        inputs, before = self.inputs[chosen], draw.ids[chosen]
        masked, stays = inputs == draw.mask_id, inputs == before
        return torch.stack([masked.sum(), (~masked & ~stays).sum(), stays.sum()])


def mask(mask_tokens: Candidate, draw: Batch, more: int = 0) -> Masked:
    """What a call under a seed gives, of the right shape; other checks are about order and dtype."""
    answer = mask_tokens.seeded(draw.seed + more, *draw.arguments).answer
    pair = isinstance(answer, tuple | list) and len(answer) == 2
    require(pair, tr("the answer should be the pair (inputs, labels), but is {kind}", kind=kind(answer)))
    inputs, labels = (tensor(part, name).detach() for part, name in zip(answer, NAMES, strict=True))
    for part, name in ((inputs, NAMES[0]), (labels, NAMES[1])):
        shaped(part, tuple(draw.ids.shape), name)
    if bool((inputs < 0).any()) and not bool((labels < 0).any()):
        inputs, labels = labels, inputs
    # The value that hides is the one of these that stands most often: 0 may be an id, too.
    hides = max((labels == value for value in ALSO_IGNORED), key=lambda places: int(places.sum()))
    by_labels = bool(hides.any())
    return Masked(inputs, labels, ~hides if by_labels else inputs != draw.ids, by_labels)


def require_of(holds: bool, message: str, *facts: float) -> None:
    """Require something of what is random.

    Args:
        holds: whether it does.
        message: what is said otherwise; its numbers are others in each call.
        facts: what is the same in each call of such code: by this a known mistake is recognised.

    Raises:
        Violation: it does not hold.
    """
    if not holds:
        raise Violation(message, actual=torch.tensor([1.0, *facts]))


def _require_ids(inputs: Tensor, draw: Batch) -> None:
    """Require that inputs holds many ids at their places, and not all: of others nothing can be judged."""
    share = float((inputs == draw.ids).double().mean())
    require(share < 1, tr("inputs is ids as it came"))
    require(share > 0.3, tr("inputs holds few ids at their places"))


@check(points=1, given=batches(), shape_only=True)
def gives_inputs_and_labels(mask_tokens: Candidate, draw: Batch) -> None:
    """the answer is (inputs, labels), both int64 of the shape of ids

    fr: la réponse est (inputs, labels), tous deux int64 de la forme de ids
    """
    found = mask(mask_tokens, draw)
    for part, name in ((found.inputs, NAMES[0]), (found.labels, NAMES[1])):
        message = tr("{name} should be of dtype int64, but is of {dtype}", name=name, dtype=part.dtype)
        require(part.dtype == torch.int64, message)
    first = mask_tokens.seeded(draw.seed, *draw.arguments).answer[0]
    require(not bool((first < 0).any()), tr("inputs holds ids below 0: are inputs and labels swapped?"))


@check(
    points=5.5,
    given=batches(),
    core=True,
    stretched=[
        Stretched(lambda n, seed: batch(n, 20, seed, 0.5)),
        Stretched(lambda n, seed: batch(3, n, seed, 0.5)),
    ],
)
def labels_what_was_chosen(mask_tokens: Candidate, draw: Batch) -> None:
    """labels is the old id where inputs may have changed, and -100 where it is the id

    fr: labels est l'ancien identifiant là où inputs a pu changer, et -100 là où c'est l'identifiant
    """
    found = mask(mask_tokens, draw)
    hides = found.labels == IGNORED
    require(bool(hides.any()), tr("labels is -100 nowhere"))
    require(not bool(hides.all()), tr("labels is -100 everywhere"))
    wrong = (~hides & (found.labels != draw.ids)).nonzero()[:1].tolist()
    for row, place in wrong:
        message = tr(
            "at position {place} of sequence {row} the label is {found}, where ids holds {due}",
            place=place,
            row=row,
            found=int(found.labels[row, place]),
            due=int(draw.ids[row, place]),
        )
        raise Violation(message, actual=found.labels)
    changed = hides & (found.inputs != draw.ids)
    message = tr("inputs differs from ids at {n} positions whose label is -100", n=int(changed.sum()))
    require_of(not bool(changed.any()), message)
    require(bool((found.inputs != draw.ids).any()), tr("inputs is ids as it came"))


@check(points=4.5, given=counted(), draws=2, core=True)
def masks_most_of_them(mask_tokens: Candidate, draw: Batch) -> None:
    """of the chosen positions 80 % become mask_id, 10 % a random id, and 10 % stay

    fr: parmi les positions choisies, 80 % deviennent mask_id, 10 % un identifiant au hasard, et 10 % restent
    """
    found = mask(mask_tokens, draw)
    counts = found.fates(draw)
    require(int(counts.sum()) > 100, tr("hardly any position is chosen"))
    due = FATES["right" if found.by_labels else "those that changed"]
    cell = surprising(counts, _with_chance(due))
    what = (tr("become mask_id"), tr("become another id"), tr("stay"))[cell or 0]
    message = tr(
        "of {n} chosen positions {found} {what}, where about {due} are due",
        n=int(counts.sum()),
        found=int(counts[cell or 0]),
        what=what,
        due=round(float(counts.sum()) * due[cell or 0]),
    )
    fits = [surprising(counts, _with_chance(fate)) is None for fate in FATES.values()]
    require_of(cell is None, message, *fits)


def _with_chance(fates: tuple[float, float, float]) -> Tensor:
    """What is seen: a random id may be that of the mask, or the old one."""
    masked, changed, stays = fates
    return torch.tensor([masked + changed / WORDS, changed * (1 - 2 / WORDS), stays + changed / WORDS])


@check(points=4, given=counted(), draws=2)
def chooses_15_percent(mask_tokens: Candidate, draw: Batch) -> None:
    """without share, 15 % of the words are chosen

    fr: sans share, 15 % des mots sont choisis
    """
    found = mask(mask_tokens, draw)
    # Where none of those that stay is known as chosen, nine tenths may be all of them.
    some_stay = found.by_labels and int(found.fates(draw)[2]) > 0
    _require_share(found, draw, USUAL if some_stay else 0.9 * USUAL, USUAL)


def _require_share(found: Masked, draw: Batch, *accepted: float) -> None:
    words = ~draw.special
    count, total = int((found.chosen & words).sum()), int(words.sum())
    if _in_columns(found, draw):  # then there are so many draws as columns, which another check is about
        total = draw.ids.shape[1] - 2
        count = int((_share_by_column(found, draw)[1:-1] > 0.5).sum())
    message = tr(
        "of {total} words {n} are chosen, where about {due} are due",
        total=total,
        n=count,
        due=round(total * accepted[-1]),
    )
    counts = torch.tensor([count, total - count])
    fits = [_fits(counts, share) for share in SHARES]
    require_of(any(_fits(counts, due) for due in accepted), message, *fits)


def _fits(counts: Tensor, share: float) -> bool:
    """Whether so many can be chosen, and not be, where each is with this probability."""
    return surprising(counts, torch.tensor([share, 1 - share])) is None


@check(points=4, given=batches())
def never_chooses_special_ids(mask_tokens: Candidate, draw: Batch) -> None:
    """special positions keep their ids and have no label

    fr: les positions spéciales gardent leurs identifiants et n'ont pas de label
    """
    for more in range(3):
        found = mask(mask_tokens, draw, more)
        changed = int((draw.special & (found.inputs != draw.ids)).sum())
        message = tr("{n} special positions have another id in inputs", n=changed)
        require_of(changed == 0, message)
        # Where every position has a label, another check says so.
        labelled = int((draw.special & found.chosen).sum())
        message = tr("{n} special positions have a label", n=labelled)
        require_of(labelled == 0, message)
        require(bool((found.inputs != draw.ids).any()), tr("inputs is ids as it came"))


@check(points=2, given=counted(0.9, word=7), draws=2)
def draws_every_id_equally_often(mask_tokens: Candidate, draw: Batch) -> None:
    """a random id may be any below vocab_size, the first and the last too

    fr: un identifiant au hasard peut être tout nombre en dessous de vocab_size, le premier et le dernier
    aussi
    """
    found = mask(mask_tokens, draw)
    random = found.inputs[~draw.special & found.chosen]
    random = random[(random != draw.mask_id) & (random != 7)]
    require(bool(((random >= 0) & (random < WORDS)).all()), tr("inputs holds ids that are none"))
    require(len(random) > 200, tr("hardly any position gets a random id"))
    others = torch.tensor([n for n in range(WORDS) if n not in (draw.mask_id, 7)])
    counts = torch.bincount(random.long(), minlength=WORDS)[others]
    expected = len(random) / len(others)
    cell = surprising(counts, torch.full((len(others),), 1 / len(others)))
    place = cell or 0
    message = tr(
        "of {n} random ids {found} are {which}, where about {due} are due",
        n=len(random),
        found=int(counts[place]),
        which=int(others[place]),
        due=round(expected),
    )
    rare = counts[place] < expected
    require_of(cell is None, message, float(place if rare else -1))


@check(points=2, given=counted(), draws=2)
def chooses_each_by_itself(mask_tokens: Candidate, draw: Batch) -> None:
    """what is chosen in a sequence says nothing of the others, nor how many are

    fr: ce qui est choisi dans une séquence ne dit rien des autres, ni combien le sont
    """
    found = mask(mask_tokens, draw)
    words = ~draw.special
    counts = (found.chosen & words).sum(1)
    _require_ids(found.inputs, draw)
    varies = _varies(counts - found_share(found, draw) * words.sum(1))
    require(varies, tr("about as many positions are chosen in every sequence: each should be by itself"))
    require(not _in_columns(found, draw), tr("the same positions are chosen in all sequences"))


def found_share(found: Masked, draw: Batch) -> float:
    """The share of words that are chosen."""
    words = ~draw.special
    return float((found.chosen & words).sum()) / float(words.sum())


def _varies(beyond: Tensor) -> bool:
    """Whether counts of about 24 positions differ from their expectation as chance has it, by 4.5.

    A sum of ROWS squares that is below a quarter of its expectation has a probability below 1e-20.
    """
    return float(beyond.square().mean()) > 4.5**2 / 4


def _in_columns(found: Masked, draw: Batch) -> bool:
    """Whether a column is chosen in all sequences or in none: by chance once in 10^5 columns of 80 words."""
    inner = _share_by_column(found, draw)[1:-1]
    return bool(((inner < 0.005) | (inner > 0.6)).double().mean() > 0.5)


@check(
    points=1.5, given=batches(), fixed=[partial(batch, 4, 30, share=0.0), partial(batch, 4, 30, share=1.0)]
)
def follows_the_share(mask_tokens: Candidate, draw: Batch) -> None:
    """share says how many are chosen: none with 0, half with 0.5, all words with 1

    fr: share dit combien sont choisis : aucun avec 0, la moitié avec 0.5, tous les mots avec 1
    """
    found = mask(mask_tokens, draw)
    words = ~draw.special
    changed = int((words & (found.inputs != draw.ids)).sum())
    total = int(words.sum())
    if draw.due == 0:
        message = tr("{n} positions have changed with share 0", n=changed)
        require_of(changed == 0, message)
        draw = batch(4, 30, draw.seed, 1.0)
        found, words = mask(mask_tokens, draw), ~draw.special
        changed, total = int((words & (found.inputs != draw.ids)).sum()), int(words.sum())
    # Nine tenths of the chosen ones change; others are about how many exactly.
    least = 0.25 * draw.due * total
    message = tr(
        "with share {share}, {n} of {total} words have changed", share=draw.due, n=changed, total=total
    )
    require_of(changed >= least, message)
    if draw.due == 1:
        require_of(changed >= 0.6 * total or not found.by_labels, message)


@check(points=1, given=batches())
def follows_the_seed(mask_tokens: Candidate, draw: Batch) -> None:
    """after torch.manual_seed the same answer comes for the same seed, and another for another

    fr: après torch.manual_seed, la même réponse vient pour la même graine, et une autre pour une autre
    """
    first, again, other = (mask(mask_tokens, draw, more).inputs for more in (0, 0, 1))
    require(not torch.equal(first, other), tr("two different seeds hide the same positions: is it random?"))
    require_of(torch.equal(again, first), tr("another answer comes under the same seed"))
    _require_ids(first, draw)


@check(points=1, given=batches(), on_its_word=True)
def leaves_the_ids_alone(mask_tokens: Candidate, draw: Batch) -> None:
    """the ids keep their values: inputs is another tensor

    fr: les identifiants gardent leurs valeurs : inputs est un autre tenseur
    """
    call = mask_tokens.seeded(draw.seed, *draw.arguments)
    for name, before, after in zip(("ids", "special"), draw.arguments, call.args, strict=False):
        message = tr("{name} has other values after the call", name=name)
        require_of(torch.equal(after, before), message)
    inputs = mask(mask_tokens, draw).inputs
    require(bool((inputs != draw.ids).any()), tr("inputs is ids as it came"))
    _require_ids(inputs, draw)


def _share_by_column(found: Masked, draw: Batch) -> Tensor:
    words = ~draw.special
    return (found.chosen & words).sum(0).double() / words.sum(0).clamp(min=1)


def diagnostic_draws(seed: int) -> list[BehaviourTrial]:
    """Situations that tell the known mistakes apart."""
    return [
        BehaviourTrial(partial(_counts, batch(4 * ROWS, LONG, seed + 1))),  # 13.5 % are told from 15 %
        BehaviourTrial(partial(_form, batch(4, 40, seed + 2, 0.5))),
        BehaviourTrial(partial(_random_ids, batch(ROWS, LONG, seed + 3, 0.9, word=7))),
        BehaviourTrial(partial(_reproduced, batch(4, 40, seed + 4, 0.5))),
    ]


def _form(draw: Batch, candidate: Candidate) -> Any:
    """The form of the answer, what labels hold, and whether the ids are kept."""
    call = candidate.seeded(draw.seed, *draw.arguments)
    if not isinstance(call.answer, tuple | list):
        return kind(call.answer)
    form = [f"{x.dtype} {tuple(x.shape)}" if isinstance(x, Tensor) else kind(x) for x in call.answer]
    found = mask(candidate, draw)
    swapped = bool((call.answer[0] < 0).any())
    hides = found.labels[torch.isin(found.labels.long(), torch.tensor(ALSO_IGNORED))].unique().tolist()
    old = bool((found.labels == draw.ids)[found.chosen].all())
    unseen = bool((found.inputs != draw.ids)[~found.chosen].any())
    special = bool((found.chosen | (found.inputs != draw.ids))[draw.special].any())
    words = bool((found.inputs != draw.ids)[~draw.special].any())
    kept = torch.equal(call.args[0], draw.ids)
    return " ".join(map(str, (form, swapped, hides, old, unseen, special, words, kept, found.by_labels)))


def _counts(draw: Batch, candidate: Candidate) -> Any:
    """The shares of what is chosen and of what happens to it, where they are known ones."""
    found = mask(candidate, draw)
    words = ~draw.special
    count = int((found.chosen & words).sum())
    counts = torch.tensor([count, int(words.sum()) - count])
    shares = {f"{p}": torch.tensor([p, 1 - p])[None] for p in (USUAL, 0.9 * USUAL, 1 - USUAL)}
    share = likeliest(counts[None], shares)
    fates = {name: _with_chance(fate)[None] for name, fate in FATES.items()}
    fate = likeliest(found.fates(draw)[None], fates) if count else []
    varies = _varies((found.chosen & words).sum(1) - found_share(found, draw) * words.sum(1))
    return " ".join(map(str, (share, fate, varies, _in_columns(found, draw))))


def _random_ids(draw: Batch, candidate: Candidate) -> Any:
    """Which ids are drawn at random, and whether more than half of the words are chosen."""
    found = mask(candidate, draw)
    seen = found.inputs[~draw.special & (found.inputs != 7)].long()
    present = torch.bincount(seen.clamp(0, WORDS - 1), minlength=WORDS) > 0
    most = int(seen.mode().values) if len(seen) else -1
    ends = bool(present[0]), bool(present[-1])
    return " ".join(map(str, (*ends, int(present.sum()) > 3, most, found_share(found, draw) > 0.5)))


def _reproduced(draw: Batch, candidate: Candidate) -> Any:
    """Whether the same seed gives the same answer, and whether others all do so."""
    first, again, *others = (mask(candidate, draw, more).inputs for more in (0, 0, 1, 2))
    return f"{torch.equal(first, again)} {all(torch.equal(first, other) for other in others)}"


options = Options(diagnostic_draws=diagnostic_draws)
