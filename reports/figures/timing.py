"""The speed of an exercise's code on a page: sentences, a table, and a plot of time against length."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from graders.language import number, tr, translatable, trn
from graders.results.measurements import Clocked, Curve, Timing
from reports.figures.svg import ACCENT, INK, render_svg

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDTH, HEIGHT = 300, 230
_NAMES = {
    "student": translatable("yours"),
    "reference": translatable("reference"),
    "torch": "PyTorch",
    "math": translatable("PyTorch, plain"),
}
_MODES = {"forward": translatable("forward"), "backward": translatable("forward and backward")}
_DASHES: dict[str, Any] = {
    "student": "solid",
    "reference": (0, (5, 2)),
    "torch": (0, (1, 2)),
    "math": (0, (4, 2, 1, 2)),
}
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


def template_values(timing: Timing, prefix: str) -> Mapping[str, Any]:
    """The values that `timing.html.j2` needs.

    Args:
        timing: what was measured.
        prefix: makes the ids in its plots unique on the page.
    """
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
            Chart(tr(_MODES[mode]), _chart(times, sides, f"{prefix}-time-{mode}", tr(_MODES[mode])))
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


def _chart(measured: Sequence[Times], sides: Sequence[str], prefix: str, mode: str) -> Markup:
    from matplotlib.figure import Figure

    chart = Figure(figsize=(WIDTH / 72, HEIGHT / 72))
    axes = chart.add_axes((0.17, 0.18, 0.6, 0.78))
    _style_axes(axes, measured)
    lines = {
        side: [(times.length, times.by_side[side]) for times in measured if side in times.by_side]
        for side in sides
    }
    for side, line in lines.items():
        _line(axes, line, side)
    _label_lines(axes, {side: min(line[-1][1]) for side, line in lines.items() if line})
    label = tr("time against length, {mode}, on logarithmic axes; the table has the same numbers", mode=mode)
    return render_svg(chart, prefix, label)


def _style_axes(axes: "Axes", measured: Sequence[Times]) -> None:
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(INK)
        axes.spines[side].set_linewidth(0.6)
    axes.tick_params(which="both", length=3, width=0.6, color=INK, labelsize=8, labelcolor=INK)
    lengths = [times.length for times in measured]
    axes.set_xticks(lengths, [str(length) for length in lengths])
    values = [value for times in measured for side in times.by_side.values() for value in side]
    low, high = min(values) / 1.3, max(values) * 1.3
    axes.set_ylim(low, high)
    steps = [digit * 10.0**power for power in range(-7, 4) for digit in (1, 3)]
    ticks = [step for step in steps if low <= step <= high]
    axes.set_yticks(ticks, [seconds(step * 1.0000001) for step in ticks])
    axes.minorticks_off()
    axes.set_xlabel(tr("length S"), fontsize=9, color=INK)


def _line(axes: "Axes", line: Sequence[tuple[int, Sequence[float]]], side: str) -> None:
    colour = ACCENT if side == "student" else INK
    lengths = [length for length, _ in line]
    minimums = [min(times) for _, times in line]
    axes.plot(
        lengths, minimums, color=colour, linewidth=1.4, linestyle=_DASHES[side], marker="o", markersize=3
    )
    upper = [sorted(times)[(3 * len(times)) // 4] for _, times in line]
    axes.fill_between(lengths, minimums, upper, color=colour, alpha=0.15, linewidth=0)


def _label_lines(axes: "Axes", ends: Mapping[str, float]) -> None:
    """Write the names at the right ends of the lines, moved apart so that they do not overlap."""
    label_height = -1000.0
    low, high = axes.get_ylim()
    for side, value in sorted(ends.items(), key=lambda end: end[1]):
        height = 0.78 * HEIGHT * math.log(value / low) / math.log(high / low)
        label_height = max(height, label_height + 11)
        axes.annotate(
            tr(_NAMES[side]),
            (1, 0),
            (5, label_height),
            "axes fraction",
            "offset points",
            va="center",
            fontsize=8.5,
            color=ACCENT if side == "student" else INK,
        )
