"""Decide checks for which no parameters match by the known mistake that explains the code.

A layer too many has no place among the reference's parameters. Where a known mistake gives the code's answers
on fresh draws, it has one: the code is compared with the mistake on the check's own draws, and where it
answers alike, the check goes as it goes for the mistake.
"""

from dataclasses import replace
from functools import partial
from typing import Any

from graders.candidate.local_candidate import LocalCandidate
from graders.candidate.parameter_mapping.mapper import ParameterMapper
from graders.candidate.parameter_mapping.mapping import Undecidable
from graders.check_api.candidate import Raised
from graders.check_api.check import Check
from graders.check_api.compare import Violation
from graders.check_api.reference_answer import Recipe, ReferenceAnswer
from graders.diagnosis.known_mistakes import KnownMistakes
from graders.judging.judge import Judge
from graders.judging.kept_draws import Example
from graders.language import tr, translatable
from graders.results.mistakes import join_mistakes
from graders.results.result import Finding, Mistake, Outcome

AS_MISTAKE = translatable(
    "your parameters cannot be matched with the reference's, but your answers are those of the mistake named "
    "here, with which {failure}"
)


def decide_as_mistake(judge: Judge, known: KnownMistakes, findings: list[Finding]) -> list[Finding]:
    """The findings; undecided ones as they are for the mistake by which the failed ones are explained.

    Args:
        judge: has tried the checks.
        known: the mistakes of the exercise.
        findings: of its checks, with the mistakes that explain those that failed.
    """
    undecided = {f.check for f in findings if f.outcome is Outcome.SKIPPED}
    checks = [c for c in judge.exercise.value_checks if c.name in undecided and c.needs_reference]
    # A finding has those of its cause alone.
    several = tuple(dict.fromkeys(m for f in findings for mistakes in f.mistakes for m in mistakes))
    if not checks or not several:
        return findings
    symbol = known.make([mistake.name for mistake in several])
    if symbol is None:
        return findings
    found = _decide(judge, checks, symbol)
    decided = {name: _named(finding, several) for name, finding in found.items()}
    return [decided.get(f.check, f) for f in findings]


def _named(finding: Finding, several: tuple[Mistake, ...]) -> Finding:
    if finding.outcome is not Outcome.FAILED:
        return finding
    return replace(finding, mistake=join_mistakes([several]), mistakes=(several,))


def _decide(judge: Judge, checks: list[Check], symbol: Any) -> dict[str, Finding]:
    """The findings of those checks on whose draws the code answers as this class of ours."""
    candidate = judge.candidate
    before = candidate.mapper
    recipe = Recipe(symbol, judge.exercise.options.activations)
    answers = partial(_answers, recipe, tuple(answer.draw for answer in before.mapping_draws()))
    candidate.mapper = ParameterMapper(candidate, answers, before.alone)
    try:
        found = {check.name: _decide_one(judge, check, symbol) for check in checks}
    finally:
        candidate.mapper = before
    return {name: finding for name, finding in found.items() if finding is not None}


def _answers(recipe: Recipe, draws: tuple[Any, ...]) -> list[ReferenceAnswer]:
    return [recipe.answer(draw) for draw in draws]


def _decide_one(judge: Judge, check: Check, symbol: Any) -> Finding | None:
    examples = judge.draws.for_check(judge.exercise, check, judge.candidate.source.constants)
    assert check.answer is not None
    for example in examples:
        as_mistake = Example(example.draw, (check.answer(example.draw, symbol),))
        if isinstance(judge.try_on(check, as_mistake), Exception):
            return None
    ours = LocalCandidate(symbol, partial(judge.draws.mapping_draws, judge.exercise))
    for example in examples:
        try:
            check.judge(ours, example.draw, *example.answer)
        except (Violation, Raised, Undecidable) as failure:
            return judge.finding(check, Outcome.FAILED, tr(AS_MISTAKE, failure=failure))
    return judge.finding(check, Outcome.PASSED)
