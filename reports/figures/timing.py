"""The speed of an exercise's code on a page: sentences, a table, and a plot of time against length."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from graders.language import number, tr, translatable, trn
from graders.results.measurements import Clocked, Curve, Timing
from reports.figures.plot import Plot
from reports.figures.written_svg import ACCENT, INK

_NAMES = {
    "student": translatable("yours"),
    "reference": translatable("reference"),
    "torch": "PyTorch",
    "math": translatable("PyTorch, plain"),
}
_MODES = {"forward": translatable("forward"), "backward": translatable("forward and backward")}
_DASHES = {"student": "", "reference": "8 3", "torch": "2 3", "math": "6 3 2 3"}
LEAST_S = 1e-7  # drawn: a time may be 0, since that of an empty request is subtracted from it
_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"))


@dataclass(frozen=True)
class Times:
    """The times at one length: seconds by side, and the ratio where the student's code was timed."""

    length: int
    mode: str
    by_side: Mapping[str, Sequence[float]]
    clocked: Clocked | None


@dataclass(frozen=True)
class Chart:
    """A plot and its title."""

    title: str
    svg: Markup


def template_values(timing: Timing) -> Mapping[str, Any]:
    """The values that `timing.html.j2` needs."""
    everything = _all_times(timing)
    modes = [(mode, [times for times in everything if times.mode == mode]) for mode in _MODES]
    sides = [side for side in _NAMES if any(side in times.by_side for times in everything)]
    return {
        "says": timing.says,
        "none": reason_without_times(timing),
        "sides": [tr(_NAMES[side]) for side in sides],
        "against": tr("times the reference") if timing.against == "reference" else tr("times PyTorch"),
        "rows": [_row(times, sides) for times in everything],
        "memory": [(tr(_NAMES[s]), megabytes(timing.memory[s])) for s in _NAMES if s in timing.memory],
        "judged": timing.judged,
        "how": _describe_clock(timing),
        "charts": [
            Chart(tr(_MODES[mode]), _chart(times, sides, tr(_MODES[mode])))
            for mode, times in modes
            if len(times) > 1
        ],
    }


def reason_without_times(timing: Timing) -> str | None:
    """A sentence on why there are no times; None where there are times."""
    if timing.refused:
        return tr("Not timed: {why}.", why=timing.refused)
    return tr("Not timed: {why}. This costs no points.", why=timing.skipped) if timing.skipped else None


def seconds(value: float) -> str:
    """A time with its unit: `4.35 ms`."""
    scale, unit = next(((s, u) for s, u in _UNITS if value >= s), _UNITS[-1])
    return f"{number(value / scale, '.3g')} {unit}"


def megabytes(size: int) -> str:
    """A size in megabytes: `12 MB`."""
    return tr("{n} MB", n=number(size / 1e6, ".0f"))


def _describe_clock(timing: Timing) -> str:
    if timing.clock == "cpu":
        clock = trn("CPU time of one thread", "CPU time of {n} threads together", timing.threads)
    else:
        clock = tr("time by the clock")
    sentence = tr("{clock}, read from outside the box ({box})", clock=clock, box=timing.sandbox)
    if timing.control is None:
        return sentence
    times = number(timing.control, ".2f")
    return tr("{measured}; against itself the reference took x {times}", measured=sentence, times=times)


def _all_times(timing: Timing) -> list[Times]:
    """The times of this submission, and those measured once in the run, by length; its own come first."""
    found: dict[tuple[int, str], Times] = {}
    several: list[Curve | Clocked] = [*timing.curves, *timing.clocked]
    for measured in several:
        key = measured.length, measured.mode
        sides = {side: times for side in _NAMES if (times := getattr(measured, side, ()))}
        before = found[key].by_side if key in found else {}
        clocked = measured if isinstance(measured, Clocked) else None
        found[key] = Times(*key, {**before, **sides}, clocked)
    return [found[key] for key in sorted(found, key=lambda key: (key[0], list(_MODES).index(key[1])))]


def _row(times: Times, sides: Sequence[str]) -> Mapping[str, Any]:
    clocked = times.clocked
    low, high = (number(end, ".2g") for end in (clocked.low, clocked.high)) if clocked else ("", "")
    return {
        "length": times.length,
        "mode": tr(_MODES[times.mode]),
        "times": [seconds(min(times.by_side[side])) if side in times.by_side else "" for side in sides],
        "ratio": number(clocked.ratio, ".2g") if clocked else "",
        "spread": tr("{low} to {high}", low=low, high=high) if clocked else "",
    }


def _chart(measured: Sequence[Times], sides: Sequence[str], mode: str) -> Markup:
    """The least times of each side, up to the upper quartile."""
    drawable = [
        {side: [max(value, LEAST_S) for value in values] for side, values in times.by_side.items()}
        for times in measured
    ]
    every = [value for by_side in drawable for values in by_side.values() for value in values]
    lengths = [times.length for times in measured]
    plot = Plot(lengths[0], lengths[-1], min(every) / 1.3, max(every) * 1.3)
    drawn, ends = "", []
    for side in reversed(sides):  # the student's own is above the others
        line = [(n, by_side[side]) for n, by_side in zip(lengths, drawable, strict=True) if side in by_side]
        colour = ACCENT if side == "student" else INK
        least = [(length, min(values)) for length, values in line]
        upper = [(length, sorted(values)[3 * len(values) // 4]) for length, values in line]
        drawn += plot.band(least, upper, colour) + plot.dots(least, colour)
        drawn += plot.line(least, colour, 2, _DASHES[side])
        ends += [(tr(_NAMES[side]), least[-1][1], colour)] if least else []
    label = tr("time against length, {mode}, on logarithmic axes; the table has the same numbers", mode=mode)
    return plot.svg(plot.axes(lengths, seconds) + drawn + plot.names(ends), label)
