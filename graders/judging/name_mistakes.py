"""Name the known mistakes that explain failed findings."""

from collections.abc import Sequence
from dataclasses import replace

from graders.candidate.remote_candidate import RemoteCandidate
from graders.diagnosis.known_mistakes import KnownMistakes
from graders.diagnosis.right_parts import RightParts
from graders.judging.judge_around import candidate_around
from graders.results.mistakes import join_mistakes
from graders.results.result import Finding
from graders.sandbox.session import Session


def name_mistakes(
    session: Session,
    candidate: RemoteCandidate,
    known_mistakes: KnownMistakes,
    parts: RightParts | None,
    findings: list[Finding],
) -> list[Finding]:
    """The findings; the failed ones with the known mistakes that explain them, around these parts."""
    if not any(map(_is_unexplained, findings)):
        return findings
    with candidate_around(parts, session, candidate) as around:
        mistakes = known_mistakes.identify(around) if around else ()
    mistake = join_mistakes(mistakes)
    return [replace(f, mistake=mistake, mistakes=mistakes) if _is_unexplained(f) else f for f in findings]


def places(parts: RightParts | None) -> Sequence[RightParts | None]:
    """The parts around which mistakes are looked for, in turn; None for the submission's own."""
    return (parts, None) if parts and parts.called else (None,)


def _is_unexplained(finding: Finding) -> bool:
    return finding.outcome.failed_or_raised and not finding.mistakes
