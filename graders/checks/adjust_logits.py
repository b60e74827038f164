"""adjust_logits(logits, temperature, top_k, top_p): logits over the temperature, -inf where an id is dropped.

Probabilities in place of logits cost one check: the others look at the distribution from which ids would be
drawn, whichever of both comes back.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api.check import (
    Candidate,
    Raised,
    Target,
    agree,
    alike,
    check,
    number,
    require,
    same,
    shaped,
    targets,
    tensor,
)
from graders.check_api.options import Options
from graders.check_api.properties import RANDOM
from graders.check_api.standard_checks import function_checks
from graders.check_api.strategies.drawn import Drawn
from graders.check_api.strategies.lengths import EXTREME, SMALLEST
from graders.check_api.strategies.tensors import hidden, input_values, normal, seeds, several, sizes
from graders.language import tr

TEMPERATURES = (0.5, 0.8, 1.25, 2.0)
TINY = 1e-4  # of a probability: every row has a likelier id
NEVER = -1e4  # a logit whose id is never drawn


@dataclass(frozen=True, eq=False)
class Adjusted(Drawn):
    """Logits (B, V), and how they are to be changed."""

    alive_at: ClassVar[tuple[int, ...]] = (0,)

    logits: Tensor
    temperature: float = 1.0
    top_k: int | None = None
    top_p: float | None = None
    seed: int = field(default=0, metadata=hidden)

    @property
    def rows(self) -> Iterator["Adjusted"]:
        """Each row by itself."""
        return (replace(self, logits=row[None]) for row in self.logits)

    @property
    def unfiltered(self) -> "Adjusted":
        """The same, with nothing to be dropped."""
        return replace(self, top_k=None, top_p=None)

    @property
    def with_p(self) -> "Adjusted":
        """The same with a top_p that no row reaches by rounding, and for which the first keeps two at least.

        It lies between the sums of probabilities that the rows reach, as far from them as can be; where there
        is a top_k, first of all where it matters that top_p looks at what top_k has left.
        """
        reached = _sums(replace(self, top_p=None))
        first = reached[0][reached[0] < 1]
        between = (first + torch.cat([first[1:], first.new_ones(1)])) / 2
        far = (between[:, None, None] - reached).abs().amin((1, 2))
        if self.top_k is not None:
            of_all = _sums(replace(self, top_k=None, top_p=None))
            counts = [(sums < between[:, None, None]).sum(-1) for sums in (reached, of_all)]
            far = far + (counts[0] + 1 != (counts[1] + 1).clamp(max=self.top_k)).any(-1)
        return replace(self, top_p=round(float(between[far.argmax()]), 4))

    @property
    def expected(self) -> Tensor:
        """The logits due, in float64."""
        return _adjust(self.logits.double(), self)


def _sums(draw: Adjusted) -> Tensor:
    """The probabilities that each row reaches, from the likeliest id on."""
    return draw.expected.softmax(-1).sort(-1, descending=True).values.cumsum(-1)


def _adjust(logits: Tensor, draw: Adjusted) -> Tensor:
    scores = logits / draw.temperature
    if draw.top_k is not None:
        ranks = scores.argsort(-1, descending=True).argsort(-1)
        scores = scores.masked_fill(ranks >= draw.top_k, -torch.inf)
    if draw.top_p is not None and draw.top_p < 1:
        shares = scores.softmax(-1)
        # An id is kept if those that are likelier have not reached p together.
        likelier = shares[:, None, :] > shares[:, :, None]
        before = (shares[:, None, :] * likelier).sum(-1)
        scores = scores.masked_fill(before >= draw.top_p, -torch.inf)
    return scores


@st.composite
def adjusted(
    draw: st.DrawFn,
    /,
    heated: bool = False,
    k: bool = False,
    p: bool = False,
    corner: str = "",
    dtype: torch.dtype = torch.float32,
) -> Adjusted:
    """Logits of several rows, with a temperature, a top_k and a top_p where these are asked for.

    `corner` is "batch" for one row, or "many" for so many that no wrong rule is right by luck.
    """
    batch, words, seed = draw(several(4, alone=corner == "batch")), draw(sizes(6, 9)), draw(seeds())
    batch = 8 if corner == "many" else batch
    logits = input_values(batch, words, seed=seed, scale=1.5, dtype=dtype)
    logits = logits + torch.arange(words, dtype=dtype) / 64  # no two are equal, also where they are plain
    temperature = draw(st.sampled_from(TEMPERATURES)) if heated else 1.0
    made = Adjusted(logits, temperature, draw(sizes(3, words - 2)) if k else None, None, seed)
    return made.with_p if p else made


def sized(batch: int, words: int, seed: int) -> Adjusted:
    """Logits of these sizes, with a temperature and a top_k: how many top_p keeps may be right by luck."""
    logits = normal(batch, words, seed=seed, scale=1.5)
    return Adjusted(logits, 0.8, max(2, 2 * words // 3), None, seed)


def ask(adjust_logits: Candidate, draw: Adjusted) -> Tensor:
    """The answer for a draw; row by row where code takes no batch, for one check is about that."""
    try:
        return _shaped(adjust_logits(*draw.arguments), draw)
    except Raised as raised:
        try:
            return torch.cat([_alone(adjust_logits, row) for row in draw.rows])
        except Raised:
            raise raised from None


def _alone(adjust_logits: Candidate, row: Adjusted) -> Tensor:
    try:
        return _shaped(adjust_logits(*row.arguments), row)
    except Raised:
        flat = tensor(adjust_logits(row.logits[0], *row.arguments[1:]), tr("the answer"))
        return _shaped(flat[None], row)


def _shaped(answer: Any, draw: Adjusted) -> Tensor:
    scores = tensor(answer, tr("the answer"))
    shaped(scores, tuple(draw.logits.shape), tr("the answer"))
    return scores.detach()


def distribution(answer: Tensor) -> Tensor:
    """The probabilities by which ids would be drawn; those of an answer that holds them already.

    They are 0 in a row of which nothing is kept.
    """
    values = answer.double()
    sums_to_one = bool(((values.sum(-1) - 1).abs() < 1e-3).all())
    return values if sums_to_one and bool((values >= 0).all()) else values.softmax(-1).nan_to_num(0.0)


def chances(adjust_logits: Candidate, draw: Adjusted) -> Tensor:
    """The probabilities of the answer for a draw."""
    return distribution(ask(adjust_logits, draw))


def compute_chances(draw: Adjusted) -> Target:
    """The probabilities due."""
    return targets(lambda logits: [_adjust(logits, draw).softmax(-1)], [draw.logits])[0]


def agrees(adjust_logits: Candidate, draw: Adjusted, answer: Target) -> None:
    """Require the probabilities due, and say first which ids are dropped or kept wrongly."""
    found = chances(adjust_logits, draw)
    kept, due = found > 0, answer.exact > 0
    for row, word in (kept != due).nonzero()[:1].tolist():
        message = tr(
            "row {row} should keep the ids {due}, but keeps {found}",
            row=row,
            due=_listed(due[row]),
            found=_listed(kept[row]),
        )
        require(bool(kept[row, word] == due[row, word]), message)
    agree(found, answer, value_name=tr("the softmax of the answer"))


def _listed(kept: Tensor) -> str:
    return ", ".join(map(str, kept.nonzero().flatten().tolist())) or tr("none")


def changes_something(adjust_logits: Candidate, draw: Adjusted) -> None:
    """Require another answer where a temperature and a top_k are given: the logits alone pass many checks."""
    changed = chances(adjust_logits, replace(draw, temperature=TEMPERATURES[0], top_k=2, top_p=None))
    whole = chances(adjust_logits, Adjusted(draw.logits))
    require(not torch.equal(changed, whole), tr("temperature and top_k change nothing"))


def passed_on(answer: Tensor) -> Tensor:
    """An answer as logits for another call: finite, and those of the same probabilities."""
    return distribution(answer).log().clamp(min=NEVER).to(answer.dtype)


@check(
    points=0.5,
    given=adjusted(heated=True, k=True, p=True),
    shape_only=True,
    kept_because="every wrong shape fails other checks too; here it is said to be one",
)
def keeps_the_shape(adjust_logits: Candidate, draw: Adjusted) -> None:
    """the answer is one tensor of shape (B, V)

    fr: la réponse est un tenseur de forme (B, V)
    """
    ask(adjust_logits, draw)


@check(points=5, given=adjusted(heated=True), answer=compute_chances, core=True)
def divides_by_the_temperature(adjust_logits: Candidate, draw: Adjusted, answer: Target) -> None:
    """ids have the probabilities of the logits over the temperature

    fr: les identifiants ont les probabilités des logits divisés par la température
    """
    agrees(adjust_logits, draw, answer)


@check(points=5, given=adjusted(k=True), answer=compute_chances, core=True)
def keeps_the_k_likeliest(adjust_logits: Candidate, draw: Adjusted, answer: Target) -> None:
    """of each row the top_k likeliest ids are kept, no more and no fewer

    fr: de chaque ligne, les top_k identifiants les plus probables sont gardés, ni plus ni moins
    """
    agrees(adjust_logits, draw, answer)


@check(points=5, given=adjusted(p=True), answer=compute_chances, core=True)
def keeps_as_few_as_reach_p(adjust_logits: Candidate, draw: Adjusted, answer: Target) -> None:
    """of each row the likeliest ids are kept, as few as reach top_p together

    fr: de chaque ligne, les identifiants les plus probables sont gardés, aussi peu qu'il en faut pour
    atteindre top_p ensemble
    """
    agrees(adjust_logits, draw, answer)


@check(points=5, given=adjusted(heated=True, k=True, p=True))
def applies_one_after_another(adjust_logits: Candidate, draw: Adjusted) -> None:
    """the temperature comes first, then top_k of its logits, then top_p of what is left

    fr: la température vient d'abord, puis top_k de ses logits, puis top_p de ce qui reste
    """
    heated = Adjusted(draw.logits, draw.temperature)
    largest = Adjusted(passed_on(ask(adjust_logits, heated)), top_k=draw.top_k)
    left = ask(adjust_logits, largest)
    likeliest = Adjusted(passed_on(left), top_p=draw.top_p)
    in_turn = chances(adjust_logits, likeliest).masked_fill(distribution(left) == 0, 0.0)
    message = tr("the softmax of the answer, against that of three calls with one change each,")
    alike(chances(adjust_logits, draw), in_turn, message)
    changes_something(adjust_logits, draw)


@check(points=5, given=adjusted(heated=True, k=True, p=True))
def gives_logits_and_minus_infinity(adjust_logits: Candidate, draw: Adjusted) -> None:
    """what is kept has the logit that it has where nothing is dropped, and what is dropped has -inf

    fr: ce qui est gardé a le logit qu'il a là où rien n'est écarté, et ce qui est écarté a -inf
    """
    plain = Adjusted(draw.logits)
    alike(ask(adjust_logits, plain), draw.logits, tr("the answer where nothing is to be changed"))
    scores, whole = ask(adjust_logits, draw), ask(adjust_logits, draw.unfiltered)
    dropped = distribution(scores) == 0
    finite = scores[dropped & (scores != -torch.inf)]
    message = tr("an id that is never drawn has the logit {found}, where -inf is due", found=_first(finite))
    require(not len(finite), message)
    kept = torch.where(scores == -torch.inf, whole, scores)
    alike(kept, whole, tr("what is kept, against the answer without top_k and top_p,"))
    changes_something(adjust_logits, draw)


@check(points=1, given=adjusted())
def drops_nothing_where_all_are_kept(adjust_logits: Candidate, draw: Adjusted) -> None:
    """a top_k of V and more, and a top_p of 1, drop nothing

    fr: un top_k de V ou davantage, et un top_p de 1, n'écartent rien
    """
    words, whole = draw.logits.shape[1], chances(adjust_logits, draw)
    for all_kept in (replace(draw, top_k=words), replace(draw, top_k=words + 3), replace(draw, top_p=1.0)):
        given = {"top_k": all_kept.top_k, "top_p": all_kept.top_p}
        name, value = next((name, value) for name, value in given.items() if value is not None)
        message = tr("the softmax of the answer for {name}={value}", name=name, value=value)
        alike(chances(adjust_logits, all_kept), whole, message)
    changes_something(adjust_logits, draw)


@check(points=1, given=adjusted())
def keeps_one_at_least(adjust_logits: Candidate, draw: Adjusted) -> None:
    """the likeliest id of each row is kept, however small top_p is, and alone where top_k is 1

    fr: l'identifiant le plus probable de chaque ligne est gardé, si petit que soit top_p, et seul si top_k
    vaut 1
    """
    likeliest = draw.logits.argmax(-1)
    for few in (replace(draw, top_p=TINY), replace(draw, top_k=1)):
        shares = chances(adjust_logits, few)
        given = "top_k=1" if few.top_k else f"top_p={TINY}"
        kept = shares[torch.arange(len(shares)), likeliest] > 0
        require(bool(kept.all()), tr("with {given} the likeliest id is dropped", given=given))
        alone = bool(((shares > 0).sum(-1) < shares.shape[1]).all())
        require(alone, tr("with {given} all ids are kept", given=given))


@check(points=2, given=adjusted(heated=True, k=True, p=True))
def treats_rows_apart(adjust_logits: Candidate, draw: Adjusted) -> None:
    """each row of a batch is answered as it is alone

    fr: chaque ligne d'un lot reçoit la réponse qu'elle reçoit seule
    """
    together = distribution(_shaped(adjust_logits(*draw.arguments), draw))
    alone = torch.cat([chances(adjust_logits, row) for row in draw.rows])
    alike(together, alone, tr("the softmax of the answer for several rows"))
    changes_something(adjust_logits, draw)


@check(points=0.5, given=adjusted(heated=True, k=True, corner="batch"), kept_because=SMALLEST)
def takes_one_row(adjust_logits: Candidate, draw: Adjusted) -> None:
    """one row alone is answered as it is twice

    fr: une seule ligne reçoit la réponse qu'elle reçoit en double
    """
    alone = distribution(_shaped(adjust_logits(*draw.arguments), draw))
    twice = chances(adjust_logits, replace(draw, logits=draw.logits.repeat(2, 1)))
    alike(alone, twice[:1], tr("the softmax of the answer for one row"))
    changes_something(adjust_logits, draw)


def in_dtype(adjust_logits: Candidate, draw: Adjusted) -> Tensor:
    """The probabilities, in the dtype of the answer."""
    changes_something(adjust_logits, draw)
    scores = ask(adjust_logits, draw)
    return distribution(scores).to(scores.dtype)


computes_in_double_precision = function_checks.computes_in_double_precision(
    points=1,
    answer=compute_chances,
    output_of=in_dtype,
    given=adjusted(heated=True, k=True, p=True, corner="many", dtype=torch.float64),
    kept_because="code that gives float32 back fails here alone",
)

answers_extreme_sizes = function_checks.answers_extreme_sizes(
    points=1,
    kept_because=EXTREME,
    answer=compute_chances,
    output_of=chances,
    otherwise=changes_something,
    usual=lambda seed: sized(8, 11, seed),  # so many rows that no wrong rule is right by luck
    stretched=[lambda n, seed: sized(n, 7, seed), lambda n, seed: sized(3, n, seed)],
)


@check(points=1, given=adjusted(heated=True, k=True, p=True, corner="batch"), on_its_word=True)
def leaves_the_logits_alone(adjust_logits: Candidate, draw: Adjusted) -> str | None:
    """the logits keep their values, and the second call answers as the first

    fr: les logits gardent leurs valeurs, et le second appel répond comme le premier
    """
    call = adjust_logits.observed_call(*draw.arguments)
    same(call.args[0], draw.logits, tr("{name} after the call", name="logits"))
    first = distribution(_shaped(call.answer, draw))
    second = chances(adjust_logits, draw)
    alike(second, first, tr("the softmax of the answer of the second call"))
    changes_something(adjust_logits, draw)
    return None if call.random_state_kept else tr(RANDOM)


def _first(values: Tensor) -> str:
    return number(float(values[0])) if len(values) else tr("none")


def diagnostic_draws(seed: int) -> list[Adjusted]:
    """Logits that tell the known mistakes apart."""

    def drawn(batch: int, words: int, place: int, **change: Any) -> Adjusted:
        logits = normal(batch, words, seed=seed + place, scale=1.5, dtype=torch.float64)
        return Adjusted(logits, **change, seed=seed + place)

    rising = normal(3, 8, seed=seed + 3, scale=1.5, dtype=torch.float64) + 3.0 * torch.arange(3)[:, None]
    usual, other, third = (drawn(4, 9, place, temperature=0.6, top_k=6).with_p for place in range(3))
    return [
        usual,
        other,
        third,
        Adjusted(rising, top_k=4, seed=seed + 3),  # a limit of one row or of all is far from that of another
        drawn(3, 10, 4).with_p,
        drawn(2, 7, 5, temperature=1.7),
        drawn(2, 7, 6, top_k=11),
        drawn(3, 7, 7, top_p=TINY),
        drawn(1, 8, 8, temperature=0.6, top_k=5).with_p,
        drawn(5, 8, 9),
    ]


options = Options(diagnostic_draws=diagnostic_draws)
