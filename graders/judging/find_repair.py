"""Find where code is wrong: the edit of its own syntax tree after which the checks that fail hold."""

from collections.abc import Sequence
from dataclasses import replace

from graders.judging.judge import Judge
from graders.judging.repair_checks import JudgeAnew, NewSession, Wrong, repair_checks
from graders.judging.repair_others import repair_others
from graders.judging.repair_several import repair_several, several_mistakes
from graders.judging.search_edits import MOST
from graders.judging.smallest_failure import Failure
from graders.results.result import Finding, Repair

MOST_TARGETS = 3  # checks for each of which an edit is looked for, where no core check fails


def find_repairs(
    judge: Judge, findings: Sequence[Finding], judge_anew: JudgeAnew, new_session: NewSession
) -> list[Finding]:
    """The findings, with the edits after which they hold where such are found.

    Args:
        judge: has tried the checks, and knows on which draws they failed.
        findings: of the checks.
        judge_anew: the findings of the checks for another source, in a process of its own.
        new_session: a new one, in a box.
    """
    if judge.draws.known_mistakes(judge.exercise) is None:
        return [*findings]  # a key without hints gives no places either
    wrong = Wrong(judge, findings, judge_anew, new_session)
    core = [each for each in wrong.failures if each.check.core]
    if core and (several := several_mistakes(judge, findings)):
        return repair_several(judge, findings, several, new_session)
    repairs, left = dict[str, tuple[Repair, ...]](), [MOST]
    for targets in _targets(wrong, core):
        if not any(each.check.name in repairs for each in targets):
            found = repair_checks(wrong, targets, left)
            repairs = (found.by_check if found else {}) | repairs
    if core:
        missing = not any(each.check.name in repairs for each in core)
        repairs = repair_others(wrong, repairs, core=missing) | repairs
    return [replace(f, repairs=repairs[f.check]) if f.check in repairs else f for f in findings]


def _targets(wrong: Wrong, core: list[Failure]) -> list[list[Failure]]:
    """What an edit must repair at once: the core checks; where these hold, any of the others by itself.

    How a mask is read is another matter than the core checks, which are judged with masks as they are read.
    """
    if not core:
        return [[failure] for failure in wrong.failures[:MOST_TARGETS]]
    return [core, [each for each in wrong.failures if wrong.is_about_sense(each)]]
