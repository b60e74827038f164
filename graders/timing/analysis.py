"""From times to ratios, exponents, sentences and points."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from graders.language import number, tr, translatable
from graders.results.measurements import REFERENCE, Clocked, Timing
from graders.timing.rounds import CONTROL, STUDENT, TORCH, RoundTimes

GROWS = 0.4  # times the factor by which the size grew: then the time follows it
MORE = 2.0  # times what the other's time grows by
LAST = 3  # lengths from which an exponent is taken: below, what a call costs at all is most of it
WHOSE = {REFERENCE: translatable("the reference's"), TORCH: translatable("PyTorch's own")}


class Uneven(Exception):
    """The reference against itself does not come out even. A sentence for whoever reads the result."""

    def __init__(self, control: float) -> None:
        took = number(control, ".2f")
        super().__init__(
            tr("the machine was too busy: against itself, the reference took {n} times as long", n=took)
        )
        self.control = control


@dataclass(frozen=True)
class Measurement:
    """All laps by length and whether with gradients; peak memory and what counts at the length `judged`.

    `base` is whom the student is compared with, `loops` what the student's time grows with, and `stopped` the
    length that was not timed to its end, with the reason.
    """

    laps: Mapping[tuple[int, bool], RoundTimes]
    memory: Mapping[str, int]
    base: str
    loops: tuple[str, ...]
    judged: int
    stopped: tuple[int, str] | None


def analyse(found: Measurement, sandbox: str, clock: str) -> Timing:
    """What the laps say."""
    at = found.judged
    laps = sorted(found.laps.items())
    clocked = tuple(_clocked(length, mode, lap, found.base) for (length, mode), lap in laps)
    worst = max((c for c in clocked if c.length == at), key=lambda c: c.ratio)
    growth = {name: _exponent(found, name) for name in (STUDENT, REFERENCE, TORCH) if _has(found, name)}
    controls = [found.laps[at, backward].ratio(CONTROL, found.base) for backward in (False, True)]
    return Timing(
        says=tuple(_sentences(found, worst, growth)),
        against=found.base,
        clock=clock,
        sandbox=sandbox,
        judged=at,
        ratio=worst.ratio,
        control=round(float(max(controls, key=_off)), 4),
        growth={name: round(e, 3) for name, e in growth.items() if e is not None},
        memory={name: size for name, size in found.memory.items() if size},
        clocked=clocked,
    )


def grows(more: RoundTimes, less: RoundTimes, base: str, factor: int) -> bool:
    """Whether the student's time follows a size that grew by `factor`, and the other's does not."""
    student = more.least(STUDENT) / less.least(STUDENT)
    return student >= GROWS * factor and more.ratio(STUDENT, base) >= MORE * less.ratio(STUDENT, base)


def _off(control: float) -> float:
    return abs(math.log(control))


def _clocked(length: int, backward: bool, lap: RoundTimes, base: str) -> Clocked:
    pairs = sorted(s / b for s, b in zip(lap.times[STUDENT], lap.times[base], strict=False))
    # The middle half of many rounds; of few, all are shown.
    cut = len(pairs) // 4 if len(pairs) > 4 else 0
    inner = pairs[cut : len(pairs) - cut]
    ratio = lap.ratio(STUDENT, base)
    return Clocked(
        length=length,
        mode="backward" if backward else "forward",
        student=_rounded(lap, STUDENT),
        reference=_rounded(lap, REFERENCE),
        torch=_rounded(lap, TORCH),
        ratio=round(ratio, 3),
        low=round(min(ratio, inner[0]), 3),
        high=round(max(ratio, inner[-1]), 3),
    )


def _rounded(lap: RoundTimes, name: str) -> tuple[float, ...]:
    return tuple(round(seconds, 9) for seconds in lap.times.get(name, ()))


def _has(found: Measurement, name: str) -> bool:
    return all(name in lap.times for lap in found.laps.values())


def _exponent(found: Measurement, name: str) -> float | None:
    """The slope of log time over log length, of the greatest lengths, forward."""
    lengths = sorted(length for length, backward in found.laps if not backward)[-LAST:]
    if len(lengths) < 2:
        return None
    x = [math.log(length) for length in lengths]
    y = [math.log(found.laps[length, False].least(name)) for length in lengths]
    middle_x, middle_y = sum(x) / len(x), sum(y) / len(y)
    over = sum((a - middle_x) * (b - middle_y) for a, b in zip(x, y, strict=True))
    return over / sum((a - middle_x) ** 2 for a in x)


def _sentences(found: Measurement, worst: Clocked, growth: Mapping[str, float | None]) -> list[str]:
    whose = tr(WHOSE[found.base])
    says = [_compared(worst, whose, growth[STUDENT], growth[found.base])]
    says += [
        tr(
            "The time grows with the number of {what}, where {whose} hardly does: a Python loop?",
            what=tr(what),
            whose=whose,
        )
        for what in found.loops
    ]
    if found.stopped is not None:
        length, why = found.stopped
        says.append(tr("Length {length} was not timed to its end: {why}.", length=length, why=why))
    return says


def _compared(worst: Clocked, whose: str, own: float | None, other: float | None) -> str:
    backward = worst.mode == "backward"
    told = {
        "ratio": number(worst.ratio, ".2g"),
        "low": number(worst.low, ".2g"),
        "high": number(worst.high, ".2g"),
        "whose": whose,
        "length": worst.length,
        "how": tr("forward and backward") if backward else tr("forward"),
    }
    if own is None or other is None:
        return tr("x {ratio} ({low} to {high}) {whose} time at length {length}, {how}.", **told)
    return tr(
        "x {ratio} ({low} to {high}) {whose} time at length {length}, {how}; "
        "grows like S^{own} ({whose}: S^{other}).",
        own=number(own, ".1f"),
        other=number(other, ".1f"),
        **told,
    )
