"""A trained model on a submission's page: its losses, their dependence on context, its curve, its text."""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from graders.language import number, tr, trn
from graders.results.measurements import Logged, Trained
from reports.figures.svg import ACCENT, INK, render_svg

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NATS_PER_BIT = math.log(2)
MEMORISED = 0.3  # bits per character between held-out and training loss, from which on the page says so
WIDTH, HEIGHT = 330, 170  # points of a picture
LABEL_SHIFT, LETTER_WIDTH = 5, 5.2  # points
TABLE_ROWS = 12  # of a learning curve's table

Line = Sequence[tuple[float, float]]


def template_values(trained: Trained, prefix: str) -> Mapping[str, Any]:
    """The values that `trained.html.j2` needs.

    Args:
        trained: what was measured.
        prefix: makes ids unique on the page.
    """
    return {
        "facts": _facts(trained),
        "losses": _losses(trained),
        "gap": _describe_gap(trained),
        "context": _context(trained, f"{prefix}-context") if len(trained.by_context) > 1 else None,
        "by_context": [
            (_context_range(trained.by_context, n), bits) for n, (_, bits) in enumerate(trained.by_context)
        ],
        "learning": _learning(trained.losses, f"{prefix}-learning") if len(trained.losses) > 1 else None,
        "logged": [_row(point) for point in _thin_out(trained.losses)],
        "sample": trained.sample,
    }


def _facts(trained: Trained) -> list[tuple[str, str]]:
    characters = number(trained.characters, ",")
    facts = [
        (tr("Corpus"), trained.corpus),
        (tr("Numbers in the model"), number(trained.parameters, ",")),
        (tr("Tokens"), number(trained.vocab_size, ",")),
        (tr("Context"), trn("{n} token", "{n} tokens", trained.block_size)),
        (tr("Measured on"), tr("{n} characters", n=characters) if trained.characters else ""),
    ]
    return [(name, value) for name, value in facts if value]


def _losses(trained: Trained) -> list[tuple[str, str, str, bool]]:
    """Each loss: its name, bits and nats per character, and whether points depend on it."""
    seen = trained.prefixes is not None
    unseen = tr("yours, on held-out text")
    losses = [
        (tr("yours, on held-out text, with later tokens visible") if seen else unseen, trained.held_out),
        (tr("yours, on held-out text, without later tokens"), trained.prefixes),
        (tr("yours, on training text"), trained.train),
        (tr("a bigram's: no points"), trained.bigram),
        (tr("the target: all points"), trained.target),
        (tr("the lowest that any model can reach"), trained.entropy),
    ]
    counts = losses[1] if seen else losses[0]
    return [
        (name, number(bits, ".3f"), number(bits * NATS_PER_BIT, ".3f"), (name, bits) == counts)
        for name, bits in losses
        if bits is not None
    ]


def _describe_gap(trained: Trained) -> str | None:
    if trained.train is None or trained.counted is None:
        return None
    gap = trained.counted - trained.train
    if gap < MEMORISED:
        return None
    return tr(
        "The loss on held-out text is {gap} bits per character above that on training text: the model "
        "overfits. A smaller model, more dropout or fewer steps would lower the loss on new text.",
        gap=number(gap, ".2f"),
    )


def _context_range(by_context: Sequence[tuple[int, float]], index: int) -> str:
    """The range of context lengths that a mean covers."""
    start = by_context[index][0]
    after = by_context[index + 1][0] if index + 1 < len(by_context) else None
    if after is None:
        return tr("{n} and more", n=number(start, ","))
    low, high = number(start, ","), number(after - 1, ",")
    return low if after == start + 1 else tr("{low} to {high}", low=low, high=high)


def _row(point: Logged) -> tuple[str, str, str]:
    train, held_out = ("" if loss is None else number(loss, ".3f") for loss in (point.train, point.held_out))
    return number(point.step, ",.0f"), train, held_out


def _thin_out(losses: Sequence[Logged]) -> Sequence[Logged]:
    """At most `TABLE_ROWS` points of a curve, evenly spread, with the first and the last."""
    if len(losses) <= TABLE_ROWS:
        return losses
    return [losses[round(n * (len(losses) - 1) / (TABLE_ROWS - 1))] for n in range(TABLE_ROWS)]


