"""What a timing says to the student."""

from collections.abc import Sequence

from graders.language import number, tr, translatable
from graders.results.measurements import REFERENCE, Clocked, Timing
from graders.timing.rounds import STUDENT, TORCH

BASE_NAMES = {REFERENCE: translatable("the reference's"), TORCH: translatable("PyTorch's own")}
COMPARED = {
    "as fast": translatable("As fast: x {ratio} ({low} to {high}) {whose} time at length {length}, {how}."),
    "slower": translatable("Slower: x {ratio} ({low} to {high}) {whose} time at length {length}, {how}."),
    "much slower": translatable(
        "Much slower: x {ratio} ({low} to {high}) {whose} time at length {length}, {how}."
    ),
    "": translatable("x {ratio} ({low} to {high}) {whose} time at length {length}, {how}."),
}


def sentences(
    timing: Timing, slowest: Clocked, loops: Sequence[str], stopped: tuple[int, str] | None
) -> list[str]:
    """Sentences about a timing, the most important first.

    Args:
        timing: the figures.
        slowest: the times of the mode, forward or backward, whose ratio counts.
        loops: the sizes with which the student's time grows.
        stopped: the length whose measurement was not finished, and the reason.
    """
    whose = tr(BASE_NAMES[timing.against])
    said = [_compare(timing, slowest, whose), _say_growth(timing, whose)]
    said += [
        tr(
            "The time grows with the number of {what}, where {whose} hardly does: a Python loop?",
            what=tr(size),
            whose=whose,
        )
        for size in loops
    ]
    said += [*_say_memory(timing), *_say_rates(timing)]
    if stopped is not None:
        said.append(tr("Timing stopped at length {length}: {why}.", length=stopped[0], why=stopped[1]))
    return said


def _compare(timing: Timing, slowest: Clocked, whose: str) -> str:
    return tr(
        COMPARED[timing.band],
        ratio=number(slowest.ratio, ".3g"),
        low=number(slowest.low if timing.low is None else timing.low, ".3g"),
        high=number(slowest.high if timing.high is None else timing.high, ".3g"),
        whose=whose,
        length=timing.judged,
        how=tr("forward and backward") if slowest.mode == "backward" else tr("forward"),
    )


def _say_growth(timing: Timing, whose: str) -> str:
    if STUDENT not in timing.growth:
        return tr("How its time grows with the length S: too short to tell.")
    own, low, high = (
        number(held[STUDENT], ".1f") for held in (timing.growth, timing.growth_low, timing.growth_high)
    )
    if timing.against not in timing.growth:
        return tr("Its time grows like S^{own}, {low} to {high}.", own=own, low=low, high=high)
    return tr(
        "Its time grows like S^{own}, {low} to {high} ({whose}: S^{other}).",
        own=own,
        low=low,
        high=high,
        whose=whose,
        other=number(timing.growth[timing.against], ".1f"),
    )


def _say_memory(timing: Timing) -> list[str]:
    if STUDENT not in timing.memory or STUDENT not in timing.memory_growth:
        return []
    size = number(timing.memory[STUDENT] / 1e6, ".3g")
    own = number(timing.memory_growth[STUDENT], ".1f")
    if TORCH not in timing.memory_growth:
        return [tr("It needs {size} MB, and its memory grows like S^{own}.", size=size, own=own)]
    other = number(timing.memory_growth[TORCH], ".1f")
    message = translatable(
        "It needs {size} MB, and its memory grows like S^{own} (PyTorch's own: S^{other})."
    )
    return [tr(message, size=size, own=own, other=other)]


def _say_rates(timing: Timing) -> list[str]:
    if STUDENT not in timing.rates or timing.peak is None:
        return []
    own = number(timing.rates[STUDENT] / 1e9, ".3g")
    share = number(100 * timing.rates[STUDENT] / timing.peak, ".2g")
    values = {"own": own, "share": share, **_other_rates(timing)}
    if "reference" in values and "torch" in values:
        message = translatable(
            "Forward it computes {own} GFLOP/s, {share}% of what a matrix product reaches here "
            "(the reference: {reference}, PyTorch's own: {torch})."
        )
    elif "torch" in values:
        message = translatable(
            "Forward it computes {own} GFLOP/s, {share}% of what a matrix product reaches here "
            "(PyTorch's own: {torch})."
        )
    else:
        message = translatable(
            "Forward it computes {own} GFLOP/s, {share}% of what a matrix product reaches here."
        )
    return [tr(message, **values)]


def _other_rates(timing: Timing) -> dict[str, str]:
    return {
        name: number(timing.rates[name] / 1e9, ".3g") for name in (REFERENCE, TORCH) if name in timing.rates
    }
