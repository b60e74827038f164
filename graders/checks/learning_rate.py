"""lr_at(step, max_iters, warmup, peak, least): step / warmup of the peak, then half a cosine to the least."""

import math
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from hypothesis import strategies as st
from torch import Tensor

from graders.check_api.behaviour import BehaviourTrial
from graders.check_api.check import Candidate, Raised, Stretched, Violation, check, kind, number, require
from graders.check_api.options import Options
from graders.check_api.strategies.lengths import SMALLEST
from graders.check_api.strategies.tensors import hidden, seeds, sizes
from graders.language import tr

NEAR = 1e-5  # of the peak: what a cosine in float32 may lose
USUAL = 6e-4  # a peak, at the least
STEPS = 256  # peaks of a run


@dataclass(frozen=True)
class Schedule:
    """A step, and the schedule that it belongs to."""

    step: int
    max_iters: int
    warmup: int
    peak: float
    least: float
    seed: int = field(default=0, metadata=hidden)

    @property
    def arguments(self) -> list[Any]:
        """The arguments of a call."""
        return [self.step, self.max_iters, self.warmup, self.peak, self.least]

    @property
    def due(self) -> float:
        """The learning rate of the step, by its definition."""
        if self.step < self.warmup:
            return self.peak * self.step / self.warmup
        x = min(1.0, (self.step - self.warmup) / (self.max_iters - self.warmup))
        return self.least + (self.peak - self.least) * (1 + math.cos(math.pi * x)) / 2


def make_schedule(step: int, warmup: int, fall: int, seed: int) -> Schedule:
    """A schedule with so many steps of warm-up and of the cosine; the rates come from the seed."""
    peak = round(USUAL * (1 + seed % STEPS / STEPS), 6)
    return Schedule(step, warmup + fall, warmup, peak, round(peak / 6, 6), seed)


@st.composite
def rising(draw: st.DrawFn) -> Schedule:
    """A step of the warm-up."""
    warmup = draw(sizes(3, 9))
    return make_schedule(draw(st.integers(0, warmup - 1)), warmup, draw(sizes(7, 20)), draw(seeds()))


@st.composite
def falling(draw: st.DrawFn) -> Schedule:
    """A step of the cosine, neither its first nor the one at which it ends."""
    warmup, fall = draw(sizes(3, 9)), draw(sizes(7, 20))
    return make_schedule(warmup + draw(st.integers(1, fall - 1)), warmup, fall, draw(seeds()))


def schedules(warmup: int | None = None) -> st.SearchStrategy[Schedule]:
    """A schedule at its first step."""
    steps = sizes(3, 9) if warmup is None else st.just(warmup)
    return st.builds(make_schedule, st.just(0), steps, sizes(7, 20), seeds())


def rate_of(lr_at: Candidate, draw: Schedule) -> float:
    """The student's answer as a number; that it is a float is for another check."""
    answer = lr_at(*draw.arguments)
    if isinstance(answer, list | tuple) and len(answer) == 1:
        [answer] = answer
    if isinstance(answer, Tensor) and answer.numel() == 1:
        answer = answer.item()
    message = tr("the learning rate should be one number, but is {kind}", kind=kind(answer))
    require(type(answer) in (int, float), message)
    return float(answer)


def is_due(found: float, draw: Schedule) -> bool:
    """Whether a rate is that of the step; False for NaN."""
    return abs(found - draw.due) <= NEAR * draw.peak


def require_due(lr_at: Candidate, draw: Schedule) -> None:
    """Require the rate of the step.

    Raises:
        Violation: it is another.
    """
    found = rate_of(lr_at, draw)
    values = {"due": number(draw.due), "found": number(found), "step": draw.step}
    message = tr("the learning rate of step {step} should be {due}, but is {found}", **values)
    require(is_due(found, draw), message)


def is_right_before_the_end(lr_at: Candidate, draw: Schedule) -> bool:
    """Whether a step inside of the cosine has its rate: where it has not, corners cost nothing more."""
    step = draw.warmup + (draw.max_iters - draw.warmup) // 2
    try:
        return all(
            is_due(rate_of(lr_at, inner), inner)
            for inner in (replace(draw, step=n) for n in (step, step + 1))
        )
    except (Violation, Raised):
        return False


def depends_on_the_peak(lr_at: Candidate, draw: Schedule) -> None:
    """Require another rate for a larger peak: a constant would pass many checks."""
    step = draw.warmup + 1
    rates = [rate_of(lr_at, replace(draw, step=step, peak=peak)) for peak in (draw.peak, 2 * draw.peak)]
    require(rates[0] != rates[1], tr("the learning rate does not depend on the peak"))
    again = rate_of(lr_at, replace(draw, step=step))
    require(again == rates[0], tr("the learning rate of a step is another in the second call"))


@check(points=1, given=falling(), shape_only=True)
def is_one_number(lr_at: Candidate, draw: Schedule) -> None:
    """the answer is one number, a float or a tensor without axes

    fr: la réponse est un seul nombre, un float ou un tenseur sans axe
    """
    answer = lr_at(*draw.arguments)
    one = type(answer) in (int, float) or (isinstance(answer, Tensor) and answer.dim() == 0)
    require(one, tr("the learning rate should be one number, but is {kind}", kind=kind(answer)))


