"""Name the known mistakes that explain failed findings, as far as they are proven."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from graders.candidate.remote_candidate import RemoteCandidate
from graders.check_api.check import Check
from graders.check_api.compare import OtherCount, OtherParameters
from graders.check_api.reference_answer import ReferenceAnswer
from graders.diagnosis.compare_failures import Likeness
from graders.diagnosis.known_mistakes import Explained, KnownMistakes
from graders.diagnosis.right_parts import RightParts
from graders.judging.another_answer import is_wrong
from graders.judging.arguments_left import count_masks, is_of_a_call
from graders.judging.judge import Judge
from graders.judging.judge_around import candidate_around
from graders.judging.kept_draws import Example
from graders.judging.prove_names import FailedCase, Proven, Trial, explained_checks, prove
from graders.judging.smallest_failure import Failure
from graders.results.mistakes import join_mistakes
from graders.results.result import Finding, Proof

FEW = 4  # draws of a check on which a failure is looked for, where none is known
Shown = Mapping[str, Sequence[Failure]]  # by check: the first failure, and the smallest, if it is another


def name_mistakes(
    judge: Judge, known: KnownMistakes, shown: Shown | None, parts: RightParts | None, findings: list[Finding]
) -> list[Finding]:
    """The findings; the failed ones with the known mistakes that explain them, around these parts.

    Args:
        judge: has tried the checks.
        known: the mistakes of the exercise.
        shown: how checks failed on the submission's own parts; None where they are tried again.
        parts: right ones, or None for the submission's own.
        findings: of the exercise's checks.
    """
    findings = _by_answers(judge, known, shown, parts, findings)
    return findings if parts else _by_biases(judge, known, shown or {}, findings)


def _by_answers(
    judge: Judge, known: KnownMistakes, shown: Shown | None, parts: RightParts | None, findings: list[Finding]
) -> list[Finding]:
    """The findings; the failed ones with the mistakes that answer as the code does."""
    failed = [f.check for f in findings if _is_unexplained(f)]
    if not failed:
        return findings
    with candidate_around(parts, judge.session, judge.candidate) as around:
        explained = known.explain(around) if around else Explained(known)
        if explained.explains_attention:
            judge.explained.update(failed)
        if around is None or not explained.alternatives:
            return _with_answers(findings, explained)
        if not explained.by.can_be_made:
            return _without_proof(findings, explained)
        if shown is None or parts is not None or explained.matched is not None:
            cases = _tried_again(replace(judge, candidate=around), failed, shown or {}, explained)
            if not cases and parts is None:  # its names fit the mistake's parameters alone
                cases = _known_cases(failed, shown or {})
        else:
            cases = _known_cases(failed, shown)
            unmatched = around.mapper.says_unproven
            hidden = [f.check for f in findings if f.check in failed and f.message == unmatched]
            cases |= _tried_again(judge, hidden, {}, explained)
    trial = Trial(explained, cases, around.mapper.mapping_draws, isinstance(known.reference, type))
    proven = prove(trial)
    judge.explained.update(explained_checks(trial))
    source = judge.candidate.source
    definitions = source.definitions
    masks = count_masks([name for name, *_ in call.arguments] for call in source.calls)
    for check, each in [*proven.items()]:
        told = tuple(name for name in each.names if not is_of_a_call(name, definitions, masks))
        # The others are no cause where the check holds for them.
        fails = told == each.names or trial.likeness(told, check) is not Likeness.HOLDS
        proven[check] = replace(each, names=told if fails else ())
    named = [
        _named(f, explained, proven[f.check]) if f.check in proven and proven[f.check].names else f
        for f in findings
    ]
    return _with_answers(named, explained)


def _by_biases(judge: Judge, known: KnownMistakes, shown: Shown, findings: list[Finding]) -> list[Finding]:
    """The findings; that on the number of parameters with the mistake of biases that no answer tells."""
    counted = {
        f.check: failures
        for f in findings
        if _is_unexplained(f)
        and (failures := [each for each in shown.get(f.check, ()) if isinstance(each.failure, OtherCount)])
    }
    name = known.of_biases(judge.candidate) if counted else None
    if name is None:
        return findings
    explained = Explained(known, ((name,),), 1)
    if not known.can_be_made:
        return [_without_proof([f], explained)[0] if f.check in counted else f for f in findings]
    cases = {check: [_case(f.check, f.example, f.failure) for f in each] for check, each in counted.items()}
    trial = Trial(explained, cases, judge.candidate.mapper.mapping_draws, is_module=True)
    return [
        _named(f, explained, Proven((name,), len(cases[f.check])))
        if f.check in cases and trial.likeness((name,), f.check) is not Likeness.HOLDS
        else f
        for f in findings
    ]


def places(parts: RightParts | None) -> Sequence[RightParts | None]:
    """The parts around which mistakes are looked for, in turn; None for the submission's own."""
    return (parts, None) if parts and parts.called else (None,)


