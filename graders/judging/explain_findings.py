"""Explain failed checks: by masks, by wrong parts, on the smallest draw, and by known mistakes."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from graders.diagnosis.right_parts import RightParts
from graders.judging.decide_as_mistake import decide_as_mistake
from graders.judging.explain_in_time import explain_safely, in_time
from graders.judging.judge import Judge
from graders.judging.judge_around import (
    candidate_around,
    choose_form,
    judge_under_both_readings,
)
from graders.judging.mask_reading import judge_as_read
from graders.judging.name_mistakes import name_mistakes, places
from graders.judging.show_smallest import show_on_smallest
from graders.judging.smallest_failure import Failure
from graders.results.result import Finding


def have_failed(findings: Sequence[Finding]) -> bool:
    """Whether one of the findings is wrong within the limits."""
    return any(f.outcome.failed_or_raised for f in findings)


def with_masks_as_read(judge: Judge, findings: list[Finding]) -> list[Finding]:
    """The findings; where masks are read in another way, the other checks are judged with such masks."""
    exercise, draws = judge.exercise, judge.draws
    failed = have_failed(findings) and exercise.options.mask
    known_mistakes = draws.known_mistakes(exercise) if failed else None
    if exercise.options.mask is None or known_mistakes is None or judge.gives_up:
        return findings
    read = partial(
        judge_as_read,
        exercise.options.mask,
        judge.candidate,
        draws=partial(draws.diagnostic_draws, exercise),
        explain=partial(known_mistakes.explain, judge.candidate),
        try_again=lambda finding: judge.try_named(finding.check),
    )
    return explain_safely(in_time(judge.session, read), findings)


def with_right_parts(judge: Judge, findings: list[Finding], parts: RightParts | None) -> list[Finding]:
    """The findings; failed ones as passed where the check holds with right parts in place of wrong ones."""
    if parts is None:
        return findings
    return explain_safely(partial(_judge_around, judge, parts), findings)


def explain(
    judge: Judge, findings: list[Finding], parts: RightParts | None, *, names_mistakes: bool
) -> list[Finding]:
    """The findings: passed ones where they hold with right parts, else on the smallest draw, with mistakes.

    Never raises: if the diagnosis itself fails, the findings stay, with its traceback for the instructor.

    Args:
        judge: has tried the checks.
        findings: of all checks of the exercise.
        parts: right ones, for those of the submission's parts that were found wrong.
        names_mistakes: whether failed checks get the known mistakes that explain them.
    """
    if not have_failed(findings):
        return findings  # what an answer key knows of mistakes is not even read
    around = with_right_parts(judge, findings, parts)
    for before, after in zip(findings, around, strict=True):
        if after is not before and judge.failures:  # it fails in another way than it did
            judge.failures.pop(before.check, None)
    findings = around
    shown: dict[str, list[Failure]] = {}
    show = partial(show_on_smallest, judge, judge.failures or {}, shown)
    findings = [show(f) if f.outcome.failed_or_raised else f for f in findings]
    known_mistakes = judge.draws.known_mistakes(judge.exercise)
    if known_mistakes is None:
        return findings
    for place in places(parts) if names_mistakes else ():
        if place is None and judge.gives_up:
            continue
        name = partial(name_mistakes, judge, known_mistakes, shown, place)
        findings = explain_safely(in_time(judge.session, name), findings)
    return explain_safely(partial(decide_as_mistake, judge, known_mistakes), findings)


def _judge_around(judge: Judge, parts: RightParts, findings: list[Finding]) -> list[Finding]:
    with candidate_around(parts, judge.session, judge.candidate) as candidate:
        if candidate is None:
            return findings
        candidate.load()
        draws = judge.draws.without_search()
        again = replace(judge, candidate=candidate, draws=draws, late=[], failures=None, recorder=None)
        choose_form(parts, again)
        failing = {name: failure.example for name, failure in (judge.failures or {}).items()}
        return judge_under_both_readings(parts, candidate, findings, again, failing)
