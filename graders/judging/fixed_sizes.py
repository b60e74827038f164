"""Try all checks; where the code takes a size and ignores it, try them again at the value that it has."""

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from graders.check_api.candidate import Raised
from graders.check_api.usual_sizes import UsualSize
from graders.judging.judge import Judge
from graders.judging.undecidable import decide_where_wrong
from graders.judging.usual_sizes import failed_for_sizes_ignored
from graders.results.mistakes import join_mistakes
from graders.results.result import Finding
from graders.sandbox.process_lost import ProcessLost

IGNORED = "_ignored"  # how the name of a mistake ends that ignores an argument


@dataclass(frozen=True)
class Judged:
    """The findings of all checks, and the judge that made them.

    Attributes:
        judge: at the values of the sizes that the code fixes.
        findings: of the checks, in their order.
        fixed: these sizes, with the findings of the checks about them on draws with any sizes.
        about_sizes: the names of the checks that are about these sizes.
    """

    judge: Judge
    findings: list[Finding]
    fixed: dict[UsualSize, Finding]
    about_sizes: frozenset[str]

    def decided(self) -> list[Finding]:
        """The findings; where the code is wrong, the undecided ones are decided on the draws that can be."""
        judge, try_again = self.judge, partial(self.judge.try_check, wrong=True)
        return decide_where_wrong(judge.exercise, judge.draws, self.findings, try_again)


def judge_at_ignored_sizes(free: Judge, judged: Judged, *, names_mistakes: bool) -> Judged:
    """What was judged; or all checks at the sizes that the code takes and ignores, if that explains more.

    Args:
        free: the judge whose draws have any sizes.
        judged: at the values of sizes that the constructor does not take.
        names_mistakes: whether the checks about sizes get the known mistakes that explain them.
    """
    if judged.judge.gives_up:
        return judged
    found = {finding.check: finding for finding in judged.findings}
    ignored: dict[UsualSize, Finding] = {}
    with contextlib.suppress(Raised, ProcessLost):  # the checks met it too, and said so
        ignored = failed_for_sizes_ignored(free.exercise, free.candidate, free.draws, found)
    if not ignored:
        return judged
    if names_mistakes:
        ignored = {size: _name(free, size, finding) for size, finding in ignored.items()}
    fixed = {**judged.fixed, **ignored}
    judge, about_sizes = free.at_sizes(fixed)
    checks = judge.exercise.value_checks
    findings = [about_sizes.get(check.name) or judge.try_check(check) for check in checks]
    if _points(findings) > _points(judged.findings):
        return Judged(judge, findings, fixed, frozenset(about_sizes))
    before = judged.judge
    before.candidate.use_mapping_draws(partial(before.draws.mapping_draws, before.exercise))
    return judged


def _name(free: Judge, size: UsualSize, finding: Finding) -> Finding:
    """The finding with the known mistake that ignores the size as this code does, if there is one."""
    known_mistakes = free.draws.known_mistakes(free.exercise)
    if known_mistakes is None or size.own:
        return finding
    name = f"{free.exercise.symbol}__{size.argument}{IGNORED}"
    if not known_mistakes.knows(name):
        return finding
    mistakes = ((known_mistakes.describe(name),),)
    return replace(finding, mistake=join_mistakes(mistakes), mistakes=mistakes)


def _points(findings: Sequence[Finding]) -> float:
    return sum(finding.points for finding in findings)
