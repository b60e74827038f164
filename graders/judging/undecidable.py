"""Checks that cannot be decided although there is a reference: no mapping of the parameters is known."""

from collections.abc import Callable, Sequence

from graders.candidate.remote_candidate import RemoteCandidate
from graders.check_api.check import Check
from graders.course.exercise import Exercise
from graders.judging.draws import Draws
from graders.judging.global_sizes import ABOUT_SIZES
from graders.judging.two_layers import cannot_be_two_layers
from graders.results.result import Finding, Outcome

# How the names of checks begin that say nothing of the equality: they are about the answer's form, or others.
BESIDE = (ABOUT_SIZES, "drops_", "refuses_", "leaves_", "answers_with_", "is_four_times_")


def undecidable_checks(exercise: Exercise, draws: Draws, findings: Sequence[Finding]) -> list[Check]:
    """The checks that were skipped, without those that lack the reference."""
    skipped = {finding.check for finding in findings if finding.outcome is Outcome.SKIPPED}
    return [c for c in exercise.checks if c.name in skipped and draws.decidable(exercise, c)]


def decide_where_wrong(
    exercise: Exercise, draws: Draws, findings: list[Finding], try_again: Callable[[Check], Finding]
) -> list[Finding]:
    """The findings; where a core check failed, the undecided ones are decided on the draws that can be.

    Code with too few parameters may have enough of them with one head. It is wrong, and nobody has to decide.

    Args:
        exercise: the exercise.
        draws: those of the run.
        findings: of its checks.
        try_again: gives the finding of a check on the draws that can be decided.
    """
    failed = {finding.check for finding in findings if finding.outcome is Outcome.FAILED}
    if not any(check.core and check.name in failed for check in exercise.checks):
        return findings
    decided = {c.name: try_again(c) for c in undecidable_checks(exercise, draws, findings)}
    return [decided.get(finding.check, finding) for finding in findings]


def decide_other_layers(
    exercise: Exercise,
    draws: Draws,
    findings: list[Finding],
    candidate: RemoteCandidate,
    try_again: Callable[[Check], Finding],
) -> list[Finding]:
    """The findings; undecided ones are decided where the matrices cannot be the reference's.

    A gate, or a layer in the place of two, is seen to be another layer: nobody has to decide that where
    the code does not behave as is due, either, or answers as no two layers do.

    Args:
        exercise: the exercise.
        draws: those of the run.
        findings: of its checks, after known mistakes have decided what they can.
        candidate: from now on its mapper takes such matrices for wrong.
        try_again: gives the finding of a check.
    """
    undecided = undecidable_checks(exercise, draws, findings)
    # Code that behaves as is due may be right: a product of two matrices has more values than one.
    behaviour = {c.name for c in exercise.checks if not c.shape_only and not c.name.startswith(BESIDE)}
    misbehaves = any(f.outcome.failed_or_raised for f in findings if f.check in behaviour)
    if not undecided or not (misbehaves or _has_other_layers(exercise, draws, candidate)):
        return findings
    candidate.mapper.decides_other_layers = True
    decided = {check.name: try_again(check) for check in undecided}
    return [decided.get(finding.check, finding) for finding in findings]


def decide_unmatched(
    exercise: Exercise,
    draws: Draws,
    findings: list[Finding],
    candidate: RemoteCandidate,
    try_again: Callable[[Check], Finding],
) -> list[Finding]:
    """The findings; undecided ones are decided where the module is wrong in whatever way it is matched.

    So where it answers otherwise than the reference with all parameters at one number. What does not may be
    right, and stays undecided.

    Args:
        exercise: the exercise.
        draws: those of the run.
        findings: of its checks, after all else has decided what it can.
        candidate: from now on its mapper takes such a module for wrong.
        try_again: gives the finding of a check.
    """
    undecided = undecidable_checks(exercise, draws, findings)
    if not undecided:
        return findings
    candidate.mapper.find_difference()
    if candidate.mapper.difference is None:
        return findings
    decided = {check.name: try_again(check) for check in undecided}
    return [decided.get(finding.check, finding) for finding in findings]


def _has_other_layers(exercise: Exercise, draws: Draws, candidate: RemoteCandidate) -> bool:
    draw = draws.diagnostic_draws(exercise)[0]
    return exercise.options.two_layers and cannot_be_two_layers(candidate, draw)