@check(
    points=2.8,
    given=rising(),
    core=True,
    fixed=[lambda seed: make_schedule(0, 5, 12, seed), lambda seed: make_schedule(4, 5, 12, seed)],
    stretched=[Stretched(lambda n, seed: make_schedule(n - 2, n, 9, seed))],
)
def rises_in_a_line(lr_at: Candidate, draw: Schedule) -> None:
    """during the warm-up the rate is peak * step / warmup, 0 at step 0

    fr: pendant la montée, le taux vaut peak * step / warmup, 0 au pas 0
    """
    require_due(lr_at, draw)


@check(
    points=3,
    given=falling(),
    core=True,
    fixed=[lambda seed: make_schedule(9, 4, 12, seed), lambda seed: make_schedule(12, 6, 10, seed)],
    stretched=[Stretched(lambda n, seed: make_schedule(n // 2, 3, n, seed))],
)
def falls_along_half_a_cosine(lr_at: Candidate, draw: Schedule) -> None:
    """behind the warm-up the rate falls from the peak to the least along half a cosine

    fr: après la montée, le taux descend de peak à least le long d'un demi-cosinus
    """
    require_due(lr_at, draw)


@check(points=1.2, given=schedules(), kept_because="a jump at the peak alone is seen here and nowhere else")
def reaches_the_peak(lr_at: Candidate, draw: Schedule) -> None:
    """at step warmup the rate is the peak

    fr: au pas warmup, le taux vaut peak
    """
    if is_right_before_the_end(lr_at, draw):
        require_due(lr_at, replace(draw, step=draw.warmup))
    depends_on_the_peak(lr_at, draw)


@check(points=2.6, given=schedules(), fixed=[lambda seed: replace(make_schedule(0, 5, 12, seed), least=0.0)])
def stays_at_the_least(lr_at: Candidate, draw: Schedule) -> None:
    """from max_iters on the rate is the least, however many steps follow

    fr: à partir de max_iters, le taux vaut least, quel que soit le nombre de pas qui suivent
    """
    fall = draw.max_iters - draw.warmup
    for step in (draw.max_iters, draw.max_iters + 1, draw.max_iters + fall // 2, draw.max_iters + fall):
        require_due(lr_at, replace(draw, step=step))
    depends_on_the_peak(lr_at, draw)


@check(points=2.4, given=schedules())
def stays_between_its_bounds(lr_at: Candidate, draw: Schedule) -> None:
    """no rate is above the peak, and behind the warm-up none is below the least

    fr: aucun taux ne dépasse peak, et après la montée aucun n'est sous least
    """
    slack = NEAR * draw.peak
    for step in range(draw.max_iters):
        found = rate_of(lr_at, replace(draw, step=step))
        least = 0.0 if step < draw.warmup else draw.least
        values = {"step": step, "found": number(found), "least": number(least), "peak": number(draw.peak)}
        message = tr("the learning rate of step {step} is {found}, not between {least} and {peak}", **values)
        require(least - slack <= found <= draw.peak + slack, message)
    depends_on_the_peak(lr_at, draw)


@check(points=1.2, given=schedules(0), kept_because=SMALLEST)
def needs_no_warmup(lr_at: Candidate, draw: Schedule) -> None:
    """with a warm-up of 0 steps the rate is the peak at step 0, and falls from there

    fr: avec une montée de 0 pas, le taux vaut peak au pas 0, et descend
    """
    usual = replace(draw, warmup=2)
    first = rate_of(lr_at, draw)
    if is_right_before_the_end(lr_at, usual):
        require_due(lr_at, draw)
        require_due(lr_at, replace(draw, step=1))
    require(math.isfinite(first), tr("without a warm-up the first learning rate is {found}", found=first))
    depends_on_the_peak(lr_at, draw)


@check(
    points=0.8,
    given=[
        st.builds(lambda seed: make_schedule(1, 2, 1, seed), seeds()),
        st.builds(lambda seed: make_schedule(0, 1, 5, seed), seeds()),
    ],
    kept_because=SMALLEST,
)
def takes_one_step(lr_at: Candidate, draw: Schedule) -> None:
    """a warm-up or a cosine of one step is taken as a longer one is

    fr: une montée ou un cosinus d'un seul pas sont acceptés comme de plus longs
    """
    steps = range(draw.max_iters + 1)
    rates = [rate_of(lr_at, replace(draw, step=step)) for step in steps]
    message = tr("the learning rate of step {step} is {found}", step=0, found=rates[0])
    require(all(map(math.isfinite, rates)), message)
    if is_right_before_the_end(lr_at, replace(draw, max_iters=draw.warmup + 6)):
        for step in steps:
            require_due(lr_at, replace(draw, step=step))
    depends_on_the_peak(lr_at, replace(draw, max_iters=draw.warmup + 6))


def diagnostic_draws(seed: int) -> list[BehaviourTrial]:
    """Situations that tell the known mistakes apart."""
    usual, other, none = (make_schedule(0, *sizes, seed) for sizes in ((4, 9), (7, 12), (0, 6)))
    to_nothing = replace(make_schedule(0, 3, 8, seed), least=0.0)
    return [BehaviourTrial(partial(_describe, draw)) for draw in (usual, other, none, to_nothing)]


def _describe(draw: Schedule, lr_at: Candidate) -> Any:
    """The rates of all steps and of some behind the end, in parts of the peak."""
    rates: list[Any] = [kind(lr_at(*replace(draw, step=draw.warmup + 1).arguments)).partition(" (")[0]]
    for step in range(draw.max_iters + 5):
        try:
            rates.append(rate_of(lr_at, replace(draw, step=step)) / draw.peak)
        except Raised as error:
            rates.append(error.kind)
    return rates


options = Options(diagnostic_draws=diagnostic_draws)
