"""A trained model on a submission's page: its losses, where they fall, how it learned, what it writes."""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from graders.language import number, tr, trn
from graders.results.measurements import Logged, Trained
from reports.figures.svg import ACCENT, INK, drawn

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NAT = math.log(2)  # of a bit
BY_HEART = 0.3  # bits per character that new text costs more, from which on it is said
WIDTH, HEIGHT = 330, 170  # points of a picture
NAMES_APART, LETTER = 5, 5.2  # points
ROWS = 12  # of a learning curve's table

Line = Sequence[tuple[float, float]]


def shown(trained: Trained, prefix: str) -> Mapping[str, Any]:
    """What the page says of a model.

    Args:
        trained: what was measured of it.
        prefix: makes ids unique on the page.
    """
    return {
        "facts": _facts(trained),
        "losses": _losses(trained),
        "gap": _gap(trained),
        "context": _context(trained, f"{prefix}-context") if len(trained.by_context) > 1 else None,
        "by_context": [
            (_steps(trained.by_context, n), bits) for n, (_, bits) in enumerate(trained.by_context)
        ],
        "learning": _learning(trained.losses, f"{prefix}-learning") if len(trained.losses) > 1 else None,
        "logged": [_row(one) for one in _some(trained.losses)],
        "sample": trained.sample,
    }


def _facts(trained: Trained) -> list[tuple[str, str]]:
    read = number(trained.characters, ",")
    found = [
        (tr("Corpus"), trained.corpus),
        (tr("Numbers in the model"), number(trained.parameters, ",")),
        (tr("Tokens"), number(trained.vocab_size, ",")),
        (tr("Context"), trn("{n} token", "{n} tokens", trained.block_size)),
        (tr("Measured on"), tr("{n} characters", n=read) if trained.characters else ""),
    ]
    return [(name, value) for name, value in found if value]


def _losses(trained: Trained) -> list[tuple[str, str, str, bool]]:
    """Each loss: whose, in bits and in nats per character, whether it is the one that counts."""
    seen = trained.prefixes is not None
    unseen = tr("yours, on text that it never saw")
    found = [
        (tr("yours, on text that it never saw, seeing what comes") if seen else unseen, trained.held_out),
        (tr("yours, where it does not see what comes"), trained.prefixes),
        (tr("yours, on text to train on"), trained.train),
        (tr("a bigram's: no points"), trained.bigram),
        (tr("the target: all points"), trained.target),
        (tr("the best that any model can have"), trained.entropy),
    ]
    counts = found[1] if seen else found[0]
    return [
        (says, number(bits, ".3f"), number(bits * NAT, ".3f"), (says, bits) == counts)
        for says, bits in found
        if bits is not None
    ]


def _gap(trained: Trained) -> str | None:
    if trained.train is None or trained.counted is None:
        return None
    gap = trained.counted - trained.train
    if gap < BY_HEART:
        return None
    return tr(
        "New text costs {gap} bits per character more than text to train on: the model has begun to "
        "know that by heart. A smaller model, more dropout or an earlier end would serve new text better.",
        gap=number(gap, ".2f"),
    )


def _steps(found: Sequence[tuple[int, float]], place: int) -> str:
    """The lengths of context that a mean is over."""
    start = found[place][0]
    after = found[place + 1][0] if place + 1 < len(found) else None
    if after is None:
        return tr("{n} and more", n=number(start, ","))
    low, high = number(start, ","), number(after - 1, ",")
    return low if after == start + 1 else tr("{low} to {high}", low=low, high=high)


def _row(one: Logged) -> tuple[str, str, str]:
    train, held_out = ("" if loss is None else number(loss, ".3f") for loss in (one.train, one.held_out))
    return number(one.step, ",.0f"), train, held_out


def _some(losses: Sequence[Logged]) -> Sequence[Logged]:
    """Some of a curve's points, the first and the last among them."""
    if len(losses) <= ROWS:
        return losses
    return [losses[round(n * (len(losses) - 1) / (ROWS - 1))] for n in range(ROWS)]


