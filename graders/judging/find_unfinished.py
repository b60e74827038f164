"""Tell code that is unfinished from code that is wrong, by what its calls have come to.

Half-written code raises in every call, in a part that is still to be written. A right answer may raise
NotImplementedError in a branch; then others of its calls answer.
"""

from collections.abc import Collection, Sequence

from graders.candidate.parameter_mapping.mapping import Undecidable
from graders.candidate.student_error import RaisedByStudent
from graders.check_api.compare import OtherParameters
from graders.diagnosis.right_parts import RightParts
from graders.extraction.half_written import ReachedPart, find_reached
from graders.judging import score
from graders.judging.judge import Judge
from graders.language import tr
from graders.results.result import ExerciseResult, Finding, Outcome


def find_unfinished(judge: Judge, findings: Sequence[Finding]) -> ReachedPart | None:
    """The part that is still to be written because of which no core check can be answered; None if it can.

    A core check that fails because parameters are missing says nothing here: a half-written constructor does
    not make them.

    Args:
        judge: has tried the checks, and kept how they failed.
        findings: of its checks.
    """
    reached = [r for f in (judge.failures or {}).values() if (r := _reached(judge, f.failure))]
    if not reached:
        return None
    outcomes = {finding.check: finding.outcome for finding in findings}
    core = [c for c in judge.exercise.value_checks if c.core and not outcomes[c.name].undecided]
    if not all(outcomes[check.name].failed_or_raised for check in core):
        return None
    found: list[ReachedPart] = []
    for check in core:
        for example in judge.draws.for_check(judge.exercise, check, judge.candidate.source.constants):
            failure = judge.try_on(check, example)
            here = _reached(judge, failure)
            if here is None and not isinstance(failure, OtherParameters | Undecidable):
                return None
            found += [here] if here else []
    return next(iter(found), None) or next((one for one in reached if one.always), None)


def judge_unfinished(
    judge: Judge, findings: Sequence[Finding], wrong: Collection[str], parts: RightParts | None
) -> ExerciseResult | None:
    """The result of unfinished code; None of other code, and where right parts can stand in its place.

    Args:
        judge: has tried the checks, and kept how they failed.
        findings: of its checks.
        wrong: the symbols of other exercises that are wrong or unfinished.
        parts: right ones, for those that can be replaced.
    """
    reached = find_unfinished(judge, findings)
    if reached is None or (parts and reached.owner in parts.descriptions):
        return None
    if reached.owner in wrong:
        says = tr("waits for {name}, which is not finished", name=reached.owner)
    else:
        says = reached.part.says
    definitions = judge.candidate.source.definitions
    result = score.unjudged_result(judge.exercise, Outcome.UNFINISHED, says, definitions)
    return score.at_place(result, reached.place)


def _reached(judge: Judge, failure: Exception | str | None) -> ReachedPart | None:
    if not isinstance(failure, RaisedByStudent) or failure.limit is not None:
        return None
    source = judge.candidate.source
    return find_reached(source.symbol, source.definitions, failure.kind, str(failure), failure.place)
