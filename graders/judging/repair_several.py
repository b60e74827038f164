"""Find the place of each of several known mistakes: the edit that leaves the answers of the others."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from graders.candidate.local_candidate import LocalCandidate
from graders.candidate.parameter_mapping.mapping import Undecidable
from graders.check_api.candidate import Raised
from graders.check_api.check import Check
from graders.check_api.compare import Violation
from graders.diagnosis.edits.unit import find_units
from graders.judging.judge import Judge
from graders.judging.kept_draws import Example
from graders.judging.repair_checks import NewSession
from graders.judging.search_edits import MOST, Change, Search, holds_on
from graders.judging.smallest_failure import Failure
from graders.results.result import Finding, Mistake, Repair

MOST_MISTAKES = 3
MOST_DRAWS = 4  # of a check, on which an edit is tried before all are


def several_mistakes(judge: Judge, findings: Sequence[Finding]) -> tuple[Mistake, ...]:
    """The known mistakes of which no alternative is known, if there are several; empty otherwise.

    Without that about the sense of a mask, where masks are given as the code reads them.
    """
    mask = judge.exercise.options.mask if judge.candidate.mask_reading else None
    about_sense = mask.check if mask else None
    sure = [f.mistakes[0] for f in findings if len(f.mistakes) == 1 and f.check != about_sense]
    several = tuple(dict.fromkeys(mistake for mistakes in sure for mistake in mistakes))
    return several if 2 <= len(several) <= MOST_MISTAKES else ()


def repair_several(
    judge: Judge, findings: Sequence[Finding], several: Sequence[Mistake], new_session: NewSession
) -> list[Finding]:
    """The findings, with the places of the mistakes that are named there, as far as they are found."""
    known = judge.draws.known_mistakes(judge.exercise)
    repairs, left = dict[str, Repair](), [MOST]
    for mistake in several:
        others = known and known.make([other.name for other in several if other is not mistake])
        if others and (change := _find(judge, others, new_session, left)):
            repairs[mistake.name] = change.repair(mistake=mistake.name)
    return [_with_repairs(finding, repairs) for finding in findings]


def _with_repairs(finding: Finding, repairs: dict[str, Repair]) -> Finding:
    named = [mistake.name for mistakes in finding.mistakes for mistake in mistakes]
    return replace(finding, repairs=tuple(repairs[name] for name in named if name in repairs))


def _find(judge: Judge, others: Any, new_session: NewSession, left: list[int]) -> Change | None:
    """The edit after which the code answers as this class of ours, which makes the other mistakes."""
    candidate = judge.candidate
    draws = list(_as_others_answer(judge, others))
    with new_session() as trying:
        now = candidate.in_session(trying, candidate.source, candidate.mask_reading)
        now.load()
        fails = [each for each in draws if not holds_on(each, now)]
    if not fails:
        return None

    def prove(change: Change) -> bool:
        with new_session() as proving:
            source = change.source(candidate.source)
            edited = candidate.in_session(proving, source, candidate.mask_reading)
            edited.load()
            return all(holds_on(each, edited) for each in draws)

    with new_session() as trying:
        units = find_units(candidate.source)
        search = Search(
            trying,
            candidate,
            units=units,
            targets=fails[:1],
            witnesses=fails[1:MOST_DRAWS],
            prove=prove,
            left=left,
        )
        found = search.find()
    return found and found[0]


def _as_others_answer(judge: Judge, others: Any) -> Iterator[Failure]:
    """The draws of the checks that compare with the reference, with this class's answers in its place."""
    ours = LocalCandidate(others, partial(judge.draws.mapping_draws, judge.exercise))
    for check in judge.exercise.value_checks:
        if check.needs_reference and check.answer is not None:
            for example in judge.draws.for_check(judge.exercise, check):
                answer = (check.answer(example.draw, others),)
                as_others = Example(example.draw, answer)
                if _hold_there(ours, check, as_others):
                    reading = judge.candidate.mask_reading
                    yield Failure(check, as_others, Violation(""), "", reading)


def _hold_there(ours: LocalCandidate, check: Check, example: Example) -> bool:
    """Whether the check, which may ask for more than for these values, holds for the class itself."""
    try:
        check.judge(ours, example.draw, *example.answer)
    except (Violation, Raised, Undecidable):
        return False
    return True