def _context(trained: Trained, prefix: str) -> Markup:
    bigram, target = tr("bigram"), tr("target")
    chart, axes = _chart(tr("tokens of context"), tr("bits per token"), bigram, target)
    axes.set_xscale("log", base=2)
    found = trained.by_context
    _line(axes, [(float(length), bits) for length, bits in found], ACCENT)
    ticks = [length for length, _ in found if length & (length - 1) == 0]
    axes.set_xticks(ticks, [number(length, ",") for length in ticks])
    axes.minorticks_off()
    if trained.vocab_size and trained.bigram is not None and trained.target is not None:
        _level(axes, trained.bigram, bigram)
        _level(axes, trained.target, target)
    _number(axes)
    (first, high), (last, low) = found[0], found[-1]
    label = tr(
        "loss against context: {high} bits per token with {first}, {low} with {last} and more; "
        "the table has the same numbers",
        high=number(high, ".2f"),
        first=first,
        low=number(low, ".2f"),
        last=last,
    )
    return drawn(chart, prefix, label)


def _learning(losses: Sequence[Logged], prefix: str) -> Markup:
    unseen, seen = tr("held out"), tr("train")
    chart, axes = _chart(tr("step"), tr("nats per token"), unseen, seen)
    train = [(one.step, one.train) for one in losses if one.train is not None]
    held_out = [(one.step, one.held_out) for one in losses if one.held_out is not None]
    _line(axes, train, INK, dashed=True)
    _line(axes, held_out, ACCENT)
    if train and held_out:  # apart, however close they end
        above = held_out[-1][1] >= train[-1][1]
        _name(axes, held_out[-1][1], unseen, ACCENT, NAMES_APART if above else -NAMES_APART)
        _name(axes, train[-1][1], seen, INK, -NAMES_APART if above else NAMES_APART)
    _number(axes)
    label = tr(
        "the learning curve that was handed in, to step {step}; the table has some of its numbers",
        step=number(losses[-1].step, ",.0f"),
    )
    return drawn(chart, prefix, label)


def _chart(x: str, y: str, *names: str) -> tuple["Figure", "Axes"]:
    """A picture whose axes are called so, with room for these names at its right end."""
    from matplotlib.figure import Figure

    room = max(0.15, (4 + LETTER * max(map(len, names))) / WIDTH)
    chart = Figure(figsize=(WIDTH / 72, HEIGHT / 72))
    axes = chart.add_axes((0.13, 0.2, 0.87 - room, 0.76))
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(INK)
        axes.spines[side].set_linewidth(0.6)
    axes.tick_params(length=0, labelsize=8, labelcolor=INK)  # ticks would be elements that refer to others
    axes.set_xlabel(x, fontsize=9, color=INK)
    axes.set_ylabel(y, fontsize=9, color=INK)
    return chart, axes


def _line(axes: "Axes", line: Line, colour: str, *, dashed: bool = False) -> None:
    if line:
        across, up = zip(*line, strict=True)
        style = (0, (4, 2)) if dashed else "solid"
        axes.plot(across, up, color=colour, linewidth=1.4, linestyle=style)


def _number(axes: "Axes") -> None:
    """Losses at the side as the language writes numbers, with the decimals that they have."""
    labels = axes.yaxis.get_major_formatter().format_ticks(list(axes.get_yticks()))
    decimals = max((len(label.partition(".")[2]) for label in labels), default=0)
    axes.yaxis.set_major_formatter(lambda value, _: number(value, f".{decimals}f"))


def _level(axes: "Axes", bits: float, name: str) -> None:
    axes.axhline(bits, color=INK, linewidth=0.8, linestyle=(0, (1, 2)))
    _name(axes, bits, name, INK)


def _name(axes: "Axes", height: float, name: str, colour: str, up: float = 0) -> None:
    """A name at the right end of the picture, at this height, `up` points above it."""
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
