"""Judge code that reads its mask in its own way: one check fails, the others use the way that holds."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from graders.candidate.find_mask_reading import find_mask_reading
from graders.candidate.remote_candidate import RemoteCandidate
from graders.check_api.mask_sense import Form, MaskArgument, Reading
from graders.diagnosis.known_mistakes import Explained
from graders.help.topics import with_topic
from graders.language import tr
from graders.results.mistakes import join_mistakes
from graders.results.result import Finding, Mistake, Outcome

# Code whose mask acts in another sense may do in the exercise's what code does that has none: no true names.
WITHOUT_MASK = ("mask_lost", "mask_ignored")


def judge_as_read(
    argument: MaskArgument,
    candidate: RemoteCandidate,
    findings: list[Finding],
    draws: Callable[[], Sequence[Any]],
    explain: Callable[[], Explained],
    try_again: Callable[[Finding], Finding],
) -> list[Finding]:
    """The findings; where the mask is read in another way, those of the other checks with such masks.

    Args:
        argument: the exercise's mask.
        candidate: afterwards its `mask_reading` is the one that holds.
        findings: of all checks, with masks as the exercise says.
        draws: the diagnostic draws.
        explain: by what known mistakes the candidate is explained, as it stands.
        try_again: the finding of the same check, now.
    """
    about = (argument.check, argument.shapes)
    if not any(f.outcome is Outcome.RAISED or _failed(f, about) for f in findings):
        return findings
    reading = find_mask_reading(candidate, argument, draws())
    if reading is None or reading == Reading(argument.sense):
        return findings
    before = candidate.mask_reading
    # With its own axes, so that what it answers can be compared.
    candidate.use_mask_reading(argument, replace(reading, sense=argument.sense))
    mistakes: tuple[tuple[Mistake, ...], ...] = ()
    if reading.sense is not argument.sense and reading.proven:
        explained = explain()
        if _explains_without_sense(explained):
            reading = replace(reading, sense=argument.sense)
        else:
            mistakes = _about_the_sense(explained)
    if reading == Reading(argument.sense):
        candidate.mask_reading = before
        return findings
    candidate.use_mask_reading(argument, reading)
    messages = _tell_reading(argument, reading)
    return [
        replace(
            f,
            outcome=Outcome.FAILED,
            points=0,
            message=with_topic("\n".join(messages[f.check]), "masks"),
            mistake=join_mistakes(mistakes) if f.check == argument.check else None,
            mistakes=mistakes if f.check == argument.check else (),
        )
        if f.check in messages
        else f
        if f.outcome is Outcome.PASSED
        else try_again(f)
        for f in findings
    ]


def _explains_without_sense(explained: Explained) -> bool:
    """Whether mistakes that are not about masks explain the code under masks in the exercise's sense."""
    known = len(explained.alternatives) == 1 and explained.explains_masks
    return known and not any("mask" in name.partition("__")[2] for name in explained.alternatives[0])


def _about_the_sense(explained: Explained) -> tuple[tuple[Mistake, ...], ...]:
    """Of the mistakes that explain the code, those about masks: what else it has shows in other checks."""
    pairs = (p for p in explained.mistakes if not any(m.name.endswith(WITHOUT_MASK) for m in p))
    about = (tuple(m for m in pair if "mask" in m.name.partition("__")[2]) for pair in pairs)
    return tuple(dict.fromkeys(pair for pair in about if pair))


def _failed(finding: Finding, about: tuple[str, ...]) -> bool:
    return finding.check in about and finding.outcome.failed_or_raised


def _tell_reading(argument: MaskArgument, reading: Reading) -> dict[str, list[str]]:
    """What is said of the reading, by the check that it costs."""
    messages: dict[str, list[str]] = {}
    if reading.sense is not argument.sense and reading.proven:
        message = tr(
            "the mask is read in another sense. In this exercise {due}; your code expects that {own}. "
            "All other checks were tried in your code's sense",
            due=argument.sense.says,
            own=reading.sense.says,
        )
        messages.setdefault(argument.check, []).append(message)
    if reading.form is not Form.AS_GIVEN:
        message = tr(
            "your code takes masks of shape {form} alone. "
            "All other checks were tried with masks of this shape",
            form=reading.form.value,
        )
        messages.setdefault(argument.shapes, []).append(message)
    if reading.further is not None:
        message = tr(
            "your code takes a mask of the memory of shape {form} alone. "
            "All other checks were tried with masks of this shape",
            form=reading.further.value,
        )
        messages.setdefault(argument.shapes, []).append(message)
    if reading.filled:
        message = tr(
            "with a mask, your code asks for further arguments, which may be left out. "
            "All other checks were tried with zeros in their place"
        )
        messages.setdefault(argument.check, []).append(message)
    if reading.needed:
        message = tr(
            "your code raises without a mask, which may be left out. "
            "All other checks were tried with a mask that hides nothing"
        )
        messages.setdefault(argument.shapes or argument.check, []).append(message)
    return messages
