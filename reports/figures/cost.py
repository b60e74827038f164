"""How the cost of a student's code grows, on a page: what is due and what was measured, plots and a table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from markupsafe import Markup

from graders.language import number, tr, translatable
from graders.results.measurements import CostCurve
from graders.results.result import Finding
from reports.figures.plot import Plot
from reports.figures.timing import megabytes, seconds

SHOWN_BYTES = 1e5  # of a peak in the plot: less lies within pages that were free before
_NAMES = {"time": translatable("CPU time"), "memory": translatable("peak memory")}
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Chart:
    """A plot where there are points enough, its title, and what it shows in a sentence."""

    title: str
    says: str
    svg: Markup | None


def template_values(findings: Sequence[Finding]) -> Mapping[str, Any] | None:
    """The values that `cost.html.j2` needs, of an exercise's findings; None where nothing was measured."""
    costs = [curve for finding in findings for curve in finding.costs]
    curves = [curve for curve in costs if curve.of in _NAMES and curve.measured]
    if not curves:
        return None
    lengths = sorted({length for curve in curves for length, _ in curve.measured})
    return {
        "charts": [Chart(tr(_NAMES[curve.of]), _says(curve), _chart(curve)) for curve in curves],
        "columns": [tr("{cost}, {n} columns", cost=tr(_NAMES[curve.of]), n=curve.width) for curve in curves],
        "rows": [(length, [_cell(curve, length) for curve in curves]) for length in lengths],
    }


def _says(curve: CostCurve) -> str:
    """How the cost grows, and how it may."""
    length, cost = curve.measured[-1]
    if cost < curve.least:
        return tr(
            "{cost} with {n} positions; below {least} it is not judged",
            cost=_write(curve, cost),
            n=length,
            least=_write(curve, curve.least),
        )
    due = _power(curve.due)
    if curve.found is None:
        return tr("it should grow as {due}", due=due)
    found = f"S^{number(curve.found, '.1f')}"
    if curve.found > curve.bound:
        return tr("it grows as {found}, and {due} is due: too fast", found=found, due=due)
    return tr("it grows as {found}, and {due} is due", found=found, due=due)


def _power(exponent: int) -> str:
    return "S" if exponent == 1 else "S" + str(exponent).translate(_RAISED)


def _write(curve: CostCurve, cost: float) -> str:
    if curve.of == "time":
        return seconds(cost)
    return megabytes(round(cost)) if cost >= 1e7 else tr("{n} MB", n=number(cost / 1e6, ".2g"))


def _cell(curve: CostCurve, length: int) -> str:
    costs = dict(curve.measured)
    return _write(curve, costs[length]) if length in costs else ""


def _chart(curve: CostCurve) -> Markup | None:
    """The curve; where it is judged, from its second longest length on, how it should grow and must not."""
    shown = [(length, cost) for length, cost in curve.measured if cost > _least_shown(curve)]
    if len(shown) < 2:
        return None
    (shorter, cost), (longest, highest) = shown[-2:]
    rays = _rays(curve) if highest >= curve.least else {}
    lines = {
        name: ([(shorter, cost), (longest, cost * (longest / shorter) ** exponent)], dashes)
        for name, (exponent, dashes) in rays.items()
    }
    lengths = [length for length, _ in curve.measured]
    if not rays:
        level = [(lengths[0], curve.least), (longest, curve.least)]
        lines[_write(curve, curve.least)] = level, "1 3"
    values = [value for line in (shown, *(line for line, _ in lines.values())) for _, value in line]
    plot = Plot(lengths[0], lengths[-1], min(values) / 1.3, max(values) * 1.3)
    drawn = "".join(plot.line(line, "currentColor", 1, dashes) for line, dashes in lines.values())
    drawn += plot.line(shown, "var(--accent)", 2) + plot.dots(shown, "var(--accent)")
    ends = [(name, line[-1][1], "currentColor") for name, (line, _) in lines.items()]
    names = plot.names([(tr("yours"), highest, "var(--accent)"), *ends])
    return plot.svg(plot.axes(lengths, partial(_write, curve)) + drawn + names, _describe(curve))


def _least_shown(curve: CostCurve) -> float:
    return SHOWN_BYTES if curve.of == "memory" else 0.0


def _rays(curve: CostCurve) -> dict[str, tuple[float, str]]:
    """The exponents to compare with, each with the dashes of its line, by name."""
    return {
        tr("due: {power}", power=_power(curve.due)): (curve.due, "6 3"),
        tr("bound"): (curve.bound, "1 3"),
        tr("wrong: {power}", power=_power(curve.due + 1)): (curve.due + 1, "6 3 1 3"),
    }


def _describe(curve: CostCurve) -> str:
    return tr(
        "{cost} against length, on logarithmic axes: {says}; the table has the same numbers",
        cost=tr(_NAMES[curve.of]),
        says=_says(curve),
    )
