"""Judge one exercise: all its checks, with what explains the failed ones, or only whether it is wrong."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from graders.candidate.remote_candidate import RemoteCandidate
from graders.check_api.check import Check
from graders.course.exercise import Exercise
from graders.diagnosis.right_parts import RightParts
from graders.judging import score
from graders.judging.ask_again import Recorder
from graders.judging.assign_arguments import assign_arguments
from graders.judging.draws import Draws
from graders.judging.explain_findings import (
    explain,
    have_failed,
    with_masks_as_read,
    with_right_parts,
)
from graders.judging.explain_in_time import explain_safely
from graders.judging.find_pretrained import judge_pretrained
from graders.judging.find_unfinished import judge_unfinished
from graders.judging.fixed_sizes import Judged, judge_at_fixed_sizes
from graders.judging.global_sizes import fail_global_sizes
from graders.judging.growth_finding import GrowthVerdict, add_growth_findings, choose_measure
from graders.judging.judge import Judge
from graders.judging.limited_sizes import judge_at_limited_sizes
from graders.judging.load_candidate import load_candidate
from graders.judging.nothing_right import count_little, is_nothing_right, may_be_nothing_right
from graders.judging.one_by_one import fail_batch, judge_one_by_one
from graders.judging.undecidable import (
    decide_other_layers,
    decide_unmatched,
    decide_where_wrong,
    undecidable_checks,
)
from graders.results.measurements import Timing
from graders.results.result import ExerciseResult, Finding, Outcome
from graders.sandbox.session import Session

WrongParts = Callable[[], frozenset[str]]
Interrupted = Callable[[Check, KeyboardInterrupt], Finding]
FindRepairs = Callable[[Judge, Sequence[Finding]], list[Finding]]


def _find_none(judge: Judge, findings: Sequence[Finding]) -> list[Finding]:  # noqa: ARG001 - finds no repairs
    return [*findings]


def _stop(check: Check, interruption: KeyboardInterrupt) -> Finding:  # noqa: ARG001 - as in a notebook
    raise interruption


def judge_exercise(
    exercise: Exercise,
    draws: Draws,
    session: Session,
    candidate: RemoteCandidate,
    wrong_parts: WrongParts = frozenset,
    *,
    names_mistakes: bool = True,
    time: Callable[[], Timing | None] | None = None,
    grows: Callable[..., GrowthVerdict] | None = None,
    interrupted: Interrupted = _stop,
    recorder: Recorder | None = None,
    find_repairs: FindRepairs = _find_none,
) -> ExerciseResult:
    """Load a candidate, run all checks of its exercise, explain failures, time the code if it passes.

    Args:
        exercise: the one whose checks run.
        draws: those of the run.
        session: the one that the candidate uses.
        candidate: not loaded yet; afterwards its `remarks` are complete.
        wrong_parts: finds the symbols that the code is built of and that are wrong; asked if a check fails.
        names_mistakes: whether failed checks get the known mistakes that explain them.
        time: times the code, once it has passed all checks.
        grows: as in `choose_measure`; None where growth cannot be measured.
        interrupted: gives the finding of the check that the person interrupted, which is the last then.
        recorder: records the calls that `ask_again` will ask in another process.
        find_repairs: gives findings the edits after which they hold, for code of which every part is right.
    """
    if (unjudged := load_candidate(exercise, candidate, draws)) is not None:
        return unjudged
    free = assign_arguments(Judge(exercise, draws, session, candidate, recorder=recorder))
    findings, nothing_right, wrong, parts = list[Finding](), False, frozenset[str](), None
    try:
        judge, about_sizes = free.at_sizes(fixed := free.sizes_not_taken())
        _try_all(judge, about_sizes, findings)
    except KeyboardInterrupt as interruption:
        findings.append(interrupted(_last_tried(exercise, findings), interruption))
    else:
        if unjudged := _judge_unasked(exercise, candidate, findings):
            return unjudged
        time = None if have_failed(findings) else time
        judged = Judged(judge, findings, fixed, frozenset(about_sizes))
        try:
            judged = _judge_at_own_sizes(free, judged, names_mistakes=names_mistakes)
            judge, findings = judged.judge, judged.decided()
            parts = draws.right_parts(exercise, wrong := _find_wrong_parts(findings, wrong_parts))
            if unfinished := judge_unfinished(judge, findings, wrong, parts):
                return unfinished
            findings = _explain(judged, findings, parts, names_mistakes=names_mistakes)
            nothing_right = is_nothing_right(judge, findings, parts)
            findings = _with_repairs(judge, findings, parts, find_repairs)
        except KeyboardInterrupt as interruption:
            interrupted(exercise.value_checks[-1], interruption)  # what was found stays, unexplained
        grows = choose_measure(grows, exercise, findings, bool(parts and parts.called))
        findings = add_growth_findings(exercise, findings, grows, draws.known_mistakes)
    result = score.exercise_result(exercise, findings, candidate.source.definitions)
    result = _with_parts(result, candidate.source.names & wrong, parts)
    result = count_little(exercise, result) if nothing_right else result
    return score.with_timing(exercise, result, _measure(exercise, draws, result, time))


def _try_all(judge: Judge, about_sizes: dict[str, Finding], findings: list[Finding]) -> None:
    """Add the finding of each check, in their order, to those that there are."""
    for check in judge.exercise.value_checks:
        findings.append(about_sizes.get(check.name) or judge.try_check(check))
    judge.candidate.look_for_absent_device()


def _last_tried(exercise: Exercise, findings: list[Finding]) -> Check:
    """The check that was tried when these findings were there."""
    return exercise.value_checks[: len(findings) + 1][-1]


def _find_wrong_parts(findings: list[Finding], wrong_parts: WrongParts) -> frozenset[str]:
    """The wrong symbols that the code is built of; none where the code is not wrong itself."""
    return wrong_parts() if any(f.outcome.wrong for f in findings) else frozenset()


def _measure(
    exercise: Exercise, draws: Draws, result: ExerciseResult, time: Callable[[], Timing | None] | None
) -> Timing | None:
    """The time of code that is not wrong; where only the reference is missing, against PyTorch's own."""
    if time is None or result.outcome.wrong or undecidable_checks(exercise, draws, result.findings):
        return None
    return time()


