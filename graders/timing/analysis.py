"""Ratios, growth exponents and rates from the measured times."""

import math
from collections.abc import Mapping
from dataclasses import replace

from graders.results.measurements import REFERENCE, Clocked, Curve, Timing
from graders.timing import bands
from graders.timing.growth import Growth, growth_of_memory, growth_of_times
from graders.timing.intervals import Interval
from graders.timing.measurement import Measurement, ratio_interval
from graders.timing.rounds import CONTROL, MATH, STUDENT, TORCH, RoundTimes
from graders.timing.run_curves import Curves
from graders.timing.sentences import sentences

NAMES = (STUDENT, REFERENCE, TORCH, MATH)


def analyse(measured: Measurement, curves: Curves, flops: float | None) -> Timing:
    """Summarise a measurement for the result.

    Args:
        measured: what was measured of this submission.
        curves: what was measured once in the run.
        flops: of a forward pass at the judged length; None where they are not known.
    """
    judged, base = measured.judged, measured.base
    clocked = tuple(
        _summarise_length(length, backward, times, base)
        for (length, backward), times in sorted(measured.times.items())
    )
    slowest = max((c for c in clocked if c.length == judged), key=lambda c: c.ratio)
    interval = _interval(measured, slowest)
    growth = {name: found for name in NAMES if (found := _growth_of(name, measured, curves))}
    controls = [measured.times[judged, backward].median_ratio(CONTROL, base) for backward in (False, True)]
    timing = Timing(
        against=base,
        judged=judged,
        ratio=slowest.ratio,
        low=round(interval.low, 3),
        high=round(interval.high, 3),
        band=bands.name_of(interval),
        control=round(float(max(controls, key=lambda control: abs(math.log(control)))), 4),
        growth={name: round(found.exponent, 3) for name, found in growth.items()},
        growth_low={name: round(found.interval.low, 3) for name, found in growth.items()},
        growth_high={name: round(found.interval.high, 3) for name, found in growth.items()},
        memory=_memory(measured, curves),
        memory_growth=_memory_growth(measured, curves),
        rates=_rates(measured, curves, flops),
        peak=curves.peak,
        clocked=clocked,
        curves=_curves(curves),
    )
    return replace(timing, says=tuple(sentences(timing, slowest, measured.loops, measured.stopped)))


def _interval(measured: Measurement, clocked: Clocked) -> Interval:
    return ratio_interval(measured.times[clocked.length, clocked.mode == "backward"], measured.base)


def _summarise_length(length: int, backward: bool, round_times: RoundTimes, base: str) -> Clocked:
    ratios = sorted(round_times.ratios(STUDENT, base))
    # The range shown is that of the middle half; with few rounds, of all.
    cut = len(ratios) // 4 if len(ratios) > 4 else 0
    inner = ratios[cut : len(ratios) - cut]
    ratio = round_times.median_ratio(STUDENT, base)
    return Clocked(
        length=length,
        mode="backward" if backward else "forward",
        student=_rounded(round_times, STUDENT),
        reference=_rounded(round_times, REFERENCE),
        torch=_rounded(round_times, TORCH),
        ratio=round(ratio, 3),
        low=round(min(ratio, inner[0]), 3),
        high=round(max(ratio, inner[-1]), 3),
        math=_rounded(round_times, MATH),
    )


def _curves(curves: Curves) -> tuple[Curve, ...]:
    return tuple(
        Curve(
            length=length,
            mode="backward" if backward else "forward",
            reference=_rounded(times, REFERENCE),
            torch=_rounded(times, TORCH),
        )
        for (length, backward), times in sorted(curves.times.items())
    )


def _rounded(round_times: RoundTimes, name: str) -> tuple[float, ...]:
    return tuple(round(seconds, 9) for seconds in round_times.times.get(name, ()))


def _growth_of(name: str, measured: Measurement, curves: Curves) -> Growth | None:
    """The growth of the forward times at the three greatest lengths; None where they do not tell."""
    by_length: dict[int, RoundTimes] = {}
    for source in (curves.times, measured.times):  # where both have a contestant, beside the student
        by_length |= {
            length: times
            for (length, backward), times in source.items()
            if not backward and name in times.times
        }
    lengths = sorted(by_length)[-3:]
    if len(lengths) < 3 or lengths[1] ** 2 != lengths[0] * lengths[2]:
        return None
    return growth_of_times([by_length[length].times[name] for length in lengths], lengths[1] / lengths[0])


def _memory(measured: Measurement, curves: Curves) -> dict[str, int]:
    """Peak bytes at the judged length; the reference's once a run, where they are not this submission's."""
    shared = {measured.base: curves.peaks.get(measured.base, {}).get(measured.judged, 0)}
    return {name: size for name, size in (shared | dict(measured.memory)).items() if size}


def _memory_growth(measured: Measurement, curves: Curves) -> dict[str, float]:
    found = {
        STUDENT: growth_of_memory(measured.peaks.get(STUDENT, {})),
        REFERENCE: curves.memory_growth(REFERENCE),
        TORCH: curves.memory_growth(TORCH),
    }
    return {name: round(exponent, 2) for name, exponent in found.items() if exponent is not None}


def _rates(measured: Measurement, curves: Curves, flops: float | None) -> dict[str, float]:
    """FLOP/s of the forward pass at the judged length."""
    if flops is None:
        return {}
    times = measured.times[measured.judged, False]
    seconds: Mapping[str, float | None] = {
        name: times.median(name) if name in times.times else curves.time_of(name, measured.judged, False)
        for name in NAMES
    }
    return {name: float(f"{flops / taken:.4g}") for name, taken in seconds.items() if taken}
