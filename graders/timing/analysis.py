"""Ratios, growth exponents and sentences from the measured times."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from graders.language import number, tr, translatable
from graders.results.measurements import REFERENCE, Clocked, Timing
from graders.timing.rounds import CONTROL, STUDENT, TORCH, RoundTimes

GROWTH_SHARE = 0.4  # time grows with a size if it grows by at least this share of the size's factor
GROWTH_OVER_BASE = 2.0  # and by at least this many times as much as the base's time
LAST_LENGTHS = 3  # an exponent is fitted to these; at shorter ones, a call's fixed cost is most of its time
BASE_NAMES = {REFERENCE: translatable("the reference's"), TORCH: translatable("PyTorch's own")}


class Uneven(Exception):
    """The control took another time than the reference. The text is for the reader of the result."""

    def __init__(self, control: float) -> None:
        ratio = number(control, ".2f")
        super().__init__(
            tr("the machine was too busy: against itself, the reference took {n} times as long", n=ratio)
        )
        self.control = control


@dataclass(frozen=True)
class Measurement:
    """All that was measured.

    Attributes:
        times: by length, and whether with gradients.
        memory: peak bytes at the length `judged`, by contestant.
        base: the contestant that the student is compared with.
        loops: the sizes with which the student's time grows.
        judged: the length that points depend on.
        stopped: the length whose measurement was not finished, and the reason.
    """

    times: Mapping[tuple[int, bool], RoundTimes]
    memory: Mapping[str, int]
    base: str
    loops: tuple[str, ...]
    judged: int
    stopped: tuple[int, str] | None


def analyse(measurement: Measurement, sandbox: str, clock: str) -> Timing:
    """Summarise a measurement for the result."""
    judged = measurement.judged
    clocked = tuple(
        _summarise_length(length, backward, round_times, measurement.base)
        for (length, backward), round_times in sorted(measurement.times.items())
    )
    slowest = max((c for c in clocked if c.length == judged), key=lambda c: c.ratio)
    growth = {
        name: _fit_exponent(measurement, name)
        for name in (STUDENT, REFERENCE, TORCH)
        if _is_everywhere(measurement, name)
    }
    controls = [
        measurement.times[judged, backward].median_ratio(CONTROL, measurement.base)
        for backward in (False, True)
    ]
    return Timing(
        says=tuple(_sentences(measurement, slowest, growth)),
        against=measurement.base,
        clock=clock,
        sandbox=sandbox,
        judged=judged,
        ratio=slowest.ratio,
        control=round(float(max(controls, key=_deviation)), 4),
        growth={name: round(e, 3) for name, e in growth.items() if e is not None},
        memory={name: size for name, size in measurement.memory.items() if size},
        clocked=clocked,
    )


def grows(larger: RoundTimes, smaller: RoundTimes, base: str, factor: int) -> bool:
    """Whether the student's time grows with a size that grew by `factor`, and the base's time does not."""
    student = larger.minimum(STUDENT) / smaller.minimum(STUDENT)
    over_base = larger.median_ratio(STUDENT, base) / smaller.median_ratio(STUDENT, base)
    return student >= GROWTH_SHARE * factor and over_base >= GROWTH_OVER_BASE


def _deviation(control: float) -> float:
    return abs(math.log(control))


def _summarise_length(length: int, backward: bool, round_times: RoundTimes, base: str) -> Clocked:
    ratios = sorted(
        own / other for own, other in zip(round_times.times[STUDENT], round_times.times[base], strict=False)
    )
    # The range shown is that of the middle half; with few rounds, of all.
    cut = len(ratios) // 4 if len(ratios) > 4 else 0
    inner = ratios[cut : len(ratios) - cut]
    ratio = round_times.median_ratio(STUDENT, base)
    return Clocked(
        length=length,
        mode="backward" if backward else "forward",
        student=_rounded_times(round_times, STUDENT),
        reference=_rounded_times(round_times, REFERENCE),
        torch=_rounded_times(round_times, TORCH),
        ratio=round(ratio, 3),
        low=round(min(ratio, inner[0]), 3),
        high=round(max(ratio, inner[-1]), 3),
    )


def _rounded_times(round_times: RoundTimes, name: str) -> tuple[float, ...]:
    return tuple(round(seconds, 9) for seconds in round_times.times.get(name, ()))


def _is_everywhere(measurement: Measurement, name: str) -> bool:
    return all(name in round_times.times for round_times in measurement.times.values())


def _fit_exponent(measurement: Measurement, name: str) -> float | None:
    """The slope of log(time) over log(length) in the forward pass, fitted to the greatest lengths."""
    lengths = sorted(length for length, backward in measurement.times if not backward)[-LAST_LENGTHS:]
    if len(lengths) < 2:
        return None
    x = [math.log(length) for length in lengths]
    y = [math.log(measurement.times[length, False].minimum(name)) for length in lengths]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    covariance = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True))
    return covariance / sum((a - mean_x) ** 2 for a in x)


def _sentences(measurement: Measurement, slowest: Clocked, growth: Mapping[str, float | None]) -> list[str]:
    whose = tr(BASE_NAMES[measurement.base])
    sentences = [_compare(slowest, whose, growth[STUDENT], growth[measurement.base])]
    sentences += [
        tr(
            "The time grows with the number of {what}, where {whose} hardly does: a Python loop?",
            what=tr(size),
            whose=whose,
        )
        for size in measurement.loops
    ]
    if measurement.stopped is not None:
        length, why = measurement.stopped
        sentences.append(tr("Timing stopped at length {length}: {why}.", length=length, why=why))
    return sentences


def _compare(slowest: Clocked, whose: str, own: float | None, other: float | None) -> str:
    backward = slowest.mode == "backward"
    values = {
        "ratio": number(slowest.ratio, ".2g"),
        "low": number(slowest.low, ".2g"),
        "high": number(slowest.high, ".2g"),
        "whose": whose,
        "length": slowest.length,
        "how": tr("forward and backward") if backward else tr("forward"),
    }
    if own is None or other is None:
        return tr("x {ratio} ({low} to {high}) {whose} time at length {length}, {how}.", **values)
    return tr(
        "x {ratio} ({low} to {high}) {whose} time at length {length}, {how}; "
        "grows like S^{own} ({whose}: S^{other}).",
        own=number(own, ".1f"),
        other=number(other, ".1f"),
        **values,
    )