def _is_unexplained(finding: Finding) -> bool:
    return finding.outcome.failed_or_raised and not finding.mistakes


def _with_answers(findings: list[Finding], explained: Explained) -> list[Finding]:
    """The findings; those that nothing explains yet with the digest of the code's answers."""
    lacking = [_is_unexplained(f) and f.answers is None for f in findings]
    return [
        replace(f, answers=explained.answers) if lacks else f
        for f, lacks in zip(findings, lacking, strict=True)
    ]


def _named(finding: Finding, explained: Explained, proven: Proven) -> Finding:
    mistakes = (tuple(map(explained.by.describe, proven.names)),)
    proof = Proof(explained.draws + proven.fresh, proven.fresh, True)
    return replace(finding, mistake=join_mistakes(mistakes), mistakes=mistakes, proof=proof)


def _without_proof(findings: list[Finding], explained: Explained) -> list[Finding]:
    """The findings with what an answer key says of their cause: it holds no mistakes to try."""
    mistakes = explained.mistakes
    if not mistakes:
        return findings
    named = {
        "mistake": join_mistakes(mistakes),
        "mistakes": mistakes,
        "proof": Proof(explained.draws, 0, None),
    }
    return [replace(f, **named) if _is_unexplained(f) else f for f in findings]  # type: ignore[arg-type]


def _known_cases(failed: Sequence[str], shown: Shown) -> dict[str, list[FailedCase]]:
    """How checks have failed, on the draws that are known."""
    return {
        name: [_case(f.check, f.example, f.failure) for f in shown[name] if is_wrong(f.failure)]
        for name in failed
        if name in shown and any(is_wrong(f.failure) for f in shown[name])
    }


def _case(check: Check, example: Example, failure: Exception) -> FailedCase:
    absent = (answer.absent for answer in example.answer if isinstance(answer, ReferenceAnswer))
    return FailedCase(check, example, failure, next(absent, frozenset()))


def _tried_again(
    judge: Judge, failed: Sequence[str], shown: Shown, explained: Explained
) -> dict[str, list[FailedCase]]:
    """How checks fail with the parts, and with the match of parameters, with which mistakes were found."""
    checks = {check.name: check for check in judge.exercise.value_checks}
    with _matched(judge.candidate, explained):
        cases = {name: _try_again(judge, checks[name], shown.get(name, ()), explained) for name in failed}
    return {name: [case] for name, case in cases.items() if case}


def _try_again(
    judge: Judge, check: Check, shown: Sequence[Failure], explained: Explained
) -> FailedCase | None:
    known, matched = [failure.example for failure in shown], explained.matched
    first = judge.draws.for_check(judge.exercise, check)[:FEW]
    examples = [*known, *first] if matched else known or first
    if matched is None or matched.base is None or not (due := _against(matched.base, check, examples)):
        return _first_wrong(judge, check, examples)
    if case := _first_wrong(judge, check, due):
        return case
    # It answers as the mistake: all that is wrong is what it has.
    case = _of_parameters(shown) or _first_wrong(judge, check, examples)
    return case and replace(case, answered_as=matched.names)


def _of_parameters(failures: Sequence[Failure]) -> FailedCase | None:
    """The failure that tells of other parameters, if there is one."""
    others = (f for f in failures if isinstance(f.failure, OtherParameters))
    return next((_case(f.check, f.example, f.failure) for f in others), None)


def _first_wrong(judge: Judge, check: Check, examples: Sequence[Example]) -> FailedCase | None:
    tried = ((example, judge.try_on(check, example)) for example in examples)
    wrong = (_case(check, e, f) for e, f in tried if isinstance(f, Exception) and is_wrong(f))
    return next(wrong, None)


def _against(base: Any, check: Check, examples: Sequence[Example]) -> list[Example]:
    """The draws with the answers of a mistake, whose parameters the code has, where the reference's are due.

    Otherwise all that is seen is that parameters are others, whatever else is wrong.
    """
    if not check.needs_reference or check.answer is None:
        return []
    return [Example(example.draw, (check.answer(example.draw, base),)) for example in examples]


@contextmanager
def _matched(candidate: RemoteCandidate, explained: Explained) -> Iterator[None]:
    """In the block, the candidate's parameters are matched as they were where mistakes were found."""
    before = candidate.mapper
    of_before = before.mapping
    try:
        if explained.matched is not None:
            candidate.mapper = explained.matched.mapper
            candidate.mapper.mapping = explained.matched.mapping
        yield
    finally:
        before.mapping = of_before
        candidate.mapper = before