def _judge_unasked(
    exercise: Exercise, candidate: RemoteCandidate, findings: list[Finding]
) -> ExerciseResult | None:
    """The result of code that was never asked: it loads what is not there, or takes other arguments."""
    if unjudged := judge_pretrained(exercise, candidate, findings):
        return unjudged
    if candidate.unbound is None:
        return None
    definitions = candidate.source.definitions
    return score.unjudged_result(exercise, Outcome.RAISED, candidate.unbound, definitions)


def _judge_at_own_sizes(free: Judge, judged: Judged, *, names_mistakes: bool) -> Judged:
    """What was judged; or all checks at sizes that the code fixes or limits, if that explains more.

    Or for each sequence alone.
    """
    judged = judge_at_fixed_sizes(free, judge_one_by_one(free, judged), names_mistakes=names_mistakes)
    return fail_batch(free, judge_at_limited_sizes(free, judged, names_mistakes))


def _with_repairs(
    judge: Judge, findings: list[Finding], parts: RightParts | None, find_repairs: FindRepairs
) -> list[Finding]:
    """The findings with the edits after which they hold; a fault of the search leaves them as they were.

    None are looked for where a part is another exercise's, or where the code does not answer in time.
    """
    if parts is not None or judge.gives_up:
        return findings
    return explain_safely(partial(find_repairs, judge), findings)


def _explain(
    judged: Judged, findings: list[Finding], parts: RightParts | None, *, names_mistakes: bool
) -> list[Finding]:
    """The findings, explained and decided; mistakes are looked for, too, where points depend on them."""
    judge, about_sizes = judged.judge, judged.about_sizes
    others = with_masks_as_read(judge, [f for f in findings if f.check not in about_sizes])
    named = names_mistakes or may_be_nothing_right(judge.exercise, others)
    explained = {f.check: f for f in explain(judge, others, parts, names_mistakes=named)}
    return _decide_the_rest(judge, [explained.get(f.check, f) for f in findings])


def _decide_the_rest(judge: Judge, findings: list[Finding]) -> list[Finding]:
    """The findings; those that no known mistake has decided are decided where the layers are others.

    Arguments that are global variables cost a check.
    """
    exercise, draws = judge.exercise, judge.draws
    findings = decide_other_layers(exercise, draws, findings, judge.candidate, judge.try_check)
    findings = decide_unmatched(exercise, draws, findings, judge.candidate, judge.try_check)
    findings = decide_where_wrong(exercise, draws, findings, partial(judge.try_check, wrong=True))
    return fail_global_sizes(judge.candidate, findings)


def is_found_wrong(
    exercise: Exercise,
    draws: Draws,
    session: Session,
    candidate: RemoteCandidate,
    wrong_parts: WrongParts = frozenset,
) -> bool:
    """Whether `judge_exercise` would find the code wrong; it ends at the first check that decides that.

    Neither the smallest case, nor mistakes, nor costs are looked for. Arguments as for `judge_exercise`.
    """
    if (unjudged := load_candidate(exercise, candidate, draws)) is not None:
        return unjudged.outcome.failed_or_raised
    free = assign_arguments(Judge(exercise, draws, session, candidate))
    judge, about_sizes = free.at_sizes(free.sizes_not_taken())
    if have_failed([*about_sizes.values()]):
        return True
    findings = []
    for check in judge.exercise.value_checks:
        findings.append(judge.try_check(check))
        if have_failed(findings[-1:]) and not wrong_parts():
            return True
    if candidate.unbound:
        return True
    findings = decide_unmatched(judge.exercise, draws, findings, candidate, judge.try_check)
    if have_failed(findings):
        findings = decide_where_wrong(judge.exercise, draws, findings, partial(judge.try_check, wrong=True))
        findings = with_masks_as_read(judge, findings)
        findings = with_right_parts(judge, findings, draws.right_parts(exercise, wrong_parts()))
    return have_failed(fail_global_sizes(candidate, findings))


def _with_parts(result: ExerciseResult, wrong: frozenset[str], parts: RightParts | None) -> ExerciseResult:
    """The result with the wrong parts of its code: those that were replaced, and those that could not be."""
    if parts is not None:
        result = replace(result, parts_replaced=tuple(sorted(parts.called)))
        wrong = wrong - parts.descriptions.keys()
    return replace(result, fix_first=tuple(sorted(wrong))) if result.outcome.wrong else result
