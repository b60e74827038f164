"""Judge code that reads its mask in another sense: one check fails, the others use the sense that holds."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from graders.candidate.find_mask_sense import find_mask_sense
from graders.candidate.remote_candidate import RemoteCandidate
from graders.check_api.mask_sense import MaskArgument
from graders.help.topics import with_topic
from graders.language import tr
from graders.results.mistakes import join_mistakes
from graders.results.result import Finding, Mistake, Outcome


def judge_in_own_sense(
    argument: MaskArgument,
    candidate: RemoteCandidate,
    findings: list[Finding],
    draws: Callable[[], Sequence[Any]],
    identify: Callable[[], Sequence[Sequence[Mistake]]],
    try_again: Callable[[Finding], Finding],
) -> list[Finding]:
    """The findings; where the mask is read in another sense, those of the other checks under that sense.

    Args:
        argument: the exercise's mask.
        candidate: afterwards its `mask_sense` is the one that holds.
        findings: of all checks, under the exercise's own sense.
        draws: the diagnostic draws.
        identify: the known mistakes of the candidate, as it stands.
        try_again: the finding of the same check, now.
    """
    about_sense = next((f for f in findings if f.check == argument.check), None)
    if about_sense is None or not about_sense.outcome.failed_or_raised:
        return findings
    sense = find_mask_sense(candidate, argument, draws())
    if sense is None or sense is argument.sense:
        return findings
    message = tr(
        "the mask is read in another sense. In this exercise {due}; your code expects that {own}. "
        "All other checks were tried in your code's sense",
        due=argument.sense.says,
        own=sense.says,
    )
    mistakes = tuple(map(tuple, identify()))
    message = with_topic(message, "masks")
    told = replace(about_sense, message=message, mistake=join_mistakes(mistakes), mistakes=mistakes)
    candidate.use_mask_sense(argument, sense)
    return [
        told if f is about_sense else f if f.outcome is Outcome.PASSED else try_again(f) for f in findings
    ]