def _context(trained: Trained, prefix: str) -> Markup:
    bigram, target = tr("bigram"), tr("target")
    chart, axes = _chart(tr("tokens of context"), tr("bits per token"), bigram, target)
    axes.set_xscale("log", base=2)
    by_context = trained.by_context
    _line(axes, [(float(length), bits) for length, bits in by_context], ACCENT)
    ticks = [length for length, _ in by_context if length & (length - 1) == 0]
    axes.set_xticks(ticks, [number(length, ",") for length in ticks])
    axes.minorticks_off()
    if trained.vocab_size and trained.bigram is not None and trained.target is not None:
        _horizontal_line(axes, trained.bigram, bigram)
        _horizontal_line(axes, trained.target, target)
    _format_ticks(axes)
    (first, high), (last, low) = by_context[0], by_context[-1]
    label = tr(
        "loss against context: {high} bits per token with {first}, {low} with {last} and more; "
        "the table has the same numbers",
        high=number(high, ".2f"),
        first=first,
        low=number(low, ".2f"),
        last=last,
    )
    return render_svg(chart, prefix, label)


def _learning(losses: Sequence[Logged], prefix: str) -> Markup:
    unseen, seen = tr("held out"), tr("train")
    chart, axes = _chart(tr("step"), tr("nats per token"), unseen, seen)
    train = [(point.step, point.train) for point in losses if point.train is not None]
    held_out = [(point.step, point.held_out) for point in losses if point.held_out is not None]
    _line(axes, train, INK, dashed=True)
    _line(axes, held_out, ACCENT)
    if train and held_out:  # the labels are moved apart, since the lines may end close together
        above = held_out[-1][1] >= train[-1][1]
        _label(axes, held_out[-1][1], unseen, ACCENT, LABEL_SHIFT if above else -LABEL_SHIFT)
        _label(axes, train[-1][1], seen, INK, -LABEL_SHIFT if above else LABEL_SHIFT)
    _format_ticks(axes)
    label = tr(
        "the learning curve that was handed in, to step {step}; the table has some of its numbers",
        step=number(losses[-1].step, ",.0f"),
    )
    return render_svg(chart, prefix, label)


def _chart(x: str, y: str, *names: str) -> tuple["Figure", "Axes"]:
    """A plot with these axis labels, and room for these names at its right end."""
    from matplotlib.figure import Figure

    room = max(0.15, (4 + LETTER_WIDTH * max(map(len, names))) / WIDTH)
    chart = Figure(figsize=(WIDTH / 72, HEIGHT / 72))
    axes = chart.add_axes((0.13, 0.2, 0.87 - room, 0.76))
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(INK)
        axes.spines[side].set_linewidth(0.6)
    axes.tick_params(length=0, labelsize=8, labelcolor=INK)
    axes.set_xlabel(x, fontsize=9, color=INK)
    axes.set_ylabel(y, fontsize=9, color=INK)
    return chart, axes


def _line(axes: "Axes", line: Line, colour: str, *, dashed: bool = False) -> None:
    if line:
        across, up = zip(*line, strict=True)
        style = (0, (4, 2)) if dashed else "solid"
        axes.plot(across, up, color=colour, linewidth=1.4, linestyle=style)


def _format_ticks(axes: "Axes") -> None:
    """Write the numbers of the loss axis by the rules of the language, with unchanged decimals."""
    labels = axes.yaxis.get_major_formatter().format_ticks(list(axes.get_yticks()))
    decimals = max((len(label.partition(".")[2]) for label in labels), default=0)
    axes.yaxis.set_major_formatter(lambda value, _: number(value, f".{decimals}f"))


def _horizontal_line(axes: "Axes", bits: float, name: str) -> None:
    axes.axhline(bits, color=INK, linewidth=0.8, linestyle=(0, (1, 2)))
    _label(axes, bits, name, INK)


def _label(axes: "Axes", height: float, name: str, colour: str, up: float = 0) -> None:
    """Write a name at the right end of the plot, `up` points above this height."""
    axes.annotate(
        name,
        (1, height),
        (4, up),
        ("axes fraction", "data"),
        "offset points",
        va="center",
        fontsize=8.5,
        color=colour,
    )
